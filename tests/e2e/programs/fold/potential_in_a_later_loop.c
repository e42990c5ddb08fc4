/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that is folded, then one in which all ranks send before they receive.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Send HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 2500 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    int in;
    int out = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    for (int i = 0; i < ITERATIONS; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, next, 0, &in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Send(&out, 1, MPI_INT, next, 1, MPI_COMM_WORLD); /* HERE */
        MPI_Recv(&in, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
