/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/learn.h"

#include "interceptor/accesses.h"
#include "interceptor/buffer_hash.h"
#include "interceptor/coll_steps.h"
#include "interceptor/failed_polls.h"
#include "interceptor/op_wait.h"
#include "interceptor/windows.h"
#include "interceptor/windows_buffers.h"
#include "record/ring_reader.h"

#include <string.h>

static struct {
    enum { RESTING, LOOKING, WAITING, LEARNING, TAKEN } phase;
    uint64_t repetition; /* ork_recorder.first of it */
    uint64_t until;      /* except LEARNING: until so many records are written */
    uint64_t begin;      /* LEARNING: since so many */
    uint32_t fewest;     /* pending requests, and the position behind the call with them */
    uint32_t start;
    uint32_t ties;
    /* Attempts that have failed. RATIONALE: after them, a later one of such positions is taken:
     * from an earlier one on, an epoch may be open at a call that is no step. */
    uint32_t failures;
    bool is_open;        /* see ork_iteration */
    uint64_t started;    /* requests of the iteration that are not complete; bit i: number i, */
    bool started_shared; /* and those of shared handles */
    uint32_t codes;      /* in use */
    uint32_t steps;
    uint64_t delay;   /* blocks until the next attempt, if this one fails */
    uint64_t reports; /* ork_usage_reports */
} learning;

enum { DELAY_MIN = 4, DELAY_MAX = 1 << 16 };

static void rest(void)
{
    ork_iteration_stop();
    learning.failures += learning.phase == LEARNING;
    learning.phase = RESTING;
    learning.until = ork_recorder.head + learning.delay * ork_recorder.block;
    learning.delay = learning.delay < DELAY_MAX ? learning.delay * 2 : DELAY_MAX;
}

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

static void look(void)
{
    learning.phase = LOOKING;
    learning.until = ork_recorder.head + ork_recorder.block;
    learning.fewest = UINT32_MAX;
    learning.ties = 0;
}

static void begin(void)
{
    struct ork_iteration *it = &ork_iteration;

    if (ork_buffers_shared_are_pending() || ork_origins_known != 0)
        return;
    learning.phase = LEARNING;
    learning.begin = ork_recorder.head;
    it->tables = ork_iteration_tables();
    learning.reports = ork_usage_reports;
    learning.started = 0;
    learning.started_shared = learning.is_open = false;
    learning.codes = learning.steps = it->calls = 0;
    ork_coll_arrays_forget();
    it->start = ork_recorder.at;
    it->first = ork_recorder.first;
    it->block = ork_recorder.block;
    it->version = atomic_load(&ork_handles_version);
    memset(it->steps, 0, ork_recorder.block * sizeof(*it->steps));
    memset(ork_window_steps, 0, ork_recorder.block * sizeof(*ork_window_steps));
    for (unsigned i = 0; i < ORK_CODES; i++)
        it->handle[i] = MPI_REQUEST_NULL;
    for (unsigned i = 0; i < ork_num_shared; i++)
        it->handle[ORK_CODE_SHARED + i] = ork_shared[i];
    atomic_fetch_or(&ork_errands, ORK_ERRAND_ITERATION);
}

static bool has_started(void)
{
    return learning.started != 0 || learning.started_shared || learning.is_open;
}

/* Have calls that were not learnt changed what calls on windows change? */
static bool has_changed_windows(void)
{
    return ork_iteration.calls != 1 && ork_iteration.windows != ork_iteration.tables.windows;
}

/* The iteration is complete. Does the next one begin as it began? */
static void complete(void)
{
    struct ork_iteration *it = &ork_iteration;

    if (has_started() || learning.steps == 0 || !ork_iteration_has(&it->tables) ||
        !ork_iteration_is_valid() || learning.reports != ork_usage_reports) {
        rest();
        return;
    }
    it->is_on = true;
    it->is_suspended = false;
    it->pending = 0;
    it->is_open = it->is_inside = false;
    it->interruptions = 0;
    it->interrupted_at = ork_recorder.head;
    learning.phase = TAKEN;
}

/* Does nothing but its arguments and the tables decide what a call does? RATIONALE: with
 * --must:rma off, accesses have no records, so they could come between any two steps. */
