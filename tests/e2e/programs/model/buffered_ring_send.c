/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring that sends first goes round if sends are buffered.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/ring_send.c"
