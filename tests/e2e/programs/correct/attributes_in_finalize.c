/* SPDX-License-Identifier: BSD-3-Clause */
/* A callback that MPI_Finalize runs makes calls of its own.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 8
 */
#include <mpi.h>
#include <stdio.h>

static int farewell(MPI_Comm comm, int key, void *value, void *extra)
{
    int rank;
    int in = 0;
    int out = 4;

    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", in);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{

    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, farewell, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Finalize();
    return 0;
}
