/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph of a program's events, and its accesses: expect.c. */
#ifndef FUZZ_ONESIDED_EXPECT_H
#define FUZZ_ONESIDED_EXPECT_H

#include "tests/fuzz/onesided/program.h"

enum { NODES = RANKS_MAX * EVENTS_MAX * 2, NONE = -1 };

struct touch {
    int rank, event, target, window;
    unsigned bytes; /* bit i: place i in the memory of the target */
    bool reads, is_accumulate, is_own,
        is_plain;    /* is_plain: also a buffer of a message or collective call, */
    bool is_message; /* which is accessed at one node, */
    bool is_pending; /* or from there on until it is complete: */
    int at;
    int op, kind, site;
    int end;                   /* node; NONE: it is not completed */
    unsigned locks, exclusive; /* of the window LOCKED, by target */
};

struct graph {
    const struct program *p;
    bool reach[NODES][NODES];
    struct touch touch[ACCESSES_MAX];
    int touches;
};

static inline int enter_of(int rank, int event)
{
    return (rank * EVENTS_MAX + event) * 2;
}

static inline int exit_of(int rank, int event)
{
    return enter_of(rank, event) + 1;
}

/* ---- expect_graph.c ---- */
void make_graph(struct graph *g, const struct program *p);
/* The post of the epoch that contains this access. */
int post_of(const struct program *p, int rank, int event, int *target);
/* Does the event begin when this node has been reached? */
bool begins_after(const struct graph *g, int node, int rank, int event);

/* ---- expect.c ---- */
/* The node from which on it is complete; NONE. */
int end_of(const struct program *p, const struct touch *t);
/* The same for this access. */
bool touch_begins_after(const struct graph *g, int node, const struct touch *t);
bool has_common_byte(const struct touch *a, const struct touch *b);

/* ---- expect_separate.c ---- */
/* The node from which on others see this store of a rank; NONE: they never do. */
int published_at(const struct program *p, int rank, int event);
/* The node at which the private copy, from which this event loads, was up to date; NONE: when the
 * windows were made. */
int acquired_at(const struct program *p, int rank, int event);
/* Do they conflict in the separate memory model, whether or not they do in the unified one? */
bool is_separate_conflict(const struct graph *g, const struct touch *a, const struct touch *b);

#endif
