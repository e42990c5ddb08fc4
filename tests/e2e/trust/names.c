/* SPDX-License-Identifier: BSD-3-Clause */
/* A deadlock of all ranks on a communicator with a name of the user's choice. Usage: names
 * NAME-IN-HEX ANYTHING... */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    MPI_Comm comm;
    int value;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (size_t i = 0; argc > 1 && i + 1 < strlen(argv[1]) && i / 2 + 1 < sizeof(name); i += 2) {
        unsigned byte = 0;
        if (sscanf(argv[1] + i, "%2x", &byte) == 1)
            name[i / 2] = (char)byte;
    }
    MPI_Comm_set_name(comm, name);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
