/* SPDX-License-Identifier: BSD-3-Clause */
/* Where match.c keeps what is posted. A queue lives as long as it holds something or another one
 * points to it. */
#ifndef ORK_QUEUE_H
#define ORK_QUEUE_H

#include "detector/internal.h"

/* Where in queue_hash the queue stands, if it is there. */
#define QUEUE_NOWHERE UINT32_MAX
uint32_t queue_place(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                     int32_t tag);
/* NULL: there is none. */
struct queue *queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                         int32_t tag);
/* Room for three more queues; may free idle ones, so no pointer to a queue may be held across. */
bool queues_reserve(struct ork_detector *d);
/* After queues_reserve(). NULL: out of memory. */
struct queue *queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                        int32_t tag);

#endif
