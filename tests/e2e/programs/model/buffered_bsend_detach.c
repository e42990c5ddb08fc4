/* SPDX-License-Identifier: BSD-3-Clause */
/* If sends are buffered, detaching the buffer waits for nobody.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/bsend_detach.c"
