/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/template_maker_internal.h"

#include "interceptor/call/accesses.h"
#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/outcomes/atomics.h"
#include "interceptor/objects/windows.h"
#include "interceptor/buffers/windows_buffers.h"

#include <string.h>

struct ork_template_maker ork_template_maker;

enum { DELAY_MIN = 4, DELAY_MAX = 1 << 16 };

static void rest(void)
{
    ork_loop_body_stop();
    ork_template_maker.failures += ork_template_maker.phase == ORK_MAKER_MAKING;
    ork_template_maker.phase = ORK_MAKER_RESTING;
    ork_template_maker.until = ork_recorder.head + ork_template_maker.delay * ork_recorder.block;
    ork_template_maker.delay =
        ork_template_maker.delay < DELAY_MAX ? ork_template_maker.delay * 2 : DELAY_MAX;
}

static void look(void)
{
    ork_template_maker.phase = ORK_MAKER_LOOKING;
    ork_template_maker.until = ork_recorder.head + ork_recorder.block;
    ork_template_maker.fewest = UINT32_MAX;
    ork_template_maker.ties = 0;
}

static void begin(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (ork_buffers_shared_are_pending() || ork_origins_known != 0)
        return;
    ork_template_maker.phase = ORK_MAKER_MAKING;
    ork_template_maker.begin = ork_recorder.head;
    it->tables = ork_loop_body_tables();
    ork_template_maker.reports = ork_usage_reports;
    ork_template_maker.started = 0;
    ork_template_maker.started_shared = ork_template_maker.is_open = false;
    ork_template_maker.codes = ork_template_maker.templates = it->calls = 0;
    it->persistent = 0;
    it->start = ork_recorder.at;
    it->first = ork_recorder.first;
    it->block = ork_recorder.block;
    it->version = atomic_load(&ork_handles_version);
    memset(it->templates, 0, ork_recorder.block * sizeof(*it->templates));
    memset(ork_window_templates, 0, ork_recorder.block * sizeof(*ork_window_templates));
    for (unsigned i = 0; i < ORK_CODES; i++)
        it->handle[i] = MPI_REQUEST_NULL;
    for (unsigned i = 0; i < ork_num_shared; i++)
        it->handle[ORK_CODE_SHARED + i] = ork_shared[i];
    atomic_fetch_or(&ork_errands, ORK_ERRAND_ITERATION);
}

static bool has_started(void)
{
    return ork_template_maker.started != 0 || ork_template_maker.started_shared ||
           ork_template_maker.is_open;
}

/* Have calls that have no template changed what calls on windows change, or can what is pending not
 * be compared? */
static bool have_others_changed(void)
{
    const struct ork_loop_body *it = &ork_loop_body;

    return it->calls != 1 && (it->windows != it->tables.windows || it->buffers == 0);
}

/* The iteration is complete. Does the next one begin as it began? */
static void complete(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (has_started() || ork_template_maker.templates == 0 || !ork_loop_body_has(&it->tables) ||
        !ork_loop_body_is_valid() || ork_template_maker.reports != ork_usage_reports) {
        rest();
        return;
    }
    it->is_on = true;
    it->is_suspended = it->is_unsure = false;
    it->pending = 0;
    it->is_open = it->is_inside = false;
    it->interruptions = 0;
    it->interrupted_at = ork_recorder.head;
    ork_template_maker.phase = ORK_MAKER_TAKEN;
}

/* RATIONALE: with --must:rma off, accesses have no records, so they could come between any two
 * templates. */
bool ork_maker_is_possible(void)
{
    return !ork_loop_body.is_on && !ork_recorder.is_locked &&
           !(ork_windows_exist && ork_accesses_are_off) && !ork_atomics_were_made &&
           !ork_watch_is_on && !ork_buffer_hashes_are_on && !ork_is_explored &&
           atomic_load(&ork_types_pending) == 0 &&
           (atomic_load(&ork_errands) & ~(ORK_ERRAND_ITERATION | ORK_ERRAND_REPLAY)) == 0;
}

bool ork_maker_is_due(const struct ork_call *call)
{
    if (ork_template_maker.repetition != ork_recorder.first) {
        ork_template_maker.repetition = ork_recorder.first;
        ork_template_maker.delay = DELAY_MIN;
        ork_template_maker.failures = 0;
        look();
    } else if (ork_template_maker.phase == ORK_MAKER_TAKEN) {
        rest(); /* it has been given up */
    } else if (ork_template_maker.phase == ORK_MAKER_RESTING &&
               ork_recorder.head >= ork_template_maker.until) {
        look();
    }
    return ork_template_maker.phase == ORK_MAKER_MAKING && call->outer == ORK_STATE_RUNNING;
}

void ork_maker_go_on(void)
{
    const uint64_t head = ork_recorder.head;
    const uint32_t pending = ork_requests.used + ork_requests_active +
                             (ork_buffers_shared_are_pending() ? 1 : 0) + ork_origins_known;

    if (ork_template_maker.phase == ORK_MAKER_LOOKING && pending < ork_template_maker.fewest) {
        ork_template_maker.fewest = pending;
        ork_template_maker.start = ork_recorder.at;
        ork_template_maker.ties = 0;
    } else if (ork_template_maker.phase == ORK_MAKER_LOOKING &&
               pending == ork_template_maker.fewest &&
               ork_template_maker.ties < ork_template_maker.failures) {
        ork_template_maker.start = ork_recorder.at;
        ork_template_maker.ties++;
    }
    if (ork_template_maker.phase == ORK_MAKER_LOOKING && head >= ork_template_maker.until) {
        ork_template_maker.phase = ORK_MAKER_WAITING;
        ork_template_maker.until = head + 2 * (uint64_t)ork_recorder.block;
    }
    if (ork_template_maker.phase == ORK_MAKER_WAITING &&
        ork_recorder.at == ork_template_maker.start)
        begin();
    else if (ork_template_maker.phase == ORK_MAKER_WAITING && head > ork_template_maker.until)
        rest();
    else if (ork_template_maker.phase == ORK_MAKER_MAKING &&
             head - ork_template_maker.begin > ork_recorder.block)
        rest();
    else if (ork_template_maker.phase == ORK_MAKER_MAKING &&
             head - ork_template_maker.begin == ork_recorder.block)
        complete();
}

/* RATIONALE: a call that is made in full must not find anything postponed; nor must calls that were
 * not seen here. */
void ork_maker_enter(const struct ork_call *call, const struct ork_template *template,
                     uint32_t slots, bool is_bound)
{
    const uint32_t block = ork_recorder.block;

    if (((template == NULL || ork_loop_body.calls != 1) && has_started()) || have_others_changed())
        rest();
    ork_loop_body.calls = 0;
    if (template == NULL || ork_template_maker.phase != ORK_MAKER_MAKING || slots > block)
        return;
    struct ork_template *s = &ork_loop_body.templates[(ork_recorder.at + block - slots) % block];
    *s = *template;
    s->buffers = ork_loop_body.buffers;
    s->address = call->address;
    s->site = call->site;
    s->call = call->id;
    s->next = (uint16_t)ork_recorder.at;
    s->slots = (uint16_t)slots;
    s->is_bound = is_bound;
    ork_template_maker.templates++;
}
