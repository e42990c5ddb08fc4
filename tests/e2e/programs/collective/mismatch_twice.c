/* SPDX-License-Identifier: BSD-3-Clause */
/* The same two calls differ at two places of the program, each time at the same rank: these are two
 * mistakes.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * SAYS: different operations to MPI_Allreduce .*: MPI_SUM at ranks 0 and 1 \(mismatch_twice.c:24\), MPI_MAX at rank 2
 * SAYS: different operations to MPI_Allreduce .*: MPI_SUM at ranks 0 and 1 \(mismatch_twice.c:25\), MPI_MAX at rank 2
 * SAYS: 2 findings \(2 errors\)
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    op = rank == 2 ? MPI_MAX : MPI_SUM;

    /* lines 24 and 25 */
    MPI_Allreduce(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Allreduce(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
