/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/deferred.h"

#include "common/vec.h"
#include "interceptor/forcing/real.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct deferred {
    struct ork_receive receive;
    uint32_t number;     /* 0: its source is named, or was decided */
    MPI_Request request; /* the application's; MPI_REQUEST_NULL: freed */
    MPI_Request real;    /* the library's, once it has been given */
    bool given;
    bool persistent; /* the application keeps its request */
    bool owns_type;  /* the datatype is our own copy */
};

/* In the order in which the application posted them. RATIONALE: a program has few at a time. */
static struct deferred *list;
static _Atomic uint32_t count, waiting; /* waiting: those that were not given */
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
    return count > 0;
}

bool ork_deferred_any_waiting(void)
{
    return waiting > 0;
}

static struct deferred *find(MPI_Request request)
{
    for (uint32_t i = 0; i < count && request != MPI_REQUEST_NULL; i++) {
        if (list[i].request == request)
            return &list[i];
    }
    return NULL;
}

static void release_type(struct deferred *d)
{
    if (d->owns_type)
        ORK_NEXT(MPI_Type_free)(&d->receive.datatype);
    d->owns_type = false;
}

static void forget(struct deferred *d)
{
    waiting -= !d->given;
    release_type(d);
    count--;
    for (uint32_t i = (uint32_t)(d - list); i < count; i++)
        list[i] = list[i + 1];
}

/* ---- adding ---- */

/* RATIONALE: the application may free a datatype as soon as its receive is posted. */
static void keep_type(struct deferred *d)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;

    ORK_NEXT(MPI_Type_get_envelope)(d->receive.datatype, &integers, &addresses, &types, &combiner);
    d->owns_type = combiner != MPI_COMBINER_NAMED &&
                   ORK_NEXT(MPI_Type_dup)(d->receive.datatype, &d->receive.datatype) == MPI_SUCCESS;
}

static int add(const struct deferred *d)
{
    int saved = errno;

    pthread_mutex_lock(&lock);
    bool done = ork_vec_reserve(&list, &room, count + 1, sizeof(*list));
    if (done) {
        list[count] = *d;
        keep_type(&list[count]);
        count++;
        waiting++;
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    return done ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static uint32_t number_of(const struct ork_receive *r)
{
    return r->source == MPI_ANY_SOURCE ? ork_deferred_number() : 0;
}

int ork_deferred_add(const struct ork_receive *r, MPI_Request *request)
{
    int result =
        REAL(MPI_Recv_init)(r->buffer, r->count, r->datatype, r->source, r->tag, r->comm, request);

    if (result != MPI_SUCCESS)
        return result;
    return add(&(struct deferred){
        .receive = *r, .number = number_of(r), .request = *request, .real = MPI_REQUEST_NULL});
}

int ork_deferred_start(const struct ork_receive *r, MPI_Request request)
{
    return add(&(struct deferred){.receive = *r,
                                  .number = number_of(r),
                                  .request = request,
                                  .real = MPI_REQUEST_NULL,
                                  .persistent = true});
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
    bool found = overlaps_one_of(count, comm, source, tag);
    pthread_mutex_unlock(&lock);
    return found;
}

bool ork_deferred_decide(uint32_t number, int source, int tag)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count && number != 0 && !found; i++) {
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
static void give(struct deferred *d)
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
    for (uint32_t i = count; i > 0; i--) {
        struct deferred *d = &list[i - 1];
        if (d->request != MPI_REQUEST_NULL || !d->given)
            continue;
        if (d->real != MPI_REQUEST_NULL)
            REAL(MPI_Request_free)(&d->real);
        forget(d);
    }
}

void ork_deferred_give(void)
{
    if (count == 0)
        return;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count && waiting > 0; i++) {
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
    for (uint32_t i = 0; i < count; i++) {
        if (!list[i].given)
            give(&list[i]);
    }
    forget_freed();
    pthread_mutex_unlock(&lock);
}

void ork_deferred_give_comm(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++) {
        if (!list[i].given && list[i].receive.comm == comm)
            give(&list[i]);
    }
    forget_freed();
    pthread_mutex_unlock(&lock);
}

/* ---- the application's requests ---- */

MPI_Request ork_deferred_real(MPI_Request request, bool *waits)
{
    pthread_mutex_lock(&lock);
    const struct deferred *d = find(request);
    *waits = d != NULL && !d->given;
    MPI_Request found = d != NULL ? d->real : request;
    pthread_mutex_unlock(&lock);
    return found;
}

void ork_deferred_settle(MPI_Request *request, MPI_Request now)
{
    pthread_mutex_lock(&lock);
    struct deferred *d = find(*request);
    bool complete = d != NULL && d->given && now == MPI_REQUEST_NULL;
    bool persistent = d != NULL && d->persistent;
    if (d != NULL)
        d->real = now;
    if (complete)
        forget(d);
    pthread_mutex_unlock(&lock);
    if (d == NULL)
        *request = now;
    else if (complete && !persistent)
        REAL(MPI_Request_free)(request);
}

/* RATIONALE: a receive that is cancelled before the library has it is given to the library where no
 * message comes, so that it is completed as any other cancelled one. */
void ork_deferred_cancel(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    struct deferred *d = find(request);
    if (d != NULL && !d->given) {
        REAL(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, ork_silent, &d->real);
        d->given = true;
        waiting--;
        release_type(d);
    }
    pthread_mutex_unlock(&lock);
}

void ork_deferred_free(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    struct deferred *d = find(request);
    if (d != NULL)
        d->request = MPI_REQUEST_NULL;
    forget_freed();
    pthread_mutex_unlock(&lock);
}
