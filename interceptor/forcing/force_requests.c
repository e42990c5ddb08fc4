/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/force_requests.h"

#include "common/vec.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>
#include <stdlib.h>

/* RATIONALE: a program has few of them, so a list is enough. The lock of the recorder protects it.
 */
static struct ork_persistent *list;
static uint32_t count, room;
_Atomic uint32_t ork_stand_ins;

static struct ork_persistent *find(MPI_Request handle)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].handle == handle)
            return &list[i];
    }
    return NULL;
}

bool ork_persistent_any(void)
{
    return count > 0;
}

bool ork_persistent_add(const struct ork_persistent *request)
{
    int saved = errno;

    ork_lock();
    bool done = ork_vec_reserve(&list, &room, count + 1, sizeof(*list));
    if (done)
        list[count++] = *request;
    ork_unlock();
    errno = saved;
    return done;
}

void ork_persistent_remove(MPI_Request handle)
{
    ork_lock();
    struct ork_persistent *p = find(handle);
    if (p != NULL)
        *p = list[--count];
    ork_unlock();
}

bool ork_persistent_find(MPI_Request handle, struct ork_persistent *found)
{
    ork_lock();
    const struct ork_persistent *p = find(handle);
    if (p != NULL)
        *found = *p;
    ork_unlock();
    return p != NULL;
}

bool ork_persistent_get(uint32_t n, struct ork_persistent *found)
{
    ork_lock();
    bool exists = n < count;
    if (exists)
        *found = list[n];
    ork_unlock();
    return exists;
}

void ork_persistent_started(MPI_Request handle, MPI_Request stand_in)
{
    ork_lock();
    struct ork_persistent *p = find(handle);
    if (p != NULL) {
        ork_stand_ins += (uint32_t)(stand_in != MPI_REQUEST_NULL);
        ork_stand_ins -= (uint32_t)(p->stand_in != MPI_REQUEST_NULL);
        p->stand_in = stand_in;
    }
    ork_unlock();
}

void ork_swap_in_active(struct ork_swap *swap)
{
    MPI_Request *own = swap->own;
    int n = swap->count, saved = errno;

    if (n > ORK_SWAP_FEW)
        swap->request = malloc((size_t)n * sizeof(*own));
    else
        swap->request = swap->few;
    errno = saved;
    if (swap->request == NULL) { /* the stand-ins stay incomplete, which is a divergence */
        swap->request = own;
        return;
    }
    for (int i = 0; i < n; i++) {
        struct ork_persistent p;
        bool has_stand_in = own[i] != MPI_REQUEST_NULL && ork_persistent_find(own[i], &p) &&
                            p.stand_in != MPI_REQUEST_NULL;
        swap->request[i] = has_stand_in ? p.stand_in : own[i];
    }
}

/* The stand-in of this request is complete. */
static void complete(MPI_Request *own, const struct ork_persistent *p)
{
    ork_persistent_started(*own, MPI_REQUEST_NULL);
    if (!p->is_once)
        return;
    ork_persistent_remove(*own);
    ORK_NEXT(MPI_Wait)(own, MPI_STATUS_IGNORE); /* it was cancelled */
}

void ork_swap_out_active(struct ork_swap *swap)
{
    for (int i = 0; i < swap->count; i++) {
        struct ork_persistent p;
        bool is_stand_in = swap->own[i] != MPI_REQUEST_NULL &&
                           ork_persistent_find(swap->own[i], &p) && p.stand_in != MPI_REQUEST_NULL;
        if (!is_stand_in)
            swap->own[i] = swap->request[i];
        else if (swap->request[i] == MPI_REQUEST_NULL)
            complete(&swap->own[i], &p);
    }
    if (swap->request != swap->few)
        free(swap->request);
}
