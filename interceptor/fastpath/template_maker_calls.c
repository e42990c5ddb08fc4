/* SPDX-License-Identifier: BSD-3-Clause */
/* What is learnt of each kind of call, except for those on windows. */
#include "interceptor/fastpath/learn_internal.h"
#include "interceptor/hooks/op_wait.h"
#include "interceptor/objects/windows.h"
#include "interceptor/buffers/windows_buffers.h"
#include "record/ring_reader.h"

static uint8_t code_of(MPI_Request handle, uint32_t id)
{
    if (id < ORK_ITERATION_REQUESTS)
        return (uint8_t)id;
    if (handle == MPI_REQUEST_NULL)
        return ORK_CODE_NULL;
    for (unsigned i = 0; i < ork_num_shared; i++)
        if (ork_shared[i] == handle)
            return (uint8_t)(ORK_CODE_SHARED + i);
    return ORK_CODE_NONE;
}

const struct ork_record *ork_learn_record(uint32_t position)
{
    const struct ork_recorder *r = &ork_recorder;

    return ork_ring_slot(r->ring, r->slot - r->block + position);
}

uint32_t ork_learn_back(uint32_t slots)
{
    return (ork_recorder.at + ork_recorder.block - slots) % ork_recorder.block;
}

bool ork_learn_name(struct ork_step *step, uint32_t slots)
{
    const uint64_t extra = ork_learn_record(ork_learn_back(slots % ork_recorder.block))->extra;

    step->extra = (uint32_t)extra;
    return extra == step->extra;
}

bool ork_learn_request(struct ork_step *step, const MPI_Request *request)
{
    step->request = ORK_CODE_NONE;
    if (request == NULL)
        return true;
    struct ork_request r = ork_request_find(*request);
    step->request = code_of(r.handle, r.id);
    uint32_t kind = r.flags & ((UINT32_C(1) << ORK_R_ORDINAL_SHIFT) - 1);
    bool is_plain =
        kind == 0 || kind == ORK_R_RECEIVE || kind == ORK_R_COLLECTIVE || kind == ORK_R_RMA;
    if (step->is_wild)
        return step->request < ORK_ITERATION_REQUESTS &&
               kind == (uint32_t)(ORK_R_RECEIVE | ORK_R_WILDCARD);
    return step->request != ORK_CODE_NONE && is_plain;
}

void ork_learn_pending(const struct ork_step *step)
{
    if (step->request < ORK_ITERATION_REQUESTS)
        ork_learning.started |= UINT64_C(1) << step->request;
    else if (ork_code_is_shared(step->request))
        ork_learning.started_shared = true;
    if (step->is_wild && step->request < ORK_ITERATION_REQUESTS)
        ork_learning.wild |= UINT64_C(1) << step->request;
}

void ork_iteration_learn_p2p(const struct ork_call *call, const struct ork_step *step,
                             const MPI_Request *request, bool is_bound)
{
    struct ork_step s = *step;

    if (!(s.is_wild ? ork_learn_is_possible_wild() : ork_learn_is_possible()))
        return;
    if (ork_learn_is_due(call)) {
        ork_learn_enter(call, ork_learn_request(&s, request) ? &s : NULL, 1, is_bound);
        ork_learn_pending(&s);
    }
    ork_learn_go_on();
}

void ork_learn_exit(uint32_t slots, uint32_t exit)
{
    struct ork_step *s = &ork_iteration.steps[ork_learn_back(slots + exit)];

    if (ork_learning.phase != ORK_LEARN_LEARNING)
        return;
    s->after = s->next;
    s->next = (uint16_t)ork_learn_back(exit);
    s->slots = (uint16_t)slots;
    s->exit = (uint16_t)exit;
}

/* Enter a call that has made a choice which its EXIT record names. */
static void enter_choice(const struct ork_call *call, struct ork_step *step, uint32_t slots,
                         uint32_t exit, bool is_bound)
{
    const bool is_possible = step != NULL && slots + exit <= ork_recorder.block &&
                             ork_learn_record(ork_learn_back(exit))->kind == ORK_KIND_EXIT &&
                             ork_learn_record(ork_learn_back(slots + exit))->call == call->id &&
                             ork_learn_name(step, exit);

    ork_learn_enter(call, is_possible ? step : NULL, slots + exit, is_bound);
    if (is_possible)
        ork_learn_exit(slots, exit);
}

