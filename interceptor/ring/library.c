/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/library.h"

#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"
#include "interceptor/preload/preload.h"
#include "record/unseen.h"

static int size_of_world(void)
{
    int size = 0;

    return ORK_NEXT(MPI_Comm_size)(MPI_COMM_WORLD, &size) == MPI_SUCCESS ? size : 0;
}

static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    return parent != MPI_COMM_NULL;
}

bool ork_library_is_alone(void)
{
    struct ork_unseen what = {
        .why = ORK_UNSEEN_ALONE, .launched = ork_preload_launched(), .is_alone = 1};
    struct ork_job_rank self = {.job = NULL};

    if (what.launched <= 1 || size_of_world() != 1 || is_spawned())
        return false;
    ork_library_job_rank(&self);
    ork_preload_version(what.library, sizeof(what.library));
    ork_attach_tell_unseen(&what, self.local_rank);
    return true;
}
