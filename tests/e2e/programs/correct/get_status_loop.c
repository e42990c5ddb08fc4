/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status looks at a request without freeing it; MPI_Waitall completes it
 * later.
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
    int flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 9; i++)
            MPI_Irecv(&take[i], 1, MPI_INT, 1 + i / 3, i % 3, MPI_COMM_WORLD, &request[i]);
        for (int i = 8; i >= 0; i--) {
            do
                MPI_Request_get_status(request[i], &flag, MPI_STATUS_IGNORE);
            while (!flag);
        }
        MPI_Waitall(9, request, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 9; i++)
            sum += take[i];
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
