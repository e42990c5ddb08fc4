/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/activity.h"

#include "common/assert.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

struct rank {
    uint64_t calls; /* without those of all */
    struct ork_rank_activity activity;
    bool seen; /* at the latest look: */
    uint64_t head;
    struct ork_polls polls;
    struct ork_polls begin; /* at the look before it began to poll */
    uint64_t others_ns;
};

struct ork_activity {
    uint32_t nprocs;
    uint64_t of_all;
    uint64_t looked_ns;
    struct rank *rank;
};

enum ork_status ork_activity_create(uint32_t nprocs, struct ork_activity **out)
{
    struct ork_activity *p = calloc(1, sizeof(*p));
    enum ork_status status = p == NULL ? ORK_NOMEM : ork_activity_grow(p, nprocs);

    if (status == ORK_OK)
        *out = p;
    else
        ork_activity_destroy(p);
    return status;
}

enum ork_status ork_activity_grow(struct ork_activity *p, uint32_t nprocs)
{
    ORK_ASSERT(nprocs > p->nprocs);
    if (!ork_vec_extend(&p->rank, p->nprocs, nprocs, sizeof(*p->rank)))
        return ORK_NOMEM;
    for (uint32_t r = p->nprocs; r < nprocs; r++)
        p->rank[r].calls = 0 - p->of_all; /* it made none of those */
    p->nprocs = nprocs;
    return ORK_OK;
}

void ork_activity_destroy(struct ork_activity *p)
{
    if (p == NULL)
        return;
    free(p->rank);
    free(p);
}

/* ---- calls ---- */

void ork_activity_records(struct ork_activity *p, uint32_t rank, const struct ork_record *record,
                          size_t n, uint32_t times)
{
    uint64_t calls = 0;

    ORK_ASSERT(rank < p->nprocs);
    for (size_t i = 0; i < n; i++)
        calls += ork_record_is_call(&record[i]);
    p->rank[rank].calls += calls * times;
}

void ork_activity_call_of_all(struct ork_activity *p)
{
    p->of_all++;
}

uint64_t ork_activity_calls(const struct ork_activity *p, uint32_t rank)
{
    ORK_ASSERT(rank < p->nprocs);
    return p->rank[rank].calls + p->of_all;
}

/* ---- looks ---- */

/* Some thread is in a call that can block, or that is wrong. */
static bool is_any_inside(const struct ork_snapshot *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        if (ork_snapshot_is_inside(s, t))
            return true;
    }
    return false;
}

/* All threads that may call MPI are in such a call, or wait without a time limit. */
static bool is_inside(const struct ork_snapshot *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        if ((s->word[t] & 0xff) == ORK_STATE_RUNNING && (s->resting >> t & 1) == 0 &&
            !ork_snapshot_is_inside(s, t))
            return false;
    }
    return is_any_inside(s) && s->others != ORK_OTHERS_ACT;
}

static bool is_time_known(const struct rank *before, const struct ork_snapshot *now)
{
    return before->seen && before->polls.cpu_ns != 0 && now->cpu_ns >= before->polls.cpu_ns &&
           now->others_ns >= before->others_ns;
}

struct ork_polls ork_polls_of(const struct ork_snapshot *s)
{
    return (struct ork_polls){.polls = s->polls,
                              .looks = s->looks,
                              .busy = s->busy,
                              .timed = s->timed,
                              .work_ns = s->work_ns,
                              .slept_ns = s->slept_ns,
                              .cpu_ns = s->cpu_ns};
}

/* Was the work less than 1/`part` of `of_ns`? */
static bool is_work_below(const struct ork_polls *before, const struct ork_polls *now,
                          uint64_t of_ns, uint64_t part)
{
    uint64_t looks = now->looks - before->looks;

    return looks > 0 && (now->busy - before->busy) * ORK_ACTIVITY_BUSY < looks &&
           (now->work_ns - before->work_ns) * part <= of_ns;
}

/* Time that the rank used as it wanted, of `ns`: not what it waited for a processor. */
static uint64_t own_ns(const struct ork_polls *before, const struct ork_polls *now, uint64_t ns)
{
    uint64_t cpu_ns = now->cpu_ns - before->cpu_ns;
    uint64_t slept_ns = now->slept_ns > before->slept_ns ? now->slept_ns - before->slept_ns : 0;

    return cpu_ns >= ns ? cpu_ns : cpu_ns + (slept_ns < ns - cpu_ns ? slept_ns : ns - cpu_ns);
}

