/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody ends the launcher, and that ends the ranks: a job that is cancelled. Nobody's error.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: abnormal-end note
 * SAYS: the run was ended from outside: ranks? [01 and]+ got SIGTERM from process
 */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int in = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        kill(getppid(), SIGTERM);
        sleep(100);
    }
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
