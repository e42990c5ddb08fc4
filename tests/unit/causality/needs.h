/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members a member of a collective call needs before it can return. For each two ranks: one
 * receives from any source, and takes the message of a third one; then all make the call; then the
 * other rank sends. It needs the receiver in the call if this is no race. */
#ifndef ORK_TESTS_CAUSALITY_NEEDS_H
#define ORK_TESTS_CAUSALITY_NEEDS_H

#include "order/causality/races.h"

enum { RANKS = 4, INTER = 5, LOCAL = 6, WORDS = 14 };

struct list {
    uint32_t words, word[WORDS];
};

/* A call of all ranks. */
struct call {
    const char *name;
    struct ork_record record;
    /* What is different at this rank; NULL: nothing. */
    void (*fill)(uint32_t rank, struct ork_record *record, struct list *list);
    bool (*needs)(uint32_t rank, uint32_t other);
    bool on_inter;                  /* .record.comm is one of {0, 1} and {2, 3} */
    uint32_t sources, destinations; /* in a topology: so many next ranks */
};

void needs_put(struct ork_races *races, uint32_t rank, struct ork_record record);
/* `rank` receives from any source, and takes the message of `from`, which sends it. */
void needs_put_taken(struct ork_races *races, uint32_t rank, uint32_t from);
void needs_put_call(struct ork_races *races, uint32_t rank, const struct call *call);
/* Receives that could have taken another message. All ranks end. */
uint64_t needs_end(struct ork_races *races);

/* Is the rank in the first group of INTER? */
bool needs_is_first(uint32_t rank);
bool needs_nobody(uint32_t rank, uint32_t other);
bool needs_everybody(uint32_t rank, uint32_t other);

/* Each call is as its member `needs` says. */
void needs_check(const struct call *call, size_t calls);
#define CHECK(calls) needs_check(calls, sizeof(calls) / sizeof((calls)[0]))

#endif
