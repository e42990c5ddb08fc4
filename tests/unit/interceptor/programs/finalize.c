/* SPDX-License-Identifier: BSD-3-Clause */
/* An attribute of MPI_COMM_SELF whose deletion sends a message, inside MPI_Finalize; two ranks. */
#include <mpi.h>
#include <stdio.h>

static int goodbye(MPI_Comm comm, int key, void *value, void *state)
{
    int r, x = 0, y = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - r, 0, &y, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("rank %d says goodbye\n", r);
    return (void)comm, (void)key, (void)value, (void)state, MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, goodbye, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Finalize();
    return 0;
}
