/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run could have done otherwise, as the tool writes it to a file after the run and the
 * explorer reads it: lines of JSON, the first one for the run, and one for each alternative. */
#ifndef ORK_EXPLORE_ALTERNATIVES_H
#define ORK_EXPLORE_ALTERNATIVES_H

#include "order/causality/causality.h"
#include "order/explore/matches.h"

#include <stdio.h>

/* One choice with another outcome. */
struct ork_change {
    uint32_t rank;
    uint64_t number; /* of the choice in its rank, from 1; 0: its receive was not complete */
    uint64_t post;   /* as in struct ork_choice */
    uint8_t kind;    /* enum ork_choice_kind */
    int32_t source, tag;
    int32_t took_source, took_tag; /* in this run; RECEIVE and PROBE */
    int polls;                     /* ORK_POLLS_SAME, .. of causality.h */
    struct {                       /* ORK_POLLS_FEWER, ORK_POLLS_AGAIN, a LOCK: see there */
        uint16_t call;
        uint32_t site, place;
        uint64_t polls, different, same, num_distinct, poll_index, first;
    } poll;
    uint32_t count;
    const uint32_t *index;
    const uint64_t *keep, *keep_polls; /* by rank, as in struct ork_alternative */
    const struct ork_kept_receive {
        uint32_t rank;
        uint64_t number, post;
        int32_t source, tag;
    } * ahead;
    uint32_t num_ahead;
};

/* ---- the tool ---- */

/* "MPI_Fetch_and_op at a.c:31", ..: calls of which no choice says which comes first, although
 * outcomes can depend on it. */
struct ork_unordered_calls {
    char *const *call;
    uint32_t count;
};
/* The alternatives of ranks 0 to `ranks` - 1, and with `places` the matches of the run. ORK_IO:
 * with errno. ORK_NOMEM. */
enum ork_status ork_alternatives_write(struct ork_causality *c, uint32_t ranks,
                                       struct ork_unordered_calls unordered,
                                       struct ork_call_places places, FILE *out);

/* ---- the explorer ---- */

struct ork_alternatives {
    struct ork_change *change;
    uint32_t num;
    /* Receives that had taken a message, and were not complete when the run ended; number 0. */
    struct ork_kept_receive *pending;
    uint32_t num_pending;
    struct ork_polled_choice *polled; /* as ork_causality_polled_choices() */
    uint32_t num_polled;
    struct ork_locked_choice *locked; /* as ork_causality_locked_choices() */
    uint32_t num_locked;
    uint32_t gap[ORK_GAPS]; /* as ork_causality_gaps() */
    char **unordered;       /* as struct ork_unordered_calls */
    uint32_t num_unordered;
    char *lost; /* why a rank was not followed to its end: a sentence; NULL: all were */
};

enum { ORK_ALTERNATIVES_ERROR = 300 };
/* ORK_INVALID: `error` is a sentence without the name of the file. ORK_IO: errno. ORK_NOMEM. */
enum ork_status ork_alternatives_read(const char *path, uint32_t ranks,
                                      struct ork_alternatives **out,
                                      char error[ORK_ALTERNATIVES_ERROR]);
/* NULL is allowed. */
void ork_alternatives_destroy(struct ork_alternatives *a);

#endif
