/* SPDX-License-Identifier: BSD-3-Clause */
/* The templates of each kind of call, except for those on windows. */
#include "interceptor/fastpath/template_maker_internal.h"
#include "interceptor/hooks/op_wait.h"
#include "interceptor/objects/windows.h"
#include "interceptor/buffers/windows_buffers.h"
#include "record/ring_reader.h"

static uint8_t code_of(MPI_Request handle, uint32_t id)
{
    if (id < ORK_LOOP_BODY_REQUESTS)
        return (uint8_t)id;
    if (handle == MPI_REQUEST_NULL)
        return ORK_CODE_NULL;
    for (unsigned i = 0; i < ork_num_shared; i++)
        if (ork_shared[i] == handle)
            return (uint8_t)(ORK_CODE_SHARED + i);
    return ORK_CODE_NONE;
}

const struct ork_record *ork_maker_record(uint32_t position)
{
    const struct ork_recorder *r = &ork_recorder;

    return ork_ring_slot(r->ring, r->slot - r->block + position);
}

uint32_t ork_maker_back(uint32_t slots)
{
    return (ork_recorder.at + ork_recorder.block - slots) % ork_recorder.block;
}

bool ork_maker_name(struct ork_template *template, uint32_t slots)
{
    const uint64_t extra = ork_maker_record(ork_maker_back(slots % ork_recorder.block))->extra;

    template->extra = (uint32_t)extra;
    return extra == template->extra;
}

bool ork_maker_request(struct ork_template *template, const MPI_Request *request)
{
    template->request = ORK_CODE_NONE;
    if (request == NULL)
        return true;
    struct ork_request r = ork_request_find(*request);
    template->request = code_of(r.handle, r.id);
    uint32_t kind = r.flags & ((UINT32_C(1) << ORK_R_ORDINAL_SHIFT) - 1);
    bool is_plain = kind == 0 || kind == ORK_R_RECEIVE || kind == ORK_R_RMA;
    return template->request != ORK_CODE_NONE && is_plain;
}

void ork_maker_pending(const struct ork_template *template)
{
    if (template->request < ORK_LOOP_BODY_REQUESTS)
        ork_template_maker.started |= UINT64_C(1) << template->request;
    else if (ork_code_is_shared(template->request))
        ork_template_maker.started_shared = true;
}

void ork_template_make_p2p(const struct ork_call *call, const struct ork_template *template,
                           const MPI_Request *request, bool is_bound)
{
    struct ork_template s = *template;

    if (!ork_maker_is_possible())
        return;
    if (ork_maker_is_due(call)) {
        ork_maker_enter(call, ork_maker_request(&s, request) ? &s : NULL, 1, is_bound);
        ork_maker_pending(&s);
    }
    ork_maker_go_on();
}

void ork_maker_exit(uint32_t slots, uint32_t exit)
{
    struct ork_template *s = &ork_loop_body.templates[ork_maker_back(slots + exit)];

    if (ork_template_maker.phase != ORK_MAKER_MAKING)
        return;
    s->after = s->next;
    s->next = (uint16_t)ork_maker_back(exit);
    s->slots = (uint16_t)slots;
    s->exit = (uint16_t)exit;
}

/* Enter a call that has an EXIT record, which names its choice if it has made one. */
static void enter_with_exit(const struct ork_call *call, struct ork_template *template,
                            uint32_t slots, uint32_t exit, bool is_bound)
{
    const bool is_possible = template != NULL && slots + exit <= ork_recorder.block &&
                             ork_maker_record(ork_maker_back(exit))->kind == ORK_KIND_EXIT &&
                             ork_maker_record(ork_maker_back(slots + exit))->call == call->id &&
                             ork_maker_name(template, exit);

    ork_maker_enter(call, is_possible ? template : NULL, slots + exit, is_bound);
    if (is_possible)
        ork_maker_exit(slots, exit);
}

