/* SPDX-License-Identifier: BSD-3-Clause */
/* malloc() and free(), of which the tool replaces the latter: ns of a pair, the least of several
 * rounds. One block at a time, of some sizes; many blocks that are freed in another order; and one
 * while a receive is pending. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 300, PAIRS = 20000, MANY = 1000 };

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void pairs(size_t size)
{
    for (int i = 0; i < PAIRS; i++) {
        void *volatile p = malloc(size);
        free(p);
    }
}

static void many(size_t size)
{
    static void *block[MANY];

    for (int k = 0; k < PAIRS / MANY; k++) {
        for (int i = 0; i < MANY; i++)
            block[i] = malloc(size);
        for (int i = 0; i < MANY; i++)
            free(block[i * 7 % MANY]);
    }
}

static void measure(const char *name, void (*run)(size_t), size_t size)
{
    double least = 1e9;

    for (int i = 0; i < ROUNDS; i++) {
        double begin = now_ns();
        run(size);
        double ns = (now_ns() - begin) / PAIRS;
        least = ns < least ? ns : least;
    }
    printf("%s %.3f\n", name, least);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int sent = 1, received = 0;

    MPI_Init(&argc, &argv);
    measure("16 bytes", pairs, 16);
    measure("1000 bytes", pairs, 1000);
    measure("10000 bytes", pairs, 10000);
    measure("many of 100 bytes", many, 100);
    MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    measure("16 bytes, a receive is pending", pairs, 16);
    MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
