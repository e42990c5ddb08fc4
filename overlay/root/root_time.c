/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of the root, and when something came. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"

#define STOPPED_NS (1000 * MS)

void ork_root_mark_step(struct ork_root *root)
{
    root->time.step_ns = root->time.clock->processor_ns(root->time.clock->context);
}

/* RATIONALE: called many times a second. If there was a long gap, and this process did not compute
 * either, it was stopped, perhaps with all others (a batch system suspends the job, a machine is
 * migrated). That time does not count, or the ranks would seem to have hung. */
uint64_t ork_root_now(struct ork_root *root)
{
    struct root_time *t = &root->time;
    uint64_t now = t->clock->monotonic_ns(t->clock->context);

    if (t->last_ns != 0 && now - t->last_ns > STOPPED_NS &&
        t->clock->processor_ns(t->clock->context) - t->step_ns < (now - t->last_ns) / 2)
        t->stopped_ns += now - t->last_ns;
    t->last_ns = now;
    return now - t->stopped_ns;
}

uint64_t ork_root_taken_at(struct ork_root *root)
{
    if (root->input.taken_ns == 0)
        root->input.taken_ns = ork_root_now(root);
    return root->input.taken_ns;
}

uint64_t ork_root_last_ns(const struct ork_root *root, uint32_t rank)
{
    ORK_ASSERT(rank < root->nprocs);
    return root->input.last_ns[rank] > root->input.wave_ns ? root->input.last_ns[rank]
                                                           : root->input.wave_ns;
}

uint64_t ork_root_processor(const struct ork_root *root)
{
    return root->time.clock->processor_ns(root->time.clock->context);
}
