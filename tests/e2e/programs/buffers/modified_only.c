/* SPDX-License-Identifier: BSD-3-Clause */
/* Changed buffers are found, too, if nothing else is checked.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-modified error
 * SAYS: the send buffer of MPI_Isend \(modified_small.c:\d+\) of rank 0 was changed before the send was complete
 * SAYS: the origin buffer of MPI_Put \(modified_small.c:\d+\) of rank 0 was changed before the call was complete at the origin
 * OPTIONS: --must:checks buffer-modified
 * EXIT: 66
 */
#include "modified_small.c"
