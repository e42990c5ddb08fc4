/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.7.3: each request is completed or freed. Sends of small messages and operations
 * with MPI_PROC_NULL are complete at once, and some libraries give all of them one handle. Rank 0
 * drops 50 of them, made by one call; those of another call were completed before. Rank 1 starts
 * 20 with each of two calls and completes 5: it is not known which ones.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: request-leak warning
 * SAYS: rank 0 neither completed nor freed requests before MPI_Finalize \(MPI_Isend at dropped_small_sends.c:\d+\), 50 of them
 * SAYS: rank 1 neither completed nor freed requests before MPI_Finalize \(made at one of: MPI_Isend at dropped_small_sends.c:\d+, MPI_Irecv at dropped_small_sends.c:\d+\), 35 of them
 * SAYS: 2 findings
 * SAYS_LINE: ONE
 * SAYS_LINE: TWO
 * EXIT: 0
 */
#include <mpi.h>

enum { MANY = 50, SOME = 20, COMPLETED = 5 };

int main(int argc, char **argv)
{
    int rank, word = 7, in;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < MANY; i++) {
        MPI_Isend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; rank == 0 && i < MANY; i++)
        MPI_Isend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* ONE */
    for (int i = 0; rank == 1 && i < 2 * MANY; i++)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 1 && i < SOME; i++) {
        MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* TWO */
        if (i < COMPLETED)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
