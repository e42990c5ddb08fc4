/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/type_checks.h"

#include <inttypes.h>
#include <stdio.h>

static void report(const struct ork_call *call, enum ork_usage_id id, const char *argument,
                   MPI_Datatype type, int count, const char *text)
{
    struct ork_handle_place made = {0};

    ork_lock();
    ork_handle_look(ORK_HANDLE_DATATYPE, ORK_KEY(type), &made);
    ork_unlock();
    ork_usage_report(call, &(struct ork_usage){.id = id,
                                               .argument = argument,
                                               .value = count,
                                               .text = text,
                                               .other_site = made.site,
                                               .other_call = made.call});
}

static void report_copies(const struct ork_call *call, const char *argument, MPI_Datatype type,
                          int count)
{
    char text[96] = "";
    int64_t extent, data;

    if (ork_type_extents(type, &extent, &data))
        snprintf(text, sizeof(text),
                 "the datatype has an extent of %" PRId64 " byte%s, and its data take %" PRId64,
                 extent, extent == 1 ? "" : "s", data);
    report(call, ORK_USAGE_TYPE_COPIES_OVERLAP, argument, type, count, text);
}

bool ork_wrong_type(const struct ork_call *call, const char *argument, MPI_Datatype type,
                    int received)
{
    enum ork_type_fault fault = ork_type_fault(type, received);

    if (fault == ORK_TYPE_IS_UNCOMMITTED)
        report(call, ORK_USAGE_TYPE_UNCOMMITTED, argument, type, 0, NULL);
    if (fault == ORK_TYPE_OVERLAPS)
        report(call, ORK_USAGE_TYPE_ENTRIES_OVERLAP, argument, type, 0, NULL);
    if (fault == ORK_TYPE_COPIES_OVERLAP)
        report_copies(call, argument, type, received);
    return fault != ORK_TYPE_IS_READY;
}

void ork_before_type_commit(const struct ork_call *call, const struct ork_args *args)
{
    MPI_Datatype type = args->newtype != NULL ? *args->newtype : MPI_DATATYPE_NULL;

    if (ork_type_is_committed(type))
        report(call, ORK_USAGE_TYPE_COMMITTED_AGAIN, NULL, type, 0, NULL);
}

void ork_after_type_commit(const struct ork_args *args, int result)
{
    if (result == MPI_SUCCESS)
        ork_type_commit(*args->newtype);
}
