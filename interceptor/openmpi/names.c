/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: a group's table has for each member a pointer to its process, which contains its name
 * (job and rank, 32 bits each), or the name itself with the lowest bit set (ompi/proc/proc.h,
 * "sentinel"). The offset of the name in a process depends on how the library was built; it is
 * found by a search for our own name. Open MPI 4.1 exports the function that reads the table. In
 * Open MPI 5 it is inline, and the table is read as that has it (ompi/group/group.h). If that
 * cannot be done either, as with a library that was built with debugging, it tells no names:
 * interceptor/mpi/jobs.h. */
#include "interceptor/mpi/jobs.h"
#include "interceptor/mpi/next.h"
#include "record/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef OPEN_MPI
#error "mpi.h is that of another library"
#endif

typedef void *(*member_function)(MPI_Group, int);
static member_function member;
static size_t offset; /* of the name in a process */

/* The beginning of a group, if the library was built without debugging. */
struct group {
    void *class;
    int32_t references, unused, count, rank, index;
    void *const *process;
};

static MPI_Fint (*index_of)(MPI_Group);

/* A process of the group's table; NULL: it has none, or is not laid out so: then one of its numbers
 * is another one than the library says. */
static void *inline_member(MPI_Group handle, int i)
{
    const struct group *group = (const struct group *)handle;
    int count = 0, rank = 0;

    ORK_NEXT(MPI_Group_size)(handle, &count);
    ORK_NEXT(MPI_Group_rank)(handle, &rank);
    return group->count == count && group->rank == rank && group->index == index_of(handle) &&
                   group->process != NULL && i < count
               ? group->process[i]
               : NULL;
}

/* Possible offsets of the name: after the head of the object and its links. */
enum { OFFSET_MIN = 16, OFFSET_MAX = 80, OFFSET_STEP = 4 };

static struct ork_process unpack(uintptr_t packed)
{
    uint64_t word = packed;

    return (struct ork_process){.job = (uint32_t)((word & 0xffff0000) | (word & 0xfffe) >> 1),
                                .rank = (uint32_t)(word >> 32)};
}

bool ork_process_name(MPI_Group group, int i, struct ork_process *name)
{
    const char *process;

    if (member == NULL)
        return ork_jobs_name(group, i, name);
    process = member(group, i);
    if (process == NULL)
        return false;
    if (((uintptr_t)process & 1) != 0)
        *name = unpack((uintptr_t)process);
    else
        memcpy(name, process + offset, sizeof(*name));
    return true;
}

static bool find_offset(MPI_Group world, const struct ork_process *own)
{
    const char *process = member(world, (int)own->rank);

    if (process == NULL || ((uintptr_t)process & 1) != 0)
        return false;
    for (offset = OFFSET_MIN; offset < OFFSET_MAX; offset += OFFSET_STEP) {
        if (memcmp(process + offset, own, sizeof(*own)) == 0)
            return true;
    }
    return false;
}

static bool is_right(MPI_Group world, const struct ork_process *own)
{
    struct ork_process name;
    int size = 0;

    ORK_NEXT(MPI_Group_size)(world, &size);
    for (int i = 0; i < size; i++) {
        if (!ork_process_name(world, i, &name) || name.job != own->job || name.rank != (uint32_t)i)
            return false;
    }
    return true;
}

void ork_names_init(MPI_Group world)
{
    int saved = errno;
    const char *job = getenv("PMIX_NAMESPACE");
    struct ork_process own = {.job = job != NULL ? ork_job_number(job) : 0};
    int rank = 0;

    ORK_NEXT(MPI_Group_rank)(world, &rank);
    own.rank = (uint32_t)rank;
    member = (member_function)ork_next_find("ompi_group_get_proc_ptr_raw");
    index_of = (MPI_Fint(*)(MPI_Group))ork_next_find("PMPI_Group_c2f");
    if (member == NULL && index_of != NULL)
        member = inline_member;
    if (member == NULL || own.job == 0 || !find_offset(world, &own) || !is_right(world, &own))
        member = NULL;
    if (member == NULL)
        ork_jobs_init(world);
    errno = saved;
}
