/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of requests, choices, and unsuccessful polls. */
#ifndef ORK_CAUSALITY_OPERATIONS_H
#define ORK_CAUSALITY_OPERATIONS_H

#include "order/causality/causality.h"
#include "order/comms/comms.h"

enum op_type { OP_NONE, OP_DONE, OP_SEND, OP_RECEIVE, OP_COLL, OP_LOCK, OP_ACCESS, OP_EPOCH };

struct op {
    enum op_type type;
    struct message *message; /* OP_SEND; NULL: unknown */
    struct receive *receive; /* NULL: not followed */
    struct part *part;       /* NULL: not followed */
    struct section *section; /* OP_LOCK */
    struct epoch *epoch;     /* OP_EPOCH: the call that ends it */
    uint32_t request;        /* OP_ACCESS, or has_buffer */
    bool stays_active;       /* it is complete, but MPI_Request_get_status does not complete it */
    bool has_buffer;         /* in the memory of a window: for the user of events.h */
    uint64_t serial;         /* of its rank, from 1; 0: no request names it */
};

/* A persistent operation. */
struct made {
    struct ork_record record; /* of the call that made it */
    struct ork_comm_ref ref;  /* COLL; comm NULL: not followed */
    uint32_t index;           /* COLL: among those of its communicator that the rank made */
    uint32_t list[];          /* of the record */
};

struct request {
    bool used, is_cancelled; /* MPI_Cancel was called */
    struct op op;            /* OP_NONE: not active */
    struct made *made;       /* of a persistent request; NULL: of no other */
};

struct choice {
    uint8_t kind; /* enum ork_choice_kind */
    uint64_t number, post;
    uint16_t call;           /* that makes it: enum ork_call_id */
    uint32_t site;           /* of that call */
    int32_t source, tag;     /* RECEIVE, PROBE: as in the record */
    struct receive *receive; /* RECEIVE, PROBE */
    struct section *section; /* LOCK */
    bool is_repeated;        /* a Compare_and_swap that failed, and that was made again at once */
    bool is_test;            /* it could have been unsuccessful */
    bool was_polled;         /* it has been so, since the choice before, .. */
    uint64_t same;           /* .. and the rank did nothing since: as in struct ork_polled_choice */
    bool is_in_series; /* a poll after unsuccessful ones in the rank's first series, see there */
    /* The equal one, and the latest one of all; NULL: none. */
    const struct distinct_poll *equal, *last_distinct;
    bool has_array; /* its outcome is indices of an array */
    bool is_some;   /* and these can be several: of MPI_Waitsome and MPI_Testsome */
    struct op *op;  /* of the array; without one, those that a test completed */
    uint32_t ops;
    uint32_t *index; /* the outcome */
    uint32_t count;
    uint64_t time;  /* of its return; NEVER: not followed so far */
    uint64_t value; /* of the rank's component from then on */
};

/* What an unsuccessful test or probe could have completed or found. */
struct distinct_poll {
    uint8_t kind; /* ORK_CHOICE_TEST, ORK_CHOICE_PROBE */
    uint16_t call;
    uint32_t site, place;
    bool has_array, is_some; /* as in struct choice */
    struct op *op;           /* TEST: of its array */
    uint32_t ops;
    struct receive *receive;       /* PROBE: never posted */
    struct distinct_poll *earlier; /* another one since the same choice */
    uint64_t series,
        counted;           /* the series (see struct rank) in which it was counted, as that one */
    uint64_t seen;         /* different ones of that series at the latest equal one in it */
    uint64_t poll_index;   /* as in struct ork_polled_choice */
    uint64_t first, last;  /* unsuccessful polls before the first and the latest equal one */
    uint64_t num_distinct; /* those before the latest one */
};

/* An unsuccessful poll. */
struct poll {
    uint64_t number;    /* of the choice that comes next */
    uint64_t polls;     /* unsuccessful ones before it, since the choice before */
    uint64_t different; /* of these and it, without equal ones of a series */
    uint64_t time;      /* of the rank; NEVER: not followed so far */
    uint64_t value;     /* of the rank's component from then on */
    uint64_t acted_at;  /* time of what others can depend on, before the next poll; NEVER */
    struct distinct_poll
        *distinct; /* NULL: equal to an earlier one since that choice, or unknown */
    const struct distinct_poll *of; /* that earlier one, or `distinct`; NULL: unknown */
    bool is_again;         /* `of` was polled before, but not since all `num_distinct` were */
    uint64_t num_distinct; /* as in struct ork_polled_choice */
    bool is_in_series;     /* in the first one since the choice before */
    /* Of its series, the first one that is equal to `of`, or the first one after all different ones
     * of that series; then `same` is that one of the different ones, as in struct
     * ork_polled_choice. */
    bool counts;
    uint64_t same;
};

#endif
