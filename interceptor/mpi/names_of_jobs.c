/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that do not tell the names of processes. */
#include "interceptor/mpi/jobs.h"

void ork_names_init(MPI_Group world)
{
    ork_jobs_init(world);
}

bool ork_process_name(MPI_Group group, int i, struct ork_process *name)
{
    return ork_jobs_name(group, i, name);
}
