/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefetching of memory for records. */
#ifndef ORK_DETECTOR_PREFETCH_H
#define ORK_DETECTOR_PREFETCH_H

#include "detector/state/state.h"

enum { PREFETCH_RECORDS = 8 };

/* What was already looked up for a batch of records. */
struct prefetch {
    bool on;
    size_t buckets, queues; /* records looked up so far */
    uint32_t bucket[PREFETCH_RECORDS][2];
};

void ork_prefetch_begin(struct prefetch *prefetch, struct proc *p);
/* Before record `i` of `n` is taken. */
void ork_prefetch_ahead(struct prefetch *prefetch, struct proc *p, const struct ork_record *record,
                        size_t i, size_t n);

/* Before `th` takes the front of its queue. */
void ork_prefetch_front(struct mpi_thread *th);
/* `th` will make progress soon. */
void ork_prefetch_next(struct mpi_thread *th);

#endif
