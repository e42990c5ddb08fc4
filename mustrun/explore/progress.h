/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress of an exploration: on a terminal a line that updates itself, otherwise a line a
 * minute. */
#ifndef ORK_MUSTRUN_EXPLORE_PROGRESS_H
#define ORK_MUSTRUN_EXPLORE_PROGRESS_H

#include "mustrun/explore/exploring.h"

void ork_progress_show(struct ork_exploring *x);
/* Remove it from a terminal. */
void ork_progress_clear(struct ork_exploring *x);

#endif
