/* SPDX-License-Identifier: BSD-3-Clause */
/* A forked child makes no MPI calls and ends by itself while its parent communicates.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pid_t child = fork();

    if (child == 0) {
        usleep(20000);
        _exit(0);
    }
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    waitpid(child, NULL, 0);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
