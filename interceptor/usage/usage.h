/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong uses of MPI that this rank finds in its own calls (record/usage.def). Each is written when
 * it is found, before the call, so that it is known even if the run ends in the call; then how the
 * call returned. Repetitions at one place are only counted. */
#ifndef ORK_INTERCEPTOR_USAGE_H
#define ORK_INTERCEPTOR_USAGE_H

#include "interceptor/site/site.h"
#include "record/usage.h"

/* The unused ones are 0. */
struct ork_usage {
    enum ork_usage_id id;
    const char *argument; /* static storage; NULL: none */
    int64_t value, value2;
    const char *text;    /* copied; NULL: none */
    uint32_t other_site; /* of another call, for example the one that freed the handle, */
    uint16_t other_call; /* enum ork_call_id */
};

/* --must:checks, by enum ork_usage_id. */
extern bool ork_usage_is_on[ORK_USAGE_MAX];

/* How often one of these functions was called. */
extern uint64_t ork_usage_reports;

/* Read --must:checks, before the first report. A second call does nothing. */
void ork_usage_init(void);

/* The call is wrong. Call without the recorder's lock, before the real call. Does nothing if the
 * check is off. */
void ork_usage_report(const struct ork_call *call, const struct ork_usage *usage)
    __attribute__((cold, noinline));
/* The same with the lock held. */
void ork_usage_report_before_locked(const struct ork_call *call, const struct ork_usage *usage)
    __attribute__((cold, noinline));
/* The same, but the real call may have been made already. */
void ork_usage_report_locked(const struct ork_call *call, const struct ork_usage *usage)
    __attribute__((cold, noinline));

/* The same for a call that has returned without an error. The lock is held. */
void ork_usage_report_returned(const struct ork_call *call, const struct ork_usage *usage)
    __attribute__((cold, noinline));

/* One of the things that ork_usage_report_returned() has counted in the value of this is not there
 * any more. The lock is held. */
void ork_usage_take_back(const struct ork_call *call, const struct ork_usage *usage)
    __attribute__((cold, noinline));

/* The call has returned `result`; NULL: a call of which nothing can have been found. RATIONALE: a
 * callback of the application makes calls inside of another one. */
void ork_usage_returned(const struct ork_call *call, int result) __attribute__((cold, noinline));

static inline __attribute__((always_inline)) void ork_usage_settle(const struct ork_call *call,
                                                                   int result)
{
    if (ORK_UNLIKELY(ork_thread.open_usages != 0))
        ork_usage_returned(call, result);
}

/* Write how often each was found. The lock is held. */
void ork_usage_finish(void);

#endif
