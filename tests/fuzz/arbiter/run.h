/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a program, in a random order of everything that may happen: calls, arrivals of
 * messages, records and decisions. */
#ifndef ORK_FUZZ_ARBITER_RUN_H
#define ORK_FUZZ_ARBITER_RUN_H

#include "tests/fuzz/arbiter/program.h"

struct outcome {
    uint64_t hash[MAX_RANKS];
    uint32_t pc[MAX_RANKS];
    const char *problem; /* static storage; NULL: none */
    bool stopped;        /* not all ranks have ended */
    bool is_known;       /* because of a receive that names its source, behind a wildcard one */
    uint32_t decisions, breaks;
};

/* `is_free`: without decisions, as the library likes. */
void run_program(const struct program *p, uint64_t schedule, bool is_free, struct outcome *out);
bool outcome_is_same(const struct program *p, const struct outcome *a, const struct outcome *b);

#endif
