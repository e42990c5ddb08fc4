/* SPDX-License-Identifier: BSD-3-Clause */
/* No process passes MPI_ROOT to a broadcast between two groups: those that are to receive wait for
 * ever.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: roots that ranks pass to MPI_Bcast on .* do not fit together: MPI_PROC_NULL at ranks 0 and 1 \(.*\), rank 0 of the other group at ranks 2 and 3
 * EXIT: 66
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    MPI_Bcast(&word, 1, MPI_INT, rank < 2 ? MPI_PROC_NULL : 0, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
