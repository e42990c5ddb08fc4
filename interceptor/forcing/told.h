/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tool has told this rank of the messages that come next (record/upcoming.h): calls of a
 * deterministic run that need not ask. Of the thread that called MPI first, while the tool decides
 * for this rank. Without the recorder's lock, unless said otherwise. */
#ifndef ORK_TOLD_H
#define ORK_TOLD_H

#include "interceptor/forcing/outcome.h"
#include "interceptor/forcing/stand_in.h"
#include "record/decision.h"

/* A decision that is a part of the list. */
void ork_told_read(const struct ork_decision *d);
/* A call begins. RATIONALE: most calls change nothing of what the list says; after one of which
 * that is not known, it is dropped. */
void ork_told_begin(enum ork_call_id id);
/* A receive was posted of which the tool knows nothing. */
void ork_told_drop(void);
/* It has sent a message. */
void ork_told_sent(MPI_Comm comm, int dest);

/* The source and tag of the message of a probe, or a receive without request; then they are named.
 * False: it has to ask, or has named its source itself. The call certainly finds the message. */
bool ork_told_probe(struct ork_point *p);
bool ork_told_receive(struct ork_receive *r);
/* The same for MPI_Irecv and a persistent receive that is started; then what the request is. The
 * second with the lock held. */
bool ork_told_post(struct ork_receive *r);
void ork_told_posted(const struct ork_call *call, uint32_t id, int result);
void ork_told_started(MPI_Request request, int result);
/* The request may be cancelled. */
void ork_told_cancels(uint32_t id);

/* Which of its requests a call completes first. False: it has to ask. */
bool ork_told_index(const struct ork_point *p, uint32_t *index);

#endif
