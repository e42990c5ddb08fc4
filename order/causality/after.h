/* SPDX-License-Identifier: BSD-3-Clause */
/* What depends on a choice: on each rank all that is later than some step, and of what was posted
 * before that step the receives that were matched after the choice. */
#ifndef ORK_CAUSALITY_AFTER_H
#define ORK_CAUSALITY_AFTER_H

#include "order/causality/internal.h"

struct after {
    struct ork_causality *causality;
    uint64_t *time; /* by rank: of its first step after the choice; NEVER */
    uint64_t *keep; /* by rank: choices that it had made before, from the first one on */
    /* by rank, the receives [first, end) were posted before that step and not complete then */
    uint64_t *first, *end;
    bool is_complete; /* for all ranks; else only `time`, as far as it was asked for */
    struct {
        uint32_t rank;  /* of the choice */
        uint64_t value; /* of its component from the choice on */
    } * choice;         /* it is after them if it is after one of them */
    uint32_t choices, choice_room;
    struct receive *of;       /* the receive whose match is the choice, or NULL */
    struct receive **matched; /* those of all [first, end) that were matched after it */
    uint32_t num_matched, room;
};

bool ork_after_init(struct after *a, struct ork_causality *c);
void ork_after_release(struct after *a);
/* Begin with another choice. */
void ork_after_choose(struct after *a, uint32_t rank, uint64_t value, struct receive *of);
/* Also what is after this one. False: out of memory. */
bool ork_after_add(struct after *a, uint32_t rank, uint64_t value);
/* The time of the rank from which all is after the choice; NEVER. Before it is complete, this may
 * be too late. */
uint64_t ork_after_time(struct after *a, uint32_t rank);
/* Complete it for all ranks. False: out of memory. */
bool ork_after_complete(struct after *a);
/* Is what the rank did before the choice not after it? Only when it is complete. Vectors always say
 * so. RATIONALE: numbers order more events than there are reasons for; together with the returns of
 * synchronous sends, an event may come after itself. */
bool ork_after_is_sound(const struct after *a);
/* Is the match of a receive that was posted before the choice on its rank after the choice? Only
 * when it is complete. */
bool ork_after_is_matched(const struct after *a, const struct receive *r);

#endif
