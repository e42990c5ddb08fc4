/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the roots that the members of an intercommunicator pass to a collective call fit together:
 * MPI-3.1 section 5.2.3? */
#ifndef ORK_DETECTOR_ROOTS_H
#define ORK_DETECTOR_ROOTS_H

#include "detector/state/state.h"

/* All members have arrived at `w`, whose communicator is an intercommunicator. */
void ork_roots_compare(struct ork_detector *d, struct wave *w);

#endif
