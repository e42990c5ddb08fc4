/* SPDX-License-Identifier: BSD-3-Clause */
/* In iteration 9,000 of a loop, one rank takes another rank for the root of a broadcast, after a
 * message went round. Whether the program goes on is up to the library.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS_LINE: ROOT
 * PLAIN: any
 */
#include <mpi.h>

enum { ITERATIONS = 1500, WRONG = 1300 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    int value = 0;
    int in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Sendrecv(&value, 1, MPI_INT, next, 0, &in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&value, 1, MPI_INT, previous, 1, &in, 1, MPI_INT, next, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Bcast(&value, 1, MPI_INT, i == WRONG && rank == 2 ? 1 : 0, MPI_COMM_WORLD); /* ROOT */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
