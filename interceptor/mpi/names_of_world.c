/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that do not tell the names of processes: those of the own job have the name of their
 * rank in MPI_COMM_WORLD; others have none, as has each process of a spawned job. */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

enum { OWN_JOB = 0 }; /* see interceptor/objects/comms.c */

static MPI_Group all = MPI_GROUP_NULL; /* MPI_GROUP_NULL: no process has a name */

void ork_names_init(MPI_Group world)
{
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    if (parent == MPI_COMM_NULL)
        all = world;
}

bool ork_process_name(MPI_Group group, int i, struct ork_process *name)
{
    int rank = MPI_UNDEFINED;

    if (all != MPI_GROUP_NULL)
        ORK_NEXT(MPI_Group_translate_ranks)(group, 1, &i, all, &rank);
    *name = (struct ork_process){.job = OWN_JOB, .rank = (uint32_t)rank};
    return rank != MPI_UNDEFINED;
}
