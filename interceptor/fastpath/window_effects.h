/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call on a window changes of the tables of this rank: the epochs of the window, and the
 * buffers of one-sided calls. If the call has a template (window_templates.h), that is postponed.
 */
#ifndef ORK_WINDOW_EFFECTS_H
#define ORK_WINDOW_EFFECTS_H

#include "interceptor/call/call.h"
#include "interceptor/outcomes/locks.h"

enum ork_window_template_kind {
    ORK_WINDOW_STEP_NONE,
    ORK_WINDOW_STEP_ACCESS, /* its arguments are in ork_repeated_access[] */
    ORK_WINDOW_STEP_FLUSH,
    ORK_WINDOW_STEP_FENCE,
    ORK_WINDOW_STEP_EPOCH,
};

/* A template at the position of its record in the block. */
struct ork_window_template {
    struct ork_lock_call lock; /* the window; of a flush or an epoch: rank and all that it has */
    MPI_Group group;
    uint16_t mode; /* of the operation */
    uint8_t kind;
    bool is_choice;        /* of a lock: it is a choice point, and these are known: */
    uint32_t since;        /* what its EXIT record says, see ork_locks_take(), */
    struct ork_lock found; /* and what ork_locks_find() has found. RATIONALE: when a window is
                            * freed, ork_handles_version changes, and the template is over. */
};
extern struct ork_window_template ork_window_templates[ORK_REPEAT_BLOCK_MAX];

/* A hash of these tables. */
uint64_t ork_window_tables(void) __attribute__((cold, noinline));
/* The arguments of the access at this position. */
struct ork_args ork_window_template_access(uint32_t position) __attribute__((cold, noinline));
/* Flush what the template at this position, which is this call, would have changed. `request`:
 * the number of the request that it has started, if it has one. */
void ork_window_template_restore(const struct ork_call *call, uint32_t position, bool has_request,
                                 uint32_t request) __attribute__((cold, noinline));

#endif
