/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
/* Rank 0 waits for two messages, each from anybody; 1 and 2 for any and for rank 0; 3 for 2. */
int main(int argc, char **argv)
{
    int rank, v[2];
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&v[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&v[1], 1, MPI_INT, 3, 2, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Recv(v, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&v[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&v[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &r[1]);
        int i;
        MPI_Waitany(2, r, &i, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
