/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a send that was cancelled is local (MPI-3.1 section 3.8.4), whether the library
 * cancels it or has sent it: ranks may do so before either of them receives.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

enum { KINDS = 4 };

static void complete(int kind, MPI_Request *request, MPI_Status *status)
{
    int flag = 0;
    int index;
    int count;

    switch (kind) {
    case 0:
        MPI_Wait(request, status);
        break;
    case 1:
        MPI_Waitall(1, request, status);
        break;
    case 2:
        MPI_Waitany(1, request, &index, status);
        break;
    default:
        while (!flag) {
            MPI_Testsome(1, request, &count, &index, status);
            flag = count == 1;
        }
        break;
    }
}

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int in;
    int is_cancelled[KINDS];
    int was_cancelled;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, kind, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        complete(kind, &request, &status);
        MPI_Test_cancelled(&status, &is_cancelled[kind]);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Sendrecv(&is_cancelled[kind], 1, MPI_INT, 1 - rank, KINDS, &was_cancelled, 1, MPI_INT,
                     1 - rank, KINDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!was_cancelled)
            MPI_Recv(&in, 1, MPI_INT, 1 - rank, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