static bool is_possible(void)
{
    return !ork_iteration.is_on && !ork_recorder.is_locked &&
           !(ork_windows_exist && ork_accesses_are_off) && !ork_watch_is_on &&
           !ork_buffer_hashes_are_on && !ork_is_explored && atomic_load(&ork_types_pending) == 0 &&
           (atomic_load(&ork_errands) & ~(ORK_ERRAND_ITERATION | ORK_ERRAND_REPLAY)) == 0;
}

/* A call has returned: is its step to be learnt? */
static bool is_learning(const struct ork_call *call)
{
    if (learning.repetition != ork_recorder.first) {
        learning.repetition = ork_recorder.first;
        learning.delay = DELAY_MIN;
        learning.failures = 0;
        look();
    } else if (learning.phase == TAKEN) {
        rest(); /* it has been given up */
    } else if (learning.phase == RESTING && ork_recorder.head >= learning.until) {
        look();
    }
    return learning.phase == LEARNING && call->outer == ORK_STATE_RUNNING;
}

/* The part of learning that does not depend on the call, after its step was learnt, or not. */
static void go_on(void)
{
    const uint64_t head = ork_recorder.head;
    const uint32_t pending =
        ork_requests.used + (ork_buffers_shared_are_pending() ? 1 : 0) + ork_origins_known;

    if (learning.phase == LOOKING && pending < learning.fewest) {
        learning.fewest = pending;
        learning.start = ork_recorder.at;
        learning.ties = 0;
    } else if (learning.phase == LOOKING && pending == learning.fewest &&
               learning.ties < learning.failures) {
        learning.start = ork_recorder.at;
        learning.ties++;
    }
    if (learning.phase == LOOKING && head >= learning.until) {
        learning.phase = WAITING;
        learning.until = head + 2 * (uint64_t)ork_recorder.block;
    }
    if (learning.phase == WAITING && ork_recorder.at == learning.start)
        begin();
    else if (learning.phase == WAITING && head > learning.until)
        rest();
    else if (learning.phase == LEARNING && head - learning.begin > ork_recorder.block)
        rest();
    else if (learning.phase == LEARNING && head - learning.begin == ork_recorder.block)
        complete();
}

/* Enter the step of the call that has just returned; NULL: it is made in full. RATIONALE: such a
 * call must not find anything deferred; nor must calls that were not seen here. */
static void enter(const struct ork_call *call, const struct ork_step *step, uint32_t slots,
                  bool is_bound)
{
    const uint32_t block = ork_recorder.block;

    if (((step == NULL || ork_iteration.calls != 1) && has_started()) || has_changed_windows())
        rest();
    ork_iteration.calls = 0;
    if (step == NULL || learning.phase != LEARNING || slots > block)
        return;
    struct ork_step *s = &ork_iteration.steps[(ork_recorder.at + block - slots) % block];
    *s = *step;
    s->address = call->address;
    s->site = call->site;
    s->call = call->id;
    s->next = (uint16_t)ork_recorder.at;
    s->slots = (uint16_t)slots;
    s->is_bound = is_bound;
    learning.steps++;
}

/* How its record, in so many slots, names the choice that it made. */
static bool learn_name(struct ork_step *step, uint32_t slots)
{
    const struct ork_recorder *r = &ork_recorder;
    uint32_t position = (r->at + r->block - slots % r->block) % r->block;
    uint64_t extra = ork_ring_slot(r->ring, r->slot - r->block + position)->extra;

    step->extra = (uint32_t)extra;
    return extra == step->extra;
}

/* What the step starts. False: it cannot be deferred. */
static bool learn_request(struct ork_step *step, const MPI_Request *request)
{
    step->request = ORK_CODE_NONE;
    if (request == NULL)
        return true;
    struct ork_request r = ork_request_find(*request);
    step->request = code_of(r.handle, r.id);
    uint32_t kind = r.flags & ((UINT32_C(1) << ORK_R_ORDINAL_SHIFT) - 1);
    bool is_plain = kind == 0 || kind == (step->is_access ? ORK_R_RMA : ORK_R_RECEIVE);
    return step->request != ORK_CODE_NONE && is_plain;
}

static void note_started(uint8_t code)
{
    if (code < ORK_ITERATION_REQUESTS)
        learning.started |= UINT64_C(1) << code;
    else if (ork_code_is_shared(code))
        learning.started_shared = true;
}

