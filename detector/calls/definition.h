/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and destruction of communicators. */
#ifndef ORK_DETECTOR_DEFINITION_H
#define ORK_DETECTOR_DEFINITION_H

#include "detector/state/state.h"

/* COMM_DEF */
void ork_comm_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* `coll` is the call that frees it. If another thread is in a call on it, that call keeps it. */
void ork_comm_release(struct proc *p, uint32_t local_id, unsigned coll);
/* A member will make no further call on it. */
void ork_comm_drop(struct ork_detector *d, struct comm *c, unsigned coll);
/* A request uses the communicator that has this number now, until ork_comm_let_go() with the same
 * number: *on stays valid, even if the rank frees it. */
void ork_comm_hold(struct proc *p, uint32_t local_id, struct comm_ref *on);
void ork_comm_let_go(struct ork_detector *d, uint32_t local_id, struct comm_ref *on);

#endif
