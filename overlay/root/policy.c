/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/policy.h"

#include "common/assert.h"

void ork_policy_init(struct root_policy *p)
{
    *p = (struct root_policy){.queue_limit = ROOT_QUEUE_FIRST};
}

/* ---- the state ---- */

void ork_policy_take(struct root_policy *p, enum root_event event)
{
    switch (event) {
    case ROOT_HANG_IS_REPORTED:
        ORK_ASSERT(p->state == ROOT_RUNNING);
        p->state = ROOT_HANG;
        break;
    case ROOT_FATAL_IS_REPORTED: /* possible in every state, and repeatedly */
        if (p->state != ROOT_INTERRUPTED)
            p->state = ROOT_ENDING;
        break;
    case ROOT_USER_INTERRUPTS:
        p->state = ROOT_INTERRUPTED;
        break;
    }
}

bool ork_policy_is_ending(const struct root_policy *p)
{
    return p->state == ROOT_ENDING || p->state == ROOT_INTERRUPTED;
}

bool ork_policy_may_report_hang(const struct root_policy *p)
{
    return p->state == ROOT_RUNNING;
}

/* ---- the candidate ---- */

void ork_policy_set_candidate(struct root_policy *p, enum root_candidate candidate)
{
    switch (candidate) {
    case ROOT_CANDIDATE_POTENTIAL:
        ORK_ASSERT(p->potential_ns != 0 && p->state != ROOT_INTERRUPTED);
        break;
    case ROOT_CANDIDATE_MANIFEST:
        ORK_ASSERT(p->manifest_ns != 0 && p->state != ROOT_INTERRUPTED);
        break;
    case ROOT_CANDIDATE_NONE:
    case ROOT_CANDIDATE_THREADS:
    case ROOT_CANDIDATE_UNDECIDED:
        break;
    }
    p->candidate = candidate;
}

bool ork_policy_is_watching(const struct root_policy *p)
{
    return p->candidate != ROOT_CANDIDATE_NONE && p->candidate != ROOT_CANDIDATE_THREADS;
}

bool ork_policy_waits_for_others(struct root_policy *p, enum root_candidate kind, bool others_run,
                                 uint64_t at)
{
    ORK_ASSERT(kind == ROOT_CANDIDATE_POTENTIAL || kind == ROOT_CANDIDATE_MANIFEST);
    uint64_t *since = kind == ROOT_CANDIDATE_POTENTIAL ? &p->potential_ns : &p->manifest_ns;

    if (p->state == ROOT_INTERRUPTED)
        return false;
    if (*since == 0)
        *since = at;
    if (!others_run || ork_elapsed_ns(at, *since) >= ROOT_JOIN_NS)
        return false;
    ork_policy_set_candidate(p, kind);
    return true;
}

void ork_policy_forget_potential(struct root_policy *p)
{
    p->potential_ns = 0;
}

/* ---- when to search ---- */

bool ork_policy_is_search_due(const struct root_policy *p, uint64_t at, bool has_moved,
                              uint64_t queued)
{
    bool is_wanted = p->is_dirty || p->candidate != ROOT_CANDIDATE_NONE;

    if (!is_wanted || at < p->next_ns)
        return false;
    return queued >= p->queue_limit || !has_moved ||
           ork_elapsed_ns(at, p->next_ns) >= ROOT_PAUSE_BUSY_NS;
}

bool ork_policy_may_catch_up(const struct root_policy *p, uint64_t still_ns, uint64_t queued)
{
    return p->state == ROOT_INTERRUPTED || still_ns >= ROOT_STILL_NS || queued >= ROOT_QUEUE_FIRST;
}

void ork_policy_count_search(struct root_policy *p, uint64_t begin, uint64_t end)
{
    p->next_ns = end + (end - begin) * ROOT_SEARCH_SHARE;
}

/* RATIONALE: each check whether threads have stopped makes all leaves look at the threads of their
 * ranks. Records that arrive while there is nothing to check are examined soon: a library may let a
 * rank out of MPI_Finalize within 50 ms. */
static uint64_t pause_of(const struct root_policy *p)
{
    if (p->is_dirty)
        return ROOT_PAUSE_QUIET_NS;
    return p->candidate == ROOT_CANDIDATE_THREADS ? ROOT_PAUSE_BUSY_NS : ROOT_PAUSE_WATCH_NS;
}

void ork_policy_schedule(struct root_policy *p, uint64_t at, uint64_t queued)
{
    uint64_t next_ns = at + pause_of(p);

    p->queue_limit = queued * 2 > ROOT_QUEUE_FIRST ? queued * 2 : ROOT_QUEUE_FIRST;
    if (next_ns > p->next_ns)
        p->next_ns = next_ns;
}
