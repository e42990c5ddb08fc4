/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/amount.h"

#include "interceptor/comms.h"
#include "interceptor/next.h"

/* Copies the entry: the table may change after the lock is released. */
static bool find(MPI_Comm comm, struct ork_entry *out)
{
    const struct ork_entry *e;

    ork_lock();
    e = ork_comm_find(comm);
    if (e != NULL)
        *out = *e;
    ork_unlock();
    return e != NULL;
}

static int intracomm_size(MPI_Comm comm)
{
    struct ork_entry e;
    int size = 0;

    if (find(comm, &e) && e.flags != ORK_COMM_INTER)
        ORK_NEXT(MPI_Comm_size)(comm, &size);
    return size;
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
    struct ork_entry e;
    int size = 0;

    if (!find(comm, &e))
        return 0;
    if (e.flags == ORK_COMM_INTER)
        ORK_NEXT(MPI_Comm_remote_size)(comm, &size);
    else
        ORK_NEXT(MPI_Comm_size)(comm, &size);
    return (uint64_t)size;
}

int ork_comm_is_root(MPI_Comm comm, int root)
{
    struct ork_entry e;
    int rank = -1;

    if (root == MPI_ROOT)
        return 1;
    if (!find(comm, &e) || e.flags == ORK_COMM_INTER)
        return 0;
    ORK_NEXT(MPI_Comm_rank)(comm, &rank);
    return rank == root;
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
    return 0;
}