void ork_iteration_learn_p2p(const struct ork_call *call, const struct ork_step *step,
                             const MPI_Request *request, bool is_bound)
{
    struct ork_step s = *step;

    if (!is_possible())
        return;
    if (is_learning(call)) {
        enter(call, learn_request(&s, request) ? &s : NULL, 1, is_bound);
        note_started(s.request);
    }
    go_on();
}

/* Its record and EXIT are the latest two. */
void ork_iteration_learn_choice(const struct ork_call *call, const struct ork_step *step,
                                bool is_bound)
{
    const struct ork_recorder *r = &ork_recorder;
    struct ork_step s = *step;

    if (!is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (is_learning(call) && r->block >= 2) {
        const uint32_t exit = (r->at + r->block - 1) % r->block;
        const uint32_t begin = (exit + r->block - 1) % r->block;
        const uint64_t first = r->slot - r->block;
        bool is_learnt = ork_ring_slot(r->ring, first + exit)->kind == ORK_KIND_EXIT &&
                         ork_ring_slot(r->ring, first + begin)->kind == ORK_KIND_RECV &&
                         learn_name(&s, 1);
        enter(call, is_learnt ? &s : NULL, 2, is_bound);
        if (is_learnt && learning.phase == LEARNING) {
            struct ork_step *learnt = &ork_iteration.steps[begin];
            learnt->codes = learnt->next;
            learnt->next = (uint16_t)exit;
            learnt->slots = 1;
        }
    }
    go_on();
}

/* The requests that it completes. False: some of them are not of this iteration. */
static bool learn_requests(struct ork_step *step, const struct ork_args *a)
{
    step->codes = learning.codes;
    step->count = a->length;
    step->request = ORK_CODE_NONE;
    if (a->set->request == NULL || (uint32_t)a->length > ORK_ITERATION_CODES - learning.codes)
        return false;
    for (int i = 0; i < a->length; i++) {
        const struct ork_request *r = &a->set->request[i];
        uint8_t code = code_of(r->handle, r->id);
        if (code == ORK_CODE_NONE ||
            (code < ORK_ITERATION_REQUESTS && (learning.started >> code & 1) == 0))
            return false;
        step->completes |= code < ORK_ITERATION_REQUESTS ? UINT64_C(1) << code : 0;
        step->completes_shared |= ork_code_is_shared(code);
        ork_iteration.code[learning.codes + (uint32_t)i] = code;
    }
    learning.codes += (uint32_t)a->length;
    return true;
}

/* The list of the record of a call that has completed all requests: of so many words. */
static void learn_completion(const struct ork_call *call, const struct ork_args *a, uint32_t words,
                             bool is_test, bool is_bound)
{
    struct ork_step s = {.is_completion = true};
    const uint32_t slots = 1 + ork_record_conts(words);

    if (is_learning(call)) {
        bool is_learnt = learn_requests(&s, a) && (!is_test || learn_name(&s, slots));
        s.is_open = ork_windows_exist && ork_window_tables() != ork_iteration.tables.windows;
        enter(call, is_learnt ? &s : NULL, slots, is_bound);
        learning.started &= ~s.completes;
        learning.is_open = s.is_open;
        if (is_learnt && s.completes_shared)
            learning.started_shared = false;
    }
    go_on();
}

void ork_iteration_learn_wait(const struct ork_call *call, const struct ork_args *a, bool is_bound)
{
    if (is_possible())
        learn_completion(call, a, (uint32_t)a->length, false, is_bound);
}

void ork_iteration_learn_test(const struct ork_call *call, const struct ork_args *a, bool is_bound)
{
    uint32_t words = 0;

    if (!is_possible() || a->set->request == NULL)
        return;
    for (int i = 0; i < a->length; i++)
        words += a->set->request[i].handle != MPI_REQUEST_NULL ? 3 : 0;
    if (words > 0) /* else there is no record */
        learn_completion(call, a, words, true, is_bound);
}

void ork_iteration_learn_probe(const struct ork_call *call, const struct ork_step *step,
                               bool is_bound)
{
    struct ork_step s = *step;

    if (!is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (is_learning(call))
        enter(call, learn_name(&s, 1) ? &s : NULL, 1, is_bound);
    go_on();
}

/* ---- calls on windows ---- */

static const struct ork_record *record_at(uint32_t position)
{
    const struct ork_recorder *r = &ork_recorder;

    return ork_ring_slot(r->ring, r->slot - r->block + position);
}

/* The position that is so many slots before the present one. */
static uint32_t back(uint32_t slots)
{
    return (ork_recorder.at + ork_recorder.block - slots) % ork_recorder.block;
}

/* The slots of the record of the call that has just returned, with its list, and of its EXIT
 * record; 0: unknown. */
static uint32_t slots_of(const struct ork_call *call, bool *has_exit)
{
    const uint32_t block = ork_recorder.block;
    uint32_t n = 1;

    *has_exit = record_at(back(1))->kind == ORK_KIND_EXIT;
    n += *has_exit;
    while (n < block && record_at(back(n))->kind == ORK_KIND_CONT)
        n++;
    const struct ork_record *r = record_at(back(n));
    return n <= block && r->kind != ORK_KIND_CONT && r->call == call->id && r->site == call->site
               ? n
               : 0;
}

/* RATIONALE: the EXIT record names a choice, which is made in full. */
static void enter_window(uint32_t position, const struct ork_window_step *step, bool has_exit)
{
    struct ork_step *entered = &ork_iteration.steps[position];

    if (has_exit) {
        entered->slots--;
        entered->next = (uint16_t)back(1);
    }
    entered->is_open = learning.is_open = ork_window_tables() != ork_iteration.tables.windows;
    ork_window_steps[position] = *step;
}

/* `request`: NULL: it has none. */
static void learn_window(const struct ork_call *call, const struct ork_window_step *step,
                         const MPI_Request *request, bool is_bound)
{
    struct ork_step s = {.is_access = request != NULL};
    bool has_exit = false;

    if (!is_possible())
        return;
    if (is_learning(call)) {
        const uint32_t slots = slots_of(call, &has_exit);
        bool is_learnt = learn_request(&s, request) && slots > 0;
        enter(call, is_learnt ? &s : NULL, slots, is_bound);
        if (learning.phase == LEARNING && is_learnt)
            enter_window(back(slots), step, has_exit);
        if (request != NULL)
            note_started(s.request);
    }
    go_on();
}

void ork_iteration_learn_window(const struct ork_call *call, const struct ork_window_step *step,
                                bool is_bound)
{
    learn_window(call, step, NULL, is_bound);
}

void ork_iteration_learn_access(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, bool has_request, bool is_bound)
{
    const struct ork_window_step step = {.mode = (uint16_t)mode, .kind = ORK_WINDOW_STEP_ACCESS};
    bool has_exit;

    if (ork_recorder.first == 0)
        return;
    const struct ork_repeated_access *r = &ork_repeated_access[back(slots_of(call, &has_exit))];
    if (r->first == ork_recorder.first && r->call == call->id && r->site == call->site &&
        r->version == atomic_load(&ork_handles_version) && ork_access_is(r, a))
        learn_window(call, &step, has_request ? a->request : NULL, is_bound);
}

/* ---- collective calls ---- */

/* Does the latest call have records before this one, which is so many slots back? RATIONALE: it has
 * some if its buffers are in the memory of a window. */
static bool has_touched(const struct ork_call *call, uint32_t slots)
{
    const uint32_t block = ork_recorder.block;
    uint32_t n = slots + 1;

    while (n < block && record_at(back(n))->kind == ORK_KIND_CONT)
        n++;
    if (n > block)
        return false;
    const struct ork_record *r = record_at(back(n));
    return r->kind == ORK_KIND_TOUCH && r->call == call->id && r->site == call->site;
}

void ork_iteration_learn_coll(const struct ork_call *call, const struct ork_step *step,
                              bool is_bound)
{
    struct ork_step s = step != NULL ? *step : (struct ork_step){0};
    bool has_exit = false;

    if (!is_possible())
        return;
    s.request = ORK_CODE_NONE;
    if (is_learning(call)) {
        const uint32_t slots = slots_of(call, &has_exit);
        bool is_learnt = step != NULL && slots > 0 && !has_exit &&
                         record_at(back(slots))->kind == ORK_KIND_COLL && !has_touched(call, slots);
        enter(call, is_learnt ? &s : NULL, slots, is_bound);
    }
    go_on();
}
