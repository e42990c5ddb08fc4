/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of a deterministic run that follow decisions, and replace the real ones
 * (docs/explanation/deterministic.md). decided.c has what they share; decided_receive.c receives
 * and probes; decided_complete.c completes requests; decided_window.c locks, tests and atomics of
 * windows. */
#ifndef ORK_DECIDED_H
#define ORK_DECIDED_H

#include "interceptor/call/call.h"
#include "interceptor/forcing/stand_in.h"
#include "interceptor/forcing/outcome.h"
#include "interceptor/forcing/real.h"
#include "interceptor/outcomes/locks.h"

/* Does a call of this function follow decisions? Once, as ork_is_imposed(). */
static inline bool ork_is_decided(enum ork_call_id id)
{
    return ork_is_imposed(id) && ork_decisions_are_on();
}

/* Look once for decisions and messages. False: the rank runs freely, and no receive is deferred any
 * more. */
bool ork_decided_look(struct ork_decision_wait *w);

/* A test by which the rank looks for itself: is it over? Then it waits until it may return. To be
 * asked after a look for decisions, before the next one for messages. */
bool ork_decided_is_ending(struct ork_decision_wait *w);

/* The answer to the question asked last; NULL: there is none yet. */
void ork_decided_ask(const struct ork_question *question);
const struct ork_decision *ork_decided_answer(void);
/* Ask, and wait for the answer. NULL: the rank runs freely. */
const struct ork_decision *ork_decided_await(const struct ork_question *question);
/* Does the arbiter know the messages that this receive, or a probe like it, may take? Invalid
 * arguments are the library's own affair. */
bool ork_decided_knows(const struct ork_receive *r);
/* And does it need a decision, or must not block in the library? */
bool ork_decided_concerns(const struct ork_receive *r);
/* The rank waits for the decision on a receive that it has posted. */
void ork_decided_ask_for_source(void);
/* A call that can find its outcome itself, if that has come, looks again; false: it asks. */
bool ork_decided_looks_again(unsigned *looks);
/* Wait for source and tag of the message that it has to take, and name them. True: it must not
 * block in the library. */
bool ork_decided_receive(struct ork_receive *r);

/* What outcome.h asks. */
bool ork_decided_probe(struct ork_point *p);
enum ork_outcome ork_decided_poll(struct ork_point *p);
enum ork_outcome ork_decided_wait(const struct ork_point *p);
void ork_decided_ask_of(const struct ork_point *p, enum ork_outcome outcome);
const struct ork_choice *ork_decided_given(enum ork_outcome *outcome);
/* The same without a question; NULL: that is not possible. */
const struct ork_choice *ork_decided_told(const struct ork_point *p);

/* Is the receive to be cancelled? Waits for that. */
bool ork_decided_cancel(const MPI_Request *request);

/* Before a call that may block in the library: wait until no receive is deferred, or the call may
 * be made nevertheless. */
void ork_decided_settle(void);

#endif
