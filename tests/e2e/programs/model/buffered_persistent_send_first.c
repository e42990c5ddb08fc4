/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for a persistent send is over at once if sends are buffered.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 1
 * OPTIONS: --must:sends buffered
 */
#include "../request/persistent_send_first.c"