void ork_iteration_learn_choice(const struct ork_call *call, const struct ork_step *step,
                                bool is_bound)
{
    struct ork_step s = *step;

    if (!ork_learn_is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (ork_learn_is_due(call))
        enter_choice(call, &s, 1, 1, is_bound);
    ork_learn_go_on();
}

/* Is there room for the codes of its requests? They follow. */
static bool begin_codes(struct ork_step *step, const struct ork_args *a)
{
    step->codes = ork_learning.codes;
    step->count = a->length;
    step->request = ORK_CODE_NONE;
    return a->set->request != NULL &&
           (uint32_t)a->length <= ORK_ITERATION_CODES - ork_learning.codes;
}

/* A persistent request whose handle has not changed, of which nothing else is known. */
static bool is_plain_persistent(const struct ork_request *r, MPI_Request now)
{
    const uint32_t started = (uint32_t)(ORK_R_PERSISTENT | ORK_R_ACTIVE | ORK_R_STARTED);

    return r->id < ORK_ITERATION_REQUESTS && now == r->handle &&
           (r->flags & ~(uint32_t)(ORK_R_COLLECTIVE | ORK_R_RECEIVE)) == started &&
           !ork_buffers_are_in_window(r->id);
}

/* The requests that it starts. False: they cannot be deferred. */
static bool learn_started(struct ork_step *step, const struct ork_args *a)
{
    step->is_start = true;
    if (!begin_codes(step, a))
        return false;
    for (int i = 0; i < a->length; i++) {
        const struct ork_request *r = &a->set->request[i];
        if (!is_plain_persistent(r, a->request[i]))
            return false;
        step->starts |= UINT64_C(1) << r->id;
        ork_iteration.code[ork_learning.codes + (uint32_t)i] = (uint8_t)r->id;
    }
    ork_learning.codes += (uint32_t)a->length;
    return true;
}

void ork_iteration_learn_start(const struct ork_call *call, const struct ork_args *a, bool is_bound)
{
    struct ork_iteration *it = &ork_iteration;
    struct ork_step s = {0};

    if (!ork_learn_is_possible())
        return;
    if (ork_learn_is_due(call)) {
        bool is_learnt = learn_started(&s, a);
        ork_learn_enter(call, is_learnt ? &s : NULL, 1 + ork_record_conts((uint32_t)a->length),
                        is_bound);
        for (int i = 0; is_learnt && i < a->length; i++)
            it->handle[a->set->request[i].id] = a->set->request[i].handle;
        ork_learning.started |= is_learnt ? s.starts : 0;
        it->persistent |= is_learnt ? s.starts : 0;
    }
    ork_learn_go_on();
}

/* An inactive persistent request is no request for a call that completes some. */
static bool is_inactive(const struct ork_request *r)
{
    return r->id < ORK_ITERATION_REQUESTS &&
           (r->flags & ~(uint32_t)(ORK_R_COLLECTIVE | ORK_R_RECEIVE)) ==
               (uint32_t)(ORK_R_PERSISTENT | ORK_R_STARTED);
}

/* The code of a request of a call that completes some. False: it is not of this iteration. */
static bool learn_one(struct ork_step *step, const struct ork_request *r, uint8_t *code)
{
    *code = code_of(r->handle, r->id);
    if (*code == ORK_CODE_NONE)
        return false;
    if (*code >= ORK_ITERATION_REQUESTS) {
        step->completes_shared |= ork_code_is_shared(*code);
        return true;
    }
    if ((ork_learning.started >> *code & 1) != 0) {
        step->completes |= UINT64_C(1) << *code;
        return true;
    }
    if (!is_inactive(r))
        return false;
    ork_iteration.persistent |= UINT64_C(1) << *code;
    ork_iteration.handle[*code] = r->handle;
    return true;
}

/* The requests that it completes: all. False: some of them are not of this iteration. */
static bool learn_requests(struct ork_step *step, const struct ork_args *a)
{
    uint8_t *code = ork_iteration.code + ork_learning.codes;

    if (!begin_codes(step, a))
        return false;
    for (int i = 0; i < a->length; i++)
        if (!learn_one(step, &a->set->request[i], &code[i]))
            return false;
    ork_learning.codes += (uint32_t)a->length;
    return true;
}

/* Those of a call for any or some: only what it has completed is not pending any more. The indices
 * follow the codes. */
static bool learn_completed(struct ork_step *step, const struct ork_args *a, unsigned mode)
{
    const int n = ork_num_indices(a, mode);
    uint64_t completes = 0;
    bool completes_shared = false;

    if (!learn_requests(step, a) || (uint32_t)n > ORK_ITERATION_CODES - ork_learning.codes)
        return false;
    for (int i = 0; i < n; i++) {
        if (a->index[i] < 0 || a->index[i] >= a->length || a->index[i] > UINT8_MAX)
            return false;
        const uint8_t code = ork_iteration.code[step->codes + (uint32_t)a->index[i]];
        completes |= code < ORK_ITERATION_REQUESTS ? UINT64_C(1) << code : 0;
        completes_shared |= ork_code_is_shared(code);
        ork_iteration.code[ork_learning.codes + (uint32_t)i] = (uint8_t)a->index[i];
    }
    ork_learning.codes += (uint32_t)n;
    step->count2 = n;
    step->completes = completes;
    step->completes_shared = completes_shared;
    return true;
}

/* What the call completes. False: it cannot be a step. */
static bool learn_completion(struct ork_step *step, const struct ork_args *a, unsigned mode)
{
    step->is_completion = true;
    step->is_open = ork_windows_exist && ork_window_tables() != ork_iteration.tables.windows;
    return ork_is_for_some(mode) ? learn_completed(step, a, mode) : learn_requests(step, a);
}

/* The step of the call was entered, if it was learnt. */
static void end_completion(const struct ork_step *step, bool is_learnt)
{
    ork_learning.is_open = step->is_open;
    if (!is_learnt)
        return;
    ork_learning.started &= ~step->completes;
    ork_learning.wild &= ~step->completes;
    if (step->completes_shared)
        ork_learning.started_shared = false;
}

static bool is_of_wild(const struct ork_step *step)
{
    return (step->completes & ork_learning.wild) != 0;
}

/* It completes a receive with a wildcard: is it an MPI_Wait, and what has it received? */
static bool learn_source(struct ork_step *step, const struct ork_args *a, unsigned mode)
{
    if (mode != ORK_WAIT_ONE || a->status == MPI_STATUS_IGNORE)
        return false;
    step->is_wild = true;
    step->source = a->status->MPI_SOURCE;
    step->with = a->status->MPI_TAG;
    step->ignores = a->status == a->set->few_own;
    return true;
}

void ork_iteration_learn_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool is_bound)
{
    const uint32_t slots = 1 + ork_record_conts((uint32_t)a->length);
    struct ork_step s = {0};

    if (!ork_learn_is_possible())
        return;
    if (ork_learn_is_due(call)) {
        const bool is_learnt =
            learn_completion(&s, a, mode) && (!is_of_wild(&s) || learn_source(&s, a, mode));
        if (ork_is_for_some(mode) || s.is_wild)
            enter_choice(
                call, is_learnt ? &s : NULL, slots,
                1 + ork_record_conts(3 * (s.is_wild ? 1 : (uint32_t)ork_num_indices(a, mode))),
                is_bound);
        else
            ork_learn_enter(call, is_learnt ? &s : NULL, slots, is_bound);
        end_completion(&s, is_learnt);
    }
    ork_learn_go_on();
}

