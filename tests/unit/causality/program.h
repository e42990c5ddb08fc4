/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs, and everything that can happen in them: the reference for causality/. They have
 * no branches, but the tag of a message can depend on a poll before it. SEND is buffered, SSEND is
 * not.
 */
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

/* TEST and IPROBE are made once. */
enum op_type { SEND, SSEND, RECV, IRECV, WAIT, WAITANY, PROBE, BARRIER, TEST, IPROBE };

struct op {
    enum op_type type;
    int peer, tag;
    unsigned request; /* IRECV, WAIT */
    unsigned set;     /* WAITANY, TEST: requests, a bit each */
    bool is_some;     /* WAITANY, TEST: MPI_Waitsome, MPI_Testsome */
    bool is_all;      /* TEST: MPI_Testall */
    bool is_test;     /* WAITANY: MPI_Testany or MPI_Testsome, again and again */
    uint8_t depends;  /* SEND, SSEND: 1 + the place of a TEST or IPROBE; if that was unsuccessful,
                       * the  tag is another one; 0: none */
};

struct program {
    int ranks;
    int ops[RANKS];
    struct op op[RANKS][OPS];
};

/* How far each rank has come, and for each operation 0, or 1 + its outcome: RECV, IRECV, PROBE: the
 * send (its rank * OPS + its place), or FAILED; WAITANY, TEST: the requests, a bit each, or
 * FAILED. */
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
    bool fails; /* TEST, IPROBE */
    int peer, tag;
    unsigned requests; /* a bit each */
};

/* Do all that has only one outcome. `forced` may be NULL. */
void program_settle(const struct program *p, struct state *s);
/* All that can happen next; returns how many. */
int program_events(const struct program *p, const struct state *s,
                   const struct forced (*forced)[OPS], struct event *event);
bool program_is_poll(const struct op *o);
/* Of the message of this send, which is made or the next operation of the rank. */
int program_tag(const struct program *p, const struct state *s, int rank, int op);
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

enum { FAILED = 0x80, REQUESTS = 7, EVENTS_MAX = RANKS * (OPS * RANKS + (1 << REQUESTS)) };

#endif
