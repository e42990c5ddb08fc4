/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: which component implements a window. `sm` (all windows with shared memory) and `rdma`
 * wait in MPI_Win_lock until the lock is granted, `pt2pt` does not; nor does `rdma` always in
 * MPI_Win_lock_all. */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

#include <string.h>

static bool has_shared_memory(MPI_Win win)
{
    int *flavor = NULL;
    int is_set = 0;

    return ORK_NEXT(MPI_Win_get_attr)(win, MPI_WIN_CREATE_FLAVOR, &flavor, &is_set) ==
               MPI_SUCCESS &&
           is_set && *flavor == MPI_WIN_FLAVOR_SHARED;
}

/* RATIONALE: MPI does not tell the component, but `rdma`, as some others, names its windows. */
static bool is_of_rdma(MPI_Win win)
{
    static const char begin[] = "rdma window ";
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;

    return ORK_NEXT(MPI_Win_get_name)(win, name, &length) == MPI_SUCCESS &&
           strncmp(name, begin, sizeof(begin) - 1) == 0;
}

bool ork_library_grants_locks(MPI_Win win)
{
    return has_shared_memory(win) || is_of_rdma(win);
}
