/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and destruction of communicators. */
#ifndef ORK_DETECTOR_DEFINITION_H
#define ORK_DETECTOR_DEFINITION_H

#include "detector/state/state.h"

/* COMM_DEF */
void ork_comm_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* `coll` is the call that frees it. */
void ork_comm_release(struct proc *p, uint32_t local_id, unsigned coll);
/* A member will make no further call on it. */
void ork_comm_drop(struct ork_detector *d, struct comm *c, unsigned coll);

#endif
