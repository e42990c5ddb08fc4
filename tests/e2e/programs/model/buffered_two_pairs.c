/* SPDX-License-Identifier: BSD-3-Clause */
/* Of two pairs only the one that receives first is a cause if sends are buffered.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv
 * CALL: 2 MPI_Finalize
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/two_pairs.c"
