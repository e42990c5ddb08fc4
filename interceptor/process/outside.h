/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls before MPI_Init and after MPI_Finalize, and initialization that is repeated: MPI-3.1
 * section 8.7. Most libraries end the process in such a call, so it is reported before it is made,
 * and the first one finds the leaf if MPI_Init has not done so. */
#ifndef ORK_OUTSIDE_H
#define ORK_OUTSIDE_H

#include "interceptor/objects/handles.h"
#include "interceptor/site/site.h"

/* When a function may be called. */
enum ork_when {
    ORK_WHEN_INITIALIZED,
    ORK_WHEN_EVER, /* since MPI-4.0; before, as the others */
    ORK_WHEN_ONCE, /* it initializes MPI */
};

/* Reports the call if it is wrong. True: it was, and ork_outside_returned() follows. */
bool ork_outside_begin(struct ork_call *call, enum ork_call_id id, enum ork_when when,
                       void *address) __attribute__((cold, noinline));
void ork_outside_returned(const struct ork_call *call, int result) __attribute__((cold, noinline));

/* The call, which is one of these, is about to free a handle. */
void ork_outside_frees(enum ork_handle_kind kind, uint64_t value) __attribute__((cold, noinline));

/* The same for a call that is not recorded; cheap if calls are recorded. */
static inline bool ork_is_outside(struct ork_call *call, enum ork_call_id id, enum ork_when when,
                                  void *address)
{
    if (when != ORK_WHEN_ONCE &&
        ORK_LIKELY(atomic_load_explicit(&ork_recording, memory_order_relaxed)))
        return false;
    return ork_outside_begin(call, id, when, address);
}

/* The library is about to end the process. Reports the call if it is wrong and was not reported:
 * the language layers of a library use functions that are not recorded. */
void ork_outside_ends_process(void);

/* MPI_Init or MPI_Init_thread begins, and ends; MPI_Finalize ends. Only those that are recorded. */
void ork_outside_starts(void);
void ork_outside_started(const struct ork_call *call);
void ork_outside_ended(const struct ork_call *call);

#endif
