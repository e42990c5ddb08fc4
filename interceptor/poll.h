/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:poll: calls that wait ask again and again instead, so that a rank that hangs in one of
 * them can still tell the sources of its wildcard receives (early.h). */
#ifndef ORK_POLL_H
#define ORK_POLL_H

/* Put the polling twins in the place of the real functions, if the environment asks for it. Call
 * once, when MPI is initialised. */
void ork_poll_init(void);

#endif
