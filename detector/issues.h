/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors other than deadlocks that the detector finds, in the order in which it finds them. */
#ifndef ORK_DETECTOR_ISSUES_H
#define ORK_DETECTOR_ISSUES_H

#include "detector/detector.h"

enum ork_issue_kind {
    ORK_ISSUE_MISMATCH, /* ranks call different collectives, or with different roots or operations,
                         * at the same position of a communicator's order */
    ORK_ISSUE_RSEND,    /* a ready send whose receive was not posted before it */
    ORK_ISSUE_LOST_MESSAGE,   /* a message that no rank received before MPI_Finalize */
    ORK_ISSUE_LOCK_ORDER,     /* processes lock windows in opposite orders: each side requested its
                               * lock while it held the lock that the next side requests */
    ORK_ISSUE_TYPE_MISMATCH,  /* what is sent is not what is received; sides: sender, receiver */
    ORK_ISSUE_TRUNCATION,     /* a message is longer than its receive; sides: sender, receiver */
    ORK_ISSUE_COUNT_MISMATCH, /* a collective call passes more or less than another one expects;
                               * sides: sender, receiver; of a reduction: two members */
    ORK_ISSUE_GRAPH, /* a rank names an edge of a graph that the rank at its other end does not name
                      * as often; sides: the rank that it leads from, the rank that it leads to */
    ORK_ISSUE_REQUEST_LEAK, /* a request neither completed nor freed before MPI_Finalize; several
                             * sides: it was made by one of these calls of the same rank */
    ORK_ISSUE_SHIFT, /* some ranks make the calls of others a constant number of calls later or
                      * earlier; sides: most ranks, the others, with the calls at which they parted
                      */
};

/* One side of an issue: a call, and the ranks that made it. */
struct ork_issue_side {
    struct ork_record call;
    uint32_t comm;   /* ORK_COMM_UNKNOWN: the rank has freed it */
    uint32_t rank;   /* one of them; call.site is its call site */
    uint32_t wave;   /* of a collective call, with `comm`: its place in the order of calls */
    uint32_t *ranks; /* ascending */
    uint32_t num_ranks;
    struct ork_record held; /* LOCK_ORDER: the call that got the lock it held, and its window */
    uint32_t held_comm;
};

/* Where the ranks of a communicator parted, which were at one place before. */
struct ork_parting {
    bool is_known;
    bool is_here;           /* in the call of the issue; `call` and `rank` have no meaning */
    bool is_first;          /* all calls before it were made at one place each */
    uint32_t calls;         /* on the communicator, before it */
    struct ork_record last; /* the latest one that all made at one place, and one of the ranks */
    uint32_t last_rank;
    struct ork_record call[2]; /* the two places, and one of the ranks at each */
    uint32_t rank[2];
};

enum { ORK_SHIFT_PAIRS = 4 };
/* How the calls of the second side of a SHIFT follow those of the first. */
struct ork_shift {
    uint32_t delay, calls; /* by so many calls, at least so often */
    bool is_ahead;         /* the second side makes them earlier */
    /* The different places that one call was made at */
    struct {
        uint32_t rank[2], site[2];
    } pair[ORK_SHIFT_PAIRS];
    uint32_t num_pairs;
};

struct ork_issue {
    enum ork_issue_kind kind;
    struct ork_issue_side *side;
    unsigned num_sides;
    bool quiet;       /* one of its ranks disabled reports */
    bool unsure;      /* MISMATCH: depends on calls that may still fail, and then were not made */
    bool withdrawn;   /* some of the calls failed, so it may be wrong */
    uint64_t repeats; /* further issues of the same kind, ranks and call sites */
    /* TYPE_MISMATCH: the first element that differs, from 0; only the names of the types differ */
    uint64_t element;
    bool alike;
    bool has_other_tags; /* TYPE_MISMATCH, TRUNCATION: some of its repeats */
    /* GRAPH: how often each side names the edge; and how many other edges do not fit either */
    struct {
        uint32_t named[2];
        uint32_t others;
    } edges;
    bool returned; /* TRUNCATION, COUNT_MISMATCH: an error returned to the application */
    /* TRUNCATION: the receive took this message or that of another issue with the same number; 0:
     * it took this one */
    uint64_t one_of;
    struct {
        uint32_t site;
        uint16_t call; /* enum ork_call_id; 0: none */
    } overwriting;     /* REQUEST_LEAK: the call that stored another handle where this one was */
    struct ork_parting parting; /* MISMATCH, SHIFT */
    struct ork_shift shift;
};

uint32_t ork_detector_num_issues(const struct ork_detector *d);
/* Issues whose error returned to the application; it never gets less. */
uint32_t ork_detector_num_returned(const struct ork_detector *d);
/* The first wait of the rank in whose array every second request, and no other one, was null.
 * False: there was none. */
bool ork_detector_half_null(const struct ork_detector *d, uint32_t rank, struct ork_record *wait);
/* False: some messages were not compared with their receives, because other ones may have taken
 * them. So there may be more pairs that do not fit together than the issues count. */
bool ork_detector_compared_all(const struct ork_detector *d);
/* The detector owns the result, which is valid until the next call that is not const. Mismatches
 * may still gain ranks. */
const struct ork_issue *ork_detector_issue(const struct ork_detector *d, uint32_t i);

/* The rank ended in a call that failed because a message was too long. Issues TRUNCATION are added
 * for the receives without a known message, and each message that they may have taken and that is
 * too long; none if the call is no receive. ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_detector_name_truncated(struct ork_detector *d, uint32_t rank,
                                            const char *call);

/* The elements that a record of an issue about types names. */
struct ork_elements {
    uint64_t count;
    uint32_t type;   /* type id (bytes/datatype/basic.h) of one of them */
    bool is_uniform; /* all are of this type */
};
/* `element`: the one whose type is wanted, from 0. False: they are unknown. */
bool ork_detector_elements(const struct ork_detector *d, const struct ork_record *call,
                           uint64_t element, struct ork_elements *elements);

#endif
