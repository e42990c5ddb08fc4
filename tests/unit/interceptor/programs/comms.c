/* SPDX-License-Identifier: BSD-3-Clause */
/* Four ranks make communicators of many shapes. test_records.py says what must be seen. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int r, even[2] = {0, 2}, x = 0, y[4], counts[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6}, z[16],
           w[40];
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm reversed, half, inter, all, two, dup, server;
    MPI_Group world, evens;
    MPI_Datatype pair;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, even, &evens);

    MPI_Comm_split(MPI_COMM_WORLD, 7, -r, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, r % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - r % 2, 3, &inter);
    MPI_Intercomm_merge(inter, r % 2, &all);
    if (r % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, evens, 5, &two);
        MPI_Barrier(two);
    }
    MPI_Comm_dup(inter, &dup);
    MPI_Bcast(&x, 1, MPI_INT, r % 2 ? 0 : r == 0 ? MPI_ROOT : MPI_PROC_NULL, dup);
    MPI_Comm_free(&dup);
    MPI_Comm_dup(half, &dup);
    MPI_Barrier(dup);
    MPI_Barrier(MPI_COMM_SELF);

    /* Amounts: only where the arguments count. */
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Send(y, 2, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Scatter(r == 1 ? w : NULL, r == 1 ? 3 : -7, r == 1 ? MPI_INT : MPI_DATATYPE_NULL, y, 3,
                MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(r == 0 ? MPI_IN_PLACE : &x, 1, r == 0 ? MPI_DATATYPE_NULL : MPI_INT, w, 1, MPI_INT,
               0, MPI_COMM_WORLD);
    MPI_Alltoallv(w, counts, at, MPI_INT, z, (int[]){r + 1, r + 1, r + 1, r + 1},
                  (int[]){0, r + 1, 2 * r + 2, 3 * r + 3}, MPI_INT, MPI_COMM_WORLD);
    MPI_Op_create((MPI_User_function *)0x10, 1, &op);
    MPI_Op_free(&op);
    MPI_Reduce(&x, y, 1, MPI_INT, MPI_BAND, 2, MPI_COMM_WORLD);

    /* A communicator without a parent that all have in common. */
    if (r == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &server);
    } else if (r == 1) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &server);
    }
    if (r < 2) {
        MPI_Barrier(server);
        MPI_Comm_dup(server, &dup);
        MPI_Barrier(dup);
        MPI_Comm_disconnect(&dup);
        MPI_Comm_disconnect(&server);
    }
    MPI_Finalize();
    return 0;
}
