/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/early.h"

#include "common/vec.h"
#include "interceptor/outcomes/decisions.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdlib.h>

_Atomic uint32_t ork_errands;

/* A ring, by number of the request. */
struct pending {
    MPI_Request handle;
    uint32_t next, prev;
    uint32_t asker; /* the thread that started it */
    uint32_t user;  /* the thread in a completing call for it + 1; 0: none */
    bool listed;
};
static struct pending *pending;
static uint32_t room;
static uint32_t cursor; /* the next one to ask for, if any is listed */
static bool is_stopped;

static bool reserve(uint32_t id)
{
    int saved = errno;
    bool done = ork_vec_reserve(&pending, &room, id + 1, sizeof(*pending));

    errno = saved;
    return done;
}

static void count(int change)
{
    uint32_t n = atomic_load_explicit(&ork_errands, memory_order_relaxed);

    atomic_store_explicit(&ork_errands, n + (uint32_t)change, memory_order_relaxed);
}

static bool is_listed(uint32_t id)
{
    return id < room && pending[id].listed;
}

void ork_early_add(uint32_t id, MPI_Request request)
{
    /* RATIONALE: the tool has decided the source, and the library may not have the receive. */
    if (ork_decisions_are_on() || id >= ORK_REQUEST_SHARED || is_listed(id) || !reserve(id))
        return;
    if (!ork_early_is_pending()) {
        cursor = id;
        pending[id].prev = id;
    }
    uint32_t before = pending[cursor].prev;
    pending[id] = (struct pending){.handle = request,
                                   .next = cursor,
                                   .prev = before,
                                   .asker = ork_thread.index,
                                   .listed = true};
    pending[before].next = id;
    pending[cursor].prev = id;
    count(1);
}

void ork_early_add_persistent(uint32_t id, MPI_Request request)
{
    if (ork_library_keeps_active())
        ork_early_add(id, request);
}

void ork_early_remove(uint32_t id)
{
    if (!is_listed(id))
        return;
    struct pending *p = &pending[id];
    pending[p->prev].next = p->next;
    pending[p->next].prev = p->prev;
    if (cursor == id)
        cursor = p->next;
    p->listed = false;
    count(-1);
}

void ork_early_hold(uint32_t id)
{
    if (is_listed(id))
        pending[id].user = ork_thread.index + 1u;
}

void ork_early_let_go(uint32_t id)
{
    if (is_listed(id) && pending[id].user == ork_thread.index + 1u)
        pending[id].user = 0;
}

/* RATIONALE: the thread's state, because this call may not be recorded and run inside a recorded
 * one. */
static void put_early(uint32_t id, const MPI_Status *status)
{
    bool outside = ork_thread.state != ORK_STATE_BLOCKED;
    struct ork_record r = {.kind = ORK_KIND_EARLY,
                           .flags = outside ? ORK_F_NONBLOCKING : 0,
                           .thread = ork_thread.index,
                           .request = id,
                           .peer = status->MPI_SOURCE,
                           .tag = status->MPI_TAG};

    ork_put(&r);
    ork_publish();
}

void ork_early_tell(uint32_t id, const MPI_Status *status)
{
    if (!is_listed(id))
        return;
    ork_early_remove(id);
    if (pending[id].asker != ork_thread.index || status->MPI_SOURCE < 0 || status->MPI_TAG < 0)
        return; /* another thread's order is not ours; an inactive request has no source */
    put_early(id, status);
}

static void ask(uint32_t id)
{
    const struct pending *p = &pending[id];
    MPI_Status status;
    int flag = 0;

    if (p->asker != ork_thread.index || (p->user != 0 && p->user != ork_thread.index + 1u))
        return;
    if (ORK_NEXT(MPI_Request_get_status)(p->handle, &flag, &status) != MPI_SUCCESS)
        ork_early_remove(id);
    if (flag)
        ork_early_tell(id, &status);
}

void ork_early_stop(void)
{
    is_stopped = true;
}

void ork_early_sweep(uint32_t most)
{
    uint32_t n = ork_early_pending();
    int saved = errno;

    for (n = n < most ? n : most; n > 0 && !is_stopped; n--) {
        uint32_t id = cursor;
        cursor = pending[id].next;
        ask(id);
    }
    errno = saved;
}

void ork_early_answer(void)
{
    uint32_t asked = atomic_load_explicit(&ork_recorder.ring->asked, memory_order_relaxed);

    if (asked == ork_thread.asked)
        return;
    ork_thread.asked = asked;
    ork_lock();
    ork_early_sweep(ORK_EARLY_ALL);
    ork_unlock();
}
