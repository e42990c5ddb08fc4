/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/concurrency.h"

#include "common/vec.h"
#include "interceptor/objects/epochs.h"
#include "interceptor/ring/latest.h"
#include "interceptor/usage/usage.h"

#include <errno.h>

_Atomic bool ork_concurrent;

/* Which thread uses an object at this moment: 1 + its number, by the object's number; 0: none. */
struct users {
    uint16_t *thread;
    uint32_t room;
};
static struct users colls, waits;

/* What a thread does, by its number. */
struct doing {
    struct ork_epoch_place coll, wait; /* the calls it is in */
    bool has_probed;                   /* and not yet received the message that it found: */
    uint32_t comm;
    int source, tag;
    bool is_taken; /* another thread has begun a receive that may take it */
    struct ork_epoch_place taken;
};
static struct doing *doing;
static uint32_t num_doing;

static struct ork_epoch_place place_of(const struct ork_call *call)
{
    return (struct ork_epoch_place){.site = call->site, .call = call->id};
}

static void report(const struct ork_call *call, enum ork_usage_id id, struct ork_epoch_place other)
{
    ork_usage_report_locked(
        call, &(struct ork_usage){.id = id, .other_site = other.site, .other_call = other.call});
}

/* NULL: out of memory. */
static struct doing *doing_of(uint32_t thread)
{
    int saved = errno;
    bool has_room = ork_vec_reserve(&doing, &num_doing, thread + 1, sizeof(*doing));

    errno = saved;
    return has_room ? &doing[thread] : NULL;
}

static bool reserve(struct users *users, uint32_t id)
{
    int saved = errno;
    bool done = ork_vec_reserve(&users->thread, &users->room, id + 1, sizeof(*users->thread));

    errno = saved;
    return done;
}

/* The calling thread uses an object. Returns 1 + the number of another one that does; 0: none. */
static uint16_t enter(struct users *users, uint32_t id, bool stays)
{
    uint16_t me = (uint16_t)(ork_thread.index + 1);

    if (id >= users->room && (!stays || !reserve(users, id)))
        return 0;
    uint16_t other = users->thread[id];
    if (stays && other == 0)
        users->thread[id] = me;
    return other == me ? 0 : other;
}

static void leave(struct users *users, uint32_t id)
{
    if (id < users->room && users->thread[id] == ork_thread.index + 1)
        users->thread[id] = 0;
}

/* ---- collective calls ---- */

void ork_concurrency_enter_coll(const struct ork_call *call, uint32_t comm, bool stays)
{
    struct doing *me = doing_of(ork_thread.index);

    if (me == NULL || comm == ORK_COMM_UNKNOWN)
        return;
    uint16_t other = enter(&colls, comm, stays);
    if (other != 0)
        report(call, ORK_USAGE_CONCURRENT_COLLECTIVES, doing[other - 1].coll);
    else if (stays)
        me->coll = place_of(call);
}

void ork_concurrency_leave_coll(uint32_t comm)
{
    if (comm != ORK_COMM_UNKNOWN)
        leave(&colls, comm);
}

/* ---- requests ---- */

/* RATIONALE: an inactive persistent request is complete for all who ask, and whether it is active
 * is unknown here. */
static bool is_certain(const struct ork_request *request)
{
    return request->handle != MPI_REQUEST_NULL && request->id < ORK_REQUEST_SHARED &&
           (request->flags & ORK_R_PERSISTENT) == 0;
}

void ork_concurrency_enter_wait(const struct ork_call *call, const struct ork_request *request,
                                int count, bool stays)
{
    struct doing *me = doing_of(ork_thread.index);

    if (me == NULL || request == NULL)
        return;
    if (stays)
        me->wait = place_of(call);
    for (int i = 0; i < count; i++) {
        uint16_t other = is_certain(&request[i]) ? enter(&waits, request[i].id, stays) : 0;
        if (other != 0)
            report(call, ORK_USAGE_CONCURRENT_WAITS, doing[other - 1].wait);
    }
}

void ork_concurrency_leave_wait(const struct ork_request *request, int count)
{
    for (int i = 0; request != NULL && i < count; i++) {
        if (request[i].id < ORK_REQUEST_SHARED)
            leave(&waits, request[i].id);
    }
}

/* ---- probes ---- */

void ork_concurrency_probed(uint32_t comm, int source, int tag)
{
    struct doing *me = doing_of(ork_thread.index);

    if (me == NULL)
        return;
    me->comm = comm;
    me->source = source;
    me->tag = tag;
    me->is_taken = false;
    me->has_probed = comm != ORK_COMM_UNKNOWN && source >= 0;
}

void ork_concurrency_started(void)
{
    struct doing *me = doing_of(ork_thread.index);

    if (me != NULL)
        me->has_probed = false;
}

static bool may_take(const struct doing *d, uint32_t comm, int source, int tag)
{
    return d->has_probed && d->comm == comm && (source == MPI_ANY_SOURCE || source == d->source) &&
           (tag == MPI_ANY_TAG || tag == d->tag);
}

/* RATIONALE: a receive with wildcards does not use what the probe returned. */
void ork_concurrency_receive(const struct ork_call *call, uint32_t comm, int source, int tag)
{
    struct doing *me = doing_of(ork_thread.index);

    for (uint32_t i = 0; i < num_doing; i++) {
        struct doing *d = &doing[i];
        if (!may_take(d, comm, source, tag))
            continue;
        if (d != me && !d->is_taken) {
            d->is_taken = true;
            d->taken = place_of(call);
        } else if (d == me) {
            d->has_probed = false;
            if (d->is_taken && source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)
                report(call, ORK_USAGE_CONCURRENT_PROBES, d->taken);
        }
    }
}

/* ---- the calls that were made before ---- */

static void use(struct users *users, uint32_t id, uint32_t thread)
{
    if (id < ORK_REQUEST_SHARED && reserve(users, id))
        users->thread[id] = (uint16_t)(thread + 1);
}

static void adopt(const struct ork_record *r, uint32_t thread)
{
    struct doing *d = doing_of(thread);

    if (d == NULL)
        return;
    d->coll = d->wait = (struct ork_epoch_place){.site = r->site, .call = r->call};
    if (r->kind == ORK_KIND_COLL && (ork_coll_has(r->mode, ORK_IS_OPERATION)))
        use(&colls, r->comm, thread);
    for (uint32_t i = 0; r->kind == ORK_KIND_WAIT && i < r->count; i++)
        use(&waits, ork_latest_word(r, i), thread);
}

void ork_concurrency_start(void)
{
    const struct ork_record *r;

    if (atomic_exchange(&ork_concurrent, true))
        return;
    for (uint32_t thread = 0; (r = ork_latest_blocked(&thread)) != NULL; thread++)
        adopt(r, thread);
}
