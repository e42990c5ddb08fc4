/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that look wrong and are right: MPI_INFO_NULL as hints (MPI-3.1 section 9), the error
 * handler of MPI_FILE_NULL (13.7), an operator and a group freed while the objects that use them
 * live on (6.3.3, 5.9.5), MPI_GROUP_EMPTY (6.2.1), a communicator of other members in
 * MPI_Intercomm_create (6.6.2: only the leader's matters), a handle whose value is used again.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void intercommunicator(int rank)
{
    MPI_Comm half, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int rank, word = 1, sum = 0;
    MPI_Errhandler handler;
    MPI_Group group, none;
    MPI_Comm made;
    MPI_Op op;
    void *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_Errhandler_free(&handler);
    MPI_Alloc_mem(8, MPI_INFO_NULL, &memory);
    MPI_Free_mem(memory);
    for (int i = 0; i < 20; i++) {
        MPI_Op_create(add, 1, &op);
        MPI_Allreduce(&word, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
        MPI_Op_free(&op);
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Group_incl(group, 0, NULL, &none);
        MPI_Comm_create(MPI_COMM_WORLD, group, &made);
        MPI_Group_free(&group);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
        if (none != MPI_GROUP_EMPTY)
            MPI_Group_free(&none);
    }
    intercommunicator(rank);
    MPI_Finalize();
    return 0;
}
