/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank passes another user-defined operation to a reduction: MPI-3.1 section 5.9.1 allows it.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void add_backwards(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = *count; i-- > 0;)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, in[2] = {1, 2}, out[2];
    MPI_Op own;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(rank == 1 ? add_backwards : add, 1, &own);
    MPI_Allreduce(in, out, 2, MPI_INT, own, MPI_COMM_WORLD);
    MPI_Iscan(in, out, 2, MPI_INT, own, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&own);
    MPI_Finalize();
    return 0;
}
