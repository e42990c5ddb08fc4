/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives that wait for each other wait also if sends are buffered.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv
 * CALL: 1 MPI_Recv
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/recv_recv.c"
