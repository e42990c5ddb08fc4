/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/hooks/op_wait.h"
#include "interceptor/mpi/neutral.h"
#include "interceptor/outcomes/error_handlers.h"

#include <errno.h>
#include <stdlib.h>

/* The number of statuses of the function. */
static int num_statuses(const struct ork_args *a, unsigned mode)
{
    return mode == ORK_WAIT_ONE || mode == ORK_WAIT_ANY ? 1 : a->length;
}

static bool ignores_status(const struct ork_args *a, unsigned mode)
{
    return mode == ORK_WAIT_ONE || mode == ORK_WAIT_ANY ? a->status == MPI_STATUS_IGNORE
                                                        : a->status == MPI_STATUSES_IGNORE;
}

static void *room(void *few, int count, size_t size)
{
    int saved = errno;
    void *p = few;

    if (count > ORK_SET_FEW)
        p = malloc((size_t)count * size);
    errno = saved;
    return p;
}

/* RATIONALE: our own statuses only if some request needs one; a Waitall that ignores them is
 * cheaper for the library. */
static void provide_statuses(struct ork_args *a, unsigned mode, bool is_worth_it)
{
    struct ork_wait_set *set = a->set;

    if (!is_worth_it || !ignores_status(a, mode))
        return;
    set->own = room(set->few_own, num_statuses(a, mode), sizeof(*set->own));
    if (set->own != NULL)
        a->status = set->own;
}

/* RATIONALE: with one thread no other thread asks. */
static bool is_held(const struct ork_args *a)
{
    return ork_recorder.multiple && ork_early_is_pending() && a->set->request != NULL;
}

void ork_set_let_go(const struct ork_args *a)
{
    for (int i = 0; is_held(a) && i < a->length; i++)
        ork_early_let_go(a->set->request[i].id);
}

bool ork_set_reserve(struct ork_args *a)
{
    struct ork_wait_set *set = a->set;

    if (a->length < 0 || a->request == NULL)
        a->length = 0;
    set->own = NULL;
    set->is_observed = false;
    set->request = room(set->few, a->length, sizeof(*set->request));
    if (set->request == NULL)
        ork_recorder_stop();
    return set->request != NULL;
}

void ork_set_take(struct ork_args *a, unsigned mode, bool find)
{
    struct ork_wait_set *set = a->set;
    uint32_t flags = find ? 0 : (uint32_t)(ork_requests_observed != 0 ? ORK_R_WILDCARD : 0);

    if (!ork_set_reserve(a))
        return;
    for (int i = 0; i < a->length; i++) {
        if (find)
            set->request[i] = ork_request_find(a->request[i]);
        else
            set->request[i].handle = a->request[i];
        flags |= find ? set->request[i].flags : 0;
    }
    for (int i = 0; is_held(a) && i < a->length; i++)
        ork_early_hold(set->request[i].id);
    set->is_observed = (flags & ORK_R_OBSERVED) != 0;
    provide_statuses(a, mode, set->is_observed);
}

void ork_set_free(struct ork_wait_set *set)
{
    if (set->request != set->few)
        free(set->request);
    if (set->own != set->few_own)
        free(set->own);
}

void ork_put_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode)
{
    struct ork_list list;
    struct ork_record r =
        ORK_RECORD(call, WAIT, .flags = (uint8_t)ork_blind(a->set->own != NULL),
                   .mode = (uint16_t)mode, .peer = ORK_NO_PEER, .count = (uint32_t)a->length);

    if (a->set->request == NULL)
        return;
    for (int i = 0; i < a->length; i++) {
        if (ORK_UNLIKELY(a->set->request[i].id == ORK_REQUEST_UNKNOWN))
            ork_misuse_complete(call, &a->set->request[i], &a->request[i],
                                mode == ORK_WAIT_ONE ? -1 : i);
    }
    ork_list_begin(&list, &r);
    for (int i = 0; i < a->length; i++)
        ork_list_add(&list, a->set->request[i].id);
    ork_list_end(&list);
    ork_publish();
}

/* -- outcome: the completed elements, k = 0, 1, .. -- */

struct outcome {
    const struct ork_args *args;
    unsigned mode;
    bool failed;
    bool is_partial; /* outputs_of() */
    int count;       /* candidates */
};

struct element {
    int index; /* in the array; negative: incomplete */
    const struct ork_request *request;
    const MPI_Status *status; /* NULL: not requested */
};

static struct outcome outcome_of(const struct ork_args *a, unsigned mode, int result)
{
    struct outcome o = {.args = a, .mode = mode, .failed = result != MPI_SUCCESS};

    /* RATIONALE: a failed call may not have set its outputs; then every element is a candidate. */
    if (o.failed || mode == ORK_WAIT_ONE || mode == ORK_WAIT_ALL)
        o.count = a->length;
    else if (mode == ORK_WAIT_ANY)
        o.count = *a->index != MPI_UNDEFINED;
    else
        o.count = *a->outcount != MPI_UNDEFINED ? *a->outcount : 0;
    if (a->set->request == NULL)
        o.count = 0;
    return o;
}

