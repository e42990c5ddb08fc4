/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/bounds.h"

#include "interceptor/mpi/next.h"
#include "interceptor/objects/kept_bounds.h"
#include "interceptor/preload/thread_storage.h"

#include <errno.h>
#include <limits.h>

int ork_tag_ub = INT_MAX;

void ork_bounds_init(void)
{
    int *value = NULL;
    int has = 0;

    if (ORK_NEXT(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&value, &has) ==
            MPI_SUCCESS &&
        has && value != NULL)
        ork_tag_ub = *value;
}

static struct ork_comm_bounds *slot_of(MPI_Comm comm)
{
    return &ork_bounds_kept[ork_hash_short(ORK_KEY(comm)) >> (32 - ORK_BOUNDS_BITS)];
}

static void keep(const struct ork_comm_bounds *b)
{
    ork_lock();
    const struct ork_entry *e = ork_comm_find(b->comm);
    if (e != NULL)
        ork_bounds_keep(e->id, b);
    ork_unlock();
}

/* RATIONALE: the version is read first: if a communicator is made or freed at the same time, the
 * thread's copy is already out of date. */
struct ork_comm_bounds *ork_bounds_recall(MPI_Comm comm)
{
    struct ork_comm_bounds *b = slot_of(comm);
    const uint32_t version = atomic_load(&ork_comms_version);

    ork_lock();
    const struct ork_entry *e = ork_comm_find(comm);
    const struct ork_comm_bounds *kept = e != NULL ? ork_bounds_kept_of(e->id) : NULL;
    if (kept != NULL) {
        *b = *kept;
        b->version = version;
        b->has_neighbors = (e->flags & ORK_COMM_HAS_NEIGHBORS) != 0;
    }
    ork_unlock();
    return kept != NULL ? b : ork_bounds_find(comm);
}

static void find_validity(struct ork_comm_bounds *b)
{
    struct ork_handle_place place;

    if (b->comm == MPI_COMM_NULL)
        return;
    ork_lock();
    b->is_recorded = ork_comm_find(b->comm) != NULL;
    b->is_valid = b->is_recorded || b->comm == MPI_COMM_WORLD || b->comm == MPI_COMM_SELF ||
                  ork_handle_look(ORK_HANDLE_COMM, ORK_KEY(b->comm), &place) == ORK_HANDLE_VALID;
    ork_unlock();
}

static uint64_t find_missing(const struct ork_comm_bounds *b)
{
    int dims[ORK_DIMS_MAX], periods[ORK_DIMS_MAX], coords[ORK_DIMS_MAX];
    uint64_t missing = 0;

    if (b->num_dims > ORK_DIMS_MAX ||
        ORK_NEXT(MPI_Cart_get)(b->comm, b->num_dims, dims, periods, coords) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < b->num_dims; i++) {
        if (periods[i])
            continue;
        missing |= (uint64_t)(coords[i] == 0) << 2 * i;
        missing |= (uint64_t)(coords[i] == dims[i] - 1) << (2 * i + 1);
    }
    return missing;
}

static void find_cartesian(struct ork_comm_bounds *b)
{
    b->topology = ORK_TOPOLOGY_CARTESIAN;
    ORK_NEXT(MPI_Cartdim_get)(b->comm, &b->num_dims);
    b->sources = b->destinations = 2 * b->num_dims;
    b->missing = find_missing(b);
}

static void find_topology(struct ork_comm_bounds *b)
{
    int kind = MPI_UNDEFINED;
    int weighted;

    ORK_NEXT(MPI_Topo_test)(b->comm, &kind);
    if (kind == MPI_CART) {
        find_cartesian(b);
    } else if (kind == MPI_GRAPH) {
        b->topology = ORK_TOPOLOGY_GRAPH;
        ORK_NEXT(MPI_Graph_neighbors_count)(b->comm, b->rank, &b->sources);
        b->destinations = b->sources;
    } else if (kind == MPI_DIST_GRAPH) {
        b->topology = ORK_TOPOLOGY_DISTRIBUTED;
        ORK_NEXT(MPI_Dist_graph_neighbors_count)(b->comm, &b->sources, &b->destinations, &weighted);
    }
}

struct ork_comm_bounds *ork_bounds_find(MPI_Comm comm)
{
    struct ork_comm_bounds *b = slot_of(comm);
    int saved = errno;
    int inter = 0;

    *b = (struct ork_comm_bounds){.comm = comm, .version = atomic_load(&ork_comms_version)};
    find_validity(b);
    if (b->is_valid) {
        ORK_NEXT(MPI_Comm_test_inter)(comm, &inter);
        ORK_NEXT(MPI_Comm_size)(comm, &b->local_size);
        ORK_NEXT(MPI_Comm_rank)(comm, &b->rank);
        b->is_inter = inter != 0;
        b->size = b->local_size;
        if (b->is_inter)
            ORK_NEXT(MPI_Comm_remote_size)(comm, &b->size);
        else
            find_topology(b);
    }
    if (b->is_recorded)
        keep(b);
    errno = saved;
    return b;
}

/* ---- windows ---- */

struct win_size {
    MPI_Win win;
    int size;
};
ORK_THREAD_LOCAL(struct win_size, ork_bounds_window);

int ork_win_size_now(MPI_Win win)
{
    MPI_Group group;
    int saved = errno;
    int size = INT_MAX;

    if (win == MPI_WIN_NULL || !ork_handle_is_valid(ORK_HANDLE_WIN, ORK_KEY(win)))
        return INT_MAX;
    if (ORK_NEXT(MPI_Win_get_group)(win, &group) == MPI_SUCCESS) {
        ORK_NEXT(MPI_Group_size)(group, &size);
        ORK_NEXT(MPI_Group_free)(&group);
    }
    ork_bounds_window = (struct win_size){win, size};
    errno = saved;
    return size;
}

int ork_win_size(MPI_Win win)
{
    return ork_bounds_window.win == win ? ork_bounds_window.size : ork_win_size_now(win);
}
