/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of ranks: MPI-3.1 sections 3.2.3, 5.2.3, 6.3.2 and 11.3. */
#include "interceptor/checks/check.h"

#include "interceptor/mpi/next.h"

/* The constant that a negative rank is, or NULL. */
static const char *constant(int rank)
{
    if (rank == MPI_PROC_NULL)
        return "MPI_PROC_NULL";
    if (rank == MPI_ANY_SOURCE)
        return "MPI_ANY_SOURCE";
    if (rank == MPI_ROOT)
        return "MPI_ROOT";
    return rank == MPI_UNDEFINED ? "MPI_UNDEFINED" : NULL;
}

/* A rank that is not in a group of `size` processes. */
static bool wrong(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                  int rank, int size)
{
    const char *name = rank < 0 ? constant(rank) : NULL;

    if (name != NULL)
        return ork_report_argument(call, ORK_USAGE_RANK_CONSTANT, argument, rank, 0, name);
    return ork_report_argument(call, row, argument, rank, size, NULL);
}

bool ork_wrong_destination(const struct ork_call *call, const char *argument, int rank,
                           const struct ork_comm_bounds *b)
{
    if (!b->is_valid || !ork_is_no_destination(ork_bounds_find(b->comm), rank))
        return false;
    return wrong(call, ORK_USAGE_PEER, argument, rank, b->size);
}

bool ork_wrong_source(const struct ork_call *call, const char *argument, int rank,
                      const struct ork_comm_bounds *b)
{
    if (!b->is_valid || !ork_is_no_source(ork_bounds_find(b->comm), rank))
        return false;
    return wrong(call, ORK_USAGE_PEER, argument, rank, b->size);
}

bool ork_wrong_rank(const struct ork_call *call, const char *argument, int rank,
                    const struct ork_comm_bounds *b)
{
    if (!b->is_valid || !ork_is_no_rank(ork_bounds_find(b->comm), rank))
        return false;
    return wrong(call, ORK_USAGE_RANK, argument, rank, b->size);
}

bool ork_wrong_root(const struct ork_call *call, const char *argument, int rank,
                    const struct ork_comm_bounds *b)
{
    if (!b->is_valid || !ork_is_no_root(ork_bounds_find(b->comm), rank))
        return false;
    return wrong(call, ORK_USAGE_ROOT, argument, rank, b->size);
}

bool ork_wrong_target(const struct ork_call *call, const char *argument, int rank, MPI_Win win)
{
    int size = ork_win_size_now(win);

    if (rank < size && (rank >= 0 || rank == MPI_PROC_NULL))
        return false;
    return wrong(call, ORK_USAGE_TARGET, argument, rank, size);
}
