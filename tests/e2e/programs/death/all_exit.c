/* SPDX-License-Identifier: BSD-3-Clause */
/* No rank calls MPI_Finalize, and all say that all is well.
 *
 * When mpirun sees that one rank has exited without MPI_Finalize, it sends SIGTERM to the others.
 * The ranks ignore it, so that each of them reaches its own exit.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: abnormal-end warning
 * SAYS: ranks 0-2 exited with code 0 at all_exit.c:\d+ without MPI_Finalize, after MPI_Barrier at all_exit.c:
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    signal(SIGTERM, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    exit(0);
}
