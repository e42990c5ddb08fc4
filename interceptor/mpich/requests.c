/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpich/handle.h"

bool ork_library_is_no_request(MPI_Request request)
{
    return !ork_mpich_is(request, ORK_MPICH_REQUEST);
}

/* RATIONALE: MPICH 5.0 makes the request inactive, and MPI_Waitany then passes it over. Version 4.0
 * does not, but one backend serves both. */
bool ork_library_keeps_active(void)
{
    return false;
}
