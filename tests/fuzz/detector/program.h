/* SPDX-License-Identifier: BSD-3-Clause */
/* Small straight-line MPI programs, made at random. A request is named by the step that made it,
 * ranks are ranks of MPI_COMM_WORLD. */
#ifndef ORK_FUZZ_DETECTOR_PROGRAM_H
#define ORK_FUZZ_DETECTOR_PROGRAM_H

#include "record/record.h"

#include <stdbool.h>
#include <stdio.h>

enum { MAX_RANKS = 4, MAX_STEPS = 24, MAX_COMMS = 3 };

enum verb {
    VERB_SEND,
    VERB_ISEND,
    VERB_SEND_INIT,
    VERB_RECV,
    VERB_IRECV,
    VERB_RECV_INIT,
    VERB_SENDRECV,
    VERB_PROBE,
    VERB_IPROBE,
    VERB_MPROBE,
    VERB_MRECV,
    VERB_IMRECV,
    VERB_START,
    VERB_WAIT,
    VERB_WAITANY,
    VERB_WAITSOME,
    VERB_TEST,
    VERB_CANCEL,
    VERB_FREE,
    VERB_COLL,
    VERB_ICOLL,
    VERB_CONSTRUCT, /* makes communicator `of`; every rank takes part */
    VERB_FINALIZE,
};

struct step {
    enum verb verb;
    uint8_t mode; /* enum ork_send_mode or ork_coll */
    uint8_t comm;
    uint8_t of; /* MRECV, IMRECV: step of the probe; CONSTRUCT: communicator */
    int8_t peer, tag;
    int8_t peer2, tag2; /* SENDRECV: the receive */
    uint32_t set;       /* START, WAIT.., CANCEL, FREE: requests, one bit for each step */
};

enum ending { ENDING_FINALIZE, ENDING_RUNNING, ENDING_EXIT };

struct program {
    uint64_t seed;
    uint8_t ranks, comms;
    uint8_t members[MAX_COMMS]; /* bit set of ranks; 0: MPI_COMM_WORLD */
    bool is_dup[MAX_COMMS];
    enum ending ending[MAX_RANKS];
    bool lazy;   /* the run: rooted collectives do not synchronise */
    bool shared; /* the run: an Isend may return the library's shared handle */
    uint8_t steps[MAX_RANKS];
    struct step step[MAX_RANKS][MAX_STEPS];
};

void program_random(uint64_t seed, struct program *p);

/* Take a step out, with those that need it; false: it cannot be. */
bool program_drop(struct program *p, unsigned rank, unsigned step);

void program_print(const struct program *p, FILE *out);
void step_print(const struct step *step, FILE *out);

/* No wildcard source, no choice of the library, no cancel: strict semantics has one outcome. */
bool program_is_deterministic(const struct program *p);
bool program_has_running_end(const struct program *p);

#endif
