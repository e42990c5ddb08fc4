/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call has to do next in a rank that follows an order. */
#include "common/hash.h"
#include "interceptor/objects/bounds.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/ring/clock.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/site/map.h"
#include "interceptor/mpi/next.h"
#include "interceptor/preload/thread_storage.h"

void ork_ordered_diverge(enum ork_divergence why, enum ork_call_id id)
{
    ork_lock();
    if (ork_replay_is_on())
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    ork_unlock();
}

/* Does the next choice belong to this call? Else the rank has diverged. */
static bool is_next(const struct ork_choice *next, enum ork_choice_kind kind, enum ork_call_id id)
{
    enum ork_divergence why = 0;

    if (next->kind == ORK_CHOICE_END)
        why = ORK_DIVERGED_MORE;
    else if (next->kind != kind || next->call != id)
        why = ORK_DIVERGED_CALL;
    else if (next->place != ork_choice_place_of(ork_thread.site))
        why = ORK_DIVERGED_PLACE;
    if (why != 0)
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    return why == 0;
}

const struct ork_choice *ork_ordered_find_next(enum ork_choice_kind kind, enum ork_call_id id)
{
    ork_lock();
    const struct ork_choice *next = ork_replay_next();
    if (next != NULL && ork_choice_is_again(next)) {
        ork_replay_end();
        next = NULL;
    }
    if (next != NULL && (next->kind == ORK_CHOICE_FREE || !is_next(next, kind, id)))
        next = NULL;
    ork_unlock();
    ork_hold_at_choice(next, id);
    return next;
}

static uint64_t key_of(const struct ork_point *polled)
{
    uint64_t key = ork_hash_add(ork_thread.site, (uint64_t)polled->kind << 32 | polled->id);

    key = ork_hash_add(ork_hash_add(key, ORK_KEY(polled->comm)), ORK_KEY(polled->win));
    key = ork_hash_add(key, (uint32_t)polled->count);
    key = ork_hash_add(ork_hash_add(key, (uint32_t)polled->source), (uint32_t)polled->tag);
    for (int i = 0; i < polled->count; i++)
        key = ork_hash_add(key, ORK_KEY(polled->request[i]));
    return key;
}

ORK_THREAD_LOCAL(uint64_t, ork_polls_wanted); /* key_of() the poll that the choice names */

/* Does it have to wait for its turn, because it is not the poll that the choice names? RATIONALE:
 * requests that are tested again and again stay active, so another one has not got the same handle.
 * The lock is held. */
static bool is_other(const struct ork_choice *next, const struct ork_point *polled)
{
    uint64_t polls = ork_replay_polls();

    if (polls + 1 == next->post)
        ork_polls_wanted = key_of(polled);
    return polls < next->polls || key_of(polled) != ork_polls_wanted;
}

/* RATIONALE: those before the choice had the named one among them, so a loop comes to it again
 * within so many. Else it never does. */
static bool is_too_late(const struct ork_choice *next)
{
    return ork_replay_polls() > 2 * next->polls;
}

/* A row of polls that all fail. RATIONALE: it ends with another call; but a loop that does not give
 * up must not be forced for ever. So it is not forced any more after a second, if it made many
 * polls, and after some seconds if it made few of them, because it sleeps in between. */
enum { ROW_POLLS = 1000, ROW_MANY_S = 1, ROW_FEW_S = 5, LOOP_ROWS = 256 };

struct row {
    uint64_t choices, calls; /* of the thread: before it, and at its latest poll */
    uint64_t polls;
    uint32_t rows; /* before this one */
    uint64_t begun_ns;
    bool is_over;
};

static bool is_long(const struct row *row)
{
    uint64_t limit_s = row->polls >= ROW_POLLS ? ROW_MANY_S : ROW_FEW_S;

    return ork_clock_ns() - row->begun_ns > limit_s * 1000000000;
}

ORK_THREAD_LOCAL(struct row, ork_polls_row);

/* A poll; true: other calls were made since the one before it. */
static bool count_in_row(void)
{
    bool is_first = ork_polls_row.polls == 0 || ork_polls_row.choices != ork_thread.choices;
    bool is_apart = !is_first && ork_thread.calls != ork_polls_row.calls + 1;

    if (is_first)
        ork_polls_row = (struct row){.choices = ork_thread.choices, .begun_ns = ork_clock_ns()};
    else
        ork_polls_row.is_over |= is_long(&ork_polls_row);
    ork_polls_row.calls = ork_thread.calls;
    ork_polls_row.polls++;
    return is_apart;
}

