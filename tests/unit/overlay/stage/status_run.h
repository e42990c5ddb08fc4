/* SPDX-License-Identifier: BSD-3-Clause */
/* A run whose ranks use a processor or not, poll or not, and what it tells of them. */
#ifndef ORK_TEST_OVERLAY_STATUS_RUN_H
#define ORK_TEST_OVERLAY_STATUS_RUN_H

#include "root_run.h"

/* The latest answer, in few words. */
struct heard {
    unsigned answers, figures, stills;
    double still; /* the latest of them */
    char message[200], detail[2][200];
    char call[RANKS][40], peer[RANKS][20], tag[RANKS][20], comm[RANKS][40];
    char state[RANKS][20], words[RANKS][200], frame[RANKS][40];
    struct ork_rank_progress progress[RANKS];
    uint32_t num_rows, num_details;
    struct ork_run_figures latest;
    uint32_t num_rates, rated_seconds; /* with these */
    char hang[200], hang_details[1000];
    uint32_t first_row;
};

extern struct heard heard;

/* Each rank uses so much of a processor and polls so often in a millisecond, and works between two
 * polls or not. */
struct doing {
    double processors[RANKS];
    uint64_t polls[RANKS];
    bool works;
    double works_now_and_then; /* part of a processor that those who poll use beside the polls */
    struct ork_polled probe;   /* call 0: it tests requests */
};

extern const struct doing status_sleeping, status_computing, status_polling;

/* Make the run again, with a limit for hangs in seconds (0: none); or with one after which it is
 * told that nobody gets on. */
void status_create(struct run *run, double hang_after, bool fatal);
void status_create_still(struct run *run, double after);
int status_set_up(void **state);

/* So many milliseconds pass. */
void status_step(struct run *run, int ms, const struct doing *doing);
/* Ask, and let time pass until the answer comes. */
void status_ask(struct run *run, const struct doing *doing);
/* Rank 0 waits for rank 1 in a call, 1 is outside, 2 waits for 1. */
void status_play(struct run *run);

#endif
