/* SPDX-License-Identifier: BSD-3-Clause */
/* Outcomes of pending receives in the records that wait in the queues of threads. */
#ifndef ORK_DETECTOR_REVEAL_H
#define ORK_DETECTOR_REVEAL_H

#include "detector/state/state.h"

/* Observe the outcomes of receives that `p` has started, as far as its later records show them.
 * Returns how many were found; the threads that may continue are on the ready list. */
uint32_t ork_reveal_outcomes(struct proc *p);

#endif
