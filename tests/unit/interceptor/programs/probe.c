/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank looks for what is not there on three communicators, of which the second may have the
 * handle of the first. The argument is how often. */
#include <mpi.h>
#include <stdlib.h>

static void look(MPI_Comm comm, int source, int tag)
{
    int flag;

    MPI_Iprobe(source, tag, comm, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 4;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    if (times > 0)
        look(MPI_COMM_WORLD, MPI_ANY_SOURCE, 6);
    for (int i = 1; i < times; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        look(comm, 0, i < 3 ? i : MPI_ANY_TAG);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
