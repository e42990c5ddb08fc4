/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpich/objects.h"

#include "interceptor/mpich/handle.h"

#include <string.h>

static bool find_handle(const void *object, enum ork_mpich_kind kind, int *handle)
{
    memcpy(handle, object, sizeof(*handle));
    return ork_mpich_is(*handle, kind);
}

bool ork_mpich_comm_of(const void *object, MPI_Comm *comm)
{
    return find_handle(object, ORK_MPICH_COMM, comm);
}

bool ork_mpich_win_of(const void *object, MPI_Win *win)
{
    return find_handle(object, ORK_MPICH_WIN, win);
}
