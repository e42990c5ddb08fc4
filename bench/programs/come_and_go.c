/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that begin and end at very different times: they come to MPI_Init one after the other, and
 * once all have exchanged messages with their neighbours the first ones go at once, the last pairs
 * go on for long. [milliseconds between two ranks] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
    const char *place = getenv("OMPI_COMM_WORLD_RANK");
    int rank, size, in = 0;
    long rounds = 0;

    usleep((useconds_t)(1000 * ms * (place != NULL ? strtol(place, NULL, 10) : 0)));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int partner = rank ^ 1;
    int stays = rank & ~1; /* a pair stays for so many times the pause */
    while (partner < size && rounds++ < stays) {
        usleep((useconds_t)(1000 * ms));
        MPI_Sendrecv(&rank, 1, MPI_INT, partner, 1, &in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    if (rank == size - 1)
        printf("rounds %ld\n", rounds);
    MPI_Finalize();
    return 0;
}
