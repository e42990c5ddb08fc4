/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of buffers: MPI-3.1 sections 2.3, 2.5.4, 3.2.2 and 5.2. */
#include "interceptor/checks/check.h"

#include "interceptor/buffers/buffers.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

/* Data below this address is not examined elsewhere. RATIONALE: the first page of a process is
 * hardly ever mapped. */
enum { FIRST_PAGE = 4096 };

/* Where the data of a datatype is, relative to the buffer. False: nowhere, or it is not known. */
static bool find_data(MPI_Datatype type, MPI_Aint *first, MPI_Aint *length)
{
    MPI_Count size = 0;

    return ork_handle_is_valid(ORK_HANDLE_DATATYPE, ORK_KEY(type)) &&
           ORK_NEXT(MPI_Type_size_x)(type, &size) == MPI_SUCCESS && size > 0 &&
           ORK_NEXT(MPI_Type_get_true_extent)(type, first, length) == MPI_SUCCESS;
}

/* Is there no memory at this address? RATIONALE: a process with privileges may map the first page,
 * and a NULL buffer is MPI_BOTTOM, with which a datatype of absolute addresses is right. */
static bool is_unmapped(MPI_Aint address)
{
    unsigned char resident;
    uintptr_t page = (uintptr_t)address / FIRST_PAGE * FIRST_PAGE;

    return mincore((void *)page, FIRST_PAGE, &resident) != 0 && errno == ENOMEM;
}

bool ork_wrong_in_place(const struct ork_call *call, const char *argument, const void *buffer)
{
    if (!ork_is_in_place(buffer))
        return false;
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_IN_PLACE, .argument = argument});
    return true;
}

bool ork_wrong_status(const struct ork_call *call, const char *argument, const MPI_Status *status)
{
    if (status != ork_fortran_constants.statuses_ignore)
        return false;
    ork_usage_report(call,
                     &(struct ork_usage){.id = ORK_USAGE_STATUSES_IGNORE, .argument = argument});
    return true;
}

bool ork_wrong_null_buffer(const struct ork_call *call, const char *argument, const void *buffer,
                           int count, MPI_Datatype type)
{
    MPI_Aint first, length;
    int saved = errno;
    bool wrong = buffer == NULL && count > 0 && find_data(type, &first, &length) && first >= 0 &&
                 first < FIRST_PAGE && is_unmapped(first);

    errno = saved;
    if (wrong)
        ork_usage_report(
            call,
            &(struct ork_usage){.id = ORK_USAGE_NULL_BUFFER, .argument = argument, .value = count});
    return wrong;
}

bool ork_wrong_null_bytes(const struct ork_call *call, const char *argument, const void *buffer,
                          MPI_Aint size)
{
    if (buffer != NULL || size <= 0)
        return false;
    ork_usage_report(call, &(struct ork_usage){
                               .id = ORK_USAGE_NULL_MEMORY, .argument = argument, .value = size});
    return true;
}

bool ork_wrong_alias(const struct ork_call *call, const struct ork_buffer *read,
                     const struct ork_buffer *written, enum ork_usage_id row)
{
    struct ork_buffer_bytes in, out;
    bool is_wrong = false;

    ork_lock();
    if (ork_buffer_find(read, &in)) {
        if (ork_buffer_find(written, &out)) {
            is_wrong = ork_buffers_separate(call, &in, &out, row);
            ork_buffer_release(&out);
        }
        ork_buffer_release(&in);
    }
    ork_unlock();
    return is_wrong;
}
