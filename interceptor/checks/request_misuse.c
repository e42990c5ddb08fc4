/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/request_misuse.h"

#include "interceptor/objects/handles.h"
#include "interceptor/usage/usage.h"

#include <stdio.h>

static void report(const struct ork_call *call, enum ork_usage_id id)
{
    ork_usage_report_locked(call, &(struct ork_usage){.id = id});
}

/* Element i of an array, or the only one if i is negative, is no request that this run has made. */
static void report_unmade(const struct ork_call *call, enum ork_usage_id id, int i)
{
    char text[64] = "request";

    if (i >= 0)
        snprintf(text, sizeof(text), "array_of_requests[%d]", i);
    ork_usage_report_before_locked(call, &(struct ork_usage){.id = id, .text = text});
}

/* Is it the handle of a request, or MPI_REQUEST_NULL, where an address is wanted? Reports it. */
static bool is_handle(const struct ork_call *call, const MPI_Request *at, int i)
{
    const MPI_Request value = (MPI_Request)(uintptr_t)at;
    struct ork_handle_place place;

    if (value != MPI_REQUEST_NULL && ork_request_find(value).id == ORK_REQUEST_UNKNOWN &&
        ork_handle_look(ORK_HANDLE_REQUEST, ORK_KEY(value), &place) != ORK_HANDLE_VALID)
        return false;
    if (value != MPI_REQUEST_NULL || i >= 0) /* else the arguments were examined */
        ork_usage_report_before_locked(
            call, &(struct ork_usage){.id = ORK_USAGE_REQUEST_ADDRESS,
                                      .argument = i >= 0 ? "array_of_requests" : "request",
                                      .text = value == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL"
                                                                        : "a handle"});
    return true;
}

/* A handle without a number, before the call. True: it is invalid, or may be. */
static bool is_strange(const struct ork_call *call, MPI_Request handle, const MPI_Request *at,
                       int i)
{
    if (is_handle(call, at, i))
        return true;
    switch (ork_request_origin(handle)) {
    case ORK_REQUEST_IS_MADE:
        return false;
    case ORK_REQUEST_IS_STALE:
        report(call, ORK_USAGE_REQUEST_STALE);
        break;
    case ORK_REQUEST_IS_UNMADE:
        report_unmade(call, ORK_USAGE_REQUEST_UNMADE, i);
        break;
    case ORK_REQUEST_IS_STRANGE:
        report_unmade(call, ORK_USAGE_REQUEST_STRANGE, i);
        break;
    case ORK_REQUEST_IS_IMPOSSIBLE:
        report_unmade(call, ORK_USAGE_REQUEST_IMPOSSIBLE, i);
        break;
    }
    return true;
}

/* The null handle, or one that is known to be invalid. `at`, `i`: where it is, as for
 * report_unmade(). */
static bool is_invalid(const struct ork_call *call, const struct ork_request *request,
                       const MPI_Request *at, int i)
{
    if (request->handle != MPI_REQUEST_NULL)
        return request->id == ORK_REQUEST_UNKNOWN && is_strange(call, request->handle, at, i);
    report(call, ORK_USAGE_REQUEST_NULL);
    return true;
}

void ork_misuse_complete(const struct ork_call *call, const struct ork_request *request,
                         const MPI_Request *at, int i)
{
    if (request->handle != MPI_REQUEST_NULL)
        is_invalid(call, request, at, i);
}

void ork_misuse_completed(const struct ork_call *call, const struct ork_request *request)
{
    if (request->handle != MPI_REQUEST_NULL && request->id == ORK_REQUEST_UNKNOWN &&
        ork_request_origin(request->handle) == ORK_REQUEST_IS_STALE)
        report(call, ORK_USAGE_REQUEST_STALE);
}

/* RATIONALE: a stale handle is reported when it was completed (ork_misuse_completed()). Of an
 * array, all are looked up if it is new or begins with another handle than the last time. */
void ork_misuse_test(const struct ork_call *call, const MPI_Request *request, int length,
                     bool is_array)
{
    ork_lock();
    for (int i = 0; i < length; i++) {
        struct ork_request found = ork_request_find(request[i]);
        if (found.id == ORK_REQUEST_UNKNOWN &&
            ork_request_origin(found.handle) != ORK_REQUEST_IS_STALE)
            is_strange(call, found.handle, &request[i], is_array ? i : -1);
    }
    ork_unlock();
    *ork_tested_of(request) = (struct ork_tested){request, request[0], length};
}

/* RATIONALE: operations that are complete at once share a handle, and a request that is unknown may
 * be a persistent one. */
void ork_misuse_start(const struct ork_call *call, const struct ork_request *request,
                      const MPI_Request *at, int i)
{
    struct ork_handle_place place;

    if (is_invalid(call, request, at, i) || request->id == ORK_REQUEST_SHARED)
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

void ork_misuse_cancel(const struct ork_call *call, const struct ork_request *request,
                       const MPI_Request *at)
{
    if (is_invalid(call, request, at, -1))
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
void ork_misuse_free(const struct ork_call *call, const struct ork_request *request,
                     const MPI_Request *at)
{
    if (is_invalid(call, request, at, -1))
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