/* Candidate k. After a failure, those whose handle the library has reset are complete. */
static struct element element_of(const struct outcome *o, int k)
{
    const struct ork_args *a = o->args;
    struct element e = {.index = k, .status = NULL};

    if (!o->failed && o->mode == ORK_WAIT_ANY)
        e.index = *a->index;
    else if (!o->failed && o->mode == ORK_WAIT_SOME)
        e.index = a->index[k];
    if (e.index < 0 || e.index >= a->length)
        return (struct element){.index = -1};
    e.request = &a->set->request[e.index];
    if (e.request->handle == MPI_REQUEST_NULL ||
        (o->failed && a->request[e.index] != MPI_REQUEST_NULL))
        return (struct element){.index = -1};
    if (!ignores_status(a, o->mode) && !(o->failed && o->mode != ORK_WAIT_ALL))
        e.status = &a->status[k];
    return e;
}

static int32_t source_of(const struct element *e)
{
    int cancelled = 0;

    if (e->status == NULL || (e->request->flags & ORK_R_OBSERVED) == 0)
        return ORK_NO_PEER;
    if ((e->request->flags & ORK_R_CANCELLED) != 0)
        ORK_NEXT(MPI_Test_cancelled)(e->status, &cancelled);
    if (cancelled)
        return ORK_CANCELLED;
    /* The empty status of a persistent request that was not active. */
    if ((e->request->flags & ORK_R_WILDCARD) == 0 || e->status->MPI_SOURCE == MPI_ANY_SOURCE)
        return ORK_NO_PEER;
    return ork_peer(e->status->MPI_SOURCE);
}

static void add_element(struct ork_list *list, uint32_t name, const struct element *e)
{
    int32_t source = source_of(e);

    ork_list_add(list, name);
    ork_list_add(list, (uint32_t)source);
    ork_list_add(list, source >= 0 ? (uint32_t)e->status->MPI_TAG : 0);
}

/* ---- choices ---- */

static bool was_cancelled(const struct element *e)
{
    int cancelled = 0;

    if ((e->request->flags & ORK_R_CANCELLED) != 0)
        ORK_NEXT(MPI_Test_cancelled)(e->status, &cancelled);
    return cancelled != 0;
}

static void choose_element(const struct ork_call *call, const struct element *e)
{
    if (e->index < 0 || e->status == NULL || (e->request->flags & ORK_R_OBSERVED) == 0)
        return;
    bool cancelled = was_cancelled(e);
    if ((e->request->flags & ORK_R_WILDCARD) == 0)
        ork_choice_cancelled(call, e->request->id, cancelled);
    else if (cancelled || e->status->MPI_SOURCE != MPI_ANY_SOURCE) /* else it was not active */
        ork_choice_completed(call, e->request->id, e->status, cancelled);
}

/* Has a call that failed set its outputs? */
static bool has_outputs(unsigned mode, int result)
{
    bool is_array = mode == ORK_WAIT_ALL || mode == ORK_WAIT_SOME;

    return is_array ? ork_error_class_of(result) == ORK_ERR_IN_STATUS : ork_is_truncated(result);
}

/* The outcome, and of a call that failed, but has set its outputs, what it completed all the same.
 */
static struct outcome outputs_of(const struct ork_args *a, unsigned mode, int result)
{
    struct outcome o = outcome_of(a, mode, result);

    if (o.failed && has_outputs(mode, result)) {
        o = outcome_of(a, mode, MPI_SUCCESS);
        o.is_partial = true;
    }
    return o;
}

/* Did it complete this operation? RATIONALE: after another error than a truncated message, the
 * status need not have a source. */
static bool is_complete(unsigned mode, const struct element *e)
{
    bool is_array = mode == ORK_WAIT_ALL || mode == ORK_WAIT_SOME;

    return e->index >= 0 && e->status != NULL &&
           (!is_array || e->status->MPI_ERROR == MPI_SUCCESS ||
            ork_is_truncated(e->status->MPI_ERROR));
}

/* Element k of these: as element_of(). */
static struct element completed_of(const struct outcome *o, int k)
{
    struct element e = element_of(o, k);

    if (!o->is_partial || is_complete(o->mode, &e))
        return e;
    e.status = NULL;
    if (e.index >= 0 && o->args->request[e.index] != MPI_REQUEST_NULL)
        e.index = -1;
    return e;
}

/* Receives with a wildcard, and cancelled operations, that this call completed. */
static void choose_completed(const struct ork_call *call, const struct outcome *o)
{
    for (int k = 0; k < o->count; k++) {
        struct element e = completed_of(o, k);
        choose_element(call, &e);
    }
}

void ork_choose_tested(const struct ork_call *call, const struct ork_args *a, unsigned mode)
{
    ork_choice_tested(call, a->index, ork_num_indices(a, mode));
}

void ork_choose_tested_failed(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              int result)
{
    ork_choice_tested(call, a->index, has_outputs(mode, result) ? ork_num_indices(a, mode) : 0);
}

