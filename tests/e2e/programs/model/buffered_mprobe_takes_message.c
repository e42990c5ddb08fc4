/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive that comes after a matched probe finds no message, and the sender is in
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
#include "../probe/mprobe_takes_message.c"
