/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks pass a number on in a ring; rank 2 stops after a second, outside MPI.
 *
 * RANKS: 6
 * OPTIONS: --must:hang-after 3 --must:on hang=abort
 */
#include <mpi.h>
#include <unistd.h>

static void read_input(void)
{
    for (;;)
        sleep(100);
}

static void pass_on(int rank, int size, int *number)
{
    MPI_Sendrecv_replace(number, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(int rank, int size, double start, int *number)
{
    if (rank == 2 && MPI_Wtime() - start > 1)
        read_input();
    pass_on(rank, size, number);
}

int main(int argc, char **argv)
{
    int rank, size, number;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    number = rank;
    for (double start = MPI_Wtime();;) {
        usleep(20000);
        step(rank, size, start, &number);
    }
}
