/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to memory that is not attached to a dynamic window, MPI-3.1 section 11.2.4.
 *
 * An access is wrong if its bytes are in no region that can have been attached at that time: each
 * one was detached before, by what the origin knew, or was never attached. RATIONALE: an origin may
 * learn by data that memory was attached, which the tool does not see. So an attach excuses an
 * access however late it comes, and an access is judged when the target makes no more calls on the
 * window; a detach counts only if it is known to come before the access. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

enum { REGIONS_MAX = 512, STRAYS_MAX = 1024 };

struct region {
    uint64_t low, high;
    uint32_t detached; /* the component of the rank from which on it is; 0: it is attached */
};

struct stray {
    struct ork_outside outside;
    struct window *window;
    uint32_t member; /* of the target */
    uint32_t known;  /* of its component, when the access was made */
};

/* ---- the regions of a member ---- */

static struct region *find(struct member *m, uint64_t low)
{
    for (uint32_t i = m->regions; i > 0; i--) {
        struct region *r = &m->region[i - 1];
        if (r->low == low && r->detached == 0)
            return r;
    }
    return NULL;
}

/* A detached region that is the same as this one. */
static struct region *find_detached(struct member *m, uint64_t low, uint64_t high)
{
    for (uint32_t i = 0; i < m->regions; i++) {
        if (m->region[i].low == low && m->region[i].high == high && m->region[i].detached != 0)
            return &m->region[i];
    }
    return NULL;
}

/* The end of the bytes from `low` on that can be attached for who knows so much of the rank. */
static uint64_t end_of(const struct member *m, uint32_t known, uint64_t low)
{
    bool is_longer = true;

    while (is_longer) {
        is_longer = false;
        for (uint32_t i = 0; i < m->regions; i++) {
            const struct region *r = &m->region[i];
            bool is_gone = r->detached != 0 && r->detached <= known;
            if (!is_gone && r->low <= low && low < r->high) {
                low = r->high;
                is_longer = true;
            }
        }
    }
    return low;
}

/* RATIONALE: of bytes with gaps, only the first and the last one are certainly accessed. */
static bool can_be_attached(const struct member *m, uint32_t known, const struct ork_touched *t)
{
    uint64_t low = (uint64_t)t->low, high = (uint64_t)t->high;

    if (!t->has_gaps)
        return end_of(m, known, low) >= high;
    return end_of(m, known, low) > low && end_of(m, known, high - 1) >= high;
}

/* ---- accesses ---- */

static bool is_same(const struct stray *a, const struct stray *b)
{
    const struct ork_touched *x = &a->outside.access, *y = &b->outside.access;

    return a->window == b->window && a->member == b->member && x->rank == y->rank &&
           x->site == y->site && x->low == y->low && x->high == y->high;
}

void ork_region_look(struct ork_onesided *o, struct window *w, uint32_t member,
                     const struct ork_outside *outside, struct ork_stamp start)
{
    struct stray stray = {
        .outside = *outside,
        .window = w,
        .member = member,
        .known = ork_events_component(o->events, start, ork_comms_rank_of(w->comm, member))};
    const struct member *m = &w->member[member];

    ORK_ASSERT(member < w->comm->group->size && o->strays <= STRAYS_MAX);
    if (m->has_lost_regions || can_be_attached(m, stray.known, &outside->access))
        return;
    for (uint32_t i = 0; i < o->strays; i++) {
        if (is_same(&o->stray[i], &stray))
            return;
    }
    if (o->strays == STRAYS_MAX)
        return;
    if (!ork_vec_reserve(&o->stray, &o->stray_room, o->strays + 1, sizeof(*o->stray))) {
        o->failed = true;
        return;
    }
    o->stray[o->strays++] = stray;
}

/* Forget the accesses that another region excuses. */
static void excuse(struct ork_onesided *o, const struct window *w, uint32_t member)
{
    const struct member *m = &w->member[member];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < o->strays; i++) {
        const struct stray *s = &o->stray[i];
        if (s->window != w || s->member != member ||
            (!m->has_lost_regions && !can_be_attached(m, s->known, &s->outside.access)))
            o->stray[kept++] = *s;
    }
    o->strays = kept;
}

static bool is_lost(const struct ork_onesided *o)
{
    return o->failed || o->lost != NULL || ork_events_lost(o->events) != NULL;
}

/* ---- calls ---- */

static void attach(struct ork_onesided *o, struct window *w, uint32_t member, uint64_t low,
                   uint64_t high)
{
    struct member *m = &w->member[member];
    struct region *r = find_detached(m, low, high);

    ORK_ASSERT(low < high && m->regions <= REGIONS_MAX);
    if (r != NULL) {
        r->detached = 0;
    } else if (m->regions == REGIONS_MAX) {
        m->has_lost_regions = true;
    } else if (!ork_vec_reserve(&m->region, &m->region_room, m->regions + 1, sizeof(*m->region))) {
        o->failed = true;
    } else {
        m->region[m->regions++] = (struct region){.low = low, .high = high};
    }
    excuse(o, w, member);
}

static void detach(struct ork_onesided *o, struct window *w, uint32_t member, uint64_t low)
{
    struct region *r = find(&w->member[member], low);

    if (r == NULL)
        return;
    ORK_ASSERT(r->detached == 0);
    r->detached = ork_events_tick(o->events, ork_comms_rank_of(w->comm, member));
    o->failed |= r->detached == 0;
}

void ork_region_change(struct ork_onesided *o, struct window *w, uint32_t member,
                       const struct ork_record *record)
{
    uint64_t limit = (uint64_t)ORK_OFFSET_LIMIT / 2;

    if (record->extra >= limit || record->bytes >= limit)
        w->member[member].has_lost_regions = true;
    else if (record->mode == ORK_REGION_DETACHED)
        detach(o, w, member, record->extra);
    else if (record->bytes > 0)
        attach(o, w, member, record->extra, record->extra + record->bytes);
}

void ork_region_end(struct ork_onesided *o, const struct window *w)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < o->strays; i++) {
        const struct stray *s = &o->stray[i];
        if (s->window != w)
            o->stray[kept++] = *s;
        else if (!is_lost(o))
            ork_conflict_outside(o, &s->outside);
    }
    o->strays = kept;
}

enum ork_status ork_onesided_judge(struct ork_onesided *o)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < o->strays; i++) {
        const struct stray *s = &o->stray[i];
        uint32_t target = ork_comms_rank_of(s->window->comm, s->member);
        if (!is_lost(o) && ork_events_is_silent(o->events, target))
            ork_conflict_outside(o, &s->outside);
        else
            o->stray[kept++] = *s;
    }
    o->strays = kept;
    return o->failed ? ORK_NOMEM : ORK_OK;
}

bool ork_region_write(const struct ork_onesided *o, const struct window *w,
                      struct ork_words_writer *to)
{
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        const struct member *m = &w->member[i];
        ork_words_put(to, m->regions);
        ork_words_put(to, m->has_lost_regions);
        for (uint32_t k = 0; k < m->regions; k++) {
            ork_words_put_long(to, m->region[k].low);
            ork_words_put_long(to, m->region[k].high);
            ork_events_write_component(o->events, to, ork_comms_rank_of(w->comm, i),
                                       m->region[k].detached);
        }
    }
    return o->strays == 0;
}
