/* SPDX-License-Identifier: BSD-3-Clause */
/* A message of the wrong tag is no help though its send is buffered: the sender is in
 * MPI_Finalize.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Finalize
 * CALL: 1 MPI_Recv
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/tag_mismatch.c"
