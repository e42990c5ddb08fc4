/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of messages and contributions, and numbers of reduction operations. */
#ifndef ORK_AMOUNT_H
#define ORK_AMOUNT_H

#include "interceptor/objects/types.h"

/* Sums over the processes of a known intracommunicator; else 0. These and the next function take
 * the recorder's lock. */
uint64_t ork_bytes_sum(MPI_Comm comm, const int *counts, MPI_Datatype type);
uint64_t ork_bytes_of_types(MPI_Comm comm, const int *counts, const MPI_Datatype *types);

/* Number of processes that each receive part of this rank's contribution: the (remote) group's
 * size, 0 if unknown. */
uint64_t ork_comm_extent(MPI_Comm comm);

/* Is this rank the root of the communicator? False if the communicator is unknown. */
int ork_comm_is_root(MPI_Comm comm, int root);

/* enum ork_reduction */
uint32_t ork_op_number(MPI_Op op);

#endif
