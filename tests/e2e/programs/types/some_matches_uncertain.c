/* SPDX-License-Identifier: BSD-3-Clause */
/* Three messages do not have the type of their receives. Which of two other messages the wildcard
 * receive takes is not known when the receive after it returns, so these are not compared.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: but rank 1 receives 1 x MPI_FLOAT \(MPI_Recv at .*, at least 3 messages
 * SAYS: 1 finding
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0, 0};
    float real;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) { /* rank 1 is in MPI_Recv when the messages come */
        MPI_Recv(&value[0], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sleep(1);
    }
    for (int i = 0; rank == 0 && i < 5; i++)
        MPI_Send(&i, 1, MPI_INT, 1, i < 2 ? 0 : 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&value[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 3; i++)
            MPI_Recv(&real, 1, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
