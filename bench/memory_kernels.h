/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that memory_cost.c measures. The file is compiled twice: as it is, and with
 * -fsanitize=thread and BENCH_INSTRUMENTED. */
#ifndef ORK_BENCH_MEMORY_KERNELS_H
#define ORK_BENCH_MEMORY_KERNELS_H

#include <stddef.h>

struct kernels {
    double (*load)(const double *a, size_t n);
    void (*store)(double *a, size_t n, double value);
    /* The mean of the neighbours of the inner cells of n x n. */
    void (*stencil)(double *to, const double *from, size_t n);
};

extern const struct kernels plain_kernels, instrumented_kernels;

#endif
