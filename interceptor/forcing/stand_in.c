/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/stand_in.h"

#include "common/vec.h"
#include "interceptor/forcing/real.h"
#include "interceptor/outcomes/decisions.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct stand_in {
    struct ork_receive receive;
    uint32_t number;     /* 0: its source is named, or was decided */
    MPI_Request request; /* the application's; MPI_REQUEST_NULL: freed */
    MPI_Request real;    /* the library's, once it has been given */
    bool given;
    bool owns_type; /* the datatype is our own copy */
    enum ork_stand_in_end end;
};

/* In the order in which they were posted. RATIONALE: a program has few at a time. */
static struct stand_in *list;
_Atomic uint32_t ork_stand_ins;
static _Atomic uint32_t waiting; /* those that were not given */
static uint32_t room;
static uint32_t numbers;
/* RATIONALE: the thread that completes a receive need not be the one that posted it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t ork_deferred_number(void)
{
    return ++numbers;
}

bool ork_deferred_any(void)
{
    return waiting > 0;
}

static struct stand_in *find(MPI_Request request)
{
    for (uint32_t i = 0; i < ork_stand_ins && request != MPI_REQUEST_NULL; i++) {
        if (list[i].request == request)
            return &list[i];
    }
    return NULL;
}

static void release_type(struct stand_in *d)
{
    if (d->owns_type)
        ORK_NEXT(MPI_Type_free)(&d->receive.datatype);
    d->owns_type = false;
}

static void forget(struct stand_in *d)
{
    waiting -= !d->given;
    release_type(d);
    ork_stand_ins--;
    for (uint32_t i = (uint32_t)(d - list); i < ork_stand_ins; i++)
        list[i] = list[i + 1];
}

/* ---- adding ---- */

/* RATIONALE: the application may free a datatype as soon as its receive is posted. */
static void keep_type(struct stand_in *d)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;

    ORK_NEXT(MPI_Type_get_envelope)(d->receive.datatype, &integers, &addresses, &types, &combiner);
    d->owns_type = combiner != MPI_COMBINER_NAMED &&
                   ORK_NEXT(MPI_Type_dup)(d->receive.datatype, &d->receive.datatype) == MPI_SUCCESS;
}

static bool add(const struct stand_in *d)
{
    int saved = errno;

    pthread_mutex_lock(&lock);
    bool done = ork_vec_reserve(&list, &room, ork_stand_ins + 1, sizeof(*list));
    if (done) {
        list[ork_stand_ins] = *d;
        if (!d->given)
            keep_type(&list[ork_stand_ins]);
        waiting += !d->given;
        ork_stand_ins++;
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    return done;
}

void ork_stand_in_add(MPI_Request request, MPI_Request real, enum ork_stand_in_end end)
{
    add(&(struct stand_in){.request = request, .real = real, .given = true, .end = end});
}

static int defer(const struct ork_receive *r, MPI_Request request, enum ork_stand_in_end end)
{
    const struct stand_in d = {.receive = *r,
                               .number = r->source == MPI_ANY_SOURCE ? ork_deferred_number() : 0,
                               .request = request,
                               .real = MPI_REQUEST_NULL,
                               .end = end};

    return add(&d) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int ork_deferred_add(const struct ork_receive *r, MPI_Request *request)
{
    int result =
        REAL(MPI_Recv_init)(r->buffer, r->count, r->datatype, r->source, r->tag, r->comm, request);

    return result == MPI_SUCCESS ? defer(r, *request, ORK_STAND_IN_FREE) : result;
}

int ork_deferred_start(const struct ork_receive *r, MPI_Request request)
{
    return defer(r, request, ORK_STAND_IN_KEEP);
}

/* ---- giving ---- */

static bool overlaps(const struct ork_receive *r, MPI_Comm comm, int source, int tag)
{
    return r->comm == comm &&
           (r->source == MPI_ANY_SOURCE || source == MPI_ANY_SOURCE || r->source == source) &&
           (r->tag == MPI_ANY_TAG || tag == MPI_ANY_TAG || r->tag == tag);
}

static bool overlaps_one_of(uint32_t first, MPI_Comm comm, int source, int tag)
{
    for (uint32_t i = 0; i < first && waiting > 0; i++) {
        if (!list[i].given && overlaps(&list[i].receive, comm, source, tag))
            return true;
    }
    return false;
}

bool ork_deferred_overlaps(MPI_Comm comm, int source, int tag)
{
    pthread_mutex_lock(&lock);
    bool found = overlaps_one_of(ork_stand_ins, comm, source, tag);
    pthread_mutex_unlock(&lock);
    return found;
}

bool ork_deferred_decide(uint32_t number, int source, int tag)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < ork_stand_ins && number != 0 && !found; i++) {
        found = list[i].number == number && !list[i].given;
        if (!found)
            continue;
        list[i].receive.source = source;
        list[i].receive.tag = tag;
        list[i].number = 0;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* RATIONALE: if the library refuses it, which it did not when the placeholder was made, the request
 * never completes, as it does not for a message that never comes. */
static void give(struct stand_in *d)
{
    const struct ork_receive *r = &d->receive;

    REAL(MPI_Irecv)(r->buffer, r->count, r->datatype, r->source, r->tag, r->comm, &d->real);
    d->given = true;
    waiting--;
    release_type(d);
}

/* A freed request is complete when the library says so, and nobody asks. */
static void forget_freed(void)
{
    for (uint32_t i = ork_stand_ins; i > 0; i--) {
        struct stand_in *d = &list[i - 1];
        if (d->request != MPI_REQUEST_NULL || !d->given)
            continue;
        if (d->real != MPI_REQUEST_NULL)
            REAL(MPI_Request_free)(&d->real);
        forget(d);
    }
}

void ork_deferred_give(void)
{
    if (!ork_stand_in_any())
        return;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < ork_stand_ins && waiting > 0; i++) {
        const struct ork_receive *r = &list[i].receive;
        if (!list[i].given && list[i].number == 0 &&
            !overlaps_one_of(i, r->comm, r->source, r->tag))
            give(&list[i]);
    }
    forget_freed();
    pthread_mutex_unlock(&lock);
}

void ork_deferred_give_all(void)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < ork_stand_ins; i++) {
        if (!list[i].given)
            give(&list[i]);
    }
    forget_freed();
    pthread_mutex_unlock(&lock);
}

