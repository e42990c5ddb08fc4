/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI-3.1 (chapters 3 and 5) says of a small program, as a transition system: states, and the
 * moves that a state allows. Written for clearness: it looks at everything again at each move, and
 * shares nothing with the detector. */
#ifndef ORK_FUZZ_DETECTOR_MODEL_H
#define ORK_FUZZ_DETECTOR_MODEL_H

#include "tests/fuzz/detector/program.h"

enum { MAX_ACTS = 64, MAX_MOVES = 256, NO_ACT = 255 };

enum act_type {
    ACT_SEND,
    ACT_RECV,
    ACT_TAKE, /* matched probe: takes its message when the call returns */
    ACT_MRECV,
    ACT_COLL,
};

/* What a step posts. Acts are numbered by rank, then in program order. */
struct act {
    enum act_type type;
    uint8_t rank, step;
    uint8_t request; /* step that made the request; the step itself if the call waits for it */
    bool is_request;
    bool may_be_cancelled;
    uint8_t mode, comm, wave;
    int8_t peer, tag;
    uint8_t of; /* MRECV: the act of the probe */
};

struct model {
    const struct program *p;
    bool buffered; /* standard sends complete at once */
    bool lazy;     /* rooted collectives do not synchronise */
    unsigned acts;
    struct act act[MAX_ACTS];
    uint8_t first[MAX_RANKS][MAX_STEPS + 1];
};

struct state {
    uint64_t posted;
    uint64_t matched;   /* out of the queues */
    uint64_t settled;   /* sends whose receive has started */
    uint64_t consumed;  /* requests that a Wait or Test completed, or that were freed */
    uint64_t withdrawn; /* cancelled with success */
    uint8_t pc[MAX_RANKS];
    uint8_t inside[MAX_RANKS];
    uint8_t took[MAX_ACTS]; /* TAKE: its message */
};

enum move_type {
    MOVE_ENTER,
    MOVE_MATCH,    /* send `a` and receive `b` */
    MOVE_WITHDRAW, /* receive `a` */
    MOVE_RETURN,   /* `set`: requests the call completed; `a`: the message a probe found */
};

struct move {
    enum move_type type;
    bool is_choice; /* another move may exclude it: explore all of them */
    uint8_t rank;
    uint8_t a, b;
    uint64_t set;
};

/* What the run is known to have done; NULL where nothing is known. */
struct known {
    bool is_strict; /* a choice has to be possible under strict semantics; else it is made anyway */
    bool act[MAX_ACTS];        /* a receive or matched probe: */
    uint8_t message[MAX_ACTS]; /*   the send it took, NO_ACT: it was cancelled */
    bool step[MAX_RANKS][MAX_STEPS];
    struct move returned[MAX_RANKS][MAX_STEPS]; /* the choice that a call made */
};

/* False: the program is too large. */
bool model_init(struct model *m, const struct program *p, bool buffered, bool lazy);
void model_start(const struct model *m, struct state *s);

/* All moves; their number. */
unsigned model_moves(const struct model *m, const struct state *s, const struct known *known,
                     struct move moves[MAX_MOVES]);
void model_apply(const struct model *m, struct state *s, const struct move *move);

/* The ranks that can never go on, of a state without moves: bit set. */
uint32_t model_deadlocked(const struct model *m, const struct state *s);

/* -- parts of it -- */

static inline uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

static inline bool has(uint64_t set, unsigned i)
{
    return (set >> i & 1) != 0;
}

bool model_is_complete(const struct model *m, const struct state *s, unsigned act);
/* The acts of a Wait call's list that are active, and those of them that are complete. */
uint64_t model_active_set(const struct model *m, const struct state *s, unsigned rank,
                          const struct step *step, uint64_t *complete);
/* The latest act of a request that is active, or NO_ACT. */
uint8_t model_active(const struct model *m, const struct state *s, unsigned rank, unsigned request);
bool model_is_finished(const struct model *m, const struct state *s, unsigned rank);

#endif
