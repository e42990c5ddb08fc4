/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/posts.h"

#include "common/vec.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/persistent.h"
#include "interceptor/forcing/real.h"

#include <stdlib.h>

struct post {
    MPI_Request handle; /* MPI_REQUEST_NULL: none */
    struct ork_receive receive;
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
        posts[id] =
            (struct post){.handle = *a->request,
                          .receive = {a->recvbuf, a->count, a->datatype, a->peer, a->tag, a->comm},
                          .comm_id = ork_comm_id(a->comm),
                          .room = ork_amount(a->count, a->datatype),
                          .ordinal = ++num_kept};
    errno = saved;
}

/* Is the n-th number still that of this receive? RATIONALE: a persistent request that is made later
 * may get the same number and handle, but no entry. The lock is held. */
static bool is_pending(uint32_t id)
{
    const struct post *p = &posts[id];
    struct ork_request found;

    if (p->ordinal == 0)
        return false;
    found = ork_request_find(p->handle);
    return found.id == id && (found.flags & (ORK_R_WILDCARD | ORK_R_PERSISTENT)) == ORK_R_WILDCARD;
}

bool ork_posts_find(MPI_Request request, MPI_Request *posted)
{
    *posted = request;
    if (request == MPI_REQUEST_NULL || ork_stand_in_find(request, posted))
        return request != MPI_REQUEST_NULL;
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
        if (!is_pending(id) || ork_comm_id(p->receive.comm) != p->comm_id)
            continue;
        struct ork_amount room = ork_amount(p->receive.count, p->receive.datatype);
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

/* Cancel it, without freeing it. False: it has got its message. The request is not persistent, so
 * that to ask for its status changes nothing in any library (mpi_library.h). */
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
    const struct ork_receive *r = &p->receive;
    MPI_Request request;

    if (withdraw(p->handle) && REAL(MPI_Irecv)(r->buffer, r->count, r->datatype, r->source, r->tag,
                                               r->comm, &request) == MPI_SUCCESS)
        ork_stand_in_add(p->handle, request, ORK_STAND_IN_WAIT);
}

static void start_again(MPI_Request handle)
{
    MPI_Request stand_in;

    if (!ork_stand_in_find(handle, &stand_in) || !withdraw(stand_in))
        return;
    REAL(MPI_Wait)(&stand_in, MPI_STATUS_IGNORE);
    ork_stand_in_remove(handle);
    REAL(MPI_Start)(&handle);
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
        start_again(persistent.handle);
}

void ork_posts_swap_again(struct ork_swap *swap)
{
    if (ork_run_is_decided) {
        ork_swap_again(swap);
    } else if (!ork_replay_is_on()) {
        ork_swap_out(swap);
        ork_posts_let_go();
        ork_swap_in(swap, swap->count, swap->own);
    }
}
