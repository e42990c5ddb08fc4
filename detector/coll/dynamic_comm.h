/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of two sides that have no common communicator. */
#ifndef ORK_DETECTOR_DYNAMIC_COMM_H
#define ORK_DETECTOR_DYNAMIC_COMM_H

#include "detector/state/state.h"

/* COMM_DEF of a communicator that spawn, accept, connect or join returned. */
void ork_dynamic_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
void ork_dynamic_forget(struct ork_detector *d, struct comm *c);

#endif
