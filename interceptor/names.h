/* SPDX-License-Identifier: BSD-3-Clause */
/* Which process of which job is a member of a group? MPI does not say; the library's own table
 * does. It is read, never asked: no message, no wait. */
#ifndef ORK_NAMES_H
#define ORK_NAMES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct ork_process {
    uint32_t job;  /* see ork_job_number() */
    uint32_t rank; /* in its MPI_COMM_WORLD */
};

/* Learn how the library keeps the names, from processes whose names are known: those of `world`,
 * the group of MPI_COMM_WORLD. If that fails, no process has a name. */
void ork_names_init(MPI_Group world);

/* False: member i has no name. */
bool ork_process_name(MPI_Group group, int i, struct ork_process *name);

#endif
