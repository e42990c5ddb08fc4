/* SPDX-License-Identifier: BSD-3-Clause */
/* Freeing a communicator waits for nobody if collectives wait for their data only.
 *
 * RANKS: 4
 * EXPECT: clean
 * OPTIONS: --must:collectives dataflow
 * OUTPUT: 7
 */
#include "../comm/free_before_send.c"
