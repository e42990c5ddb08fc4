/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking for memory before records need it. */
#ifndef ORK_DETECTOR_WARM_H
#define ORK_DETECTOR_WARM_H

#include "detector/state/state.h"

enum { WARM_RECORDS = 8 };

/* What of a batch of records was looked up already. */
struct warm {
    bool on;
    size_t places, queues; /* of that many records */
    uint32_t place[WARM_RECORDS][2];
};

void ork_warm_begin(struct warm *warm, struct proc *p);
/* Before record `i` of `n` is taken. */
void ork_warm_ahead(struct warm *warm, struct proc *p, const struct ork_record *record, size_t i,
                    size_t n);

/* Before `st` takes the front of its queue. */
void ork_warm_front(struct strand *st);
/* `st` will go on soon. */
void ork_warm_next(struct strand *st);

#endif
