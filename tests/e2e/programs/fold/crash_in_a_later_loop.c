/* SPDX-License-Identifier: BSD-3-Clause */
/* A process dies of a signal in the second loop, while its neighbours wait for it.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 1 was killed by SIGKILL
 * EXIT: 137
 * PLAIN: any
 */
#include <mpi.h>
#include <signal.h>

enum { ITERATIONS = 1500 };

static void shift(int rank, int size, int tag)
{
    int out = 0;
    int in;

    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, tag, &in, 1, MPI_INT,
                 (rank + size - 1) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ITERATIONS; i++)
        shift(rank, size, 0);
    for (int i = 0; i < ITERATIONS; i++) {
        shift(rank, size, 1);
        if (rank == 1 && i == ITERATIONS / 2)
            raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
