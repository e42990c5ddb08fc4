/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs without branches, and everything that can happen in them: the reference for
 * causality/. SEND is buffered, SSEND is not. */
#ifndef ORK_TEST_CAUSALITY_PROGRAM_H
#define ORK_TEST_CAUSALITY_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* In every build. */
static inline void must(bool condition)
{
    if (!condition)
        abort();
}

enum { RANKS = 4, OPS = 20, ANY = -1 };

enum op_type { SEND, SSEND, RECV, IRECV, WAIT, WAITANY, PROBE, BARRIER };

struct op {
    enum op_type type;
    int peer, tag;
    unsigned request; /* IRECV, WAIT */
    unsigned set;     /* WAITANY: requests, a bit each */
    bool is_some;     /* WAITANY: MPI_Waitsome */
    bool is_test;     /* WAITANY: MPI_Testany or MPI_Testsome, again and again */
};

struct program {
    int ranks;
    int ops[RANKS];
    struct op op[RANKS][OPS];
};

/* How far each rank has come, and for each operation 0, or 1 + its outcome: RECV, IRECV, PROBE: the
 * send (its rank * OPS + its place); WAITANY: the requests, a bit each. */
struct state {
    uint8_t at[RANKS];
    uint8_t outcome[RANKS][OPS];
};

/* What can happen next: an operation gets an outcome. */
struct event {
    uint8_t rank, op, outcome;
};

/* A pattern that replaces that of an operation, or the outcome of a Waitany. */
struct forced {
    bool is_forced;
    int peer, tag;
    unsigned requests; /* a bit each */
};

/* Do all that has only one outcome. `forced` may be NULL. */
void program_settle(const struct program *p, struct state *s);
/* All that can happen next; returns how many. */
int program_events(const struct program *p, const struct state *s,
                   const struct forced (*forced)[OPS], struct event *event);
/* The place of the Irecv of a request before `op`; -1: none. */
int program_irecv(const struct program *p, int rank, int op, unsigned request);
/* Has a Wait or Waitany before `op` completed it? */
bool program_is_complete(const struct program *p, const struct state *s, int rank, int op,
                         unsigned request);

/* A set of states. */
struct states {
    struct state *item;
    size_t count, room;
    uint32_t *slot;
    size_t slots;
};
/* False: it was there. */
bool states_add(struct states *set, const struct state *s);
bool states_have(const struct states *set, const struct state *s);
void states_release(struct states *set);

/* All states in which the program can end. False: there are too many. */
bool program_ends(const struct program *p, struct states *ends);

enum { REQUESTS = 8, EVENTS_MAX = RANKS * (OPS * RANKS + (1 << REQUESTS)) };

#endif
