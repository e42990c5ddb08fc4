/* SPDX-License-Identifier: BSD-3-Clause */
/* Both processes of a group claim to be the root; then the other group names another root than the
 * one that there is.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: roots that ranks pass to MPI_Bcast on .*: MPI_ROOT at ranks 0 and 1
 * SAYS: roots that ranks pass to MPI_Gather on .*: rank 1 of the other group at ranks 2 and 3 \(.*\), MPI_ROOT at rank 0 \(.*\), MPI_PROC_NULL at rank 1
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1, words[2] = {0, 0};
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    MPI_Bcast(&word, 1, MPI_INT, rank < 2 ? MPI_ROOT : 0, both);
    MPI_Gather(&word, 1, MPI_INT, words, 1, MPI_INT,
               rank == 0 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 1, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
