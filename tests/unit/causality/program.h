/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs, and everything that can happen in them: the reference for causality/. They have
 * no branches but those of loops, but the tag of a message can depend on a poll before it. SEND is
 * buffered, SSEND is not. */
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

enum { RANKS = 4, OPS = 30, ANY = -1, POLLS = 6 };

/* LOCK and UNLOCK are of the memory of `peer` in a window of all ranks. TEST and IPROBE are made
 * once. LOOP makes some of them in turn until one is successful: of the
 * rounds after the first one, it does not matter how many there are. */
enum op_type {
    SEND,
    SSEND,
    RECV,
    IRECV,
    WAIT,
    WAITANY,
    PROBE,
    BARRIER,
    TEST,
    IPROBE,
    LOOP,
    LOCK,
    UNLOCK
};

struct op {
    enum op_type type;
    int peer, tag;
    unsigned request;  /* IRECV, WAIT */
    unsigned set;      /* WAITANY, TEST: requests, a bit each */
    bool is_some;      /* WAITANY, TEST: MPI_Waitsome, MPI_Testsome */
    bool is_all;       /* TEST: MPI_Testall */
    bool is_status;    /* TEST: MPI_Request_get_status, of one request; is_all, too */
    bool is_test;      /* WAITANY: MPI_Testany or MPI_Testsome, again and again */
    bool is_exclusive; /* LOCK */
    /* SEND, SSEND: 1 + the place of a TEST, IPROBE, LOOP or LOCK; if that was unsuccessful, not
     * successful in its first round, or after the section of another rank, the tag is another one;
     * 0: none */
    uint8_t depends;
    uint8_t first_poll, polls; /* LOOP */
    /* TEST, IPROBE, SEND, SSEND: of a loop that gives up, from 1; it is left out when a poll of the
     * loop was successful. `kind` is the same, from 1, of equal polls of a loop. */
    uint8_t loop, kind;
};

struct program {
    int ranks;
    int ops[RANKS];
    struct op op[RANKS][OPS];
    int polls[RANKS];
    struct op poll[RANKS][POLLS]; /* TEST and IPROBE of each LOOP */
};

/* How far each rank has come, and for each operation 0, or 1 + its outcome: RECV, IRECV, PROBE: the
 * send (its rank * OPS + its place), or FAILED; WAITANY, TEST: the requests, a bit each, or
 * FAILED; LOCK: LOCKED, and how many conflicting sections of each rank were before it; LOOP: FAILED
 * and how many of its first round were unsuccessful, or the outcome of its
 * poll i, i * POLL_NEXT, and LATER: not in the first round. */
struct state {
    uint8_t at[RANKS];
    uint16_t outcome[RANKS][OPS];
};
enum { FAILED = 0x80, POLL_NEXT = 0x100, LATER = 0x800, OUTCOME = 0x7f, LOCKED = 0x1000 };

/* What can happen next: an operation gets an outcome. */
struct event {
    uint8_t rank, op;
    uint16_t outcome;
};

/* A pattern that replaces that of an operation, or the outcome of a Waitany. */
struct forced {
    bool is_forced;
    bool fails;    /* TEST, IPROBE, LOOP */
    unsigned poll; /* LOOP: only this one can happen, from 1; 0: each that can be successful */
    int peer, tag;
    unsigned requests; /* a bit each */
};

/* Do all that has only one outcome. `forced` may be NULL. */
void program_settle(const struct program *p, struct state *s);
/* All that can happen next; returns how many. */
int program_events(const struct program *p, const struct state *s,
                   const struct forced (*forced)[OPS], struct event *event);
bool program_is_poll(const struct op *o);
bool program_is_receive(const struct op *o);
/* Has a receive of rank `dest` this send (its rank * OPS + its place)? */
bool program_is_taken(const struct program *p, const struct state *s, int dest, int send);
/* Is the operation left out, because its loop has ended? */
bool program_is_left_out(const struct program *p, const struct state *s, int rank, int op);
/* From 1: that of the first of equal polls of a loop. */
unsigned program_place(const struct program *p, int rank, int op);
/* The first and the latest operation of the polls around this one between which there is no other
 * operation, and which are of the same loop. */
struct row {
    int first, last;
};
struct row program_row(const struct program *p, int rank, int op);
/* The TEST or IPROBE at a place: an operation, from 1 on, or a poll of a LOOP, from OPS + 1 on. */
const struct op *program_poll_at(const struct program *p, int rank, unsigned place);
/* That of a LOOP of this number, from 0. */
const struct op *program_poll_of(const struct program *p, int rank, const struct op *loop,
                                 unsigned i);
/* How many of the first round of a LOOP are over, and unsuccessful. */
unsigned program_failed(const struct op *loop, unsigned outcome);
bool program_is_open(const struct state *s, int rank, int op);
/* Of the message of this send, which is made or the next operation of the rank. */
int program_tag(const struct program *p, const struct state *s, int rank, int op);
/* The place of the Irecv of a request before `op`; -1: none. */
int program_irecv(const struct program *p, int rank, int op, unsigned request);
/* Has a Wait or Waitany before `op` completed it? */
bool program_is_complete(const struct program *p, const struct state *s, int rank, int op,
                         unsigned request);

/* How many of these sections of a rank were before. */
static inline unsigned program_sections(unsigned outcome, int rank)
{
    return outcome >> 3 * rank & 7;
}
/* All of them, with those of the rank itself, which is at this LOCK or behind it. */
unsigned program_num_sections(const struct program *p, int rank, int op, unsigned outcome);
/* The ordinal of a LOCK among those of its rank, from 1. */
int program_lock_of(const struct program *p, int rank, int op);

void program_print(const struct program *p);

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

/* RATIONALE: of equal polls of a row, except for the first one, it does not matter which one was
 * successful. So it is the second one. */
struct state program_normal(const struct program *p, const struct state *s);
/* All states in which the program can end, as above. False: there are too many. */
bool program_ends(const struct program *p, struct states *ends);

enum { REQUESTS = 7, EVENTS_MAX = RANKS * (OPS * RANKS + (1 << REQUESTS)) };

#endif
