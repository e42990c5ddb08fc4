/* SPDX-License-Identifier: BSD-3-Clause */
/* Wait states of ranks. */
#ifndef ORK_DETECTOR_SEARCH_H
#define ORK_DETECTOR_SEARCH_H

#include "detector/state/state.h"

/* Is there nothing known that may complete the call of `st`? */
bool search_is_open(struct strand *st);
/* Has it stopped acting, whatever it is held in? */
bool search_is_gone(const struct proc *p);
/* The thread of which ork_detector_rank() tells; NULL: there is none. */
struct strand *search_shown(const struct proc *p);

#endif
