/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/iteration.h"

#include "interceptor/buffers/buffers.h"
#include "interceptor/fastpath/coll_effects.h"
#include "interceptor/requests/stored.h"
#include "interceptor/fastpath/window_effects.h"
#include "interceptor/buffers/windows_buffers.h"

struct ork_iteration ork_iteration;

/* An iteration that is interrupted so often, each time after fewer blocks than this, is not worth
 * it. */
enum { INTERRUPTIONS_MAX = 8, CLOSE_BLOCKS = 8 };

struct ork_iteration_tables ork_iteration_tables(void)
{
    return (struct ork_iteration_tables){.requests = ork_requests_state(),
                                         .buffers = ork_buffers_known,
                                         .windows = ork_windows_exist ? ork_window_tables() : 0};
}

bool ork_iteration_has(const struct ork_iteration_tables *t)
{
    const struct ork_iteration_tables now = ork_iteration_tables();

    return now.requests.few == t->requests.few && now.requests.next == t->requests.next &&
           now.requests.num_spare == t->requests.num_spare &&
           now.requests.used == t->requests.used && now.requests.active == t->requests.active &&
           now.buffers == t->buffers && now.windows == t->windows &&
           !ork_buffers_shared_are_pending();
}

/* ---- deferred effects ---- */

static void restore_buffer(const struct ork_step *s, uint32_t request)
{
    const struct ork_call call = ork_step_call(s);

    if (s->is_coll) {
        ork_coll_step_restore(&call, s, request);
        return;
    }
    const struct ork_buffer buffer = {
        .use = s->receives ? ORK_BUFFER_WRITTEN : ORK_BUFFER_READ,
        .address = s->receives ? s->recvbuf : s->sendbuf,
        .count = s->peer == MPI_PROC_NULL ? 0 : s->count,
        .type = s->datatype,
    };

    ork_buffers_restore(&call, request, &buffer);
}

/* The request with this number, which the step has started. */
static void restore_request(const struct ork_step *s, uint32_t id)
{
    struct ork_iteration *it = &ork_iteration;
    uint32_t flags = 0;

    if (s->receives)
        flags = (uint32_t)ORK_R_RECEIVE | it->ordinal[id] << ORK_R_ORDINAL_SHIFT |
                (s->is_wild ? (uint32_t)ORK_R_WILDCARD : 0);
    else if (s->is_coll)
        flags = ORK_R_COLLECTIVE;
    else if (s->is_access)
        flags = ORK_R_RMA;
    const bool is_restored = ork_request_restore(it->handle[id], id, flags);
    if (s->is_wild && is_restored)
        ork_early_add(id, it->handle[id]);
    else if (s->is_wild)
        ork_requests_observed--;
    if (!is_restored)
        return;
    if (!s->is_bound && !(s->is_coll && s->slots > 1)) /* see ork_after_collective() */
        *ork_stored_of(it->at[id]) =
            (struct ork_stored){it->at[id], it->handle[id], id, ork_request_serial(id)};
    if (!s->is_access)
        restore_buffer(s, id);
}

/* The step has completed requests: so the buffers of accesses are not in use any more. */
static void restore_completion(const struct ork_step *s)
{
    for (uint64_t rest = s->completes; rest != 0; rest &= rest - 1)
        ork_origins_complete_request((uint32_t)__builtin_ctzll(rest));
}

/* RATIONALE: the latest step may be the last one of the iteration, and wait for its requests. */
static bool is_something_deferred(void)
{
    const struct ork_iteration *it = &ork_iteration;

    return ork_recorder.at != it->start || it->pending != 0 || it->is_inside;
}

/* The persistent requests that the step has started. */
static void restore_started(const struct ork_step *s, uint32_t position)
{
    const struct ork_iteration *it = &ork_iteration;
    const struct ork_call call = ork_step_call(s);

    for (uint64_t left = s->starts & it->pending; left != 0; left &= left - 1) {
        const uint32_t id = (uint32_t)__builtin_ctzll(left);
        if (it->step[id] != position)
            continue;
        ork_request_set_flags(it->handle[id], ORK_R_ACTIVE);
        ork_buffers_restore_persistent(&call, id);
    }
}

/* The number of the request that the step has started. */
static uint32_t number_of(const struct ork_step *s)
{
    if (ork_code_is_shared(s->request))
        return ORK_REQUEST_SHARED;
    return s->request < ORK_ITERATION_REQUESTS ? s->request : ORK_REQUEST_NULL;
}

