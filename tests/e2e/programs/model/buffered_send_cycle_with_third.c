/* SPDX-License-Identifier: BSD-3-Clause */
/* Of three ranks two send to each other first, which goes well if sends are buffered.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../p2p/send_cycle_with_third.c"
