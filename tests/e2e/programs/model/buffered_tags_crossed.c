/* SPDX-License-Identifier: BSD-3-Clause */
/* Two messages received in the opposite order pass if sends are buffered.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/tags_crossed.c"
