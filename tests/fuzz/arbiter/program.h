/* SPDX-License-Identifier: BSD-3-Clause */
/* Random small MPI programs whose calls depend on the messages that they got. */
#ifndef ORK_FUZZ_ARBITER_PROGRAM_H
#define ORK_FUZZ_ARBITER_PROGRAM_H

#include "record/record.h"
#include "tests/fuzz/wfg_random.h"

#include <stdio.h>

enum { MAX_RANKS = 5, MAX_STEPS = 40, SLOTS = 6, FIRST_PERSISTENT = 4 };

/* Numbers of communicators. */
enum { COMM_DUP = 2, COMM_INTER = 3, COMMS = 4, COMM_WINDOW = 5 };

/* Instead of a rank: the source of the latest message, if there was one; else the step is left
 * out. */
enum { PEER_LATEST = 100 };

/* Places in the memory of each target of the window. */
enum { PLACES = 2 };

/* All targets of the window. */
enum { PEER_ALL = 101 };

enum verb {
    VERB_SEND,
    VERB_ISEND,
    VERB_RECV,
    VERB_IRECV,
    VERB_SENDRECV,
    VERB_START,
    VERB_WAIT,
    VERB_WAITALL,
    VERB_WAITANY,
    VERB_TESTALL, /* up to `polls` times, until it is successful */
    VERB_TESTANY,
    VERB_PROBE,
    VERB_IPROBE,
    VERB_MPROBE, /* with MPI_Mrecv */
    VERB_CANCEL,
    VERB_FREE,
    VERB_BARRIER,
    VERB_BCAST,
    VERB_SKIP, /* the next step, depending on the outcomes so far */
    VERB_LOCK, /* of `peer`; the same is unlocked */
    VERB_UNLOCK,
    VERB_ATOMIC, /* at place `tag` of `peer`; exclusive: an update */
    VERB_PUT,    /* any other one-sided call */
    VERB_MAX
};

struct step {
    enum verb verb;
    uint32_t comm;
    int32_t peer, tag, peer2, tag2;
    uint32_t slot; /* of the request */
    uint32_t set;  /* bit set of slots */
    bool synchronous, exclusive;
    uint32_t polls;
    int32_t root;
};

struct program {
    uint64_t seed;
    uint32_t ranks;
    bool has_dup, has_inter, has_window;
    bool polls_in_collectives; /* the interceptor goes on taking decisions there */
    uint32_t steps[MAX_RANKS];
    struct step step[MAX_RANKS][MAX_STEPS];
    /* the persistent requests of the last slots */
    struct step persistent[MAX_RANKS][SLOTS];
};

void program_random(uint64_t seed, struct program *p);
void program_print(const struct program *p, FILE *out);

#endif