/* The polls of a loop, when it is to give up. RATIONALE: only the first thread of a rank is forced
 * to that. */
static struct {
    uint64_t key[ORK_POLLS_MAX];
    uint32_t num;
} loop;

/* Is it equal to one of the first `polls` polls? */
static bool is_in_loop(const struct ork_point *polled, uint64_t polls)
{
    uint64_t key = key_of(polled);

    for (uint32_t i = 0; i < loop.num; i++) {
        if (loop.key[i] == key)
            return true;
    }
    if (ork_polls_row.polls > polls || loop.num == ORK_POLLS_MAX)
        return false;
    loop.key[loop.num++] = key;
    return true;
}

/* Does the poll fail? RATIONALE: what the rank does between rows may be of any length, so their
 * number is small. */
static bool is_given_up(const struct ork_point *polled, const struct ork_choice *next)
{
    ork_polls_row.rows += count_in_row();
    if (ork_polls_row.polls == 1)
        loop.num = 0;
    ork_polls_row.is_over |=
        ork_polls_row.rows > (next->polls == ORK_CHOICE_POLLS_ROW ? 0 : LOOP_ROWS) ||
        !is_in_loop(polled, next->post);
    return !ork_polls_row.is_over;
}

enum ork_outcome ork_ordered_find_poll(const struct ork_point *polled,
                                       const struct ork_choice **next)
{
    enum ork_outcome poll = ORK_OUTCOME_FREE;

    ork_lock();
    *next = ork_replay_next();
    if (*next != NULL && ork_choice_is_again(*next) && is_other(*next, polled)) {
        if (is_too_late(*next))
            ork_replay_end();
        else
            poll = ORK_OUTCOME_FAILS;
    } else if (*next != NULL && (*next)->polls >= ORK_CHOICE_POLLS_EQUAL) {
        if (is_given_up(polled, *next))
            poll = ORK_OUTCOME_FAILS;
    } else if (*next != NULL && ork_replay_polls_fail(*next)) {
        poll = ORK_OUTCOME_FAILS;
    } else if (*next != NULL && (*next)->kind != ORK_CHOICE_FREE &&
               is_next(*next, polled->kind, polled->id)) {
        poll = ORK_OUTCOME_GIVEN;
    }
    ork_unlock();
    if (poll == ORK_OUTCOME_GIVEN)
        ork_hold_at_choice(*next, polled->id);
    return poll;
}

/* ---- source and tag of a message ---- */

/* Of the group from which messages come. */
static __attribute__((noinline)) int find_size(MPI_Comm comm)
{
    int inter = 0, size = 0;

    ORK_NEXT(MPI_Comm_test_inter)(comm, &inter);
    if (inter)
        ORK_NEXT(MPI_Comm_remote_size)(comm, &size);
    else
        ORK_NEXT(MPI_Comm_size)(comm, &size);
    return size;
}

static inline int size_of(MPI_Comm comm)
{
    const struct ork_comm_bounds *bounds = ork_bounds_of(comm);

    return ORK_LIKELY(bounds->is_valid) ? bounds->size : find_size(comm);
}

bool ork_ordered_name(const struct ork_choice *choice, MPI_Comm comm, int *source, int *tag)
{
    if (choice->source < 0 || choice->tag < 0 ||
        (*source != MPI_ANY_SOURCE && *source != choice->source) ||
        (*tag != MPI_ANY_TAG && *tag != choice->tag) || choice->source >= size_of(comm))
        return false;
    *source = choice->source;
    *tag = choice->tag;
    return true;
}

bool ork_ordered_envelope(enum ork_choice_kind kind, enum ork_call_id id, MPI_Comm comm,
                          int *source, int *tag)
{
    const struct ork_choice *next = NULL;

    if (ork_replay_is_on() && ork_is_wildcard(*source, *tag))
        next = ork_ordered_next(kind, id);
    if (next == NULL || next->source == ORK_NO_PEER) /* it failed: its arguments are wrong */
        return false;
    if (ork_ordered_name(next, comm, source, tag))
        return true;
    ork_ordered_diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}
