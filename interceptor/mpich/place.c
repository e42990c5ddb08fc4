/* SPDX-License-Identifier: BSD-3-Clause */
/* Hydra, the launcher of MPICH, and others that know its process management interface (PMI). The
 * job has no name. */
#include "interceptor/mpich/place.h"

#include <stdlib.h>

static uint32_t number_in(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

/* RATIONALE: a spawned process is a rank of another job, which could not be told from the first
 * one. So it is not observed. */
bool ork_mpich_place(struct ork_job_rank *out)
{
    if (getenv("PMI_RANK") == NULL || getenv("PMI_SPAWNED") != NULL)
        return false;
    *out = (struct ork_job_rank){.rank = number_in("PMI_RANK"),
                                 .size = number_in("PMI_SIZE"),
                                 .local_rank = number_in("MPI_LOCALRANKID"),
                                 .local_size = number_in("MPI_LOCALNRANKS")};
    return true;
}
