/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a load or store in a program that is compiled for the tool: run once plain and once under
 * the tool. Prints ns an access, or a cell of a stencil, the least of several rounds; "plain" is
 * compiled without the option. One rank; the buffer of a receive is pending meanwhile. */
#include "memory_kernels.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 200, DOUBLES = 4000, SIDE = 130, CELLS = (SIDE - 2) * (SIDE - 2), PAGE = 4096 };

static double sink, *near, *window;
static double *far;

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void load(const struct kernels *k, double *memory)
{
    sink += k->load(memory, DOUBLES);
}

static void store(const struct kernels *k, double *memory)
{
    k->store(memory, DOUBLES, sink);
}

/* In the one page with the pending buffer. */
static void load_near(const struct kernels *k, double *memory)
{
    for (int i = 0; i < 10; i++)
        sink += k->load(memory, DOUBLES / 10);
}

static void stencil(const struct kernels *k, double *memory)
{
    k->stencil(memory + SIDE * SIDE, memory, SIDE);
}

/* RATIONALE: a call before each round, so that what was gathered is written. */
static void measure(const char *name, void (*run)(const struct kernels *k, double *memory),
                    const struct kernels *k, double *memory, int times)
{
    double least = 0;
    int flag;

    for (int round = 0; round < ROUNDS; round++) {
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        double begin = now_ns();
        run(k, memory);
        double took = (now_ns() - begin) / times;
        least = round == 0 || took < least ? took : least;
    }
    printf("%s %.2f\n", name, least);
}

static void measure_all(void)
{
    const struct kernels *plain = &plain_kernels, *k = &instrumented_kernels;

    measure("load, plain", load, plain, far, DOUBLES);
    measure("load", load, k, far, DOUBLES);
    measure("load near a pending buffer", load_near, k, near, DOUBLES);
    measure("load of a window", load, k, window, DOUBLES);
    measure("store, plain", store, plain, far, DOUBLES);
    measure("store", store, k, far, DOUBLES);
    measure("store to a window", store, k, window, DOUBLES);
    measure("stencil, plain", stencil, plain, far, CELLS);
    measure("stencil", stencil, k, far, CELLS);
    measure("stencil in a window", stencil, k, window, CELLS);
}

int main(int argc, char **argv)
{
    const size_t bytes = 2 * SIDE * SIDE * sizeof(double);
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    near = aligned_alloc(PAGE, PAGE);
    far = calloc(1, bytes);
    MPI_Win_allocate((MPI_Aint)bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    if (near == NULL || far == NULL)
        return 1;
    for (size_t i = 0; i < bytes / sizeof(double); i++)
        window[i] = 0;
    for (size_t i = 0; i < PAGE / sizeof(double); i++)
        near[i] = 0;
    MPI_Irecv(near + PAGE / sizeof(double) - 1, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
    measure_all();
    MPI_Send(&sink, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    free(near);
    free(far);
    return 0;
}
