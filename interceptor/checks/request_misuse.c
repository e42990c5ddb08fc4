/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/request_misuse.h"

#include "interceptor/objects/handles.h"
#include "interceptor/usage/usage.h"

static void report(const struct ork_call *call, enum ork_usage_id id)
{
    ork_usage_report_locked(call, &(struct ork_usage){.id = id});
}

/* The null handle, or one that is known to be invalid. */
static bool is_invalid(const struct ork_call *call, const struct ork_request *request)
{
    if (request->handle == MPI_REQUEST_NULL)
        report(call, ORK_USAGE_REQUEST_NULL);
    else if (request->id == ORK_REQUEST_UNKNOWN && ork_request_is_stale(request->handle))
        report(call, ORK_USAGE_REQUEST_STALE);
    else
        return false;
    return true;
}

void ork_misuse_complete(const struct ork_call *call, const struct ork_request *request)
{
    if (request->handle != MPI_REQUEST_NULL)
        is_invalid(call, request);
}

/* RATIONALE: operations that are complete at once share a handle, and a request that is unknown may
 * be a persistent one. */
void ork_misuse_start(const struct ork_call *call, const struct ork_request *request)
{
    struct ork_handle_place place;

    if (is_invalid(call, request) || request->id == ORK_REQUEST_SHARED)
        return;
    if (request->id == ORK_REQUEST_UNKNOWN) {
        if (ork_handle_look(ORK_HANDLE_REQUEST, ORK_KEY(request->handle), &place) ==
            ORK_HANDLE_VALID)
            report(call, ORK_USAGE_REQUEST_NOT_PERSISTENT);
    } else if ((request->flags & ORK_R_PERSISTENT) == 0) {
        report(call, ORK_USAGE_REQUEST_NOT_PERSISTENT);
    } else if ((request->flags & ORK_R_UNSURE) == 0) {
        report(call, ORK_USAGE_REQUEST_STARTED_TWICE);
    }
}

/* Is it a persistent request that is certainly not active? */
static bool is_inactive(const struct ork_request *request)
{
    return (request->flags & (ORK_R_PERSISTENT | ORK_R_ACTIVE | ORK_R_UNSURE)) == ORK_R_PERSISTENT;
}

void ork_misuse_cancel(const struct ork_call *call, const struct ork_request *request)
{
    if (is_invalid(call, request))
        return;
    if (ork_request_is_of(request, ORK_R_RMA))
        report(call, ORK_USAGE_CANCELLED_RMA);
    else if ((request->flags & ORK_R_COLLECTIVE) != 0 && !ork_request_is_of(request, ORK_R_FILE))
        report(call, ORK_USAGE_CANCELLED_COLLECTIVE);
    else if (is_inactive(request))
        report(call, ORK_USAGE_CANCELLED_INACTIVE);
}

/* RATIONALE: a send may be freed while it is active; the program learns in another way when its
 * buffer can be used again. A receive that is cancelled first, too. */
void ork_misuse_free(const struct ork_call *call, const struct ork_request *request)
{
    if (is_invalid(call, request))
        return;
    if (ork_request_is_of(request, ORK_R_RMA))
        report(call, ORK_USAGE_FREED_RMA);
    else if (ork_request_is_of(request, ORK_R_COLLECTIVE))
        report(call, ORK_USAGE_FREED_COLLECTIVE);
    else if (is_inactive(request) && (request->flags & ORK_R_STARTED) == 0)
        report(call, ORK_USAGE_NEVER_STARTED);
    else if ((request->flags & (ORK_R_RECEIVE | ORK_R_CANCELLED | ORK_R_UNSURE)) == ORK_R_RECEIVE &&
             !is_inactive(request))
        report(call, ORK_USAGE_FREED_RECEIVE);
}
