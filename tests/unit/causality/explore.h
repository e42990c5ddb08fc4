/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of small programs, and all runs to which causality/ leads from a first one. */
#ifndef ORK_TEST_CAUSALITY_EXPLORE_H
#define ORK_TEST_CAUSALITY_EXPLORE_H

#include "order/causality/clocks.h"
#include "tests/unit/causality/program.h"

/* The outcome of a choice. */
struct outcome {
    uint8_t kind; /* enum ork_choice_kind */
    uint8_t post;
    int8_t source, tag;
    /* WAIT, TEST: the completed requests, a bit each; 0: all requests were null. */
    uint8_t requests;
    uint8_t place;  /* of a TEST or IPROBE, see program_poll_at(); of a LOCK, from 1 */
    uint16_t set;   /* of all requests, as in struct op */
    uint16_t polls; /* unsuccessful ones since the choice before */
    bool is_again;  /* decided: the first poll at this place after at least so many */
    /* Decided, FREE: the polls at the places of the first so many are unsuccessful, until the rank
     * does anything else; `in_row`: or makes another call. */
    uint16_t gives_up;
    bool in_row;
};

/* What a run is forced to: the first choices of each rank (the last one may be FREE), and
 * nonblocking receives, by their post - 1. */
struct decisions {
    uint8_t count[RANKS];
    struct outcome first[RANKS][OPS];
    struct outcome posted[RANKS][OPS]; /* post 0: none */
};

struct run {
    struct state end;
    uint8_t choices[RANKS];
    struct outcome choice[RANKS][OPS];
    uint8_t named[RANKS];            /* number of the first choice of the latest record with one */
    uint8_t locked[RANKS][RANKS][2]; /* numbers of its latest locks: target; shared, exclusive */
    uint8_t chosen_at[RANKS];        /* the operation of the last choice */
    uint16_t polls[RANKS];           /* unsuccessful ones after it, .. */
    unsigned looped[RANKS];          /* .. and those of the present LOOP */
    bool has_diverged;               /* a forced choice did not come */
};

/* Run the program once, in a random order, and feed its records. `c` may be NULL. */
void run_program(const struct program *p, const struct decisions *decisions, uint64_t *random,
                 struct run *run, struct ork_causality *c);

struct explored {
    struct states ends;
    unsigned runs, diverged;
    unsigned limited; /* runs whose clocks were replaced */
};
/* `limit` as in ork_causality_set_limit(). False: too many runs. */
bool explore(const struct program *p, const struct clocks *clocks, uint64_t limit, uint64_t *random,
             struct explored *explored);

uint64_t draw(uint64_t *random, uint64_t below);
/* A random program of three or four ranks, with several tags, probes, Waitany and barriers. */
struct program program_generate(uint64_t *random);
/* Make some of its sends synchronous. */
void program_synchronise(struct program *p, uint64_t *random);
/* Replace some of its Waitany by Waitsome, and, if it may have tests, by tests. */
void program_vary(struct program *p, uint64_t *random, bool has_tests);

/* Put single tests and probes into it, some of them at the beginning of a rank, and let some of its
 * messages depend on them. */
void program_poll(struct program *p, uint64_t *random);
/* Put loops of tests and probes into it, some of which give up, and let some of its messages depend
 * on them. */
void program_loop(struct program *p, uint64_t *random);

/* Put critical sections into it, and let some of its messages depend on their order. */
void program_lock(struct program *p, uint64_t *random);

/* The lock that the choice of the alternative is, with another number of sections before it; of
 * `polls` polls. */
struct outcome decide_lock(const struct program *p, uint32_t rank, uint32_t place, int32_t tag,
                           uint16_t polls);
/* The first choices of a rank: those of a run; then its unsuccessful polls that are kept, as in
 * struct ork_alternative. */
void decide_kept(struct decisions *d, const struct run *run, int rank, uint64_t keep,
                 uint64_t keep_polls);
/* The requests at indices of the array that has this set of requests. */
uint8_t requests_at(unsigned set, const uint32_t *index, uint32_t count);

#endif
