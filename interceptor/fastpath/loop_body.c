/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/loop_body.h"

#include "interceptor/buffers/buffers.h"
#include "interceptor/buffers/release_reports.h"
#include "interceptor/requests/stored.h"
#include "interceptor/fastpath/window_effects.h"
#include "interceptor/buffers/windows_buffers.h"

struct ork_loop_body ork_loop_body;

/* An iteration that is interrupted so often, each time after fewer blocks than this, is not worth
 * it. */
enum { INTERRUPTIONS_MAX = 8, CLOSE_BLOCKS = 8 };

struct ork_loop_body_tables ork_loop_body_tables(void)
{
    return (struct ork_loop_body_tables){.requests = ork_requests_state(),
                                         .buffers = ork_buffers_pending(),
                                         .windows = ork_windows_exist ? ork_window_tables() : 0};
}

bool ork_loop_body_has(const struct ork_loop_body_tables *t)
{
    const struct ork_loop_body_tables now = ork_loop_body_tables();

    return now.requests.few == t->requests.few && now.requests.next == t->requests.next &&
           now.requests.num_spare == t->requests.num_spare &&
           now.requests.used == t->requests.used && now.requests.active == t->requests.active &&
           now.buffers == t->buffers && now.buffers != 0 && now.windows == t->windows;
}

/* ---- postponed updates ---- */

static void restore_buffer(const struct ork_template *s, uint32_t request)
{
    const struct ork_call call = ork_template_call(s);
    const struct ork_buffer buffer = {
        .use = s->receives ? ORK_BUFFER_WRITTEN : ORK_BUFFER_READ,
        .address = s->receives ? s->recvbuf : s->sendbuf,
        .count = s->peer == MPI_PROC_NULL ? 0 : s->count,
        .type = s->datatype,
    };

    ork_buffers_restore(&call, request, &buffer);
}

/* The request with this number, which the template has started. */
static void restore_request(const struct ork_template *s, uint32_t id)
{
    struct ork_loop_body *it = &ork_loop_body;
    uint32_t flags = 0;

    if (s->receives)
        flags = (uint32_t)ORK_R_RECEIVE | it->ordinal[id] << ORK_R_ORDINAL_SHIFT;
    else if (s->is_access)
        flags = ORK_R_RMA;
    if (!ork_request_restore(it->handle[id], id, flags))
        return;
    if (!s->is_bound)
        *ork_stored_of(it->at[id]) =
            (struct ork_stored){it->at[id], it->handle[id], id, ork_request_serial(id)};
    if (!s->is_access)
        restore_buffer(s, id);
}

/* The template has completed requests: so the buffers of accesses are not in use any more. */
static void restore_completion(const struct ork_template *s)
{
    for (uint64_t rest = s->completes; rest != 0; rest &= rest - 1)
        ork_origins_complete_request((uint32_t)__builtin_ctzll(rest));
}

/* RATIONALE: the latest template may be the last one of the iteration, and wait for its requests.
 */
static bool is_something_postponed(void)
{
    const struct ork_loop_body *it = &ork_loop_body;

    return ork_recorder.at != it->start || it->pending != 0 || it->is_inside;
}

/* The persistent requests that the template has started. */
static void restore_started(const struct ork_template *s, uint32_t position)
{
    const struct ork_loop_body *it = &ork_loop_body;
    const struct ork_call call = ork_template_call(s);

    for (uint64_t left = s->starts & it->pending; left != 0; left &= left - 1) {
        const uint32_t id = (uint32_t)__builtin_ctzll(left);
        if (it->template[id] != position)
            continue;
        ork_request_set_flags(it->handle[id], ORK_R_ACTIVE);
        ork_buffers_restore_persistent(&call, id);
    }
}

/* The number of the request that the template has started. */
static uint32_t number_of(const struct ork_template *s)
{
    if (ork_code_is_shared(s->request))
        return ORK_REQUEST_SHARED;
    return s->request < ORK_LOOP_BODY_REQUESTS ? s->request : ORK_REQUEST_NULL;
}

