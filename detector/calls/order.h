/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of the events in each queue, and the order in which threads take them. */
#ifndef ORK_DETECTOR_ORDER_H
#define ORK_DETECTOR_ORDER_H

#include "detector/state/state.h"

void ork_thread_order_queued(struct mpi_thread *th, const struct ork_record *rec,
                             const uint32_t *list);
void ork_thread_order_taken(struct mpi_thread *th, const struct ork_record *rec,
                            const uint32_t *list);
/* May the front of the queue be taken? Sets th->thread_order. */
void ork_thread_order_look(struct mpi_thread *th);
/* `goes_after` made progress: may the turn of this thread have come? */
bool ork_thread_order_may_have_come(const struct mpi_thread *th,
                                    const struct mpi_thread *goes_after);

#endif
