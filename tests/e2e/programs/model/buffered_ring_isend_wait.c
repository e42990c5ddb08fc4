/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for a nonblocking send is over at once if sends are buffered, as the blocking
 * send is.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/ring_isend_wait.c"
