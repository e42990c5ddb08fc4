/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of arguments (interceptor/gen/checks.py puts them into the hooks). Two kinds of functions:
 * questions, which are inline and may answer that something is wrong when it is not, and
 * examinations, ork_wrong_X(), which report what is wrong and return whether there was anything.
 * Examinations are called without the recorder's lock, before the real call. `argument` is the
 * parameter's name, of static storage. */
#ifndef ORK_CHECK_H
#define ORK_CHECK_H

#include "interceptor/buffers/attached.h"
#include "interceptor/objects/bounds.h"
#include "interceptor/buffers/buffer.h"
#include "interceptor/checks/check_op.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/objects/types.h"
#include "interceptor/usage/usage.h"

#include <limits.h>

#define ORK_EXAMINATION bool __attribute__((cold, noinline))

/* ---- values ---- */

/* Reports `row` with the value if `is_wrong`. */
ORK_EXAMINATION ork_wrong_value(const struct ork_call *call, enum ork_usage_id row,
                                const char *argument, int64_t value, bool is_wrong);

/* Report the values of an argument. True. */
bool ork_report_argument(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                         int64_t value, int64_t value2, const char *text)
    __attribute__((cold, noinline));

/* The same for element i of an array. */
bool ork_report_element(const struct ork_call *call, enum ork_usage_id row, const char *array,
                        int i, int64_t value, int64_t value2) __attribute__((cold, noinline));

static inline bool ork_has_less(int n, const int *value, int least)
{
    int wrong = 0;

    for (int i = 0; value != NULL && i < n; i++)
        wrong |= value[i] < least;
    return wrong != 0;
}

/* The first of n values that is less than `least`. */
ORK_EXAMINATION ork_wrong_array(const struct ork_call *call, enum ork_usage_id row,
                                const char *argument, int n, const int *value, int least);

/* Of n values; 0 if there are none. */
int ork_largest(int n, const int *value) __attribute__((cold, noinline));

/* ---- communicators, ranks, tags ---- */

enum ork_comm_kinds { ORK_COMM_ANY_KIND, ORK_COMM_INTRA_ONLY, ORK_COMM_INTER_ONLY };

static inline bool ork_is_good_comm(const struct ork_comm_bounds *b, enum ork_comm_kinds kinds)
{
    return b->is_valid &&
           (kinds == ORK_COMM_ANY_KIND || b->is_inter == (kinds == ORK_COMM_INTER_ONLY));
}

ORK_EXAMINATION ork_wrong_comm(const struct ork_call *call, const char *argument, MPI_Comm comm,
                               enum ork_comm_kinds kinds);

static inline bool ork_is_no_freeable_comm(MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF || !ork_bounds_of(comm)->is_valid;
}

ORK_EXAMINATION ork_wrong_freed_comm(const struct ork_call *call, const char *argument,
                                     const MPI_Comm *comm);

static inline bool ork_is_no_destination(const struct ork_comm_bounds *b, int rank)
{
    return rank >= b->size || (rank < 0 && rank != MPI_PROC_NULL);
}

static inline bool ork_is_no_source(const struct ork_comm_bounds *b, int rank)
{
    return rank >= b->size || (rank < 0 && rank != MPI_PROC_NULL && rank != MPI_ANY_SOURCE);
}

static inline bool ork_is_no_rank(const struct ork_comm_bounds *b, int rank)
{
    return rank >= b->size || rank < 0;
}

static inline bool ork_is_no_root(const struct ork_comm_bounds *b, int rank)
{
    return rank >= b->size ||
           (rank < 0 && !(b->is_inter && (rank == MPI_ROOT || rank == MPI_PROC_NULL)));
}

static inline bool ork_is_no_target(MPI_Win win, int rank)
{
    return rank >= ork_win_size(win) || (rank < 0 && rank != MPI_PROC_NULL);
}

static inline bool ork_is_root(const struct ork_comm_bounds *b, int root)
{
    return b->is_inter ? root == MPI_ROOT : root == b->rank;
}

/* Does this process exchange data with the root? */
static inline bool ork_is_member(const struct ork_comm_bounds *b, int root)
{
    return !b->is_inter || root >= 0;
}

ORK_EXAMINATION ork_wrong_destination(const struct ork_call *call, const char *argument, int rank,
                                      const struct ork_comm_bounds *b);
ORK_EXAMINATION ork_wrong_source(const struct ork_call *call, const char *argument, int rank,
                                 const struct ork_comm_bounds *b);
ORK_EXAMINATION ork_wrong_rank(const struct ork_call *call, const char *argument, int rank,
                               const struct ork_comm_bounds *b);
