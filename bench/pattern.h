/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of made-up programs do, as records: one step of one rank at a time. Pure: the same
 * arguments give the same records. All programs are correct, whatever matches what. */
#ifndef ORK_BENCH_PATTERN_H
#define ORK_BENCH_PATTERN_H

#include "record/record.h"

#include <stddef.h>

enum pattern {
    PATTERN_HALO,        /* four neighbours: Irecv and Isend each, Waitall */
    PATTERN_RING,        /* Sendrecv to the right */
    PATTERN_ALL_TO_ALL,  /* Sendrecv with every other rank in turn */
    PATTERN_FARM,        /* rank 0 takes a result of any source and sends new work */
    PATTERN_COLLECTIVES, /* of the world, and of rows of ranks */
    PATTERN_RANDOM,      /* any of these and more, as the seed says */
    PATTERN_HALO_SUM,    /* as in a solver: four neighbours, and Allreduce */
    PATTERN_WAVEFRONT,   /* as NPB's LU: planes pass through a grid of ranks, there and back */
    PATTERN_ROW_SUMS,    /* as NPB's CG: sums of rows by exchanges, and one across the matrix */
    NUM_PATTERNS
};

enum { PATTERN_STEP_MAX = 40 };

struct step {
    struct ork_record record[PATTERN_STEP_MAX];
    size_t count;
};

struct program {
    enum pattern pattern;
    uint32_t ranks;
    uint64_t seed;
};

/* "halo"; NULL: no such pattern. Static storage. */
const char *pattern_name(enum pattern pattern);
/* NUM_PATTERNS: there is none of that name. */
enum pattern pattern_of_name(const char *name);
/* Records that a rank writes in a step, about. */
uint32_t pattern_records(enum pattern pattern);
/* How many steps ranks are apart, at most, in a run of such a program. */
uint32_t pattern_skew(enum pattern pattern);

/* A number from 0 to 2^64 - 1 that depends on both. */
uint64_t pattern_mix(uint64_t seed, uint64_t number);

/* What `rank` writes from its start to the end of MPI_Init and its preparations; in step `number`;
 * and at last. Not of the farm: its steps are those below. */
void pattern_open(const struct program *program, uint32_t rank, struct step *step);
void pattern_step(const struct program *program, uint32_t rank, uint64_t number, struct step *step);
void pattern_close(struct step *step);

/* The farm: a worker delivers a result and takes new work; the master serves that worker. */
void pattern_work(struct step *step);
void pattern_serve(uint32_t worker, struct step *step);

#endif
