/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/memory_read.h"
#include "interceptor/mpi/mpi_library.h"

/* RATIONALE: predefined handles are below 4096 (MPI-5.0 section 20.3.3), and those of the libraries
 * that have this ABI are addresses of objects. */
bool ork_library_is_no_request(MPI_Request request)
{
    enum { PREDEFINED_END = 4096 };
    const uintptr_t address = (uintptr_t)request;

    return address < PREDEFINED_END || address % _Alignof(void *) != 0 ||
           !ork_memory_is_readable((const void *)address, sizeof(void *));
}

/* RATIONALE: MPICH 5.0 makes the request inactive. */
bool ork_library_keeps_active(void)
{
    return false;
}
