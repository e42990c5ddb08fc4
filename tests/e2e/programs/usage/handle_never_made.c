/* SPDX-License-Identifier: BSD-3-Clause */
/* A handle that was never set (MPI-3.1 section 2.5.1): the memory that it names is no window, and
 * the MPI library crashes. That is one finding, not also an abnormal end.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-handle error
 * SAYS: win in MPI_Win_get_group \(handle_never_made.c:\d+\) of rank 0 is no handle that this run
 * SAYS: rank 0 was killed by SIGSEGV at handle_never_made.c:\d+
 * SAYS: 1 finding \(1 error\)
 * PLAIN: any
 */
#include <mpi.h>

static char unset[4096];

int main(int argc, char **argv)
{
    MPI_Win win = (MPI_Win)(void *)unset;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Win_get_group(win, &group);
    MPI_Finalize();
    return 0;
}
