/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank looks 1000 times for what is not there: three kinds of poll, and errno must stay. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request q;
    int flag, x;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &q);
    errno = 77;
    for (int i = 0; i < 1000; i++) {
        MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
        MPI_Request_get_status(q, &flag, MPI_STATUS_IGNORE);
    }
    printf("errno %d flag %d\n", errno, flag);
    MPI_Cancel(&q);
    MPI_Request_free(&q);
    MPI_Finalize();
    return 0;
}