void ork_template_make_matched(const struct ork_call *call, const struct ork_template *template,
                               bool is_bound)
{
    struct ork_template s = *template;

    if (!ork_maker_is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (ork_maker_is_due(call))
        enter_with_exit(call, &s, 1, 1, is_bound);
    ork_maker_go_on();
}

/* Is there room for the codes of its requests? They follow. */
static bool begin_codes(struct ork_template *template, const struct ork_args *a)
{
    template->codes = ork_template_maker.codes;
    template->count = a->length;
    template->request = ORK_CODE_NONE;
    return a->set->request != NULL &&
           (uint32_t)a->length <= ORK_LOOP_BODY_CODES - ork_template_maker.codes;
}

/* A persistent request whose handle has not changed, of which nothing else is known. */
static bool is_plain_persistent(const struct ork_request *r, MPI_Request now)
{
    const uint32_t started = (uint32_t)(ORK_R_PERSISTENT | ORK_R_ACTIVE | ORK_R_STARTED);

    return r->id < ORK_LOOP_BODY_REQUESTS && now == r->handle &&
           (r->flags & ~(uint32_t)(ORK_R_COLLECTIVE | ORK_R_RECEIVE)) == started &&
           !ork_buffers_are_in_window(r->id);
}

/* The requests that it starts. False: they cannot be postponed. */
static bool make_started(struct ork_template *template, const struct ork_args *a)
{
    template->is_start = true;
    if (!begin_codes(template, a))
        return false;
    for (int i = 0; i < a->length; i++) {
        const struct ork_request *r = &a->set->request[i];
        if (!is_plain_persistent(r, a->request[i]))
            return false;
        template->starts |= UINT64_C(1) << r->id;
        ork_loop_body.code[ork_template_maker.codes + (uint32_t)i] = (uint8_t)r->id;
    }
    ork_template_maker.codes += (uint32_t)a->length;
    return true;
}

void ork_template_make_start(const struct ork_call *call, const struct ork_args *a, bool is_bound)
{
    struct ork_loop_body *it = &ork_loop_body;
    struct ork_template s = {0};

    if (!ork_maker_is_possible())
        return;
    if (ork_maker_is_due(call)) {
        bool is_made = make_started(&s, a);
        ork_maker_enter(call, is_made ? &s : NULL, 1 + ork_record_conts((uint32_t)a->length),
                        is_bound);
        for (int i = 0; is_made && i < a->length; i++)
            it->handle[a->set->request[i].id] = a->set->request[i].handle;
        ork_template_maker.started |= is_made ? s.starts : 0;
        it->persistent |= is_made ? s.starts : 0;
    }
    ork_maker_go_on();
}

/* An inactive persistent request is no request for a call that completes some. */
static bool is_inactive(const struct ork_request *r)
{
    return r->id < ORK_LOOP_BODY_REQUESTS &&
           (r->flags & ~(uint32_t)(ORK_R_COLLECTIVE | ORK_R_RECEIVE)) ==
               (uint32_t)(ORK_R_PERSISTENT | ORK_R_STARTED);
}

/* The code of a request of a call that completes some. False: it is not of this iteration. */
static bool make_one(struct ork_template *template, const struct ork_request *r, uint8_t *code)
{
    *code = code_of(r->handle, r->id);
    if (*code == ORK_CODE_NONE)
        return false;
    if (*code >= ORK_LOOP_BODY_REQUESTS) {
        template->completes_shared |= ork_code_is_shared(*code);
        return true;
    }
    if ((ork_template_maker.started >> *code & 1) != 0) {
        template->completes |= UINT64_C(1) << *code;
        return true;
    }
    if (!is_inactive(r))
        return false;
    ork_loop_body.persistent |= UINT64_C(1) << *code;
    ork_loop_body.handle[*code] = r->handle;
    return true;
}

/* The requests that it completes: all. False: some of them are not of this iteration. */
static bool make_requests(struct ork_template *template, const struct ork_args *a)
{
    uint8_t *code = ork_loop_body.code + ork_template_maker.codes;

    if (!begin_codes(template, a))
        return false;
    for (int i = 0; i < a->length; i++)
        if (!make_one(template, &a->set->request[i], &code[i]))
            return false;
    ork_template_maker.codes += (uint32_t)a->length;
    return true;
}

/* Those of a call for any or some: only what it has completed is not pending any more. The indices
 * follow the codes. */
static bool make_completed(struct ork_template *template, const struct ork_args *a, unsigned mode)
{
    const int n = ork_num_indices(a, mode);
    uint64_t completes = 0;
    bool completes_shared = false;

    if (!make_requests(template, a) || (uint32_t)n > ORK_LOOP_BODY_CODES - ork_template_maker.codes)
        return false;
    for (int i = 0; i < n; i++) {
        if (a->index[i] < 0 || a->index[i] >= a->length || a->index[i] > UINT8_MAX)
            return false;
        const uint8_t code = ork_loop_body.code[template->codes + (uint32_t)a->index[i]];
        completes |= code < ORK_LOOP_BODY_REQUESTS ? UINT64_C(1) << code : 0;
        completes_shared |= ork_code_is_shared(code);
        ork_loop_body.code[ork_template_maker.codes + (uint32_t)i] = (uint8_t)a->index[i];
    }
    ork_template_maker.codes += (uint32_t)n;
    template->count2 = n;
    template->completes = completes;
    template->completes_shared = completes_shared;
    return true;
}

/* What the call completes. False: it cannot have a template. */
static bool make_completion(struct ork_template *template, const struct ork_args *a, unsigned mode)
{
    template->is_completion = true;
    template->is_open = ork_windows_exist &&ork_window_tables() != ork_loop_body.tables.windows;
    return ork_is_for_some(mode) ? make_completed(template, a, mode) : make_requests(template, a);
}

/* The template of the call was entered, if it was made. */
static void end_completion(const struct ork_template *template, bool is_made)
{
    ork_template_maker.is_open = template->is_open;
    if (!is_made)
        return;
    ork_template_maker.started &= ~template->completes;
    if (template->completes_shared)
        ork_template_maker.started_shared = false;
}

void ork_template_make_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                            bool is_bound)
{
    const uint32_t slots = 1 + ork_record_conts((uint32_t)a->length);
    struct ork_template s = {0};

    if (!ork_maker_is_possible())
        return;
    if (ork_maker_is_due(call)) {
        const bool is_made = make_completion(&s, a, mode);
        if (ork_is_for_some(mode))
            enter_with_exit(call, is_made ? &s : NULL, slots,
                            1 + ork_record_conts(3 * (uint32_t)ork_num_indices(a, mode)), is_bound);
        else
            ork_maker_enter(call, is_made ? &s : NULL, slots, is_bound);
        end_completion(&s, is_made);
    }
    ork_maker_go_on();
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

void ork_template_make_test(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                            bool is_bound)
{
    struct ork_template s = {0};

    if (!ork_maker_is_possible() || a->set->request == NULL)
        return;
    const uint32_t words = words_of_test(a, mode), slots = 1 + ork_record_conts(words);
    if (words == 0) /* there is no record */
        return;
    if (ork_maker_is_due(call)) {
        if (ork_is_for_some(mode))
            find_others(a, mode);
        const bool is_made = make_completion(&s, a, mode) && ork_maker_name(&s, slots);
        ork_maker_enter(call, is_made ? &s : NULL, slots, is_bound);
        end_completion(&s, is_made);
    }
    ork_maker_go_on();
}

void ork_template_make_probe(const struct ork_call *call, const struct ork_template *template,
                             bool is_bound)
{
    struct ork_template s = *template;

    if (!ork_maker_is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (ork_maker_is_due(call))
        ork_maker_enter(call, ork_maker_name(&s, 1) ? &s : NULL, 1, is_bound);
    ork_maker_go_on();
}
