/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_kernels.h"

/* RATIONALE: one access at a time, as the compiler does it in a loop that calls a function for
 * each, so that the loops differ in the calls only. */
#define ONE_BY_ONE __attribute__((noinline, optimize("no-tree-vectorize")))

static ONE_BY_ONE double load(const double *a, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static ONE_BY_ONE void store(double *a, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        a[i] = value;
}

static __attribute__((noinline)) void stencil(double *to, const double *from, size_t n)
{
    for (size_t y = 1; y + 1 < n; y++) {
        for (size_t x = 1; x + 1 < n; x++) {
            size_t i = y * n + x;
            to[i] = (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]) * 0.25;
        }
    }
}

#ifdef BENCH_INSTRUMENTED
const struct kernels instrumented_kernels = {load, store, stencil};
#else
const struct kernels plain_kernels = {load, store, stencil};
#endif
