/* SPDX-License-Identifier: BSD-3-Clause */
/* The latest calls of a rank, read from its ring on demand: slots keep their contents after the
 * leaf has taken them, so this costs nothing during the run. */
#ifndef ORK_OVERLAY_LEAF_LATEST_H
#define ORK_OVERLAY_LEAF_LATEST_H

#include "overlay/stream/link.h"

/* The rank may continue writing, and may have written anything: overwritten slots are left out, and
 * any bytes give some calls. Sets all of *latest except the rank. */
void ork_latest_read(const struct ork_ring *ring, const struct ork_until *until,
                     struct ork_latest *latest);

#endif