/* Words of the list of a TESTED record. */
static uint32_t words_of_test(const struct ork_args *a, unsigned mode)
{
    uint32_t words = 0;

    if (ork_is_for_some(mode))
        return 3 * (uint32_t)ork_num_indices(a, mode);
    for (int i = 0; i < a->length; i++)
        words += a->set->request[i].handle != MPI_REQUEST_NULL ? 3 : 0;
    return words;
}

/* RATIONALE: only those that the call has completed were looked up; they have lost their numbers.
 */
static void find_others(const struct ork_args *a, unsigned mode)
{
    for (int i = 0; i < a->length; i++) {
        bool is_complete = false;
        for (int k = 0; k < ork_num_indices(a, mode); k++)
            is_complete |= a->index[k] == i;
        if (!is_complete)
            a->set->request[i] = ork_request_find(a->set->request[i].handle);
    }
}

void ork_iteration_learn_test(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool is_bound)
{
    struct ork_step s = {0};

    if (!ork_learn_is_possible() || a->set->request == NULL)
        return;
    const uint32_t words = words_of_test(a, mode), slots = 1 + ork_record_conts(words);
    if (words == 0) /* there is no record */
        return;
    if (ork_learn_is_due(call)) {
        if (ork_is_for_some(mode))
            find_others(a, mode);
        const bool is_learnt =
            learn_completion(&s, a, mode) && !is_of_wild(&s) && ork_learn_name(&s, slots);
        ork_learn_enter(call, is_learnt ? &s : NULL, slots, is_bound);
        end_completion(&s, is_learnt);
    }
    ork_learn_go_on();
}

