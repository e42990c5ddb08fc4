/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/pulse.h"

#include <stdlib.h>
#include <string.h>

struct rank {
    uint64_t calls; /* without those of all */
    struct ork_beat beat;
    bool seen; /* at the latest look: */
    uint64_t head;
    struct ork_polls polls;
};

struct ork_pulse {
    uint32_t nprocs;
    uint64_t of_all;
    uint64_t looked_ns;
    struct rank *rank;
};

enum ork_status ork_pulse_create(uint32_t nprocs, struct ork_pulse **out)
{
    struct ork_pulse *p = calloc(1, sizeof(*p));
    enum ork_status status = p == NULL ? ORK_NOMEM : ork_pulse_grow(p, nprocs);

    if (status == ORK_OK)
        *out = p;
    else
        ork_pulse_destroy(p);
    return status;
}

enum ork_status ork_pulse_grow(struct ork_pulse *p, uint32_t nprocs)
{
    struct rank *bigger = realloc(p->rank, nprocs * sizeof(*bigger));

    if (bigger == NULL)
        return ORK_NOMEM;
    p->rank = bigger;
    memset(bigger + p->nprocs, 0, (nprocs - p->nprocs) * sizeof(*bigger));
    for (uint32_t r = p->nprocs; r < nprocs; r++)
        bigger[r].calls = 0 - p->of_all; /* it made none of those */
    p->nprocs = nprocs;
    return ORK_OK;
}

void ork_pulse_destroy(struct ork_pulse *p)
{
    if (p == NULL)
        return;
    free(p->rank);
    free(p);
}

/* ---- calls ---- */

#define BIT(kind) (UINT64_C(1) << ORK_KIND_##kind)

static bool is_call(const struct ork_record *record)
{
    static const uint64_t others = BIT(CONT) | BIT(MODULE) | BIT(SITE) | BIT(COMM_DEF) |
                                   BIT(COMM_NAME) | BIT(EXIT) | BIT(JOB) | BIT(CONTROL) |
                                   BIT(EARLY);
    _Static_assert(ORK_KIND_MAX <= 64, "a bit each");

    return record->kind < ORK_KIND_MAX && (others >> record->kind & 1) == 0;
}

void ork_pulse_records(struct ork_pulse *p, uint32_t rank, const struct ork_record *record,
                       size_t n)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < n; i++)
        calls += is_call(&record[i]);
    p->rank[rank].calls += calls;
}

void ork_pulse_call_of_all(struct ork_pulse *p)
{
    p->of_all++;
}

uint64_t ork_pulse_calls(const struct ork_pulse *p, uint32_t rank)
{
    return p->rank[rank].calls + p->of_all;
}

/* ---- looks ---- */

/* Is some thread in this state? */
static bool has_thread(const struct ork_snapshot *s, enum ork_state state)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        if ((s->word[t] & 0xff) == (uint64_t)state)
            return true;
    }
    return false;
}

static bool is_inside(const struct ork_snapshot *s)
{
    return has_thread(s, ORK_STATE_BLOCKED) && !has_thread(s, ORK_STATE_RUNNING) &&
           s->strangers == 0;
}

static bool is_time_known(const struct ork_polls *before, const struct ork_polls *now)
{
    return before->cpu_ns != 0 && now->cpu_ns >= before->cpu_ns;
}

struct ork_polls ork_polls_of(const struct ork_snapshot *s)
{
    return (struct ork_polls){
        .polls = s->polls, .looks = s->looks, .work_ns = s->work_ns, .cpu_ns = s->cpu_ns};
}

bool ork_polls_only(const struct ork_polls *before, const struct ork_polls *now)
{
    uint64_t looks = now->looks - before->looks;

    return looks > 0 && (now->work_ns - before->work_ns) / looks < ORK_PULSE_WORK_NS;
}

static enum ork_doing doing_of(const struct rank *r, const struct ork_snapshot *s, uint64_t ns)
{
    const struct ork_polls now = ork_polls_of(s);

    if (is_inside(s))
        return ORK_DOING_INSIDE;
    if (!r->seen || !is_time_known(&r->polls, &now) || ns == 0)
        return ORK_DOING_UNKNOWN;
    bool is_idle = now.cpu_ns - r->polls.cpu_ns < ns / ORK_PULSE_IDLE;
    if (ork_polls_only(&r->polls, &now) || (is_idle && now.polls != r->polls.polls))
        return ORK_DOING_POLLS;
    return is_idle ? ORK_DOING_SLEEPS : ORK_DOING_COMPUTES;
}

static void look_at(struct rank *r, const struct ork_snapshot *s, bool is_current, uint64_t now_ns,
                    uint64_t ns)
{
    struct ork_beat *b = &r->beat;

    *b = (struct ork_beat){.active_ns = b->active_ns, .processors = -1};
    if (s == NULL) {
        b->active_ns = now_ns;
        r->seen = false;
        return;
    }
    const struct ork_polls now = ork_polls_of(s);
    b->doing = is_current ? doing_of(r, s, ns) : ORK_DOING_UNKNOWN;
    b->known = r->seen && r->head == s->head;
    b->is_in_call = has_thread(s, ORK_STATE_BLOCKED);
    b->has_left = has_thread(s, ORK_STATE_DONE);
    if (r->seen && ns > 0 && is_time_known(&r->polls, &now))
        b->processors = (double)(now.cpu_ns - r->polls.cpu_ns) / (double)ns;
    b->polls = r->seen ? now.polls - r->polls.polls : 0;
    b->all_polls = s->polls;
    b->poll_site = s->poll_site;
    b->poll_call = s->poll_call;
    if (b->doing == ORK_DOING_UNKNOWN || b->doing == ORK_DOING_COMPUTES)
        b->active_ns = now_ns;
    r->seen = true;
    r->polls = now;
    r->head = s->head;
}

bool ork_pulse_look(struct ork_pulse *p, struct ork_census *census, uint64_t now_ns)
{
    uint64_t ns = p->looked_ns != 0 ? now_ns - p->looked_ns : 0;

    if ((p->looked_ns != 0 && ns < ORK_PULSE_NS) || !ork_census_is_fresh(census, 1, now_ns))
        return false;
    for (uint32_t i = 0; i < p->nprocs; i++) {
        const struct ork_snapshot *s = ork_census_of(census, 0, i);
        bool is_current = s != NULL && ork_census_is_current(census, s, i);

        look_at(&p->rank[i], s, is_current, now_ns, ns);
    }
    p->looked_ns = now_ns;
    return true;
}

bool ork_beat_is_idle(const struct ork_beat *beat)
{
    return beat->processors >= 0 && beat->processors * ORK_PULSE_IDLE < 1;
}

uint64_t ork_pulse_looked_ns(const struct ork_pulse *p)
{
    return p->looked_ns;
}

const struct ork_beat *ork_pulse_beat(const struct ork_pulse *p, uint32_t rank)
{
    return &p->rank[rank].beat;
}
