/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitsome until no active request is left.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 189
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int take[9];
    int sum = 0;
    MPI_Request request[9];
    int index[9];
    int count;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 9; i++)
            MPI_Irecv(&take[i], 1, MPI_INT, 1 + i / 3, i % 3, MPI_COMM_WORLD, &request[i]);
        for (;;) {
            MPI_Waitsome(9, request, &count, index, MPI_STATUSES_IGNORE);
            if (count == MPI_UNDEFINED)
                break;
            for (int i = 0; i < count; i++)
                sum += take[index[i]];
        }
        printf("%d\n", sum);
    } else {
        for (int i = 0; i < 3; i++) {
            out = rank * 10 + i;
            MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
