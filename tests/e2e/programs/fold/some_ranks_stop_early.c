/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs exchange; one pair makes fewer iterations than the other and waits in MPI_Finalize. The
 * other pair, which then knows that, waits for each other in a cycle.
 *
 * RANKS: 4
 * FOLDS: yes
 * EXPECT: deadlock
 * SEVERAL: manifest; 0 1 2 3; {2,3}
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 2500 };

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = rank ^ 1;
    for (int i = 0; i < ITERATIONS * (rank / 2 + 1); i++)
        MPI_Sendrecv(&value, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    if (rank < 2)
        MPI_Send(&value, 1, MPI_INT, rank + 2, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&in, 1, MPI_INT, rank - 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank >= 2)
        MPI_Recv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
