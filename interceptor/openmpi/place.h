/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of this process in its job, which the launchers of Open MPI, and Slurm, write to the
 * environment. */
#ifndef ORK_OPENMPI_PLACE_H
#define ORK_OPENMPI_PLACE_H

#include "interceptor/preload/attach.h"

/* False: no such launcher has started this process. The name of the job stays the environment's. */
bool ork_openmpi_place(struct ork_job_rank *out);

#endif
