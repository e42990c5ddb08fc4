/* SPDX-License-Identifier: BSD-3-Clause */
/* Ready sends of a rank to itself, after the thread has posted the receive: on MPI_COMM_WORLD and
 * on MPI_COMM_SELF, and by every function that makes a ready send.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 20
 */
#include <mpi.h>
#include <stdio.h>

static int send_and_receive(MPI_Comm comm, int me, int kind)
{
    int out = kind + 1;
    int in = 0;
    MPI_Request receive;
    MPI_Request send = MPI_REQUEST_NULL;

    MPI_Irecv(&in, 1, MPI_INT, kind == 3 ? MPI_ANY_SOURCE : me, 0, comm, &receive);
    if (kind == 0 || kind == 3) {
        MPI_Rsend(&out, 1, MPI_INT, me, 0, comm);
    } else if (kind == 1) {
        MPI_Irsend(&out, 1, MPI_INT, me, 0, comm, &send);
    } else {
        MPI_Rsend_init(&out, 1, MPI_INT, me, 0, comm, &send);
        MPI_Start(&send);
    }
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (send != MPI_REQUEST_NULL)
        MPI_Request_free(&send);
    return in;
}

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int kind = 0; kind < 4; kind++) {
        sum += send_and_receive(MPI_COMM_WORLD, rank, kind);
        sum += send_and_receive(MPI_COMM_SELF, 0, kind);
    }
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
