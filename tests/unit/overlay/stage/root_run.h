/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole run without processes: records go in where a leaf would send them, states are made up. */
#ifndef ORK_TEST_OVERLAY_ROOT_RUN_H
#define ORK_TEST_OVERLAY_ROOT_RUN_H

#include "overlay/root/root.h"

#include "script.h"

enum { RANKS = 3, FINDINGS = 24 };

/* What was told, in few words. */
struct reported {
    char id[32];
    enum ork_class class_;
    enum ork_severity severity;
    bool fatal;
    char message[200];
    uint32_t ranks[RANKS];
    uint32_t num_ranks;
};

struct run {
    struct ork_clock clock; /* of this run: time passes in run_pass() only */
    uint64_t now_ns, processor_ns;
    struct ork_root *root;
    struct ork_up up;
    struct ork_report_sink sink;
    struct ork_down down;
    struct ork_snapshot snapshot[RANKS];
    bool present[RANKS];
    struct script script[RANKS];
    struct reported reported[FINDINGS];
    unsigned findings, changed, superseded, states, complete_states, stuck, asked;
    char longest[500];             /* first sentence of the complete state */
    unsigned stacks_asked, stacks; /* orders; findings that were told again */
    enum ork_hold hold;            /* as ordered */
    unsigned held;                 /* how often it was told where the ranks are held, */
    char doing[RANKS][256];        /* and the latest answer */
    bool no_stacks;                /* the leaf does not answer */
    uint32_t first;                /* number that the latest job got */
    bool is_far;       /* the leaf is another process: the answer to a collect takes a step */
    uint32_t round;    /* that it has yet to answer; 0: none */
    unsigned collects; /* orders */
    struct ork_decision decision[FINDINGS]; /* of a deterministic run, */
    uint32_t decided[FINDINGS];             /* and for which ranks */
    unsigned decisions;
    unsigned expired;  /* how often polls that wait were to fail */
    unsigned released; /* and choices that wait were given up */
    bool is_watched;
    bool is_folding; /* what the leaves were told */
    bool goes_on;    /* every collect finds rank 0 one call further */
};

/* So many milliseconds pass, in which the tool computes. */
void run_pass(struct run *run, int ms);
/* Of cmocka: *state is a struct run. */
int run_set_up(void **state);
int run_tear_down(void **state);

/* With a root of its own; `trace` may be NULL. */
void run_create(struct run *run, const char *trace, bool deadlocks);
/* The clock is the run's. */
void run_create_as(struct run *run, const struct ork_root_options *options);
/* Every script begins with MPI_Init. */
void run_init(struct run *run);
/* Send up what the script of `rank` has gained; then the rank is in its last call, or not. */
void run_play(struct run *run, uint32_t rank, enum ork_state in);
/* The same for the ranks 0, 1 and 2. */
void run_play_each(struct run *run, enum ork_state first, enum ork_state second,
                   enum ork_state third);
/* The same for all, who are in their last calls. */
void run_play_all(struct run *run);
void run_end(struct run *run, uint32_t rank, enum ork_death how);
/* Every rank calls MPI_Finalize and ends, and then the run does. */
void run_end_all(struct run *run);
void run_end_as(struct run *run, uint32_t rank, const struct ork_ending *ending);
/* Step for at most `ms`, or until there are `findings`, with their call stacks. */
void run_step(struct run *run, unsigned findings, int ms);
/* Finding number `i` is this. */
void run_assert_reported(const struct run *run, unsigned i, const char *id, enum ork_class class_,
                         const char *message);

#endif
