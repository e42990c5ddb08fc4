/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores to the memory of a window, with a call after each group of them. */
#include <mpi.h>
#include <orknot/memory.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROWS = 20, COLUMNS = 50, DOUBLES = ROWS * COLUMNS };

static double *memory;
static volatile double seen;
static MPI_Win win;

static void next(void)
{
    MPI_Win_fence(0, win);
}

static void fill(void)
{
    for (int i = 0; i < DOUBLES; i++)
        memory[i] = i;
}

static void read_column(void)
{
    for (int i = 3; i < DOUBLES; i += COLUMNS)
        seen = memory[i];
}

static void store_inside(void)
{
    for (int time = 0; time < 3; time++)
        for (int y = 1; y < ROWS - 1; y++)
            for (int x = 1; x < COLUMNS - 1; x++)
                memory[y * COLUMNS + x] = time;
}

static void *store_half(void *half)
{
    double *from = half;

    for (int i = 0; i < DOUBLES / 2; i++)
        from[i] = 1;
    return NULL;
}

static void store_in_threads(void)
{
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, store_half, memory + i * (DOUBLES / 2));
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void scatter(void)
{
    unsigned place = 1;

    for (int i = 0; i < 200000; i++) {
        place = place * 1103515245 + 12345;
        memory[place / 65536 % DOUBLES] = i;
    }
}

int main(int argc, char **argv)
{
    double *own;

    MPI_Init(&argc, &argv);
    memory = calloc(DOUBLES, sizeof(double));
    MPI_Win_allocate(DOUBLES * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &own,
                     &win);
    fill(); /* this is not in a window */
    next();
    free(memory);
    memory = own;
    fill();
    next();
    read_column();
    next();
    store_inside();
    next();
    store_in_threads();
    next();
    orknot_memory_load(memory + 10, 16);
    orknot_memory_store((char *)(memory + DOUBLES) - 1, 5000); /* the rest is not in the window */
    next();
    next();
    scatter();
    next();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
