/* SPDX-License-Identifier: BSD-3-Clause */
/* What was read of each rank: its steps, which are followed later. */
#ifndef ORK_CAUSALITY_RANKS_H
#define ORK_CAUSALITY_RANKS_H

#include "order/causality/clocks.h"
#include "order/causality/events.h"
#include "order/causality/windows.h"
#include "order/comms/comms.h"

/* ---- steps ---- */

enum step_type {
    STEP_SEND,
    STEP_POST,
    STEP_ARRIVE,
    STEP_LOCK,
    STEP_UNLOCK,
    STEP_POST_EPOCH,
    STEP_CALL,
    STEP_POLL,
    STEP_RETURN,
};

/* For the user of events.h. */
struct call {
    struct ork_comm_ref ref;
    struct ork_record record;
    uint32_t list[];
};

struct step {
    enum step_type type;
    struct ork_event_call at;
    struct message *message;
    struct receive *receive;
    struct part *part;
    struct section *section;
    struct epoch *epoch;
    struct call *call;
    /* STEP_RETURN */
    struct op *op;
    uint32_t ops;
    uint32_t first_choice, choices;
    uint32_t poll; /* STEP_POLL: its place in the rank's poll[] */
    struct step *next;
};

/* ---- ranks ---- */

/* Of a rank in the topology of a communicator. */
struct neighbors {
    uint32_t comm; /* the number in its records */
    uint32_t sources, destinations;
    struct neighbors *next;
    uint32_t source[]; /* members */
};

struct rank {
    struct ork_causality *causality;
    uint32_t number;
    const char *lost;
    bool ended;
    enum ork_causal_end how;
    bool has_finished;     /* it called MPI_Finalize */
    bool has_other_cancel; /* MPI_Cancel was called for an operation that is no receive */
    bool has_unknown_lock; /* ORK_GAP_LOCK */
    bool has_untried_poll; /* ORK_GAP_POLL */
    /* reading */
    struct ork_record *queue; /* not read yet: one record whose list is incomplete */
    uint32_t queued, queue_room;
    uint32_t *list, list_room;
    struct ork_record call; /* the latest call */
    uint64_t calls;         /* see struct ork_event_call */
    uint32_t *call_list, call_list_room;
    struct neighbors *neighbors;    /* the latest first */
    uint32_t *tests, tests_room;    /* the list of the latest TESTS, until its TESTED; */
    uint32_t num_tests, num_tested; /* 0: none; and how many of its words are indices */
    struct poll *poll;              /* in the order of the calls */
    uint32_t polls, poll_room;
    /* The latest one of those before choice number `distinct_before`; NULL: none. */
    struct distinct_poll *distinct;
    uint32_t num_distinct;
    uint64_t distinct_before;
    /* A series: polls between which it makes no other call. */
    uint64_t series, series_calls; /* its number; `own_calls` at the latest poll */
    uint64_t first_series;         /* the first one before choice number `distinct_before` */
    uint64_t different;            /* of the latest poll */
    uint64_t own_calls;            /* calls, without OPAQUE, which a waiting test may write */
    bool inside;                   /* it may not have returned */
    bool has_window;               /* for the user of events.h */
    bool has_locked;               /* a window, at some time */
    struct receive *receiving;
    struct part *part;
    struct message *sending;
    struct section *locking; /* or an ordered atomic */
    struct failed_swap failed_swap;
    struct epoch
        *epoch; /* those that were not over when they were followed; the latest one first */
    struct epoch *old_epoch; /* the others, which a poll may name; not for a summary */
    struct op *completed;    /* of a return */
    uint32_t completions, completed_room;
    struct request *request;
    uint32_t requests, request_room;
    uint64_t serials; /* of operations that requests name */
    uint64_t posts;
    uint64_t positions;
    struct receive **receive; /* by position; for a summary the incomplete ones, by slot */
    uint32_t receives, receive_room;
    struct choice **choice; /* by number */
    uint32_t choices, choice_room;
    uint64_t named; /* the number of the first choice that the latest record with one names */
    /* following */
    struct step *first_step, *last_step;
    uint32_t steps;           /* not followed yet */
    uint64_t learned;         /* how often it learned something of others */
    uint64_t time;            /* steps followed so far */
    uint64_t mark;            /* of the call that it is in, see events.h */
    struct receive **forcing; /* by the return that is the first step; the first `forced` ones */
    uint32_t forcings, forcing_room, forced; /* are complete */
    uint32_t polled;                         /* polls that were followed */
    bool ready;
    struct rank *ready_next;
    struct watch *watch; /* see watch.h; NULL: no receive from any source was matched yet */
    /* alternatives: the greatest done_at of the receives up to each one */
    uint64_t *done_before;
};

struct ork_causality {
    uint32_t nprocs;
    bool failed;     /* out of memory */
    bool is_summary; /* keep only what races.h and events.h need: what is over is freed */
    const struct ork_events_user *user; /* of events.h; NULL: there is none */
    bool ticks_sends;                   /* for it: see there */
    const char *lost;                   /* why the first rank was lost; NULL: none */
    bool is_uncertain;                  /* for it: the order is not known completely */
    uint64_t waves;                     /* so far */
    struct crossing *crossings;
    const struct clocks *clocks;
    void *clock_state;
    uint64_t limit; /* of the bytes of vector clocks; 0: none */
    struct ork_comms *comms;
    struct rank *rank;
    struct rank *ready;
};

#endif
