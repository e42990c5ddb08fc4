/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that processes take in opposite orders. */
#ifndef ORK_DETECTOR_LOCK_ORDER_H
#define ORK_DETECTOR_LOCK_ORDER_H

#include "detector/state/state.h"

bool ork_lock_names_exclude(const struct lock_name *a, const struct lock_name *b);
/* `p` got a lock, and strict semantics did not have to be relaxed for that. */
void ork_lock_order_got(struct proc *p, const struct lock *got);
void ork_lock_order_forget(struct ork_detector *d, uint32_t comm); /* the window was freed */
void ork_lock_order_destroy(struct ork_detector *d);

#endif
