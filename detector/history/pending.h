/* SPDX-License-Identifier: BSD-3-Clause */
/* What is pending at a moment of the strict analysis, as records. */
#ifndef ORK_DETECTOR_PENDING_H
#define ORK_DETECTOR_PENDING_H

#include "detector/state/state.h"

/* Write the records of each process, with the detector's numbers of communicators, to `at_mark` of
 * its history, which is that up to now. False: this moment has something that records cannot tell,
 * or memory is short; then what is there is of no use. */
bool ork_pending_write(struct ork_detector *d);
void ork_pending_release(struct pending *pending);

#endif
