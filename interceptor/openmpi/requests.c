/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's handles of requests. */
#include "interceptor/memory/memory_read.h"
#include "interceptor/mpi/mpi_library.h"

/* The smallest object: its class, its count of references and what MPI_Wait reads. */
enum { REQUEST_BYTES = 64 };

/* RATIONALE: a handle is the address of an object on the heap or in a library. */
bool ork_library_is_no_request(MPI_Request request)
{
    const uintptr_t address = (uintptr_t)request;

    return address == 0 || address % _Alignof(void *) != 0 ||
           !ork_memory_is_readable((const void *)address, REQUEST_BYTES);
}

bool ork_library_keeps_active(void)
{
    return true;
}