bool ork_polls_only(const struct ork_polls *begin, const struct ork_polls *before,
                    const struct ork_polls *now, uint64_t ns)
{
    uint64_t cpu_ns = now->cpu_ns - before->cpu_ns;

    return is_work_below(before, now, own_ns(before, now, ns), ORK_ACTIVITY_WORK) ||
           (cpu_ns < ns / 2 && is_work_below(before, now, cpu_ns, ORK_ACTIVITY_LUMP) &&
            is_work_below(begin, now, now->cpu_ns - begin->cpu_ns, ORK_ACTIVITY_WORK));
}

/* RATIONALE: a thread in a call that can block may poll there; so only the processor time of the
 * other threads counts then. */
static enum ork_doing doing_of(const struct rank *r, const struct ork_snapshot *s, uint64_t ns)
{
    const struct ork_polls now = ork_polls_of(s);
    bool is_in_call = ork_snapshot_has_thread(s, ORK_STATE_BLOCKED);

    if (is_inside(s))
        return ORK_DOING_INSIDE;
    if (!is_time_known(r, s) || ns == 0)
        return ORK_DOING_UNKNOWN;
    uint64_t used = is_in_call ? s->others_ns - r->others_ns : now.cpu_ns - r->polls.cpu_ns;
    bool is_idle = used < ns / ORK_ACTIVITY_IDLE;
    if (ork_polls_only(&r->begin, &r->polls, &now, ns) || (is_idle && now.polls != r->polls.polls))
        return ORK_DOING_POLLS;
    if (!is_idle)
        return ORK_DOING_COMPUTES;
    if (is_in_call)
        return ORK_DOING_INSIDE;
    if (!s->is_runnable)
        return ORK_DOING_SLEEPS;
    return used < ns / ORK_ACTIVITY_STARVED ? ORK_DOING_STARVES : ORK_DOING_COMPUTES;
}

static void look_at(struct rank *r, const struct ork_snapshot *s, bool is_current, uint64_t now_ns,
                    uint64_t ns)
{
    struct ork_rank_activity *b = &r->activity;

    *b = (struct ork_rank_activity){.active_ns = b->active_ns, .processors = -1};
    if (s == NULL) {
        b->active_ns = now_ns;
        r->seen = false;
        return;
    }
    const struct ork_polls now = ork_polls_of(s);
    b->doing = is_current ? doing_of(r, s, ns) : ORK_DOING_UNKNOWN;
    b->known = r->seen && r->head == s->head;
    b->polls_mostly = is_current && !is_inside(s) && is_time_known(r, s) &&
                      is_work_below(&r->polls, &now, now.cpu_ns - r->polls.cpu_ns, 2);
    b->is_in_call = is_any_inside(s);
    b->has_left = ork_snapshot_has_thread(s, ORK_STATE_DONE);
    if (ns > 0 && is_time_known(r, s))
        b->processors = (double)(now.cpu_ns - r->polls.cpu_ns) / (double)ns;
    b->is_runnable = s->is_runnable;
    b->polls = r->seen ? now.polls - r->polls.polls : 0;
    b->all_polls = s->polls;
    b->polled = s->polled;
    if (b->doing == ORK_DOING_UNKNOWN || b->doing == ORK_DOING_COMPUTES)
        b->active_ns = now_ns;
    if (b->doing != ORK_DOING_POLLS && b->doing != ORK_DOING_STARVES)
        r->begin = now;
    r->seen = true;
    r->polls = now;
    r->others_ns = s->others_ns;
    r->head = s->head;
}

bool ork_activity_observe(struct ork_activity *p, struct ork_snapshots *snapshots, uint64_t now_ns)
{
    uint64_t ns = p->looked_ns != 0 ? ork_elapsed_ns(now_ns, p->looked_ns) : 0;

    if ((p->looked_ns != 0 && ns < ORK_ACTIVITY_NS) ||
        !ork_snapshots_is_fresh(snapshots, 1, now_ns))
        return false;
    for (uint32_t i = 0; i < p->nprocs; i++) {
        const struct ork_snapshot *s = ork_snapshots_of(snapshots, 0, i);
        bool is_current = s != NULL && ork_snapshots_is_current(snapshots, s, i);

        look_at(&p->rank[i], s, is_current, now_ns, ns);
    }
    p->looked_ns = now_ns;
    return true;
}

bool ork_rank_activity_is_idle(const struct ork_rank_activity *activity)
{
    return activity->processors >= 0 && activity->processors * ORK_ACTIVITY_IDLE < 1;
}

uint64_t ork_activity_observed_ns(const struct ork_activity *p)
{
    return p->looked_ns;
}

const struct ork_rank_activity *ork_activity_of(const struct ork_activity *p, uint32_t rank)
{
    ORK_ASSERT(rank < p->nprocs);
    return &p->rank[rank].activity;
}
