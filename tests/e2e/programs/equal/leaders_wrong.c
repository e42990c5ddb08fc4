/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 6.6.2: all ranks of a group name the same local leader.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of local_leader to MPI_Intercomm_create on .*: 0 at rank 0 \(.*\), 1 at rank 1 \(
 * SAYS: All ranks of a group must pass the same local_leader \(MPI-3.1 section 6.6.2\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, rank == 1, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    MPI_Finalize();
    return 0;
}
