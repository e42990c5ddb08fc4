/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/polls.h"

#include "common/vec.h"
#include "interceptor/ring/clock.h"

#include <errno.h>

/* A poll of an exploration that waited in vain so often at its call site does not wait there until
 * it was successful. RATIONALE: a loop may poll for what comes once, or never. */
enum { IN_VAIN_MAX = 3 };
/* No poll waits for longer. RATIONALE: another rank may wait outside MPI for what this one does
 * after its poll: then it can go on, as far as the tool knows. */
#define LATE_NS UINT64_C(5000000000)

/* In a deterministic run each 8th unsuccessful poll of a call site asks. If it has waited in vain,
 * the 16th, 32nd, .. does. */
enum { POLLS = 8, POLLS_MAX = 64 };
/* Of those that fail without a look, this many keep the library going once. */
enum { PROGRESS = 4 };

/* Polls of a call site. RATIONALE: each site counts by itself. With one count for all, a loop of
 * several polls could wait in the same one of them again and again, and never look at the others.
 */
struct polled_site {
    uint32_t site;
    uint16_t call;
    uint16_t in_vain;      /* of an exploration: waits in a row that were unsuccessful */
    uint16_t polls, limit; /* of a deterministic run: since it asked, and until it asks */
};
static struct polled_site *sites;
static uint32_t num_sites, room;
static uint32_t latest; /* the one that asked last */
static bool was_late;   /* no poll waits any more */

/* NULL: out of memory. */
static struct polled_site *site_of(enum ork_call_id id)
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
    sites[num_sites] =
        (struct polled_site){.site = ork_thread.site, .call = (uint16_t)id, .limit = POLLS};
    return &sites[num_sites++];
}

/* ---- in a run of an exploration ---- */

/* RATIONALE: several threads of a rank are not followed, and one of them may be what another one
 * waits for. */
static bool may_wait(void)
{
    return ork_is_explored && !was_late && ork_thread.ordinal == 0 &&
           atomic_load_explicit(&ork_recorder.ring->threads, memory_order_relaxed) <= 1;
}

enum ork_outcome ork_polls_wait(enum ork_call_id id)
{
    const struct polled_site *s = may_wait() ? site_of(id) : NULL;

    return s != NULL && s->in_vain < IN_VAIN_MAX ? ORK_OUTCOME_WAITS : ORK_OUTCOME_FREE;
}

void ork_polls_have_waited(enum ork_call_id id, bool is_successful)
{
    struct polled_site *s = site_of(id);

    if (s != NULL)
        s->in_vain = is_successful ? 0 : (uint16_t)(s->in_vain + 1);
}

bool ork_polls_are_late(uint64_t *until_ns)
{
    uint64_t now = ork_clock_ns();

    if (*until_ns == 0)
        *until_ns = now + LATE_NS;
    was_late |= now > *until_ns;
    return was_late;
}

/* ---- in a deterministic run ---- */

bool ork_polls_fail_unseen(enum ork_call_id id)
{
    struct polled_site *s = site_of(id);

    if (s != NULL && ++s->polls < s->limit) {
        if (s->polls % PROGRESS == 0)
            ork_decisions_progress();
        return true;
    }
    if (s == NULL)
        return false;
    s->polls = 0;
    if (s->limit < POLLS_MAX)
        s->limit *= 2;
    latest = (uint32_t)(s - sites);
    return false;
}

void ork_polls_have_succeeded(void)
{
    if (latest < num_sites)
        sites[latest].limit = POLLS;
}
