/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/force_posts.h"

#include "common/vec.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/force_requests.h"

#include <stdlib.h>

struct post {
    MPI_Request handle; /* MPI_REQUEST_NULL: none */
    void *buffer;
    int count;
    MPI_Datatype datatype;
    int source, tag;
    MPI_Comm comm;
    uint32_t comm_id;
    struct ork_amount room;
    uint64_t ordinal; /* among these */
};

/* By the number of the request. A number that is used again has a new entry. */
static struct post *posts;
static uint32_t num_posts;
static uint64_t num_kept;

void ork_posts_keep(uint32_t id, const struct ork_args *a)
{
    int saved = errno;

    if (id < ORK_REQUEST_SHARED && ork_vec_reserve(&posts, &num_posts, id + 1, sizeof(*posts)))
        posts[id] = (struct post){.handle = *a->request,
                                  .buffer = a->recvbuf,
                                  .count = a->count,
                                  .datatype = a->datatype,
                                  .source = a->peer,
                                  .tag = a->tag,
                                  .comm = a->comm,
                                  .comm_id = ork_comm_id(a->comm),
                                  .room = ork_amount(a->count, a->datatype),
                                  .ordinal = ++num_kept};
    errno = saved;
}

/* Is the n-th number still that of this receive? The lock is held. */
static bool is_pending(uint32_t id)
{
    const struct post *p = &posts[id];
    struct ork_request found;

    if (p->ordinal == 0)
        return false;
    found = ork_request_find(p->handle);
    return found.id == id && (found.flags & ORK_R_WILDCARD) != 0;
}

bool ork_posts_find(MPI_Request request, MPI_Request *posted)
{
    struct ork_persistent p;

    *posted = request;
    if (request == MPI_REQUEST_NULL)
        return false;
    if (ork_persistent_find(request, &p)) {
        *posted = p.stand_in;
        return p.stand_in != MPI_REQUEST_NULL;
    }
    ork_lock();
    uint32_t id = ork_request_find(request).id;
    bool found = id < num_posts && posts[id].handle == request && is_pending(id);
    ork_unlock();
    return found;
}

/* ---- after a divergence ---- */

static int compare(const void *a, const void *b)
{
    const struct post *x = a, *y = b;

    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* Those that are pending, in the order in which they were posted; NULL: there are none. They need
 * not be asked for early sources any more. RATIONALE: a communicator or datatype may have been
 * freed meanwhile, and its handle be that of another one. */
static struct post *take_pending(uint32_t *num)
{
    struct post *taken = NULL;
    int saved = errno;

    *num = 0;
    ork_lock();
    if (num_posts > 0)
        taken = malloc(num_posts * sizeof(*taken));
    for (uint32_t id = 0; taken != NULL && id < num_posts; id++) {
        const struct post *p = &posts[id];
        if (!is_pending(id) || ork_comm_id(p->comm) != p->comm_id)
            continue;
        struct ork_amount room = ork_amount(p->count, p->datatype);
        if (room.type != p->room.type || room.bytes != p->room.bytes)
            continue;
        taken[(*num)++] = *p;
        ork_early_remove(id);
    }
    ork_unlock();
    if (*num > 1)
        qsort(taken, *num, sizeof(*taken), compare);
    errno = saved;
    return taken;
}

/* Cancel it, without freeing it. False: it has got its message. */
static bool withdraw(MPI_Request request)
{
    MPI_Status status;
    int flag = 0, cancelled = 0;
    int result = REAL(MPI_Cancel)(&request);

    while (result == MPI_SUCCESS && !flag)
        result = REAL(MPI_Request_get_status)(request, &flag, &status);
    if (flag)
        ORK_NEXT(MPI_Test_cancelled)(&status, &cancelled);
    return cancelled != 0;
}

/* RATIONALE: the application's handle has to stay what it is, so the second receive is its
 * stand-in. */
static void post_again(const struct post *p)
{
    struct ork_persistent again = {
        .handle = p->handle, .stand_in = MPI_REQUEST_NULL, .is_once = true};
    MPI_Request request;

    if (!ork_persistent_add(&again))
        return;
    if (withdraw(p->handle) && REAL(MPI_Irecv)(p->buffer, p->count, p->datatype, p->source, p->tag,
                                               p->comm, &request) == MPI_SUCCESS)
        ork_persistent_started(p->handle, request);
    else
        ork_persistent_remove(p->handle);
}

static void start_again(struct ork_persistent *p)
{
    if (p->is_once || p->stand_in == MPI_REQUEST_NULL || !withdraw(p->stand_in))
        return;
    REAL(MPI_Wait)(&p->stand_in, MPI_STATUS_IGNORE);
    if (REAL(MPI_Start)(&p->handle) == MPI_SUCCESS)
        ork_persistent_started(p->handle, MPI_REQUEST_NULL);
}

void ork_posts_let_go(void)
{
    static _Atomic bool are_free;
    struct ork_persistent persistent;
    uint32_t num;

    if (atomic_exchange(&are_free, true))
        return;
    struct post *pending = take_pending(&num);
    for (uint32_t i = 0; i < num; i++)
        post_again(&pending[i]);
    free(pending);
    for (uint32_t i = 0; ork_persistent_get(i, &persistent); i++)
        start_again(&persistent);
}