static void restore_window(const struct ork_template *s, uint32_t position)
{
    const struct ork_call call = ork_template_call(s);

    if (s->address != NULL && !(ork_loop_body.is_inside && s->next == ork_recorder.at))
        ork_window_template_restore(&call, position, s->is_access, number_of(s));
}

/* The templates since the position `start`, in their order. RATIONALE: the repetition may be over:
 * the record of a new call site precedes the call. The position is still that of the latest
 * template. */
static void restore_steps(void)
{
    const struct ork_loop_body *it = &ork_loop_body;
    bool has_shared = false;
    uint32_t p = it->start;

    do {
        const struct ork_template *s = &it->templates[p];
        restore_window(s, p);
        if (s->address != NULL && ork_code_is_shared(s->request)) {
            if (!s->is_access)
                restore_buffer(s, ORK_REQUEST_SHARED);
            has_shared = true;
        } else if (s->address != NULL && s->request < ORK_LOOP_BODY_REQUESTS &&
                   (it->pending >> s->request & 1) != 0 && it->template[s->request] == p) {
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
    if (has_shared)
        ork_shared_are_unsure(); /* those of steps were not counted */
}

/* RATIONALE: the handles of complete requests, too: the program may still have them. What is made
 * up for was so at an earlier call, with another stack. */
static void restore(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    ork_thread.stack = 0;
    for (unsigned i = 0; i < ORK_LOOP_BODY_REQUESTS; i++) {
        if (it->handle[i] != MPI_REQUEST_NULL && ((it->pending | it->persistent) >> i & 1) == 0)
            ork_request_gone(it->handle[i]);
    }
    if (is_something_postponed())
        restore_steps();
    it->pending = 0;
    it->is_open = it->is_inside = false;
    for (unsigned i = 0; i < ORK_LOOP_BODY_REQUESTS; i++) {
        if ((it->persistent >> i & 1) == 0)
            it->handle[i] = MPI_REQUEST_NULL;
    }
}

/* ---- using templates ---- */

void ork_loop_body_stop(void)
{
    if (ork_loop_body.is_on && !ork_loop_body.is_suspended)
        restore();
    ork_loop_body.is_on = false;
    ork_recorder.fast_until = 0;
    atomic_fetch_and(&ork_errands, ~ORK_ERRAND_ITERATION);
}

void ork_loop_body_suspend(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (!it->is_on || it->is_suspended)
        return;
    restore();
    it->is_suspended = true;
    ork_recorder.fast_until = 0;
    bool is_close =
        ork_recorder.head - it->interrupted_at < (uint64_t)CLOSE_BLOCKS * ork_recorder.block;
    it->interruptions = is_close ? it->interruptions + 1 : 0;
    it->interrupted_at = ork_recorder.head;
    if (it->interruptions < INTERRUPTIONS_MAX)
        return;
    ork_loop_body_stop();
    ork_repeat_widen();
}

bool ork_loop_body_is_valid(void)
{
    const struct ork_loop_body *it = &ork_loop_body;

    return it->first == ork_recorder.first && !ork_recorder.is_locked &&
           it->version == atomic_load(&ork_handles_version);
}

bool ork_loop_body_resume(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (ork_recorder.at != it->start || !ork_loop_body_has(&it->tables))
        return false;
    it->is_suspended = false;
    return true;
}

/* RATIONALE: a call that has no template, while nothing is postponed, finds the tables as they are.
 * Its record says what it changes of them, except for the buffers: so these are compared before the
 * next template is used. */
void ork_loop_body_interrupt(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    it->calls++;
    if (!it->is_on && it->first == ork_recorder.first) { /* its templates are made */
        it->windows = ork_windows_exist ? ork_window_tables() : 0;
        it->buffers = ork_buffers_pending();
        return;
    }
    it->is_unsure = true;
    ork_recorder.fast_until = 0;
    if (!ork_loop_body_is_valid())
        ork_loop_body_stop();
    else if (it->is_suspended && it->templates[it->start].address == NULL)
        ork_loop_body_resume();
    else if (it->is_suspended)
        return;
    else if (it->pending != 0 || it->is_open || it->templates[ork_recorder.at].address != NULL)
        ork_loop_body_suspend();
}
