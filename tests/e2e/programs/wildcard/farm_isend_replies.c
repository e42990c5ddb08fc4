/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers ask for work with MPI_Sendrecv; the master answers the source with MPI_Isend and waits
 * for that before it answers the same worker again.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 1225
 */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 50, NONE = -1, SIZE = 5 };

static void give_work(void)
{
    MPI_Request request[SIZE] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                 MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status;
    int answer[SIZE];
    int sum = 0, result;

    for (int i = 0; i < TASKS + SIZE - 1; i++) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        sum += result;
        MPI_Wait(&request[status.MPI_SOURCE], MPI_STATUS_IGNORE);
        answer[status.MPI_SOURCE] = i < TASKS ? i : NONE;
        MPI_Isend(&answer[status.MPI_SOURCE], 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
                  &request[status.MPI_SOURCE]);
    }
    MPI_Waitall(SIZE, request, MPI_STATUSES_IGNORE);
    printf("%d\n", sum);
}

int main(int argc, char **argv)
{
    int rank, task = 0, next;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        give_work();
    for (int on = rank > 0; on; task = next) {
        MPI_Sendrecv(&task, 1, MPI_INT, 0, 0, &next, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        on = next != NONE;
    }
    MPI_Finalize();
    return 0;
}
