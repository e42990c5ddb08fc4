/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:poll: replaces blocking calls by polling, so that a rank that hangs in one can still
 * report the sources of its wildcard receives (early.h). */
#ifndef ORK_POLL_H
#define ORK_POLL_H

/* Replace the real functions by polling twins, if the environment requests it. Call once, when MPI
 * is initialised. */
void ork_poll_init(void);

/* The function of the program's call, if the library says in the calling thread that this one has
 * failed, and a twin has called it; else the same. NULL is allowed. */
const char *ork_poll_name(const char *function);

#endif
