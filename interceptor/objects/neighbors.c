/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/neighbors.h"

#include "interceptor/objects/bounds.h"
#include "interceptor/mpi/next.h"
#include "interceptor/site/call_record.h"

#include <errno.h>
#include <stdlib.h>

enum { NEIGHBORS_MAX = 1 << 20 };

/* rank[]: those that it receives from, then those that it sends to; weight[]: room for as many. */
struct neighbors {
    const struct ork_comm_bounds *bounds;
    int count;
    int *rank, *weight;
};

/* In the order of MPI-3.1 section 7.6: for each dimension the one at displacement -1, then that at
 * +1. */
static bool find_cartesian(const struct neighbors *n)
{
    int sources = n->bounds->sources;

    for (int i = 0; i < n->bounds->num_dims; i++) {
        int *pair = n->rank + 2 * i;
        if (ORK_NEXT(MPI_Cart_shift)(n->bounds->comm, i, 1, &pair[0], &pair[1]) != MPI_SUCCESS)
            return false;
    }
    memcpy(n->rank + sources, n->rank, (size_t)sources * sizeof(*n->rank));
    return true;
}

static bool find_in_graph(const struct neighbors *n)
{
    const struct ork_comm_bounds *b = n->bounds;

    if (ORK_NEXT(MPI_Graph_neighbors)(b->comm, b->rank, b->sources, n->rank) != MPI_SUCCESS)
        return false;
    memcpy(n->rank + b->sources, n->rank, (size_t)b->sources * sizeof(*n->rank));
    return true;
}

static bool find_in_distributed(const struct neighbors *n)
{
    const struct ork_comm_bounds *b = n->bounds;

    return ORK_NEXT(MPI_Dist_graph_neighbors)(b->comm, b->sources, n->rank, n->weight,
                                              b->destinations, n->rank + b->sources,
                                              n->weight + b->sources) == MPI_SUCCESS;
}

static bool find(const struct neighbors *n)
{
    switch (n->bounds->topology) {
    case ORK_TOPOLOGY_CARTESIAN:
        return find_cartesian(n);
    case ORK_TOPOLOGY_GRAPH:
        return find_in_graph(n);
    case ORK_TOPOLOGY_DISTRIBUTED:
        return find_in_distributed(n);
    default:
        return false;
    }
}

static void put(const struct ork_call *call, const struct neighbors *n)
{
    struct ork_record r = ORK_RECORD(
        call, NEIGHBORS, .comm = ork_comm_id(n->bounds->comm), .request = ORK_REQUEST_NULL,
        .peer = ORK_NO_PEER, .arg = (uint32_t)n->bounds->sources, .count = (uint32_t)n->count);
    struct ork_list list;

    ork_list_begin(&list, &r);
    for (int i = 0; i < n->count; i++)
        ork_list_add(&list, (uint32_t)ork_peer(n->rank[i]));
    ork_list_end(&list);
    ork_publish();
}

static bool is_known(const struct ork_comm_bounds *b)
{
    return b->is_recorded && b->topology != ORK_TOPOLOGY_NONE && b->sources >= 0 &&
           b->destinations >= 0 && b->sources <= NEIGHBORS_MAX && b->destinations <= NEIGHBORS_MAX;
}

bool ork_neighbors_put(const struct ork_call *call, MPI_Comm comm)
{
    int saved = errno;
    struct ork_comm_bounds *b = ork_bounds_find(comm);
    struct neighbors n = {.bounds = b, .count = b->sources + b->destinations};

    if (is_known(b)) {
        n.rank = calloc(2 * (size_t)n.count + 1, sizeof(*n.rank));
        n.weight = n.rank + n.count;
        if (n.rank != NULL && find(&n)) {
            ork_lock();
            if (ork_comm_set_has_neighbors(comm))
                put(call, &n);
            ork_unlock();
            b->has_neighbors = true;
        }
        free(n.rank);
    }
    errno = saved;
    return b->has_neighbors;
}
