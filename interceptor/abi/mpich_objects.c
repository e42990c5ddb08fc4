/* SPDX-License-Identifier: BSD-3-Clause */
/* In MPICH's library of the standard ABI, a handle is the address of the object, unless it is
 * predefined (src/binding/abi/mpi_abi_util.h). */
#include "interceptor/mpich/handle.h"
#include "interceptor/mpich/objects.h"

#include <stdint.h>
#include <string.h>

enum { NATIVE_WORLD = 0x44000000, NATIVE_SELF = 0x44000001 };

static bool read_native(const void *object, enum ork_mpich_kind kind, int *native)
{
    memcpy(native, object, sizeof(*native));
    return ork_mpich_is(*native, kind);
}

bool ork_mpich_comm_of(const void *object, MPI_Comm *comm)
{
    int native;

    if (!read_native(object, ORK_MPICH_COMM, &native))
        return false;
    if (native == NATIVE_WORLD)
        *comm = MPI_COMM_WORLD;
    else if (native == NATIVE_SELF)
        *comm = MPI_COMM_SELF;
    else
        *comm = (MPI_Comm)(uintptr_t)object;
    return true;
}

bool ork_mpich_win_of(const void *object, MPI_Win *win)
{
    int native;

    *win = (MPI_Win)(uintptr_t)object;
    return read_native(object, ORK_MPICH_WIN, &native);
}
