/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from any source returns that its message was too long. The tool says so while the
 * program runs: it goes on until that has come.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation warning
 * STOP: rank 0 sends 2 x MPI_INT .*, but rank 1 receives at most 1 x MPI_INT
 * SAYS: The error was returned to the application
 * SAYS: 1 finding
 * OUTPUT: stopped
 */
#include <mpi.h>
#include <stdio.h>

#include "../stop.h"

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int has_come = 0;
    int pair[2] = {1, 2};

    stop_init();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!has_come) {
        usleep(10000);
        has_come = rank == 0 && stop_has_come();
        MPI_Bcast(&has_come, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        puts("stopped");
    MPI_Finalize();
    return 0;
}
