/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/backlog.h"

#include "common/hash.h"
#include "interceptor/forcing/ahead.h"
#include "interceptor/forcing/real.h"
#include "interceptor/objects/bounds.h"
#include "interceptor/objects/context.h"
#include "interceptor/outcomes/decisions.h"
#include "interceptor/ring/clock.h"
#include "interceptor/ring/sections.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { PAUSE_NS = 20000 };

/* RATIONALE: memory for rows is limited, and a program that makes many communicators sends little
 * on each of them. */
enum { KEPT = 64, KEY = 5 };

/* A communicator. Of member i: word 2 i: messages that were sent to it; 2 i + 1: receives that it
 * has posted. */
struct backlog {
    uint32_t id;
    int me, size;
    struct ork_sections_row row; /* word NULL: they are not counted, or not yet */
    uint64_t uses;
    int64_t *allowed; /* by member, see ahead.h; NULL: none was needed yet */
};
static struct backlog kept[KEPT];
static uint32_t num_kept, latest;

bool ork_backlog_is_long;
static struct backlog *waits_for;
static int waits_dest;

static _Atomic uint64_t *word_of(const struct backlog *b, int member, uint32_t what)
{
    return b->row.word + (2 * (size_t)member + what) * b->row.stride;
}

static uint64_t load(const struct backlog *b, int member, uint32_t what)
{
    return atomic_load_explicit(word_of(b, member, what), memory_order_relaxed);
}

/* ---- communicators ---- */

static bool is_shared(MPI_Comm comm)
{
    MPI_Group group;

    if (ORK_NEXT(MPI_Comm_group)(comm, &group) != MPI_SUCCESS)
        return false;
    bool is = ork_sections_are_shared_by(group);
    ORK_NEXT(MPI_Group_free)(&group);
    return is;
}

/* RATIONALE: another rank may not have entered the memory yet, so this is tried again later. */
static void look_for_row(struct backlog *b, MPI_Comm comm)
{
    if ((b->uses & (b->uses + 1)) != 0)
        return;
    ork_lock();
    uint64_t context = ork_context_of(b->id);
    ork_unlock();
    if (context != 0 && is_shared(comm))
        b->row = ork_sections_find(ork_hash_add(KEY, context), 2 * (uint32_t)b->size);
}

static struct backlog *add(MPI_Comm comm, uint32_t id)
{
    const struct ork_comm_bounds *bounds = ork_bounds_of(comm);

    if (num_kept == KEPT || !bounds->is_valid || bounds->is_inter)
        return NULL;
    latest = num_kept;
    kept[num_kept] = (struct backlog){.id = id, .me = bounds->rank, .size = bounds->size};
    return &kept[num_kept++];
}

static struct backlog *find(uint32_t id)
{
    for (uint32_t i = 0; i < num_kept; i++) {
        if (kept[i].id == id) {
            latest = i;
            return &kept[i];
        }
    }
    return NULL;
}

/* NULL: it is not counted. RATIONALE: several threads are not followed. */
static struct backlog *backlog_of(MPI_Comm comm)
{
    int saved = errno;

    if (ork_thread.ordinal > 0)
        return NULL;
    ork_lock();
    uint32_t id = ork_comm_id(comm);
    ork_unlock();
    if (id == ORK_COMM_UNKNOWN)
        return NULL;
    struct backlog *b = num_kept > 0 && kept[latest].id == id ? &kept[latest] : find(id);
    if (b == NULL)
        b = add(comm, id);
    if (b != NULL && b->row.word == NULL) {
        look_for_row(b, comm);
        b->uses++;
    }
    errno = saved;
    return b != NULL && b->row.word != NULL ? b : NULL;
}

/* ---- counting ---- */

static int64_t *allowed_by(struct backlog *b, int dest)
{
    int saved = errno;

    if (b->allowed == NULL)
        b->allowed = calloc((size_t)b->size, sizeof(*b->allowed));
    errno = saved;
    return b->allowed != NULL ? &b->allowed[dest] : NULL;
}

/* Messages without a receive; fewer than none if receives wait. */
static int64_t length_of(const struct backlog *b, int dest)
{
    return (int64_t)(load(b, dest, 0) - load(b, dest, 1));
}

void ork_backlog_sent(MPI_Comm comm, int dest)
{
    struct backlog *b = backlog_of(comm);

    if (b == NULL || dest < 0 || dest >= b->size || dest == b->me)
        return;
    atomic_fetch_add_explicit(word_of(b, dest, 0), 1, memory_order_relaxed);
    int64_t length = length_of(b, dest);
    if (!ork_ahead_is_long(0, length))
        return;
    const int64_t *allowed = allowed_by(b, dest);
    if (allowed == NULL || !ork_ahead_is_long(*allowed, length))
        return;
    waits_for = b;
    waits_dest = dest;
    ork_backlog_is_long = true;
}

void ork_backlog_posted(MPI_Comm comm)
{
    const struct backlog *b = backlog_of(comm);

    if (b != NULL)
        atomic_fetch_add_explicit(word_of(b, b->me, 1), 1, memory_order_relaxed);
}

/* ---- waiting ---- */

static enum ork_ahead_state look(struct ork_ahead_wait *w)
{
    return ork_ahead_look(w, length_of(waits_for, waits_dest), load(waits_for, waits_dest, 1),
                          ork_clock_ns());
}

void ork_backlog_wait(void)
{
    int saved = errno;
    int64_t *allowed = &waits_for->allowed[waits_dest];
    struct ork_ahead_wait w;

    if (ork_thread.ordinal > 0 || ork_thread.state != ORK_STATE_RUNNING)
        return;
    ork_backlog_is_long = false;
    ork_ahead_begin(&w, *allowed, load(waits_for, waits_dest, 1), ork_clock_ns());
    enum ork_ahead_state state = look(&w);
    while (state == ORK_AHEAD_WAITS) {
        ork_decisions_progress();
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        state = look(&w);
    }
    *allowed = ork_ahead_end(*allowed, length_of(waits_for, waits_dest), state);
    errno = saved;
}
