/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding the leaf of this node and handing it a ring: record/ring.h. */
#ifndef ORK_ATTACH_H
#define ORK_ATTACH_H

#include "record/ring.h"

#include <stdbool.h>

/* Make a ring and give it to the leaf that the environment names. False: this process runs
 * unobserved; if it was meant to be observed, one line on stderr has said why. On success the ring
 * stays mapped and *socket open for the process's life. */
bool ork_attach(struct ork_ring **ring, int *socket);

#endif
