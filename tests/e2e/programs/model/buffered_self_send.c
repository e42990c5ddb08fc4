/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffered send to oneself waits for nothing.
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/self_send.c"
