/* SPDX-License-Identifier: BSD-3-Clause */
/* Examinations of handles: MPI-3.1 section 2.5.1. */
#include "interceptor/checks/check.h"

#include "interceptor/objects/attribute_keys.h"
#include "interceptor/mpi/next.h"

static bool report(const struct ork_call *call, enum ork_usage_id row, const char *argument,
                   const char *text, struct ork_handle_place other)
{
    ork_usage_report(call, &(struct ork_usage){.id = row,
                                               .argument = argument,
                                               .text = text,
                                               .other_site = other.site,
                                               .other_call = other.call});
    return true;
}

static bool frees_key(const struct ork_call *call)
{
    return call->id == ORK_CALL_MPI_Comm_free_keyval || call->id == ORK_CALL_MPI_Type_free_keyval ||
           call->id == ORK_CALL_MPI_Win_free_keyval || call->id == ORK_CALL_MPI_Keyval_free;
}

bool ork_wrong_handle(const struct ork_call *call, const char *argument, enum ork_handle_kind kind,
                      uint64_t value, const char *null)
{
    struct ork_handle_place place = {0};

    ork_lock();
    enum ork_handle_state state = ork_handle_look(kind, value, &place);
    bool is_used = state == ORK_HANDLE_FREED && kind == ORK_HANDLE_KEYVAL && !frees_key(call) &&
                   ork_attribute_key_is_used(value);
    ork_unlock();
    if (is_used) /* it is freed when its last attribute is deleted (MPI-3.1 section 6.7.2) */
        return false;
    switch (state) {
    case ORK_HANDLE_VALID:
        return false;
    case ORK_HANDLE_NULL:
        return report(call, ORK_USAGE_NULL_HANDLE, argument, null, (struct ork_handle_place){0});
    case ORK_HANDLE_FREED:
        return report(call, ORK_USAGE_FREED_HANDLE, argument, NULL, place);
    case ORK_HANDLE_UNKNOWN:
        break;
    }
    if (value == 0 && kind != ORK_HANDLE_KEYVAL)
        return report(call, ORK_USAGE_NULL_HANDLE, argument, "NULL", (struct ork_handle_place){0});
    return report(call, ORK_USAGE_UNKNOWN_HANDLE, argument, NULL, (struct ork_handle_place){0});
}

/* RATIONALE: whether a call without elements needs a datatype is open, and libraries disagree. */
bool ork_wrong_datatype(const struct ork_call *call, const char *argument, MPI_Datatype type,
                        int count)
{
    if (type != MPI_DATATYPE_NULL || count != 0)
        return ork_wrong_handle(call, argument, ORK_HANDLE_DATATYPE, ORK_KEY(type),
                                "MPI_DATATYPE_NULL");
    report(call, ORK_USAGE_NULL_TYPE_UNUSED, argument, NULL, (struct ork_handle_place){0});
    return false;
}

bool ork_wrong_datatypes(const struct ork_call *call, const char *argument, int n,
                         const MPI_Datatype *type, const int *count)
{
    for (int i = 0; type != NULL && i < n; i++) {
        if (!ork_is_good_type(type[i]) &&
            ork_wrong_datatype(call, argument, type[i], count != NULL ? count[i] : 1))
            return true;
    }
    return false;
}

bool ork_wrong_request(const struct ork_call *call, const char *argument,
                       const MPI_Request *request)
{
    if (request != NULL && request != ork_request_null_address)
        return false;
    return report(call, ORK_USAGE_REQUEST_ADDRESS, argument,
                  request == NULL ? "NULL" : "MPI_REQUEST_NULL", (struct ork_handle_place){0});
}

bool ork_wrong_comm(const struct ork_call *call, const char *argument, MPI_Comm comm,
                    enum ork_comm_kinds kinds)
{
    const struct ork_comm_bounds *b = ork_bounds_find(comm);

    if (ork_is_good_comm(b, kinds))
        return false;
    if (b->is_valid)
        return report(call, b->is_inter ? ORK_USAGE_INTERCOMMUNICATOR : ORK_USAGE_INTRACOMMUNICATOR,
                      argument, NULL, (struct ork_handle_place){0});
    return ork_wrong_handle(call, argument, ORK_HANDLE_COMM, ORK_KEY(comm), "MPI_COMM_NULL");
}

bool ork_wrong_freed_comm(const struct ork_call *call, const char *argument, const MPI_Comm *comm)
{
    if (comm == NULL)
        return ork_wrong_null(call, argument, NULL);
    if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
        return report(call, ORK_USAGE_PREDEFINED_FREED, argument,
                      *comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF",
                      (struct ork_handle_place){0});
    return ork_wrong_comm(call, argument, *comm, ORK_COMM_ANY_KIND);
}

bool ork_wrong_freed_type(const struct ork_call *call, const char *argument, MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;

    ORK_NEXT(MPI_Type_get_name)(type, name, &length);
    return report(call, ORK_USAGE_PREDEFINED_TYPE_FREED, argument, length > 0 ? name : "predefined",
                  (struct ork_handle_place){0});
}
