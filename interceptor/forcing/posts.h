/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking receives of a replay, as the application posted them. They were posted with their
 * recorded sources; when their rank has diverged, those that are not complete are withdrawn and
 * posted again with their wildcards. */
#ifndef ORK_POSTS_H
#define ORK_POSTS_H

#include "interceptor/call/call.h"
#include "interceptor/forcing/stand_in.h"

/* A wildcard receive was posted in a replay, and got this number. The lock is held. */
void ork_posts_keep(uint32_t id, const struct ork_args *args);
/* Is it one of these, or has it a stand-in? Then *posted is what was posted. */
bool ork_posts_find(MPI_Request request, MPI_Request *posted);

/* The rank has diverged: its receives are free. A second call does nothing. RATIONALE: one that was
 * posted behind another one may have taken a message that would have been the other's; only those
 * that wait can still be put right. */
void ork_posts_let_go(void);
/* A call is free: if its rank has diverged, what it waits for may be another. */
void ork_posts_swap_again(struct ork_swap *swap);

#endif
