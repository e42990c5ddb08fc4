/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipelined wavefront as in an LU factorisation: planes are swept from the north-west to the
 * south-east of a 2 x 3 grid of ranks and back. A rank takes its two borders from whoever is first,
 * the direction is the tag's; a residual is collected from anybody at the end of a sweep.
 *
 * RANKS: 6 */
#include "digest.h"

enum { COLUMNS = 3, PLANES = 4, SWEEPS = 3, WIDTH = 8 };

static double border[WIDTH], sum;

static int neighbour(int down, int right)
{
    int row = me / COLUMNS + down, column = me % COLUMNS + right;

    if (row < 0 || row >= ranks / COLUMNS || column < 0 || column >= COLUMNS)
        return MPI_PROC_NULL;
    return row * COLUMNS + column;
}

static void take(int tag)
{
    MPI_Status status;
    double got[WIDTH];

    MPI_Recv(got, WIDTH, MPI_DOUBLE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    saw_message(&status, (int64_t)(1000 * got[0]));
    sum = sum / 2 + got[0]; /* depends on the order */
    border[0] = sum / 3 + me;
}

/* `way`: 1 to the south-east, -1 back. */
static void plane(int way, int tag)
{
    int from[2] = {neighbour(-way, 0), neighbour(0, -way)};
    int to[2] = {neighbour(way, 0), neighbour(0, way)};

    for (int i = 0; i < 2; i++) {
        if (from[i] != MPI_PROC_NULL)
            take(tag);
    }
    pause_perhaps();
    for (int i = 0; i < 2; i++)
        MPI_Send(border, WIDTH, MPI_DOUBLE, to[i], tag, MPI_COMM_WORLD);
}

static void residual(int tag)
{
    for (int i = 1; me == 0 && i < ranks; i++)
        take(tag);
    if (me != 0)
        MPI_Send(border, WIDTH, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int s = 0; s < SWEEPS; s++) {
        for (int p = 0; p < PLANES; p++)
            plane(1, 100 * s + p);
        for (int p = 0; p < PLANES; p++)
            plane(-1, 100 * s + 50 + p);
        residual(100 * s + 99);
    }
    return end();
}
