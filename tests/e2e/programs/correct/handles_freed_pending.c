/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatype, operation, group, error handler and communicator are freed while the communication that
 * uses them is pending.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: column 33, sum 6
 */
#include <mpi.h>
#include <stdio.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static MPI_Comm create_comm(void)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Errhandler handler;

    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Group_free(&group);
    MPI_Comm_create_errhandler(ignore, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    return comm;
}

static void start(int rank, int *in, const int *out, int *sum, MPI_Request *request)
{
    MPI_Comm comm = create_comm();
    MPI_Datatype column;
    MPI_Op op;

    MPI_Type_vector(2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Op_create(add, 1, &op);
    MPI_Irecv(in, 1, column, (rank + 2) % 3, 4, comm, &request[0]);
    MPI_Isend(out, 1, column, (rank + 1) % 3, 4, comm, &request[1]);
    MPI_Iallreduce(&out[1], sum, 1, MPI_INT, op, comm, &request[2]);
    MPI_Type_free(&column);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int rank;
    int in[3] = {0, 0, 0};
    int sum = 0;
    MPI_Request request[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int out[3] = {rank + 1, rank + 1, 10 * (rank + 1)};

    start(rank, in, out, &sum, request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    if (rank == 0)
        printf("column %d, sum %d\n", in[0] + in[1] + in[2], sum);
    MPI_Finalize();
    return 0;
}
