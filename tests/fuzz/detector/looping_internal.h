/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside looping.c: looping_messages.c makes the messages and collective calls of a part. */
#ifndef ORK_FUZZ_DETECTOR_LOOPING_INTERNAL_H
#define ORK_FUZZ_DETECTOR_LOOPING_INTERNAL_H

#include "tests/fuzz/detector/looping.h"

enum { PART_RECORDS = 1024, PART_MESSAGES = 60 };

/* The records of each rank, once. */
struct part {
    uint32_t count[LOOPING_RANKS];
    struct ork_record record[LOOPING_RANKS][PART_RECORDS];
};

struct maker {
    struct wfg_random *random;
    struct looping *p;
    struct part *part;
    bool is_safe; /* receives are posted before sends, so no rank is blocked for good */
    uint32_t num_open[LOOPING_RANKS], open[LOOPING_RANKS][3 * PART_MESSAGES];
    /* what open wildcard receives take: triples (place, source, tag); a send or receive from one
     * source with one tag has none */
    uint32_t num_taken[LOOPING_RANKS], taken[LOOPING_RANKS][3 * PART_MESSAGES];
    bool has_wildcards;
    bool is_stuck[LOOPING_RANKS]; /* it waits for a message that nobody sends: no call returns */
    bool has_persistent;
    bool starts_wildcards; /* the persistent receives are from any source */
    bool has_strays;
    bool shares; /* a nonblocking send may return the library's shared handle */
};

/* A record and its list, if there is room. */
void looping_put(struct part *part, uint32_t rank, const struct ork_record *record,
                 const uint32_t *list);
/* Messages, and collective calls between them. */
void looping_make_messages(struct maker *m, uint32_t messages);
/* Persistent requests for later parts. */
void looping_put_persistent(struct maker *m);
/* A communicator for what stays open. */
void looping_put_comm(struct maker *m);

#endif
