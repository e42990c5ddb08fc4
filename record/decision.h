/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions and decisions of a deterministic run (docs/explanation/deterministic.md). A rank asks
 * by an ASK record, or by posting a receive from MPI_ANY_SOURCE; the tool answers through the
 * rank's ring. */
#ifndef ORK_DECISION_H
#define ORK_DECISION_H

#include <stdint.h>

/* What an ASK record asks: its `mode`. NOTHING in brackets: it may also be answered so. */
enum ork_ask {
    ORK_ASK_WAIT_ANY,   /* INDEX: which request of the list completes first */
    ORK_ASK_TEST_ANY,   /* INDEX (NOTHING) */
    ORK_ASK_TEST_ALL,   /* the rank looks for itself whether all of the list are complete
                         * (NOTHING) */
    ORK_ASK_PROBE,      /* PROBE: which message, of those that match comm, peer and tag */
    ORK_ASK_TEST_PROBE, /* PROBE (NOTHING) */
    ORK_ASK_CANCEL,     /* INDEX 0: the receive `request` has its message, so it is not
                         * cancelled; NOTHING: it is cancelled now */
    ORK_ASK_ENTER,      /* NOTHING: the rank may make the collective call of its latest COLL
                         * record although some of its receives have no source yet */
    ORK_ASK_LOCK,     /* LOCK: when the lock of its latest WIN_LOCK record is granted; NOTHING: that
                       * is not decided */
    ORK_ASK_TEST_WIN, /* the rank looks for itself whether its exposure epoch is over
                       * (NOTHING) */
    ORK_ASK_ATOMIC,   /* LOCK: when it is the turn of an atomic of a location: window `comm`, target
                       * `peer` and displacement arg2 << 32 | arg; `tag`: 1 if it updates the
                       * location, else 0. NOTHING: that is not decided */
    ORK_ASK_RECEIVE,  /* no question: the rank waits for the decision on a receive that it has
                       * posted, and may be given UPCOMING messages before it */
    ORK_ASK_ENDED,    /* no question: the rank has read ENDING, and looks no more */
    ORK_ASK_TAKEN, /* no question: the receive `request`, which the latest record has posted, takes
                    * the first message of peer and tag, which was UPCOMING */
    ORK_ASK_STEPS, /* no question: `bytes` only, see below */
    ORK_ASK_MAX    /* no question: the rank runs freely from now on */
};

enum ork_decided {
    ORK_DECIDED_RECEIVE = 1, /* receive `number` takes the message of source and tag */
    ORK_DECIDED_PROBE,       /* the probe of ask `number` finds the message of source and tag */
    ORK_DECIDED_INDEX,       /* ask `number`: the request with this index. A later decision on the
                              * same ask replaces it: the request turned out not to be complete */
    ORK_DECIDED_NOTHING,     /* ask `number`: see enum ork_ask */
    ORK_DECIDED_FREE,        /* there are no further decisions: the rank runs freely */
    ORK_DECIDED_LOCK,        /* ask `number`: the lock or atomic is next. It is taken when `source`
                              * conflicting ones have been counted, modulo 2^31: see
                              * record/sections.h */
    ORK_DECIDED_ENDING, /* ask `number`, a test by which the rank looks for itself, is unsuccessful:
                         * it stops to look, says so (ENDED), and waits for NOTHING */
    /* The messages that come to the rank next on a communicator: record/upcoming.h. All parts come
     * before the answer to a question about such messages, one after the other. */
    ORK_DECIDED_UPCOMING,         /* the list of communicator `number` (of the rank) begins */
    ORK_DECIDED_UPCOMING_MESSAGE, /* the next one, of this source and tag, has no receive yet. Its
                                   * time: `number`, signed, minus the clock of the rank then */
    ORK_DECIDED_UPCOMING_TAKEN,   /* request `number` takes the next one, at time `source`, .. */
    ORK_DECIDED_UPCOMING_LATER,   /* .. or one that is later than all of the list, or unknown */
    ORK_DECIDED_UPCOMING_END,     /* the list has `number` parts between its ends */
};
/* Messages of a list, at most. */
enum { ORK_UPCOMING_MAX = 128 };

/* `bytes` of each ASK record: one-sided calls that the rank has made, with the present one. They
 * are accesses, and calls that lock, unlock, flush or synchronise a window. A call that locks is
 * first counted in its own LOCK, an atomic that asks in its ATOMIC. In a call that may block, the
 * tool knows the number before it. */

/* Receives from MPI_ANY_SOURCE are numbered from 1 for each rank, in the order in which its records
 * post them (RECV, SENDRECV, START of persistent ones); asks by their `extra`. */
struct ork_decision {
    uint32_t decided; /* enum ork_decided */
    uint32_t number;
    int32_t source; /* in the communicator of the receive; INDEX: the index */
    int32_t tag;
};

#endif
