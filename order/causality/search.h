/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the other outcomes of each choice: what its parts share. */
#ifndef ORK_CAUSALITY_SEARCH_H
#define ORK_CAUSALITY_SEARCH_H

#include "order/causality/after.h"

struct search {
    struct ork_causality *causality;
    struct after after;
    ork_alternative_take *take;
    void *context;
    bool stopped;
    struct ork_causal_choice *ahead;
    uint32_t num_ahead, ahead_room;
    uint64_t *keep_polls; /* by rank: as in struct ork_alternative */
    uint32_t *index;
    uint32_t indices, index_room;
    uint64_t *moved; /* see alternatives_lock.c */
    uint32_t moves, moved_room;
};

/* Complete `after`, and what is kept. False: out of memory. */
bool ork_causality_complete(struct search *s);
/* Hand on the choice with its other outcome: what is kept is added. */
void ork_causality_pass(struct search *s, struct ork_alternative alternative);

/* The first message of the channel that the receive or probe could take without what is after the
 * choice. NULL: there is none. */
struct message *ork_causality_other_message(struct search *s, struct channel *c,
                                            const struct receive *r);
/* Could the operation have been complete without what is after the choice? That is complete. */
bool ork_causality_could_complete(struct search *s, const struct op *op);

/* The outcome of a call for any or some requests, which is indices of its array. */
struct indices {
    const struct op *op;
    uint32_t ops;
    bool is_some;
    const uint32_t *index; /* its outcome in this run; none: it was unsuccessful */
    uint32_t count;
};
/* Hand on all its other outcomes. */
void ork_causality_pass_indices(struct search *s, const struct indices *of,
                                struct ork_alternative alternative);

/* ---- alternatives_poll.c ---- */
/* The choice could have been made after one more unsuccessful poll (ORK_POLLS_ONE_MORE), or none of
 * its series (ORK_POLLS_ABANDONED), or of its loop (ORK_POLLS_ALL_ABANDONED), have been successful.
 */
void ork_causality_search_failure(struct search *s, const struct rank *p, const struct choice *c,
                                  struct ork_causal_choice choice, int polls);
/* The choice is a poll that was unsuccessful before. Others that were so could have been successful
 * next. */
void ork_causality_search_again(struct search *s, const struct rank *p, const struct choice *c);
/* The poll could have been successful. */
void ork_causality_search_poll(struct search *s, const struct rank *p, const struct poll *poll);

/* ---- alternatives_lock.c ---- */
/* The lock was granted, and could have been before some others. */
void ork_causality_search_lock(struct search *s, const struct choice *c);
/* The same of one for which the rank still waits. */
void ork_causality_search_request(struct search *s, const struct rank *p);

#endif
