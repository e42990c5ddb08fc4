/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 writes over the memory that the tool shares with it, and goes on as if nothing had
 * happened. Usage: scribble STYLE. Prints the same with and without the tool; with it, rank 1 says
 * on stderr that it found the memory. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, HEADER = 4096 };

/* Where the ring lies; 0: nowhere. */
static size_t find_ring(unsigned char **begin)
{
    char line[512];
    unsigned long from, to;
    size_t size = 0;
    FILE *maps = fopen("/proc/self/maps", "r");

    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
        if (strstr(line, "orknot-ring") == NULL || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        *begin = (unsigned char *)from;
        size = to - from;
    }
    if (maps != NULL)
        fclose(maps);
    return size;
}

static void fill_random(unsigned char *p, size_t size)
{
    uint64_t x = 88172645463325252u;

    for (size_t i = 0; i < size; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        p[i] = (unsigned char)x;
    }
}

static void scribble(const char *style)
{
    unsigned char *ring = NULL;
    size_t size = find_ring(&ring);

    if (size == 0)
        return;
    fprintf(stderr, "found %zu bytes\n", size);
    if (strcmp(style, "ones") == 0)
        memset(ring, 0xff, size);
    else if (strcmp(style, "zeros") == 0)
        memset(ring, 0, size);
    else if (strcmp(style, "random") == 0)
        fill_random(ring, size);
    else if (strcmp(style, "header") == 0)
        fill_random(ring, HEADER);
    else if (strcmp(style, "slots") == 0)
        memset(ring + size / 4, 0xa5, size - size / 4);
}

/* Sum of what went round the ring of ranks. */
static long go_round(int rank, int size)
{
    long token = 1;
    long sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        long got;
        MPI_Sendrecv(&token, 1, MPI_LONG, (rank + 1) % size, i % 7, &got, 1, MPI_LONG,
                     (rank + size - 1) % size, i % 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token = got + rank;
        sum += got % 1000;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    long sum, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sum = go_round(rank, size);
    for (int i = 0; i < 5; i++) {
        if (rank == 1 && argc > 1)
            scribble(argv[1]);
        sum += go_round(rank, size);
        MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d: %ld\n", i, all);
    }
    MPI_Finalize();
    return 5;
}
