/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that must be the same at some of the ranks of a call that makes a communicator: the
 * group of MPI_Comm_create at its members (MPI-3.1 section 6.4.2), and `high` of
 * MPI_Intercomm_merge in each of the two groups (section 6.6.2). */
#ifndef ORK_DETECTOR_GROUPS_H
#define ORK_DETECTOR_GROUPS_H

#include "detector/state/state.h"

/* All members have arrived at `w`. */
void ork_groups_compare(struct ork_detector *d, struct wave *w);

#endif
