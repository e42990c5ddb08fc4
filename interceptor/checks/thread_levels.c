/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/thread_levels.h"

#include "interceptor/checks/concurrency.h"
#include "interceptor/ring/errands.h"
#include "interceptor/usage/inside.h"
#include "interceptor/ring/latest.h"

#include <mpi.h>

static int provided = MPI_THREAD_MULTIPLE;

/* Where the program has started threads that it must not have. */
enum { STARTS_MAX = 16 };
static uint32_t start[STARTS_MAX]; /* sites, each as often as a thread was started */
static uint32_t num_starts;
static _Atomic bool is_told; /* a thread has called MPI */

void ork_level_init(int level)
{
    provided = level;
}

void ork_level_new_thread(void)
{
    ork_recorder.is_locked = true;
    if (provided != MPI_THREAD_MULTIPLE) {
        ork_errand_add(ORK_ERRAND_LEVEL);
        return;
    }
    ork_lock();
    ork_concurrency_start();
    ork_unlock();
}

static void report(const struct ork_call *call, enum ork_usage_id id, const struct ork_call *other)
{
    ork_usage_report(
        call, &(struct ork_usage){.id = id, .other_site = other->site, .other_call = other->id});
}

/* RATIONALE: a call that began before the second thread came was not entered. */
static bool blocked_call(struct ork_call *out)
{
    uint32_t thread = 0;

    ork_lock();
    const struct ork_record *r = ork_latest_blocked(&thread);
    if (r != NULL)
        *out = (struct ork_call){.site = r->site, .id = r->call};
    ork_unlock();
    return r != NULL;
}

/* MPI_THREAD_SERIALIZED: one call at a time. */
static void check_serialized(const struct ork_call *call)
{
    struct ork_call other;

    if (ork_inside_enter(call, &other) || blocked_call(&other))
        report(call, ORK_USAGE_LEVEL_SERIALIZED, &other);
}

/* RATIONALE: MPI_Abort is for emergencies, in any thread. */
void ork_level_begin(const struct ork_call *call)
{
    static const struct ork_call none;

    if (provided == MPI_THREAD_SERIALIZED)
        check_serialized(call);
    else if (ork_thread.ordinal != 0 && call->id != ORK_CALL_MPI_Abort) {
        atomic_store(&is_told, true);
        report(call,
               provided == MPI_THREAD_SINGLE ? ORK_USAGE_LEVEL_SINGLE : ORK_USAGE_LEVEL_FUNNELED,
               &none);
    }
}

bool ork_level_is_single(void)
{
    return provided == MPI_THREAD_SINGLE && ork_thread.line != NULL && ork_thread.in_library == 0 &&
           atomic_load_explicit(&ork_recording, memory_order_relaxed);
}

/* RATIONALE: only the thread of MPI_Init comes here. */
void ork_level_note_thread(uintptr_t caller)
{
    if (ork_thread.ordinal == 0 && num_starts < STARTS_MAX)
        start[num_starts++] = ork_site_of(caller)->id;
}

void ork_level_check_finalize(const struct ork_call *call)
{
    if (ork_thread.ordinal != 0 && provided >= MPI_THREAD_SERIALIZED)
        ork_usage_report_locked(call, &(struct ork_usage){.id = ORK_USAGE_LEVEL_FINALIZE});
    for (uint32_t i = 0; i < num_starts && !atomic_load(&is_told); i++)
        ork_usage_report_returned(
            &(struct ork_call){.id = ORK_CALL_NONE, .site = start[i]},
            &(struct ork_usage){.id = ORK_USAGE_LEVEL_HAS_THREADS, .argument = "pthread_create"});
}