static void restore_window(const struct ork_step *s, uint32_t position)
{
    const struct ork_call call = ork_step_call(s);

    if (s->address != NULL && !(ork_iteration.is_inside && s->next == ork_recorder.at))
        ork_window_step_restore(&call, position, s->is_access, number_of(s));
}

/* The steps since the position `start`, in their order. RATIONALE: the repetition may be over: the
 * record of a new call site precedes the call. The position is still that of the latest step. */
static void restore_steps(void)
{
    const struct ork_iteration *it = &ork_iteration;
    bool has_shared = false;
    uint32_t p = it->start;

    do {
        const struct ork_step *s = &it->steps[p];
        restore_window(s, p);
        if (s->address != NULL && ork_code_is_shared(s->request)) {
            if (!s->is_access)
                restore_buffer(s, ORK_REQUEST_SHARED);
            has_shared = true;
        } else if (s->address != NULL && s->request < ORK_ITERATION_REQUESTS &&
                   (it->pending >> s->request & 1) != 0 && it->step[s->request] == p) {
            restore_request(s, s->request);
        } else if (s->address != NULL && s->is_start) {
            restore_started(s, p);
        } else if (s->address != NULL && s->is_completion) {
            restore_completion(s);
            if (has_shared && s->completes_shared)
                ork_buffers_complete(ORK_REQUEST_SHARED, false);
        }
        p = s->address != NULL ? s->next : p + 1;
        p = p == it->block ? 0 : p;
    } while (p != ork_recorder.at);
}

/* RATIONALE: the handles of complete requests, too: the program may still have them. */
static void restore(void)
{
    struct ork_iteration *it = &ork_iteration;

    for (unsigned i = 0; i < ORK_ITERATION_REQUESTS; i++) {
        if (it->handle[i] != MPI_REQUEST_NULL && ((it->pending | it->persistent) >> i & 1) == 0)
            ork_request_gone(it->handle[i]);
    }
    if (is_something_deferred())
        restore_steps();
    it->pending = 0;
    it->is_open = it->is_inside = false;
    for (unsigned i = 0; i < ORK_ITERATION_REQUESTS; i++) {
        if ((it->persistent >> i & 1) == 0)
            it->handle[i] = MPI_REQUEST_NULL;
    }
}

/* ---- taking steps ---- */

void ork_iteration_stop(void)
{
    if (ork_iteration.is_on && !ork_iteration.is_suspended)
        restore();
    ork_iteration.is_on = false;
    ork_recorder.steps = 0;
    atomic_fetch_and(&ork_errands, ~ORK_ERRAND_ITERATION);
}

void ork_iteration_suspend(void)
{
    struct ork_iteration *it = &ork_iteration;

    if (!it->is_on || it->is_suspended)
        return;
    restore();
    it->is_suspended = true;
    ork_recorder.steps = 0;
    bool is_close =
        ork_recorder.head - it->interrupted_at < (uint64_t)CLOSE_BLOCKS * ork_recorder.block;
    it->interruptions = is_close ? it->interruptions + 1 : 0;
    it->interrupted_at = ork_recorder.head;
    if (it->interruptions < INTERRUPTIONS_MAX)
        return;
    ork_iteration_stop();
    ork_repeat_widen();
}

bool ork_iteration_is_valid(void)
{
    const struct ork_iteration *it = &ork_iteration;

    return it->first == ork_recorder.first && !ork_recorder.is_locked &&
           it->version == atomic_load(&ork_handles_version);
}

bool ork_iteration_resume(void)
{
    struct ork_iteration *it = &ork_iteration;

    if (ork_recorder.at != it->start || !ork_iteration_has(&it->tables))
        return false;
    it->is_suspended = false;
    return true;
}

/* RATIONALE: a call that was not learnt, while nothing is deferred, finds the tables as they are.
 */
void ork_iteration_interrupt(void)
{
    struct ork_iteration *it = &ork_iteration;

    it->calls++;
    if (!it->is_on && it->first == ork_recorder.first) { /* it is being learnt */
        it->windows = ork_windows_exist ? ork_window_tables() : 0;
        return;
    }
    if (!ork_iteration_is_valid())
        ork_iteration_stop();
    else if (it->is_suspended && it->steps[it->start].address == NULL)
        ork_iteration_resume();
    else if (it->is_suspended)
        return;
    else if (it->pending != 0 || it->is_open || it->steps[ork_recorder.at].address != NULL)
        ork_iteration_suspend();
}
