/* SPDX-License-Identifier: BSD-3-Clause */
/* A halo exchange that forgets its last rank: the send of rank 2 goes to MPI_PROC_NULL.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {2,3}
 * CALL: 3 MPI_Waitall END
 * MESSAGES: 0 UP > 1 END; 1 DOWN > 0 END; 1 UP > 2 END; 2 DOWN > 1 END
 * PENDING: 3 BELOW; 3 DOWN
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in[2], out[2] = {1, 2};
    MPI_Request r[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int above = rank < size - 2 ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(&in[0], 1, MPI_INT, below, 1, MPI_COMM_WORLD, &r[0]); /* BELOW */
    MPI_Irecv(&in[1], 1, MPI_INT, above, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&out[0], 1, MPI_INT, below, 2, MPI_COMM_WORLD, &r[2]); /* DOWN */
    MPI_Isend(&out[1], 1, MPI_INT, above, 1, MPI_COMM_WORLD, &r[3]); /* UP */
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);                          /* END */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