ORK_EXAMINATION ork_wrong_root(const struct ork_call *call, const char *argument, int rank,
                               const struct ork_comm_bounds *b);
ORK_EXAMINATION ork_wrong_target(const struct ork_call *call, const char *argument, int rank,
                                 MPI_Win win);
/* The ranks that a subset of a group is made of. */
ORK_EXAMINATION ork_wrong_group_ranks(const struct ork_call *call, const char *argument,
                                      MPI_Group group, int n, const int *rank);

/* The same by ranges. */
ORK_EXAMINATION ork_wrong_group_ranges(const struct ork_call *call, const char *argument,
                                       MPI_Group group, int n, int range[][3]);
/* Ranks of a group, or MPI_PROC_NULL, in any order. */
ORK_EXAMINATION ork_wrong_translated(const struct ork_call *call, const char *argument,
                                     MPI_Group group, int n, const int *rank);
/* The group of a new communicator, as a part of that of the old one. */
ORK_EXAMINATION ork_wrong_subgroup(const struct ork_call *call, const char *argument,
                                   MPI_Group group, const struct ork_comm_bounds *b);

static inline bool ork_is_no_tag(int tag)
{
    return tag < 0 || tag > ork_tag_ub;
}

static inline bool ork_is_no_recv_tag(int tag)
{
    return (tag < 0 && tag != MPI_ANY_TAG) || tag > ork_tag_ub;
}

ORK_EXAMINATION ork_wrong_tag(const struct ork_call *call, const char *argument, int tag);
ORK_EXAMINATION ork_wrong_recv_tag(const struct ork_call *call, const char *argument, int tag);

/* ---- topologies ---- */

static inline bool ork_has_topology(const struct ork_comm_bounds *b, enum ork_topology wanted)
{
    return b->topology == wanted ||
           (wanted == ORK_TOPOLOGY_ANY && b->topology != ORK_TOPOLOGY_NONE);
}

ORK_EXAMINATION ork_wrong_topology(const struct ork_call *call, const char *argument,
                                   const struct ork_comm_bounds *b, enum ork_topology wanted);
/* The dimensions of a new Cartesian topology. */
ORK_EXAMINATION ork_wrong_grid(const struct ork_call *call, const char *argument,
                               const struct ork_comm_bounds *b, int n, const int *dim);
/* Dimensions among which so many processes are divided; those that are 0 are free. */
ORK_EXAMINATION ork_wrong_division(const struct ork_call *call, const char *argument, int n,
                                   const int *dim, int processes);
/* Those of a process of the grid. */
ORK_EXAMINATION ork_wrong_coordinates(const struct ork_call *call, const char *argument,
                                      const struct ork_comm_bounds *b, const int *coordinate);
/* A graph of n nodes: how many edges leave the first 1, 2, ... nodes, and where they go to. */
ORK_EXAMINATION ork_wrong_graph(const struct ork_call *call, const char *argument,
                                const struct ork_comm_bounds *b, int n, const int *index,
                                const char *edges, const int *edge);
/* Neighbours in a distributed graph, and the weights of their edges. */
ORK_EXAMINATION ork_wrong_neighbours(const struct ork_call *call, const char *argument,
                                     const struct ork_comm_bounds *b, int n, const int *rank);
ORK_EXAMINATION ork_wrong_weights(const struct ork_call *call, const char *argument, int n,
                                  const int *weight);

/* ---- datatypes of a part of an array ---- */

ORK_EXAMINATION ork_wrong_part(const struct ork_call *call, int n, const int *size,
                               const char *parts, const int *part, const char *starts,
                               const int *start);
/* A part of an array that is distributed among the processes of a grid. */
struct ork_distributed {
    int size, rank, n;
    const int *array, *distribution, *argument, *processes;
};
ORK_EXAMINATION ork_wrong_distributed(const struct ork_call *call, const struct ork_distributed *d);

/* Of n values, without the negative ones; 0 if it is too large. */
int ork_sum(int n, const int *value) __attribute__((cold, noinline));

/* ---- other handles; the state of communicators comes from their bounds ---- */

ORK_EXAMINATION ork_wrong_handle(const struct ork_call *call, const char *argument,
                                 enum ork_handle_kind kind, uint64_t value, const char *null);

/* A datatype of so many elements; and n of them, of count[i] elements; NULL: not known. */
ORK_EXAMINATION ork_wrong_datatype(const struct ork_call *call, const char *argument,
                                   MPI_Datatype type, int count);
ORK_EXAMINATION ork_wrong_datatypes(const struct ork_call *call, const char *argument, int n,
                                    const MPI_Datatype *type, const int *count);

