/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that a rank of a deterministic run gets next on one communicator, so that it need
 * not ask for each (docs/explanation/deterministic.md). The tool has listed them before the answer
 * to a question of the rank: all messages to it up to a time, in their order, for which it has not
 * posted a receive, or which a request of it takes. Invariants:
 *
 * - No other message that comes to the rank on this communicator is earlier than the last of them,
 *   whatever the ranks do, but for one that it sends to itself: then the list is dropped.
 * - Each receive that the rank has posted there since then is known here, in this order.
 *
 * So what a receive, probe or completing call takes of them is what the tool would decide. Pure. */
#ifndef ORK_UPCOMING_H
#define ORK_UPCOMING_H

#include "record/decision.h"

#include <stdbool.h>

/* Receives whose requests are known; more: the list is dropped. */
enum { ORK_UPCOMING_REQUESTS = 64 };
/* Of a receive: its message is none of the list, but a later one. */
#define ORK_UPCOMING_LATER UINT32_MAX

struct ork_upcoming_message {
    int32_t source, tag; /* in the communicator */
    int32_t time;        /* as `clock` */
    bool is_taken;
};

/* A receive with a request. A number that is used again has another serial. */
struct ork_upcoming_request {
    uint32_t id, serial;
    uint32_t message; /* its place in the list, or ORK_UPCOMING_LATER */
};

struct ork_upcoming {
    bool is_on; /* the list is complete, and holds */
    uint32_t comm;
    int32_t clock; /* of the rank, at least; 0 when the list was made */
    uint32_t messages, requests;
    uint32_t first; /* all before it are taken */
    struct ork_upcoming_message message[ORK_UPCOMING_MAX];
    struct ork_upcoming_request request[ORK_UPCOMING_REQUESTS];
};

/* Is it a part of such a list? */
static inline bool ork_decided_is_upcoming(uint32_t decided)
{
    return decided >= ORK_DECIDED_UPCOMING && decided <= ORK_DECIDED_UPCOMING_END;
}
/* Read the next part of it. serial_of: of a request that is active now; `context` is its own. */
void ork_upcoming_read(struct ork_upcoming *u, const struct ork_decision *d,
                       uint32_t (*serial_of)(void *context, uint32_t id), void *context);

static inline void ork_upcoming_drop(struct ork_upcoming *u)
{
    u->is_on = false;
}

/* The first message of the list that a receive or probe with these takes; negative: MPI_ANY_SOURCE
 * or MPI_ANY_TAG. Its place; ORK_UPCOMING_LATER: it is none of the list. */
uint32_t ork_upcoming_find(const struct ork_upcoming *u, uint32_t comm, int32_t source,
                           int32_t tag);
/* Does a receive take it that does not block? RATIONALE: the rank may send itself an earlier
 * message that the receive takes, if its clock allows that. LATER is allowed. */
static inline bool ork_upcoming_is_certain(const struct ork_upcoming *u, uint32_t place)
{
    return place == ORK_UPCOMING_LATER || u->message[place].time <= u->clock;
}
/* The rank has received it, before it does anything else. */
void ork_upcoming_receive(struct ork_upcoming *u, uint32_t place);
/* A receive was posted that takes this one; LATER is allowed. */
void ork_upcoming_take(struct ork_upcoming *u, uint32_t place);
/* It has this request. */
void ork_upcoming_post(struct ork_upcoming *u, uint32_t id, uint32_t serial, uint32_t place);

/* It may be withdrawn, so nothing is known of it any more. RATIONALE: a message that it was to take
 * is still its own, and of a later one there is nothing here. */
void ork_upcoming_forget(struct ork_upcoming *u, uint32_t id);

/* The place of the message of a receive. False: the request is not known here. */
bool ork_upcoming_place_of(const struct ork_upcoming *u, uint32_t id, uint32_t serial,
                           uint32_t *place);

#endif
