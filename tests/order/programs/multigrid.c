/* SPDX-License-Identifier: BSD-3-Clause */
/* Halo exchange of a multigrid V-cycle: each level has half as many ranks and a communicator of its
 * own; neighbours' halos are received from anybody, nonblocking, posted before the sends.
 *
 * RANKS: 8 */
#include "digest.h"

enum { LEVELS = 3, CYCLES = 3, WIDTH = 4 };

static MPI_Comm level[LEVELS];
static double value = 1;

static void exchange(MPI_Comm comm, int tag)
{
    MPI_Request request[4];
    MPI_Status status;
    double halo[2][WIDTH], mine[WIDTH] = {value};
    int rank, size, index;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(halo[i], WIDTH, MPI_DOUBLE, MPI_ANY_SOURCE, tag, comm, &request[i]);
    pause_perhaps();
    MPI_Isend(mine, WIDTH, MPI_DOUBLE, (rank + 1) % size, tag, comm, &request[2]);
    MPI_Isend(mine, WIDTH, MPI_DOUBLE, (rank + size - 1) % size, tag, comm, &request[3]);
    for (int i = 0; i < 4; i++) {
        MPI_Waitany(4, request, &index, &status);
        saw(index);
        if (index > 1)
            continue;
        saw_message(&status, (int64_t)(1e6 * halo[index][0]));
        value = value * 0.7 + 0.2 * halo[index][0] + 0.01 * me; /* depends on the order */
    }
}

static void cycle(int number)
{
    for (int l = 0; l < LEVELS && level[l] != MPI_COMM_NULL; l++)
        exchange(level[l], 10 * number);
    for (int l = LEVELS - 1; l >= 0; l--) {
        if (level[l] != MPI_COMM_NULL)
            exchange(level[l], 10 * number + 1);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int l = 0; l < LEVELS; l++)
        MPI_Comm_split(MPI_COMM_WORLD, me % (1 << l) ? MPI_UNDEFINED : 0, -me, &level[l]);
    for (int i = 0; i < CYCLES; i++)
        cycle(i);
    for (int l = 0; l < LEVELS; l++) {
        if (level[l] != MPI_COMM_NULL)
            MPI_Comm_free(&level[l]);
    }
    return end();
}
