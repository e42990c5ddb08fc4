/* SPDX-License-Identifier: BSD-3-Clause */
/* Two receives of rank 1 may take a message with tag 1. The messages come from one rank, so the
 * first receive takes the first of them in each of many rounds.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

enum { ROUNDS = 5000 };

int main(int argc, char **argv)
{
    static const int tag[] = {1, 0, 1};
    MPI_Request request[3];
    int value[3] = {0}, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0) {
            for (int k = 0; k < 3; k++)
                MPI_Isend(&value[k], 1, MPI_INT, 1, tag[k], MPI_COMM_WORLD, &request[k]);
        } else {
            MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &request[0]);
            MPI_Irecv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[1]);
            MPI_Irecv(&value[2], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[2]);
        }
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
