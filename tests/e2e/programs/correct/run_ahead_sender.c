/* SPDX-License-Identifier: BSD-3-Clause */
/* The receiver is late: three thousand small messages wait in the library, and all are
 * received in order.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 23965
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 3000; i++) {
            out = i % 17;
            MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", in);
    } else {
        usleep(100000);
        for (int i = 0; i < 3000; i++) {
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            out += in;
        }
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
