/* SPDX-License-Identifier: BSD-3-Clause */
/* A program for other tools to watch: calls of several kinds, some by their profiling names, calls
 * in callbacks, and a file, for which the library makes calls of its own. */
#include <mpi.h>

#include <stdio.h>

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int size;

    (void)key, (void)extra, (void)in, (void)out;
    MPI_Barrier(MPI_COMM_SELF);
    PMPI_Barrier(MPI_COMM_SELF);
    PMPI_Comm_size(comm, &size);
    *flag = size == 2;
    return MPI_SUCCESS;
}

static void exchange(int other)
{
    int in[2], out[2] = {1, 2};
    MPI_Request r[2];

    if (other == 1)
        MPI_Send(out, 2, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Recv(in, 2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (other == 0)
        PMPI_Send(out, 2, MPI_INT, other, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(in, 2, MPI_INT, other, 2, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(out, 2, MPI_INT, other, 2, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
}

static void duplicate(void)
{
    MPI_Comm comm;
    int key;

    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
}

static void write_file(void)
{
    MPI_Datatype pair;
    MPI_File file;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_open(MPI_COMM_WORLD, "tooled.out",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_close(&file);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(1 - rank);
    duplicate();
    write_file();
    MPI_Pcontrol(2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: %d\n", rank, sum);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
