/* SPDX-License-Identifier: BSD-3-Clause */
/* Of two sends, the test may find the second one complete, as the library has buffered its message.
 * The wait for the first one does not wait for the second one. The two have one handle if the
 * library shares handles.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

static void be_sender(void)
{
    MPI_Request request[2];
    int value[2] = {1, 2};
    int answer = 0;
    int is_complete = 0;

    MPI_Isend(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&value[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Recv(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Test(&request[1], &is_complete, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Send(&answer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        be_sender();
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
