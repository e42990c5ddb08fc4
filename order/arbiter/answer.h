/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions of the ranks, and answers. */
#ifndef ORK_ARBITER_ANSWER_H
#define ORK_ARBITER_ANSWER_H

#include "order/arbiter/internal.h"

/* Where a decision goes. */
struct reply {
    uint32_t *rank;
    struct ork_decision *decision;
    bool is_last; /* it is given alone: in a quiescent state */
};

/* Has the rank an open ask without a final answer? One for a receive has none: what it waits for is
 * the decision of the receive. */
bool ork_ask_is_waiting(const struct rank *p);
bool ork_ask_is_test(const struct ask *ask);
bool ork_ask_is_any(const struct ask *ask);
bool ork_ask_is_probe(const struct ask *ask);
/* Or for the turn of an atomic. */
bool ork_ask_is_lock(const struct ask *ask);

void ork_answer_nothing(struct rank *p, struct reply reply);
void ork_answer_index(struct rank *p, struct reply reply, uint32_t index);
/* The index of a receive that is matched. */
void ork_answer_matched(struct rank *p, struct reply reply, uint32_t index, struct stamp took);
void ork_answer_probe(struct rank *p, struct reply reply, const struct choice *choice);
/* A receive from any source takes the message of the choice. */
void ork_answer_receive(struct rank *p, struct reply reply, struct receive *r,
                        const struct choice *choice);
void ork_answer_lock(struct rank *p, struct reply reply, const struct lock *lock);
/* Answer the next of the asks that are marked as expired. False: none is. */
bool ork_answer_expired(struct ork_arbiter *a, struct reply reply);

/* The first element of the list from `index` on that is active and no receive; at the end, from the
 * beginning. UINT32_MAX: none. The list is not empty. */
uint32_t ork_ask_next_other(const struct rank *p, uint32_t index);
/* The receive of the list that has the earliest message; `limit`: no other one can get an earlier
 * message than this. False: none has a message. */
bool ork_ask_earliest(const struct rank *p, uint32_t *index, struct stamp *best,
                      struct stamp *limit);

/* ---- upcoming.c ---- */
/* If the rank, which waits for this reply, can be told what comes next to its mailbox: keep that
 * with the reply, and give its first part instead. `comm`: of the mailbox, at the rank. took: the
 * time of the message of the reply. has_own: it is the first one of the list. */
void ork_answer_with_upcoming(struct rank *p, struct reply reply, const struct mailbox *box,
                              uint32_t comm, uint64_t took, bool has_own);
/* The next part of what is kept. False: there is none. */
bool ork_answer_next_upcoming(struct ork_arbiter *a, struct reply reply);

/* ---- turn.c ---- */
enum turn {
    TURN_HELD,   /* a section that conflicts is not over */
    TURN_BEHIND, /* an earlier request that conflicts waits */
    TURN_UNSURE, /* a rank may still ask for an earlier lock */
    TURN_NOW,    /* it is next, whatever the ranks do */
};
/* The lock that the rank asks for. *by: UNSURE: this rank; NULL is allowed. */
enum turn ork_turn_of(const struct rank *p, const struct lock *lock, uint32_t *by);

/* ---- answer.c ---- */
/* Does an earlier receive from any source fit every message that this one fits? */
bool ork_receive_is_behind(const struct receive *r);

#endif
