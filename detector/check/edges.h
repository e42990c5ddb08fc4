/* SPDX-License-Identifier: BSD-3-Clause */
/* Do all members of a graph name the same edges: MPI-3.1 sections 7.5.4 and 7.6? */
#ifndef ORK_DETECTOR_EDGES_H
#define ORK_DETECTOR_EDGES_H

#include "detector/state/state.h"

/* The neighbours of all members are known. Adds an issue if they contradict each other. */
void ork_edges_compare(struct ork_detector *d, const struct comm *c);

#endif
