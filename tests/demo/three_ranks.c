/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a ring of three rods, one for each rank: in every step the ranks exchange the
 * temperatures at their ends. The mistake: each rank first receives from its left neighbour and
 * sends afterwards, so all of them wait and nobody sends. */
#include <mpi.h>

#include <stdio.h>

#define CELLS 1000
#define STEPS 100

enum { TAG_RIGHTWARD = 1, TAG_LEFTWARD = 2 };

/* A rod with a cell of either neighbour at its ends. */
struct rod {
    double cell[CELLS + 2];
    int left;
    int right;
};

static void exchange_halo(struct rod *rod)
{
    MPI_Recv(&rod->cell[0], 1, MPI_DOUBLE, rod->left, TAG_RIGHTWARD, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(&rod->cell[CELLS], 1, MPI_DOUBLE, rod->right, TAG_RIGHTWARD, MPI_COMM_WORLD);
    MPI_Recv(&rod->cell[CELLS + 1], 1, MPI_DOUBLE, rod->right, TAG_LEFTWARD, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(&rod->cell[1], 1, MPI_DOUBLE, rod->left, TAG_LEFTWARD, MPI_COMM_WORLD);
}

static double diffuse(struct rod *rod)
{
    double previous = rod->cell[0];
    double heat = 0;

    for (int i = 1; i <= CELLS; i++) {
        double here = rod->cell[i];

        rod->cell[i] = here + 0.25 * (previous - 2 * here + rod->cell[i + 1]);
        previous = here;
        heat += rod->cell[i];
    }
    return heat;
}

int main(int argc, char **argv)
{
    struct rod rod = {.cell = {0}};
    double heat = 0;
    double total = 0;
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rod.left = (rank + size - 1) % size;
    rod.right = (rank + 1) % size;
    rod.cell[CELLS / 2] = rank + 1;
    for (int step = 0; step < STEPS; step++) {
        exchange_halo(&rod);
        heat = diffuse(&rod);
    }
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat after %d steps: %g\n", STEPS, total);
    MPI_Finalize();
    return 0;
}
