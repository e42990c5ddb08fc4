/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbours of this rank in the topology of a communicator: MPI-3.1 sections 7.5 and 7.6. */
#ifndef ORK_INTERCEPTOR_NEIGHBORS_H
#define ORK_INTERCEPTOR_NEIGHBORS_H

#include <mpi.h>
#include <stdbool.h>

struct ork_call;

/* Write the NEIGHBORS record, unless there is one already. `call`: the one that made the topology,
 * or the first that uses it. Without the recorder's lock. False: there is no topology, the
 * communicator is unknown, or there are too many neighbours. */
bool ork_neighbors_put(const struct ork_call *call, MPI_Comm comm) __attribute__((cold, noinline));

#endif
