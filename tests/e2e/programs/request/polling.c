/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks poll for a message that neither sends. Nobody is blocked, so it is no deadlock
 * but at most a suspicion.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * MAYBE: suspected; 0 1; *
 * INTERRUPT: 2
 * PLAIN: hangs
 * EXIT: 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int box[1] = {0};
    MPI_Request request[1];
    int done = 0;

    MPI_Init(&argc, &argv);
    puts("started");
    fflush(stdout);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&box[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
    while (!done)
        MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
