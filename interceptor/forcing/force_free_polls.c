/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests and probes in the runs of an exploration whose outcome is free: each waits until it is
 * successful, or until no rank can go on; then it is unsuccessful
 * (docs/explanation/exploration.md). So a row of polls has one outcome, which does not depend on
 * time. */
#include "common/vec.h"
#include "interceptor/ring/clock.h"
#include "interceptor/forcing/ordered.h"

/* A poll that waited in vain so often at its call site does not wait there until it was successful.
 * RATIONALE: a loop may poll for what comes once, or never. */
enum { IN_VAIN_MAX = 3 };
/* No poll waits for longer. RATIONALE: another rank may wait outside MPI for what this one does
 * after its poll: then it can go on, as far as the tool knows. */
#define LATE_NS UINT64_C(5000000000)

struct free_site {
    uint32_t site;
    uint16_t call, in_vain;
};
static struct free_site *sites;
static uint32_t num_sites, room;
static bool was_late; /* no poll waits any more */

/* NULL: out of memory. */
static struct free_site *site_of(enum ork_call_id id)
{
    int saved = errno;

    for (uint32_t i = 0; i < num_sites; i++) {
        if (sites[i].site == ork_thread.site && sites[i].call == id)
            return &sites[i];
    }
    bool done = ork_vec_reserve(&sites, &room, num_sites + 1, sizeof(*sites));
    errno = saved;
    if (!done)
        return NULL;
    sites[num_sites] = (struct free_site){.site = ork_thread.site, .call = (uint16_t)id};
    return &sites[num_sites++];
}

/* RATIONALE: several threads of a rank are not followed, and one of them may be what another one
 * waits for. */
static bool may_wait(void)
{
    return ork_is_explored && !was_late && ork_thread.ordinal == 0 &&
           atomic_load_explicit(&ork_recorder.ring->threads, memory_order_relaxed) <= 1;
}

enum ork_outcome ork_free_poll(enum ork_call_id id)
{
    const struct free_site *s = may_wait() ? site_of(id) : NULL;

    return s != NULL && s->in_vain < IN_VAIN_MAX ? ORK_OUTCOME_WAITS : ORK_OUTCOME_FREE;
}

void ork_free_poll_note(enum ork_call_id id, bool is_successful)
{
    struct free_site *s = site_of(id);

    if (s != NULL)
        s->in_vain = is_successful ? 0 : (uint16_t)(s->in_vain + 1);
}

bool ork_free_poll_is_late(uint64_t *until_ns)
{
    uint64_t now = ork_clock_ns();

    if (*until_ns == 0)
        *until_ns = now + LATE_NS;
    was_late |= now > *until_ns;
    return was_late;
}
