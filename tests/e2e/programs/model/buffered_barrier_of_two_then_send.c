/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that nobody receives is no deadlock if sends are buffered, but it is lost.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * OUTPUT: 1
 * SAYS: lost-message
 * OPTIONS: --must:sends buffered
 */
#include "../collective/barrier_of_two_then_send.c"