static inline bool ork_is_good_type(MPI_Datatype type)
{
    return ork_known_types[ork_type_slot(type)].type == type ||
           ork_handle_is_valid(ORK_HANDLE_DATATYPE, ORK_KEY(type));
}

static inline bool ork_has_bad_type(int n, const MPI_Datatype *type)
{
    bool is_bad = false;

    for (int i = 0; type != NULL && i < n; i++)
        is_bad |= !ork_is_good_type(type[i]);
    return is_bad;
}

/* The address of a request; not that of another object, whose handle is taken for it. */
#define ork_request_null_address ((const MPI_Request *)(const void *)MPI_REQUEST_NULL)
ORK_EXAMINATION ork_wrong_request(const struct ork_call *call, const char *argument,
                                  const MPI_Request *request);
static inline bool ork_is_no_request(const MPI_Request *request)
{
    return request == NULL || request == ork_request_null_address;
}

/* A datatype, an operator that is to be freed. */
ORK_EXAMINATION ork_wrong_freed_type(const struct ork_call *call, const char *argument,
                                     MPI_Datatype type);
ORK_EXAMINATION ork_wrong_freed_op(const struct ork_call *call, const char *argument, MPI_Op op);

/* The key of an attribute of the environment, which the program must not change. */
ORK_EXAMINATION ork_wrong_environment(const struct ork_call *call, const char *argument,
                                      int keyval);
static inline bool ork_is_environment(int keyval)
{
    return keyval == MPI_TAG_UB || keyval == MPI_HOST || keyval == MPI_IO ||
           keyval == MPI_WTIME_IS_GLOBAL;
}

/* ---- addresses ---- */

/* That of C, or that of Fortran, whose layer replaces it only where it may stand. */
static inline bool ork_is_in_place(const void *buffer)
{
    return buffer == MPI_IN_PLACE || buffer == ork_fortran_constants.in_place;
}

/* One status, which Fortran tells from an array of them. */
ORK_EXAMINATION ork_wrong_status(const struct ork_call *call, const char *argument,
                                 const MPI_Status *status);
ORK_EXAMINATION ork_wrong_in_place(const struct ork_call *call, const char *argument,
                                   const void *buffer);
/* A buffer for so many elements. */
ORK_EXAMINATION ork_wrong_null_buffer(const struct ork_call *call, const char *argument,
                                      const void *buffer, int count, MPI_Datatype type);
ORK_EXAMINATION ork_wrong_null_bytes(const struct ork_call *call, const char *argument,
                                     const void *buffer, MPI_Aint size);
/* What one call reads and what it writes. */
ORK_EXAMINATION ork_wrong_alias(const struct ork_call *call, const struct ork_buffer *read,
                                const struct ork_buffer *written, enum ork_usage_id row);
static inline bool ork_may_alias(const struct ork_buffer *a, const struct ork_buffer *b)
{
    uint64_t a_size = ork_dense_size(a->type), b_size = ork_dense_size(b->type);
    uintptr_t x = (uintptr_t)a->address, y = (uintptr_t)b->address;

    if (a->count <= 0 || b->count <= 0)
        return false;
    return a_size == 0 || b_size == 0 ||
           (x < y + b_size * (uint64_t)b->count && y < x + a_size * (uint64_t)a->count);
}
/* Elements that are packed at a position of a buffer. */
static inline const void *ork_packed_at(const void *buffer, const int *position)
{
    return buffer == NULL || position == NULL ? NULL : (const char *)buffer + *position;
}
static inline int ork_packed_bytes(int count, MPI_Datatype type)
{
    uint64_t bytes = ork_amount(count, type).bytes;

    return bytes <= INT_MAX ? (int)bytes : 0;
}
#define ORK_PACKED(buffer, position, count_, type_)                                                \
    (&(struct ork_buffer){.address = ork_packed_at(buffer, position),                              \
                          .count = ork_packed_bytes(count_, type_),                                \
                          .type = MPI_BYTE})
/* Where the call stores a result. */
ORK_EXAMINATION ork_wrong_null(const struct ork_call *call, const char *argument,
                               const void *address);
/* An array of n elements. */
ORK_EXAMINATION ork_wrong_null_array(const struct ork_call *call, const char *argument,
                                     const void *address, int n);

/* ---- datatypes ---- */

/* Elements that a one-sided call moves, and where to. `verb`: of the sentence. */
ORK_EXAMINATION ork_wrong_signature(const struct ork_call *call, const char *verb, int count,
                                    MPI_Datatype type, int room, MPI_Datatype room_type);

/* ---- operators ---- */

ORK_EXAMINATION ork_wrong_op(const struct ork_call *call, const char *argument, MPI_Op op,
                             MPI_Datatype type, enum ork_op_use use);

#endif
