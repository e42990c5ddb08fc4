/* SPDX-License-Identifier: BSD-3-Clause */
/* An exchange whose receive is too short has sent its message all the same; a root that is no rank,
 * and the null operation, fail on one rank only.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation warning
 * FINDING: invalid-argument warning
 * FINDING: invalid-handle warning
 * OUTPUT: 3 failed, got 5
 */
#include <mpi.h>
#include <stdio.h>

static int exchange(int rank, int out[2])
{
    int in[2] = {0, 0};
    int failed = MPI_Sendrecv(out, 2, MPI_INT, 1 - rank, 0, in, rank == 0 ? 1 : 2, MPI_INT,
                              1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;

    out[0] = in[0];
    return failed;
}

int main(int argc, char **argv)
{
    int rank;
    int failed;
    int word[2] = {5, 5};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    failed = exchange(rank, word);
    if (rank == 0) {
        failed += MPI_Bcast(word, 1, MPI_INT, 99, MPI_COMM_WORLD) != MPI_SUCCESS;
        failed += MPI_Allreduce(MPI_IN_PLACE, word, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD) !=
                  MPI_SUCCESS;
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        printf("%d failed, got %d\n", failed, word[0]);
    MPI_Finalize();
    return 0;
}
