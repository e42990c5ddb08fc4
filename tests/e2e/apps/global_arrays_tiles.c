/* SPDX-License-Identifier: BSD-3-Clause */
/* Global Arrays over the one-sided communication of ARMCI-MPI: tiles that are handed out by a
 * shared counter are fetched, doubled and accumulated; then matrices are multiplied, and all
 * processes put into one tile. The sums are exact in any order. */
#include <mpi.h>

#include <ga.h>
#include <macdecls.h>
#include <stdio.h>

enum { SIDE = 64, TILE = 16, TILES = SIDE / TILE, CELLS = TILE * TILE, STACK = 100000 };

static int square(char *name)
{
    int dims[2] = {SIDE, SIDE};

    return NGA_Create(C_DBL, 2, dims, name, NULL);
}

static void double_tiles(int from, int to, int counter)
{
    int first = 0, width = TILE;
    double one = 1, tile[CELLS];
    long next;

    while ((next = NGA_Read_inc(counter, &first, 1)) < TILES * TILES) {
        int low[2] = {(int)(next / TILES) * TILE, (int)(next % TILES) * TILE};
        int high[2] = {low[0] + TILE - 1, low[1] + TILE - 1};
        NGA_Get(from, low, high, tile, &width);
        for (int i = 0; i < CELLS; i++)
            tile[i] *= 2;
        NGA_Acc(to, low, high, tile, &width, &one);
    }
    GA_Sync();
}

/* The default of ARMCI-MPI makes them atomic updates, so all put the same numbers at once. */
static void put_first_tile(int to)
{
    int low[2] = {0, 0}, high[2] = {TILE - 1, TILE - 1}, width = TILE;
    double tile[CELLS];

    for (int i = 0; i < CELLS; i++)
        tile[i] = i;
    NGA_Put(to, low, high, tile, &width);
    GA_Sync();
}

int main(int argc, char **argv)
{
    char name[][8] = {"left", "right", "product", "counter"};
    double half = 1.5;
    int single = 1;

    MPI_Init(&argc, &argv);
    GA_Initialize();
    MA_init(C_DBL, STACK, STACK);
    int left = square(name[0]), right = square(name[1]), product = square(name[2]);
    int counter = NGA_Create(C_LONG, 1, &single, name[3], NULL);
    GA_Zero(counter);
    GA_Zero(right);
    GA_Fill(left, &half);
    GA_Sync();
    double_tiles(left, right, counter);
    GA_Dgemm('n', 'n', SIDE, SIDE, SIDE, 1, left, right, 0, product);
    double before = GA_Ddot(product, product);
    put_first_tile(product);
    double after = GA_Ddot(product, product);
    if (GA_Nodeid() == 0)
        printf("sum of squares %.0f, with another tile %.0f\n", before, after);
    GA_Destroy(counter);
    GA_Destroy(product);
    GA_Destroy(right);
    GA_Destroy(left);
    GA_Terminate();
    MPI_Finalize();
    return 0;
}
