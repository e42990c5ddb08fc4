/* SPDX-License-Identifier: BSD-3-Clause */
/* A broadcast of nothing waits for nobody if collectives wait for their data only.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:collectives dataflow
 * OUTPUT: 7
 */
#include "../collective/bcast_zero_count.c"
