/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/amount.h"

#include "interceptor/comms.h"
#include "interceptor/next.h"

#include <string.h>

struct ork_type_size ork_type_sizes[ORK_TYPE_SLOTS];

uint32_t ork_dense_size_of(MPI_Datatype type)
{
    MPI_Aint low, extent, true_low, true_extent;
    int size, ints, addresses, types, combiner;

    if (type == MPI_DATATYPE_NULL || ORK_NEXT(MPI_Type_size)(type, &size) != MPI_SUCCESS ||
        size < 0 ||
        ORK_NEXT(MPI_Type_get_envelope)(type, &ints, &addresses, &types, &combiner) !=
            MPI_SUCCESS ||
        ORK_NEXT(MPI_Type_get_extent)(type, &low, &extent) != MPI_SUCCESS ||
        ORK_NEXT(MPI_Type_get_true_extent)(type, &true_low, &true_extent) != MPI_SUCCESS)
        return 0;
    if (combiner != MPI_COMBINER_NAMED || low != 0 || true_low != 0 || extent != size ||
        true_extent != size)
        return 0;
    return (uint32_t)size;
}

void ork_amount_init(void)
{
    const MPI_Datatype type[] = {
        MPI_CHAR,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_BYTE,
        MPI_SHORT,
        MPI_UNSIGNED_SHORT,
        MPI_INT,
        MPI_UNSIGNED,
        MPI_LONG,
        MPI_UNSIGNED_LONG,
        MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_INT8_T,
        MPI_UINT8_T,
        MPI_INT16_T,
        MPI_UINT16_T,
        MPI_INT32_T,
        MPI_UINT32_T,
        MPI_INT64_T,
        MPI_UINT64_T,
        MPI_C_BOOL,
        MPI_C_DOUBLE_COMPLEX,
        MPI_AINT,
        MPI_OFFSET,
        MPI_COUNT,
        MPI_PACKED,
        MPI_DOUBLE_INT,
        MPI_2INT,
        MPI_CHARACTER,
        MPI_LOGICAL,
        MPI_INTEGER,
        MPI_REAL,
        MPI_DOUBLE_PRECISION,
        MPI_COMPLEX,
        MPI_DOUBLE_COMPLEX,
    };

    for (size_t i = 0; i < sizeof(type) / sizeof(*type); i++) {
        int size = 0;
        if (type[i] == MPI_DATATYPE_NULL ||
            ORK_NEXT(MPI_Type_size)(type[i], &size) != MPI_SUCCESS || size < 0)
            continue;
        ork_type_sizes[ork_type_slot(type[i])] = (struct ork_type_size){
            .type = type[i], .size = (uint32_t)size, .dense = ork_dense_size_of(type[i])};
    }
}

uint64_t ork_type_size(MPI_Datatype type)
{
    int size = 0;

    if (type == MPI_DATATYPE_NULL || ORK_NEXT(MPI_Type_size)(type, &size) != MPI_SUCCESS ||
        size < 0)
        return 0;
    return (uint64_t)size;
}

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