void ork_iteration_learn_probe(const struct ork_call *call, const struct ork_step *step,
                               bool is_bound)
{
    struct ork_step s = *step;

    if (!ork_learn_is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (ork_learn_is_due(call))
        ork_learn_enter(call, ork_learn_name(&s, 1) ? &s : NULL, 1, is_bound);
    ork_learn_go_on();
}

/* ---- collective calls ---- */

uint32_t ork_learn_slots(const struct ork_call *call, bool *has_exit)
{
    const uint32_t block = ork_recorder.block;
    uint32_t n = 1;

    *has_exit = ork_learn_record(ork_learn_back(1))->kind == ORK_KIND_EXIT;
    n += *has_exit;
    while (n < block && ork_learn_record(ork_learn_back(n))->kind == ORK_KIND_CONT)
        n++;
    const struct ork_record *r = ork_learn_record(ork_learn_back(n));
    return n <= block && r->kind != ORK_KIND_CONT && r->call == call->id && r->site == call->site
               ? n
               : 0;
}

/* Does the latest call have records before this one, which is so many slots back? RATIONALE: it has
 * some if its buffers are in the memory of a window. */
static bool has_touched(const struct ork_call *call, uint32_t slots)
{
    const uint32_t block = ork_recorder.block;
    uint32_t n = slots + 1;

    while (n < block && ork_learn_record(ork_learn_back(n))->kind == ORK_KIND_CONT)
        n++;
    if (n > block)
        return false;
    const struct ork_record *r = ork_learn_record(ork_learn_back(n));
    return r->kind == ORK_KIND_TOUCH && r->call == call->id && r->site == call->site;
}

/* Is a buffer of the call with this request in the memory of a window? */
static bool is_in_window(const MPI_Request *request)
{
    return request != NULL && ork_buffers_are_in_window(ork_request_find(*request).id);
}

void ork_iteration_learn_coll(const struct ork_call *call, const struct ork_step *step,
                              const MPI_Request *request, bool is_bound)
{
    struct ork_step s = step != NULL ? *step : (struct ork_step){0};
    bool has_exit = false;

    if (!ork_learn_is_possible())
        return;
    if (ork_learn_is_due(call)) {
        const uint32_t slots = ork_learn_slots(call, &has_exit);
        const bool has_request = ork_learn_request(&s, request);
        bool is_learnt = step != NULL && has_request && slots > 0 && !has_exit &&
                         ork_learn_record(ork_learn_back(slots))->kind == ORK_KIND_COLL &&
                         !has_touched(call, slots) && !is_in_window(request);
        ork_learn_enter(call, is_learnt ? &s : NULL, slots, is_bound);
        ork_learn_pending(&s);
    }
    ork_learn_go_on();
}
