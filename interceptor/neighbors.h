/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbours of this rank in the topology of a communicator: MPI-3.1 sections 7.5 and 7.6. */
#ifndef ORK_INTERCEPTOR_NEIGHBORS_H
#define ORK_INTERCEPTOR_NEIGHBORS_H

#include <mpi.h>
#include <stdbool.h>

/* Write the NEIGHBORS record, unless there is one already. Without the recorder's lock. False:
 * there is no topology, the communicator is unknown, or there are too many neighbours. */
bool ork_neighbors_put(MPI_Comm comm) __attribute__((cold, noinline));

#endif
