/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes jobs. Ranks of the first job keep their numbers; those of job 2 and up, which were
 * spawned, are numbered after these. */
#ifndef ORK_OVERLAY_FINDINGS_JOB_PHRASE_H
#define ORK_OVERLAY_FINDINGS_JOB_PHRASE_H

#include "detector/detector.h"
#include "overlay/findings/call_sites.h"

/* Index of the job of a rank: 0 is the first. */
uint32_t ork_job_of(const struct ork_detector *d, uint32_t rank);

/* "spawned by rank 0 in MPI_Comm_spawn at a.c:31". The caller's (free); NULL: out of memory. */
char *ork_job_origin(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t job);

/* Text for a job that hangs without a deadlock that explains it; `unsure`: one may still be found.
 * Ownership as above. */
char *ork_job_phrase_hang(const struct ork_detector *d, uint32_t nprocs, bool unsure);

#endif
