/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/thread_levels.h"

#include "interceptor/concurrency.h"
#include "interceptor/early.h"
#include "interceptor/latest.h"

#include <mpi.h>

static int provided = MPI_THREAD_MULTIPLE;

/* The latest call that began and has not returned, of any thread: site, call and 1 + ordinal of the
 * thread, packed. 0: none. */
static _Atomic uint64_t inside;
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

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

static uint64_t packed(const struct ork_call *call)
{
    return (uint64_t)call->site << 32 | (uint64_t)call->id << 16 |
           (uint16_t)(ork_thread.ordinal + 1);
}

static void report(const struct ork_call *call, enum ork_usage_id id, const struct ork_call *other)
{
    ork_usage_report(
        call, &(struct ork_usage){.id = id, .other_site = other->site, .other_call = other->id});
}

/* A call that began before the second thread came is not in `inside`. */
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
    uint64_t mine = packed(call);
    uint64_t theirs = atomic_exchange(&inside, mine);
    struct ork_call other = {.site = (uint32_t)(theirs >> 32), .id = (uint16_t)(theirs >> 16)};
    bool overlaps = theirs != 0 && (uint16_t)theirs != (uint16_t)mine;

    if (overlaps || blocked_call(&other))
        report(call, ORK_USAGE_LEVEL_SERIALIZED, &other);
    if (!is_inside) {
        is_inside = true;
        ork_thread.open_usages++;
    }
}

/* RATIONALE: MPI_Abort is for emergencies, in any thread. */
void ork_level_begin(const struct ork_call *call)
{
    static const struct ork_call none;

    if (provided == MPI_THREAD_SERIALIZED)
        check_serialized(call);
    else if (ork_thread.ordinal != 0 && call->id != ORK_CALL_MPI_Abort)
        report(call,
               provided == MPI_THREAD_SINGLE ? ORK_USAGE_LEVEL_SINGLE : ORK_USAGE_LEVEL_FUNNELED,
               &none);
}

void ork_level_end(void)
{
    uint64_t mine = atomic_load(&inside);

    if (is_inside && (uint16_t)mine == (uint16_t)(ork_thread.ordinal + 1))
        atomic_compare_exchange_strong(&inside, &mine, 0);
    is_inside = false;
}

void ork_level_check_finalize(const struct ork_call *call)
{
    if (ork_thread.ordinal != 0 && provided >= MPI_THREAD_SERIALIZED)
        ork_usage_report_locked(call, &(struct ork_usage){.id = ORK_USAGE_LEVEL_FINALIZE});
}
