/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/amount.h"

#include "interceptor/objects/bounds.h"
#include "record/reductions.h"

static int intracomm_size(MPI_Comm comm)
{
    const struct ork_comm_bounds *b = ork_bounds_of(comm);

    return b->is_recorded && !b->is_inter ? b->size : 0;
}

uint64_t ork_bytes_sum(MPI_Comm comm, const int *counts, MPI_Datatype type)
{
    int size = intracomm_size(comm);
    uint64_t sum = 0;

    for (int i = 0; counts != NULL && i < size; i++)
        sum += counts[i] > 0 ? (uint64_t)counts[i] : 0;
    return sum != 0 ? sum * ork_bytes(1, type) : 0;
}

uint64_t ork_bytes_of_types(MPI_Comm comm, const int *counts, const MPI_Datatype *types)
{
    int size = intracomm_size(comm);
    uint64_t sum = 0;

    for (int i = 0; counts != NULL && types != NULL && i < size; i++)
        sum += ork_bytes(counts[i], types[i]);
    return sum;
}

uint64_t ork_comm_extent(MPI_Comm comm)
{
    const struct ork_comm_bounds *b = ork_bounds_of(comm);

    return b->is_recorded ? (uint64_t)b->size : 0;
}

int ork_comm_is_root(MPI_Comm comm, int root)
{
    const struct ork_comm_bounds *b = ork_bounds_of(comm);

    return root == MPI_ROOT || (b->is_recorded && !b->is_inter && b->rank == root);
}

uint32_t ork_op_number(MPI_Op op)
{
    static const MPI_Op known[] = {
        MPI_OP_NULL,
#define ORK_REDUCTION(name) name,
#include "record/reductions.def"
#undef ORK_REDUCTION
    };

    for (uint32_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (known[i] == op)
            return i;
    return ORK_REDUCTION_USER_DEFINED;
}
