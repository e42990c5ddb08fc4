/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/learn_internal.h"

#include "interceptor/call/accesses.h"
#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/fastpath/coll_effects.h"
#include "interceptor/outcomes/atomics.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/objects/windows.h"
#include "interceptor/buffers/windows_buffers.h"

#include <string.h>

struct ork_learning ork_learning;

enum { DELAY_MIN = 4, DELAY_MAX = 1 << 16 };

static void rest(void)
{
    ork_iteration_stop();
    ork_learning.failures += ork_learning.phase == ORK_LEARN_LEARNING;
    ork_learning.phase = ORK_LEARN_RESTING;
    ork_learning.until = ork_recorder.head + ork_learning.delay * ork_recorder.block;
    ork_learning.delay = ork_learning.delay < DELAY_MAX ? ork_learning.delay * 2 : DELAY_MAX;
}

static void look(void)
{
    ork_learning.phase = ORK_LEARN_LOOKING;
    ork_learning.until = ork_recorder.head + ork_recorder.block;
    ork_learning.fewest = UINT32_MAX;
    ork_learning.ties = 0;
}

static void begin(void)
{
    struct ork_iteration *it = &ork_iteration;

    if (ork_buffers_shared_are_pending() || ork_origins_known != 0)
        return;
    ork_learning.phase = ORK_LEARN_LEARNING;
    ork_learning.begin = ork_recorder.head;
    it->tables = ork_iteration_tables();
    ork_learning.reports = ork_usage_reports;
    ork_learning.started = ork_learning.wild = 0;
    ork_learning.started_shared = ork_learning.is_open = false;
    ork_learning.codes = ork_learning.steps = it->calls = 0;
    it->persistent = 0;
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
    return ork_learning.started != 0 || ork_learning.started_shared || ork_learning.is_open;
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

    if (has_started() || ork_learning.steps == 0 || !ork_iteration_has(&it->tables) ||
        !ork_iteration_is_valid() || ork_learning.reports != ork_usage_reports) {
        rest();
        return;
    }
    it->is_on = true;
    it->is_suspended = false;
    it->pending = 0;
    it->is_open = it->is_inside = false;
    it->interruptions = 0;
    it->interrupted_at = ork_recorder.head;
    ork_learning.phase = ORK_LEARN_TAKEN;
}

/* RATIONALE: with --must:rma off, accesses have no records, so they could come between any two
 * steps. */
static bool is_possible(uint32_t wildcards)
{
    return !ork_iteration.is_on && !ork_recorder.is_locked &&
           !(ork_windows_exist && ork_accesses_are_off) && !ork_atomics_were_made &&
           !ork_watch_is_on && !ork_buffer_hashes_are_on && !ork_is_explored &&
           atomic_load(&ork_types_pending) == 0 &&
           (atomic_load(&ork_errands) & ~(ORK_ERRAND_ITERATION | ORK_ERRAND_REPLAY)) == wildcards;
}

bool ork_learn_is_possible(void)
{
    return is_possible(0);
}

/* RATIONALE: in a replay, its arguments have to be kept. */
bool ork_learn_is_possible_wild(void)
{
    return is_possible(1) && !ork_replay_is_on();
}

bool ork_learn_is_due(const struct ork_call *call)
{
    if (ork_learning.repetition != ork_recorder.first) {
        ork_learning.repetition = ork_recorder.first;
        ork_learning.delay = DELAY_MIN;
        ork_learning.failures = 0;
        look();
    } else if (ork_learning.phase == ORK_LEARN_TAKEN) {
        rest(); /* it has been given up */
    } else if (ork_learning.phase == ORK_LEARN_RESTING && ork_recorder.head >= ork_learning.until) {
        look();
    }
    return ork_learning.phase == ORK_LEARN_LEARNING && call->outer == ORK_STATE_RUNNING;
}

void ork_learn_go_on(void)
{
    const uint64_t head = ork_recorder.head;
    const uint32_t pending = ork_requests.used + ork_requests_active +
                             (ork_buffers_shared_are_pending() ? 1 : 0) + ork_origins_known;

    if (ork_learning.phase == ORK_LEARN_LOOKING && pending < ork_learning.fewest) {
        ork_learning.fewest = pending;
        ork_learning.start = ork_recorder.at;
        ork_learning.ties = 0;
    } else if (ork_learning.phase == ORK_LEARN_LOOKING && pending == ork_learning.fewest &&
               ork_learning.ties < ork_learning.failures) {
        ork_learning.start = ork_recorder.at;
        ork_learning.ties++;
    }
    if (ork_learning.phase == ORK_LEARN_LOOKING && head >= ork_learning.until) {
        ork_learning.phase = ORK_LEARN_WAITING;
        ork_learning.until = head + 2 * (uint64_t)ork_recorder.block;
    }
    if (ork_learning.phase == ORK_LEARN_WAITING && ork_recorder.at == ork_learning.start)
        begin();
    else if (ork_learning.phase == ORK_LEARN_WAITING && head > ork_learning.until)
        rest();
    else if (ork_learning.phase == ORK_LEARN_LEARNING &&
             head - ork_learning.begin > ork_recorder.block)
        rest();
    else if (ork_learning.phase == ORK_LEARN_LEARNING &&
             head - ork_learning.begin == ork_recorder.block)
        complete();
}

/* RATIONALE: a call that is made in full must not find anything deferred; nor must calls that were
 * not seen here. */
void ork_learn_enter(const struct ork_call *call, const struct ork_step *step, uint32_t slots,
                     bool is_bound)
{
    const uint32_t block = ork_recorder.block;

    if (((step == NULL || ork_iteration.calls != 1) && has_started()) || has_changed_windows())
        rest();
    ork_iteration.calls = 0;
    if (step == NULL || ork_learning.phase != ORK_LEARN_LEARNING || slots > block)
        return;
    struct ork_step *s = &ork_iteration.steps[(ork_recorder.at + block - slots) % block];
    *s = *step;
    s->address = call->address;
    s->site = call->site;
    s->call = call->id;
    s->next = (uint16_t)ork_recorder.at;
    s->slots = (uint16_t)slots;
    s->is_bound = is_bound;
    ork_learning.steps++;
}
