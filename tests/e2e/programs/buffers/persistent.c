/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent receive is started into the buffer of an active persistent send (MPI-3.1 sections
 * 3.7.2 and 3.9: between start and completion, the restrictions are those of a nonblocking
 * operation). In the first round, only one of them is active at a time.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Start \(persistent.c:\d+\) of ranks 0 and 1 writes bytes 0 to 15 of a buffer that the pending MPI_Start \(persistent.c:\d+\) reads
 * EXIT: 66
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    float values[4] = {0};
    MPI_Request request[2], other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(values, 4, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(values, 4, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);

    MPI_Isend(NULL, 0, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &other);
    MPI_Start(&request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Irecv(NULL, 0, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &other);
    MPI_Cancel(&other);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Start(&request[0]);
    MPI_Start(&request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Finalize();
    return 0;
}
