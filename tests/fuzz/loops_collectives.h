/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls of a random program of loops (loops_real.c), on a periodic Cartesian topology of
 * one dimension, with at most RANKS_MAX processes. */
#ifndef ORK_FUZZ_LOOPS_COLLECTIVES_H
#define ORK_FUZZ_LOOPS_COLLECTIVES_H

#include <mpi.h>
#include <stdbool.h>

enum { RANKS_MAX = 3, COLLECTIVES = 19 };

struct collective {
    unsigned which;
    int n;         /* elements of a block */
    bool is_other; /* with other counts, displacements and root than in most iterations */
    double *in, *out;
};

/* All ranks make the same one. `out` has room for (n + 1) * RANKS_MAX elements, as has `in`. */
void make_collective(const struct collective *c, MPI_Comm comm);
/* The same without waiting; at most two are pending. */
void start_collective(const struct collective *c, MPI_Comm comm, MPI_Request *request);

#endif
