/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an ordinary run could have taken other messages: follows the records of all ranks like
 * causality.h, but keeps only a summary for each place. A receive is compared with the messages
 * that the next 64 receives of its rank took, so in long runs some races are not seen; those that
 * are exist, unless an earlier receive with another tag would have taken the message. Pure. */
#ifndef ORK_CAUSALITY_RACES_H
#define ORK_CAUSALITY_RACES_H

#include "order/causality/causality.h"

struct ork_races;

/* As in causality.h. */
enum ork_status ork_races_create(uint32_t nprocs, struct ork_races **out);
/* Before the first record. If the clocks need more bytes than that, no rank is followed further. */
void ork_races_set_limit(struct ork_races *races, uint64_t bytes);
void ork_races_destroy(struct ork_races *races);
enum ork_status ork_races_feed(struct ork_races *races, uint32_t rank,
                               const struct ork_record *record, size_t n);
void ork_races_end(struct ork_races *races, uint32_t rank);
const char *ork_races_lost(const struct ork_races *races, uint32_t rank);

enum { ORK_RACE_SOURCES = 16 };

/* A message of the example. */
struct ork_race_message {
    uint32_t sender; /* world rank */
    uint32_t site;   /* of the call that sent it, by the sender's numbers */
    uint16_t call;   /* enum ork_call_id */
    int32_t source;  /* rank in the communicator */
    int32_t tag;
};

/* The receives and probes with MPI_ANY_SOURCE that one call of a rank posted. */
struct ork_race {
    uint32_t rank, site;
    uint16_t call; /* enum ork_call_id: the one at that site, of a persistent receive MPI_Start */
    bool is_probe;
    uint64_t times;                    /* they took a message */
    uint64_t raced;                    /* of these: another one could have come first */
    uint32_t source[ORK_RACE_SOURCES]; /* world ranks of such messages, ascending, */
    uint32_t sources;                  /* at most so many; */
    bool has_more_sources;             /* there were others */
    /* The first example. */
    struct ork_race_message took, other;
};

/* All places with a race, by rank and site; `take` returns false to stop. A race is valid until the
 * next records or end of a rank. */
typedef bool ork_race_take(void *context, const struct ork_race *race);
void ork_races_list(const struct ork_races *races, ork_race_take *take, void *context);

#endif
