/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the leaf of this node and sends it a ring: record/ring.h. */
#ifndef ORK_ATTACH_H
#define ORK_ATTACH_H

#include "interceptor/preload/preload.h"
#include "record/ring.h"
#include "record/unseen.h"

#include <stdbool.h>

/* The calling process in its job. */
struct ork_job_rank {
    const char *job; /* name of the job, from the environment; NULL: unknown */
    uint32_t rank;   /* in MPI_COMM_WORLD */
    uint32_t size;   /* of it; 0: unknown */
    uint32_t local_rank;
    uint32_t local_size; /* ranks on this node; 0: unknown */
};

/* Files from the leaf, which the caller closes, or -1. */
struct ork_attach_files {
    int sections; /* see record/sections.h */
    int order;    /* that this rank has to follow (order/file/order.h) */
    int bell;     /* in a deterministic run: see decisions.h */
};

/* Make a ring and give it to the leaf that the environment names. `flags`: of the JOB record.
 * False: this process runs unobserved; if observation was requested, one line on stderr gives the
 * reason. On success the ring stays mapped and *socket open for the life of the process. */
ORK_FOR_BACKENDS bool ork_attach(const struct ork_job_rank *self, uint8_t flags,
                                 struct ork_ring **ring, int *socket,
                                 struct ork_attach_files *files);

/* This process used MPI, but cannot be observed: tell a leaf why. `local_rank`: on this node; 0 if
 * it is unknown. */
ORK_FOR_BACKENDS void ork_attach_tell_unseen(const struct ork_unseen *unseen, uint32_t local_rank);

#endif
