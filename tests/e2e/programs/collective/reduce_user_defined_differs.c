/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation of one rank is user-defined, that of the others is MPI_SUM. Only user-defined
 * operations may differ (MPI-3.1 section 5.9.1).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * SAYS: different operations to MPI_Allreduce on MPI_COMM_WORLD: MPI_SUM at ranks 0 and 1 \(.*\), a user-defined operation at rank 2
 * EXIT: 66
 */
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, in = 1, out = 0;
    MPI_Op own;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &own);
    MPI_Allreduce(&in, &out, 1, MPI_INT, rank == 2 ? own : MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_free(&own);
    MPI_Finalize();
    return 0;
}
