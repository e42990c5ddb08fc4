/* SPDX-License-Identifier: BSD-3-Clause */
/* A message on the wrong communicator is no help though its send is buffered.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Finalize
 * CALL: 1 MPI_Recv
 * OPTIONS: --must:sends buffered --must:collectives dataflow
 */
#include "../p2p/other_communicator.c"