void ork_deferred_give_comm(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < ork_stand_ins; i++) {
        if (!list[i].given && list[i].receive.comm == comm)
            give(&list[i]);
    }
    forget_freed();
    pthread_mutex_unlock(&lock);
}

/* ---- the application's requests ---- */

/* MPI_REQUEST_NULL and *waits: the library does not have it yet. */
static MPI_Request real_of(MPI_Request request, bool *waits)
{
    pthread_mutex_lock(&lock);
    const struct stand_in *d = find(request);
    MPI_Request real = d != NULL ? d->real : request;
    *waits |= d != NULL && !d->given;
    pthread_mutex_unlock(&lock);
    return real;
}

/* A call of the library has changed the real request to `now`. */
static void settle(MPI_Request *request, MPI_Request now)
{
    pthread_mutex_lock(&lock);
    struct stand_in *d = find(*request);
    bool complete = d != NULL && d->given && now == MPI_REQUEST_NULL;
    enum ork_stand_in_end end = d != NULL ? d->end : ORK_STAND_IN_KEEP;
    if (d == NULL)
        *request = now;
    else
        d->real = now;
    if (complete)
        forget(d);
    pthread_mutex_unlock(&lock);
    if (complete && end == ORK_STAND_IN_FREE)
        REAL(MPI_Request_free)(request);
    else if (complete && end == ORK_STAND_IN_WAIT)
        REAL(MPI_Wait)(request, MPI_STATUS_IGNORE);
}

bool ork_stand_in_find(MPI_Request request, MPI_Request *real)
{
    pthread_mutex_lock(&lock);
    const struct stand_in *d = find(request);
    if (d != NULL)
        *real = d->real;
    pthread_mutex_unlock(&lock);
    return d != NULL;
}

void ork_stand_in_remove(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    struct stand_in *d = find(request);
    if (d != NULL)
        forget(d);
    pthread_mutex_unlock(&lock);
}

/* RATIONALE: a receive that is cancelled before the library has it is given to the library where no
 * message comes, so that it is completed as any other cancelled one. */
void ork_stand_in_cancel(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    struct stand_in *d = find(request);
    if (d != NULL && !d->given) {
        REAL(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, ork_silent, &d->real);
        d->given = true;
        waiting--;
        release_type(d);
    }
    pthread_mutex_unlock(&lock);
}

void ork_stand_in_free(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    struct stand_in *d = find(request);
    if (d != NULL)
        d->request = MPI_REQUEST_NULL;
    forget_freed();
    pthread_mutex_unlock(&lock);
}

/* ---- the requests of a call ---- */

void ork_swap_again(struct ork_swap *swap)
{
    swap->waits = false;
    for (int i = 0; swap->request != swap->own && i < swap->count; i++)
        swap->request[i] = real_of(swap->own[i], &swap->waits);
}

/* RATIONALE: out of memory, the application's requests are used: then those with stand-ins do not
 * complete, and the deadlock detection shows where the rank waits. If the rank runs freely by now,
 * nothing is deferred any more. */
void ork_swap_in_pending(struct ork_swap *swap)
{
    int saved = errno;

    if (!ork_decisions_are_on() && ork_deferred_any())
        ork_deferred_give_all();
    swap->request = swap->count > ORK_SWAP_FEW
                        ? malloc((size_t)swap->count * sizeof(*swap->request))
                        : swap->few;
    if (swap->request == NULL)
        swap->request = swap->own;
    errno = saved;
    ork_swap_again(swap);
}

void ork_swap_out_pending(struct ork_swap *swap)
{
    for (int i = 0; i < swap->count; i++)
        settle(&swap->own[i], swap->request[i]);
    if (swap->request != swap->few)
        free(swap->request);
}
