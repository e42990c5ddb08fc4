/* SPDX-License-Identifier: BSD-3-Clause */
/* Only the neighbours of the late rank wait for it if collectives wait for their data
 * only.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 4 3
 * OPTIONS: --must:collectives dataflow
 */
#include "../collective/neighbor_alltoall_late_member.c"
