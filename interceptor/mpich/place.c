/* SPDX-License-Identifier: BSD-3-Clause */
/* Hydra, the launcher of MPICH, and others that know its process management interface (PMI). They
 * name no jobs: those of spawned processes have the number that their parents have given them. */
#include "interceptor/mpich/place.h"

#include "common/session.h"

#include <stdlib.h>

static uint32_t number_in(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

/* RATIONALE: a spawned process without a number could not be told from a rank of the first job. So
 * it is not observed. */
bool ork_mpich_place(struct ork_job_rank *out)
{
    const char *job = getenv("PMI_SPAWNED") != NULL ? getenv(ORK_ENV_JOB) : "1";

    if (getenv("PMI_RANK") == NULL || job == NULL)
        return false;
    *out = (struct ork_job_rank){.job = job,
                                 .rank = number_in("PMI_RANK"),
                                 .size = number_in("PMI_SIZE"),
                                 .local_rank = number_in("MPI_LOCALRANKID"),
                                 .local_size = number_in("MPI_LOCALNRANKS")};
    return true;
}
