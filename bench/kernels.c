/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to see loads and stores in programs that compute: small kernels with the loops and
 * the communication of those of the NAS Parallel Benchmarks. Compiled three times: as usual, for
 * the tool, and with ThreadSanitizer. Prints "kernel seconds", the least of several rounds of the
 * slowest rank. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 30 };

static int rank, ranks;

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static double unit(uint64_t x)
{
    return (double)(mix(x) >> 11) * 0x1p-53;
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* ---- ep: pairs of random numbers, counted in ten rings ---- */

enum { EP_PAIRS = 300000, EP_RINGS = 10 };
static double ep_count[EP_RINGS];

static void ep(void)
{
    double sum[EP_RINGS];

    for (uint64_t i = 0; i < EP_PAIRS; i++) {
        uint64_t seed = 2 * (i + EP_PAIRS * (uint64_t)rank);
        double x = 2 * unit(seed) - 1, y = 2 * unit(seed + 1) - 1, t = x * x + y * y;
        if (t > 1 || t == 0)
            continue;
        double f = sqrt(-2 * log(t) / t), far = fmax(fabs(x * f), fabs(y * f));
        ep_count[far < EP_RINGS ? (int)far : EP_RINGS - 1]++;
    }
    MPI_Allreduce(ep_count, sum, EP_RINGS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* ---- cg: products of a sparse matrix with a vector, of which each rank has some rows ---- */

enum { CG_ROWS = 7000, CG_ENTRIES = 12, CG_STEPS = 10 };
static double *cg_value, *cg_p, *cg_q;
static int *cg_first, *cg_column;

static void cg_begin(void)
{
    int columns = CG_ROWS * ranks;

    cg_value = room(CG_ROWS * CG_ENTRIES, sizeof(*cg_value));
    cg_column = room(CG_ROWS * CG_ENTRIES, sizeof(*cg_column));
    cg_first = room(CG_ROWS + 1, sizeof(*cg_first));
    cg_p = room((size_t)columns, sizeof(*cg_p));
    cg_q = room(CG_ROWS, sizeof(*cg_q));
    for (int i = 0; i < CG_ROWS * CG_ENTRIES; i++) {
        cg_value[i] = unit((uint64_t)i) - 0.5;
        cg_column[i] = (int)(mix((uint64_t)i + (uint64_t)rank) % (uint64_t)columns);
    }
    for (int i = 0; i <= CG_ROWS; i++)
        cg_first[i] = i * CG_ENTRIES;
}

static void cg(void)
{
    for (int i = 0; i < CG_ROWS * ranks; i++)
        cg_p[i] = 1;
    for (int step = 0; step < CG_STEPS; step++) {
        double own = 0, all;
        for (int i = 0; i < CG_ROWS; i++) {
            double sum = 0;
            for (int k = cg_first[i]; k < cg_first[i + 1]; k++)
                sum += cg_value[k] * cg_p[cg_column[k]];
            cg_q[i] = sum;
            own += sum * sum;
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < CG_ROWS; i++)
            cg_q[i] /= sqrt(all);
        MPI_Allgather(cg_q, CG_ROWS, MPI_DOUBLE, cg_p, CG_ROWS, MPI_DOUBLE, MPI_COMM_WORLD);
    }
}

/* ---- mg: a stencil of seven points in a cube that is cut into slabs ---- */

enum { MG_SIDE = 50, MG_PLANE = MG_SIDE * MG_SIDE, MG_STEPS = 4 };
static double *mg_u, *mg_v, *mg_memory; /* with a ghost plane at each end */
static MPI_Win mg_window;               /* of mg_memory */

static void mg_begin(void)
{
    const MPI_Aint bytes = (MG_SIDE + 2) * MG_PLANE * (MPI_Aint)sizeof(double);

    mg_u = room((MG_SIDE + 2) * MG_PLANE, sizeof(*mg_u));
    mg_v = room((MG_SIDE + 2) * MG_PLANE, sizeof(*mg_v));
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mg_memory, &mg_window);
    for (int i = 0; i < (MG_SIDE + 2) * MG_PLANE; i++)
        mg_u[i] = mg_memory[i] = unit((uint64_t)i);
}

static void mg_smooth(const double *from, double *to)
{
    for (int z = 1; z <= MG_SIDE; z++) {
        for (int y = 1; y < MG_SIDE - 1; y++) {
            for (int x = 1; x < MG_SIDE - 1; x++) {
                int i = (z * MG_SIDE + y) * MG_SIDE + x;
                to[i] = 0.4 * from[i] +
                        0.1 * (from[i - 1] + from[i + 1] + from[i - MG_SIDE] + from[i + MG_SIDE] +
                               from[i - MG_PLANE] + from[i + MG_PLANE]);
            }
        }
    }
}

static void mg(void)
{
    int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;

    for (int step = 0; step < MG_STEPS; step++) {
        MPI_Sendrecv(mg_u + MG_SIDE * MG_PLANE, MG_PLANE, MPI_DOUBLE, above, 0, mg_u, MG_PLANE,
                     MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(mg_u + MG_PLANE, MG_PLANE, MPI_DOUBLE, below, 1,
                     mg_u + (MG_SIDE + 1) * MG_PLANE, MG_PLANE, MPI_DOUBLE, above, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mg_smooth(mg_u, mg_v);
        mg_smooth(mg_v, mg_u);
    }
}

/* The same with the slab in a window: the neighbours get their ghost planes from it. */
static void mg_in_a_window(void)
{
    int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;

    for (int step = 0; step < MG_STEPS; step++) {
        MPI_Win_fence(0, mg_window);
        MPI_Put(mg_memory + MG_SIDE * MG_PLANE, MG_PLANE, MPI_DOUBLE, above, 0, MG_PLANE,
                MPI_DOUBLE, mg_window);
        MPI_Put(mg_memory + MG_PLANE, MG_PLANE, MPI_DOUBLE, below, (MG_SIDE + 1) * MG_PLANE,
                MG_PLANE, MPI_DOUBLE, mg_window);
        MPI_Win_fence(0, mg_window);
        mg_smooth(mg_memory, mg_v);
        mg_smooth(mg_v, mg_memory);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, mg_window);
}

/* ---- ft: a transposition between all ranks, and passes of a Fourier transform of each row ---- */

enum { FT_SIDE = 512 };
static double *ft_a, *ft_b; /* complex numbers of FT_SIDE / ranks rows */

static void ft_begin(void)
{
    ft_a = room(2 * FT_SIDE * FT_SIDE, sizeof(*ft_a));
    ft_b = room(2 * FT_SIDE * FT_SIDE, sizeof(*ft_b));
    for (int i = 0; i < 2 * FT_SIDE * FT_SIDE; i++)
        ft_a[i] = unit((uint64_t)i);
}

static void ft_pass(double *row, int half)
{
    for (int first = 0; first < FT_SIDE; first += 2 * half) {
        for (int i = first; i < first + half; i++) {
            double *a = &row[2 * i], *b = &row[2 * (i + half)];
            double re = b[0], im = b[1];
            b[0] = 0.5 * (a[0] - re);
            b[1] = 0.5 * (a[1] - im);
            a[0] = 0.5 * (a[0] + re);
            a[1] = 0.5 * (a[1] + im);
        }
    }
}

static void ft(void)
{
    int rows = FT_SIDE / ranks;

    for (int y = 0; y < rows; y++) {
        for (int half = FT_SIDE / 2; half > 0; half /= 2)
            ft_pass(ft_a + 2 * FT_SIDE * y, half);
    }
    for (int y = 0; y < rows; y++) { /* the block of each rank is contiguous */
        for (int x = 0; x < FT_SIDE; x++) {
            for (int part = 0; part < 2; part++)
                ft_b[2 * (x * rows + y) + part] = ft_a[2 * (y * FT_SIDE + x) + part];
        }
    }
    MPI_Alltoall(ft_b, 2 * rows * rows, MPI_DOUBLE, ft_a, 2 * rows * rows, MPI_DOUBLE,
                 MPI_COMM_WORLD);
}

/* ---- measurement ---- */

static void measure(const char *name, void (*kernel)(void))
{
    double least = INFINITY, slowest;

    for (int round = 0; round < ROUNDS; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        kernel();
        double seconds = MPI_Wtime() - begin;
        MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least = fmin(least, slowest);
    }
    if (rank == 0)
        printf("%s %.6g\n", name, least);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cg_begin();
    mg_begin();
    ft_begin();
    measure("ep", ep);
    measure("cg", cg);
    measure("mg", mg);
    measure("mg_window", mg_in_a_window);
    measure("ft", ft);
    MPI_Win_free(&mg_window);
    free(cg_value);
    free(cg_column);
    free(cg_first);
    free(cg_p);
    free(cg_q);
    free(mg_u);
    free(mg_v);
    free(ft_a);
    free(ft_b);
    MPI_Finalize();
    return 0;
}
