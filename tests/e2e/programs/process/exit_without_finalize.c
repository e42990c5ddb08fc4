/* SPDX-License-Identifier: BSD-3-Clause */
/* The only rank leaves without MPI_Finalize. Nobody waits for it.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: abnormal-end warning
 * SAYS: rank 0 exited with code 0 at exit_without_finalize.c:\d+ without MPI_Finalize, after MPI_Init
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    printf("leaving\n");
    fflush(stdout);
    _exit(0);
}
