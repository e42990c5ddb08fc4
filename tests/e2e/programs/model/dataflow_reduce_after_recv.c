/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is not the root of a reduction leaves it at once if collectives wait for their data
 * only.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:collectives dataflow
 * OUTPUT: 8
 */
#include "../collective/reduce_after_recv.c"
