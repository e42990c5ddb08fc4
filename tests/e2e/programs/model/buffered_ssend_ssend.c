/* SPDX-License-Identifier: BSD-3-Clause */
/* A synchronous send waits for its receive whatever standard sends do.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Ssend
 * CALL: 1 MPI_Ssend
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/ssend_ssend.c"
