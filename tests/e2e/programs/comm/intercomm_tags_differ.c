/* SPDX-License-Identifier: BSD-3-Clause */
/* The leaders of two groups make an intercommunicator with different tags, so they do not find each
 * other; their groups wait for them.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2}
 * CALL: 0 MPI_Intercomm_create HERE
 * CALL: 1 MPI_Intercomm_create HERE
 * CALL: 2 MPI_Intercomm_create HERE
 * SAYS: rank 0 passes tag 0 \(MPI_Intercomm_create at .*\), but rank 2 passes tag 1
 * SAYS: rank 0: MPI_Intercomm_create\(remote leader 2, tag 0,
 * SAYS: rank 2: MPI_Intercomm_create\(remote leader 0, tag 1,
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Comm both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    if (rank % 2 == 0)
        usleep(50000); /* the others are there first */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, rank / 2, &both); /* HERE */
    MPI_Finalize();
    return 0;
}
