/* SPDX-License-Identifier: BSD-3-Clause */
/* The launchers of Open MPI, and Slurm, which also starts ranks of Open MPI. */
#include "interceptor/openmpi/place.h"

#include "common/session.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number_in(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

/* RATIONALE: under mpirun in a batch script the same variables belong to another step. */
static bool is_slurm_step(void)
{
    const char *job = getenv("PMIX_NAMESPACE");

    return job != NULL && strncmp(job, "slurm.", 6) == 0;
}

/* 0: unknown. */
static uint32_t size_of_job(void)
{
    uint32_t size = number_in("OMPI_COMM_WORLD_SIZE");

    return size == 0 && is_slurm_step() ? number_in("SLURM_STEP_NUM_TASKS") : size;
}

/* Tasks of a node, by Slurm's list: "4(x3),2". 0: it is not in the list. */
static uint32_t tasks_of_node(const char *list, uint32_t node)
{
    while (list != NULL && *list != '\0') {
        char *end;
        uint32_t tasks = (uint32_t)strtoul(list, &end, 10);
        uint32_t nodes = strncmp(end, "(x", 2) == 0 ? (uint32_t)strtoul(end + 2, NULL, 10) : 1;
        if (node < nodes)
            return tasks;
        node -= nodes;
        list = end + strcspn(end, ",");
        if (*list == ',')
            list++;
    }
    return 0;
}

static void find_place(struct ork_job_rank *out)
{
    out->local_rank = number_in("OMPI_COMM_WORLD_LOCAL_RANK");
    out->local_size = number_in("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (out->local_size == 0 && is_slurm_step()) {
        out->local_rank = number_in("SLURM_LOCALID");
        out->local_size =
            tasks_of_node(getenv("SLURM_STEP_TASKS_PER_NODE"), number_in("SLURM_NODEID"));
    }
}

bool ork_openmpi_place(struct ork_job_rank *out)
{
    const char *rank = getenv("PMIX_RANK");

    if (rank == NULL)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL)
        return false;
    const char *job = getenv(ORK_ENV_JOB); /* given by the parents, see process/spawn.h */
    *out = (struct ork_job_rank){.job = job != NULL ? job : getenv("PMIX_NAMESPACE"),
                                 .rank = (uint32_t)strtoul(rank, NULL, 10),
                                 .size = size_of_job()};
    find_place(out);
    return true;
}
