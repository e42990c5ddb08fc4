/* SPDX-License-Identifier: BSD-3-Clause */
/* The program starts another one and waits for it; that one inherits the environment and must
 * not be watched.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 0
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

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pid_t child = fork();
    int status = 0;

    if (child == 0)
        _exit(execl("/bin/true", "true", (char *)NULL));
    waitpid(child, &status, 0);
    MPI_Allreduce(&status, &in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
