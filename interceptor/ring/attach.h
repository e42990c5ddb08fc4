/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the leaf of this node and sends it a ring: record/ring.h. */
#ifndef ORK_ATTACH_H
#define ORK_ATTACH_H

#include "record/ring.h"
#include "record/unseen.h"

#include <stdbool.h>

/* Files from the leaf, which the caller closes, or -1. */
struct ork_attach_files {
    int sections; /* see record/sections.h */
    int order;    /* that this rank has to follow (order/file/order.h) */
    int bell;     /* in a deterministic run: see decisions.h */
};

/* Make a ring and give it to the leaf that the environment names. `flags`: of the JOB record.
 * False: this process runs unobserved; if observation was requested, one line on stderr gives the
 * reason. On success the ring stays mapped and *socket open for the life of the process. */
bool ork_attach(struct ork_ring **ring, int *socket, struct ork_attach_files *files, uint8_t flags);

/* This process used MPI, but cannot be observed: tell a leaf why. */
void ork_attach_tell_unseen(const struct ork_unseen *unseen);

#endif
