/* SPDX-License-Identifier: BSD-3-Clause */
/* The latest calls of a rank, read from its ring on demand: slots keep what they held when the leaf
 * has taken it, so nothing is kept for this while a program runs. */
#ifndef ORK_OVERLAY_LEAF_LATEST_H
#define ORK_OVERLAY_LEAF_LATEST_H

#include "overlay/stream/link.h"

/* The rank may go on meanwhile and wrote all of it: what it overwrites is left out, and any bytes
 * give some calls. Sets all of *latest but the rank. */
void ork_latest_read(const struct ork_ring *ring, const struct ork_until *until,
                     struct ork_latest *latest);

#endif
