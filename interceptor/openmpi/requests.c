/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: an operation that is complete at once may get a handle that all such operations share
 * (ompi_request_empty). */
#include "interceptor/memory/memory_read.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

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

/* Two operations that are complete at once and not yet waited for: equal handles are shared
 * ones. */
static bool is_shared(MPI_Request a, MPI_Request b)
{
    bool equal = a == b;

    ORK_NEXT(MPI_Wait)(&a, MPI_STATUS_IGNORE);
    ORK_NEXT(MPI_Wait)(&b, MPI_STATUS_IGNORE);
    return equal;
}

unsigned ork_library_shared_requests(MPI_Request *request, unsigned room)
{
    MPI_Request a;
    MPI_Request b;
    unsigned count = 0;

    ORK_NEXT(MPI_Irecv)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &a);
    ORK_NEXT(MPI_Irecv)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &b);
    if (is_shared(a, b) && count < room)
        request[count++] = a;
    ORK_NEXT(MPI_Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &a);
    ORK_NEXT(MPI_Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &b);
    if (is_shared(a, b) && count < room && (count == 0 || request[0] != a))
        request[count++] = a;
    return count;
}
