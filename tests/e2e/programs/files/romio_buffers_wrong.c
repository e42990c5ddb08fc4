/* SPDX-License-Identifier: BSD-3-Clause */
/* buffers_wrong.c with Open MPI's other implementation of files, if there is one.
 *
 * RANKS: 2
 * OPTIONS: --mca io ^ompio
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Irecv \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iread_at \(buf.*\) writes
 * SAYS: MPI_Allreduce \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite \(buf.*\) reads
 * SAYS: orknot: 8 findings \(6 errors\)
 */
#include "buffers_wrong.c"