/* Is this element in the EXIT record of a Wait? */
static bool is_reported(const struct outcome *o, const struct element *e)
{
    if (e->index < 0)
        return false;
    if (o->failed || o->mode == ORK_WAIT_ANY || o->mode == ORK_WAIT_SOME)
        return true;
    return (e->request->flags & ORK_R_OBSERVED) != 0;
}

static void complete_all(const struct outcome *o)
{
    /* RATIONALE: after an error it is not known which operations are still pending. */
    for (int i = 0; o->failed && o->count > 0 && i < o->args->length; i++)
        ork_buffers_complete(ork_request_find(o->args->set->request[i].handle).id, true);
    for (int k = 0; k < o->count; k++) {
        struct element e = element_of(o, k);
        if (e.index >= 0)
            ork_request_complete(e.request);
    }
}

/* The call failed: persistent requests may be active or not. */
static void doubt_all(const struct ork_args *a)
{
    for (int i = 0; a->set->request != NULL && i < a->length; i++) {
        struct ork_request r = ork_request_find(a->set->request[i].handle);
        if ((r.flags & ORK_R_PERSISTENT) != 0)
            ork_request_doubt(&r);
    }
}

/* All requests are complete, and nothing about them is recorded. */
static void complete_silently(const struct ork_args *a)
{
    for (int i = 0; i < a->length; i++) {
        if (a->set->request[i].handle != MPI_REQUEST_NULL)
            ork_request_complete(&a->set->request[i]);
    }
    ork_set_let_go(a);
}

void ork_choose_waited(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                       int result)
{
    if (ork_is_for_some(mode))
        ork_choice_waited(
            call, a->index,
            result == MPI_SUCCESS || has_outputs(mode, result) ? ork_num_indices(a, mode) : 0);
}

void ork_put_waited(const struct ork_call *call, struct ork_args *a, unsigned mode, uint64_t chosen,
                    int result)
{
    if (mode == ORK_WAIT_ALL && result == MPI_SUCCESS && a->set->request != NULL &&
        !a->set->is_observed) {
        complete_silently(a);
        return;
    }
    const struct outcome o = outcome_of(a, mode, result), told = outputs_of(a, mode, result);
    bool is_choice = ork_is_for_some(mode);
    struct ork_record r = ORK_RECORD(
        call, EXIT,
        .flags = (uint8_t)((o.failed ? ORK_F_ERROR : 0u) | (told.is_partial ? ORK_F_MATCHED : 0u)),
        .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL, .arg = ork_error_class_of(result));
    struct ork_list list;

    if (!told.failed)
        choose_completed(call, &told);
    if (o.failed)
        ork_error_handler_mark(&r);
    for (int k = 0; k < told.count; k++) {
        struct element e = completed_of(&told, k);
        r.count += is_reported(&o, &e) ? 3 : 0;
    }
    if (is_choice || o.failed || r.count != 0) {
        r.extra = ork_choice_name(ork_thread.choices > chosen ? chosen + 1 : 0);
        ork_list_begin(&list, &r);
        for (int k = 0; k < told.count; k++) {
            struct element e = completed_of(&told, k);
            if (is_reported(&o, &e))
                add_element(&list, (uint32_t)e.index, &e);
        }
        ork_list_end(&list);
        ork_publish();
    }
    complete_all(&o);
    if (o.failed)
        doubt_all(a);
    ork_set_let_go(a);
}

void ork_put_tested(const struct ork_call *call, struct ork_args *a, unsigned mode, int result)
{
    const struct outcome o = outcome_of(a, mode, result), told = outputs_of(a, mode, result);
    struct ork_record r = ORK_RECORD(
        call, TESTED,
        .flags = (uint8_t)((o.failed ? ORK_F_ERROR : 0u) | (told.is_partial ? ORK_F_MATCHED : 0u) |
                           ork_blind(a->set->own != NULL)),
        .mode = (uint16_t)mode, .peer = ORK_NO_PEER, .arg = ork_error_class_of(result));
    struct ork_list list;

    for (int k = 0; k < told.count; k++) {
        struct element e = completed_of(&told, k);
        if (e.index >= 0 && !ork_recorder.multiple)
            a->set->request[e.index] = ork_request_find(e.request->handle);
        if (e.index >= 0 && a->set->request[e.index].id == ORK_REQUEST_UNKNOWN)
            ork_misuse_completed(call, &a->set->request[e.index]);
        r.count += e.index >= 0 ? 3 : 0;
    }
    if (r.count == 0) {
        if (o.failed)
            doubt_all(a);
        ork_set_let_go(a);
        return;
    }
    r.extra = ork_choice_name(told.failed ? 0 : ork_thread.choices);
    if (!told.failed)
        choose_completed(call, &told);
    if (o.failed)
        ork_error_handler_mark(&r);
    if (!told.failed && ork_is_for_some(mode))
        ork_put_tests(call, a, r.count / 3);
    ork_list_begin(&list, &r);
    for (int k = 0; k < told.count; k++) {
        struct element e = completed_of(&told, k);
        if (e.index >= 0)
            add_element(&list, e.request->id, &e);
    }
    ork_list_end(&list);
    ork_publish();
    complete_all(&o);
    if (o.failed)
        doubt_all(a);
    ork_set_let_go(a);
}
