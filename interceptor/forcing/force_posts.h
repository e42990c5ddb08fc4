/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking receives of a replay, as the application posted them. They were posted with their
 * recorded sources; when their rank has diverged, those that are not complete are withdrawn and
 * posted again with their wildcards. */
#ifndef ORK_FORCE_POSTS_H
#define ORK_FORCE_POSTS_H

#include "interceptor/call/call.h"

/* A wildcard receive was posted in a replay, and got this number. The lock is held. */
void ork_posts_keep(uint32_t id, const struct ork_args *args);
/* Is it one of these, or the stand-in of a persistent one? Then *posted is what was posted. */
bool ork_posts_find(MPI_Request request, MPI_Request *posted);

/* The rank has diverged: its receives are free. A second call does nothing. RATIONALE: one that was
 * posted behind another one may have taken a message that would have been the other's; only those
 * that wait can still be put right. */
void ork_posts_let_go(void);

#endif
