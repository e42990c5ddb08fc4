/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs made the choices of a decision. */
#include "common/assert.h"
#include "order/explore/explored_internal.h"

/* The hash of the first choices of a rank, with the new numbers of their sources. */
static uint64_t hash_own(struct ork_explored *e, const struct ork_trace_rank *own, uint64_t choices)
{
    uint64_t h = 0;

    for (uint64_t i = 0; i < choices; i++) {
        int32_t source = ork_names_of_source(e, own->choice[i].source);
        h = ork_trace_join(h, ork_names_of_own(e, &own->choice[i], own->polled[i]), source);
    }
    return h;
}

/* A decision with the new numbers of ranks. */
struct decision {
    uint32_t run;
    const struct ork_change *change;
    enum {
        CHANGES_NEXT,
        CHANGES_POLL,
        CHANGES_ROW,
        CHANGES_AGAIN,
        CHANGES_POSTED,
        CHANGES_ALL
    } what;
    uint32_t rank;
    uint64_t key, prefix; /* NEXT, AGAIN: up to the changed choice */
    uint64_t polls;       /* POLL: so many are unsuccessful; ROW, ALL: so many distinct ones */
};

/* What the rank keeps. */
static uint64_t hash_rank(struct ork_explored *e, const struct decision *d, uint32_t rank)
{
    const struct explored_run *run = &e->run[d->run];
    uint64_t keep = d->change->keep[rank];

    ORK_ASSERT(keep <= run->own.rank[rank].num);
    return e->symmetric == NULL ? run->kept[rank].prefix[keep]
                                : hash_own(e, &run->own.rank[rank], keep);
}

/* RATIONALE: numbers are given in the order of ork_explored_add(). */
static struct decision look_at(struct ork_explored *e, uint32_t run,
                               const struct ork_change *change)
{
    ORK_ASSERT(ork_explored_fits(e, run, change));
    struct ork_choice c = ork_explored_changed(e, run, change);
    struct decision d = {.run = run, .change = change};

    ork_names_begin(e);
    for (uint32_t r = 0; e->symmetric != NULL && r < e->ranks; r++) {
        if (!ork_names_are_for(e, r))
            hash_rank(e, &d, r);
    }
    struct ork_choice to = ork_change_apply(&c, change);
    int32_t source = ork_names_of_source(e, to.source);
    d.rank = ork_names_known(e, change->rank);
    if (change->post != 0) {
        d.what = CHANGES_POSTED;
        d.key = key_of_posted(d.rank, to.post, source, to.tag);
        return d;
    }
    d.polls = to.polls;
    uint64_t before = hash_rank(e, &d, change->rank);
    uint64_t own = ork_names_of_own(e, &to, ork_explored_changed_polled(e, run, change));
    if (change->polls == ORK_POLLS_ONE_MORE) {
        d.what = CHANGES_POLL;
        d.prefix = after_failed_poll(before);
    } else if (change->polls == ORK_POLLS_ABANDONED) {
        d.what = CHANGES_ROW;
        d.polls = change->poll.num_distinct;
        d.prefix = after_series(before);
    } else if (change->polls == ORK_POLLS_ALL_ABANDONED) {
        d.what = CHANGES_ALL;
        d.polls = change->poll.num_distinct;
        d.prefix = after_abandoned(before);
    } else if (change->polls == ORK_POLLS_AGAIN) {
        d.what = CHANGES_AGAIN;
        d.prefix = key_of_again(before, own, source);
    } else {
        d.what = CHANGES_NEXT;
        d.prefix = ork_trace_join(before, own, source);
    }
    d.key = key_of_prefix(d.rank, d.prefix);
    return d;
}

static bool has_ahead(struct ork_explored *e, const struct explored_run *m,
                      const struct decision *d)
{
    for (uint32_t i = 0; i < d->change->num_ahead; i++) {
        const struct ork_kept_receive *a = &d->change->ahead[i];
        const struct posted *p =
            ork_explored_find_posted(&m->kept[ork_names_known(e, a->rank)], a->post);
        if (p == NULL || p->source != ork_names_of_source(e, a->source) || p->tag != a->tag)
            return false;
    }
    return true;
}

/* RATIONALE: with fewer different polls, it was another one that was successful. */
static bool is_abandoned(const struct ork_change *change, const struct ork_abandoned *abandoned)
{
    return change->poll.num_distinct <=
           (change->polls == ORK_POLLS_ABANDONED ? abandoned->series : abandoned->all);
}

/* Did run m make all these choices? It has the key of the decision. */
static bool has_made(struct ork_explored *e, const struct explored_run *m, const struct decision *d)
{
    for (uint32_t r = 0; r < e->ranks; r++) {
        const struct kept_rank *kept = &m->kept[ork_names_known(e, r)];
        uint64_t keep = d->change->keep[r];
        if (keep > 0 && e->names.name[r] == UINT32_MAX)
            return false;
        if (keep > kept->num || kept->prefix[keep] != hash_rank(e, d, r) ||
            ork_trace_polls(kept->own, keep) < ork_explored_kept_polls(e, d->run, d->change, r))
            return false;
    }
    const struct kept_rank *kept = &m->kept[d->rank];
    ORK_ASSERT(d->change->number > 0 || d->what == CHANGES_POSTED);
    if (d->what == CHANGES_POLL &&
        ork_trace_polls(kept->own, d->change->keep[d->change->rank]) < d->polls)
        return false;
    if ((d->what == CHANGES_ROW || d->what == CHANGES_ALL) &&
        !is_abandoned(d->change, &kept->own->abandoned[d->change->keep[d->change->rank]]))
        return false;
    if (d->what == CHANGES_AGAIN &&
        (kept->num < d->change->number || kept->again[d->change->number - 1] != d->prefix))
        return false;
    if (d->what == CHANGES_NEXT &&
        (kept->num < d->change->number || kept->prefix[d->change->number] != d->prefix))
        return false;
    return has_ahead(e, m, d);
}

bool ork_change_is_abandoned(const struct ork_change *change, const struct ork_trace *trace)
{
    const struct ork_trace_rank *r = &trace->rank[change->rank];
    uint64_t keep = change->keep[change->rank];

    return keep <= r->num && is_abandoned(change, &r->abandoned[keep]);
}

bool ork_change_went_on(const struct ork_change *change, const struct ork_trace *trace)
{
    return ork_change_abandons(change) && !ork_change_is_abandoned(change, trace) &&
           trace->rank[change->rank].num > change->keep[change->rank];
}

uint64_t ork_explored_hash(struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    struct decision d = look_at(e, run, change);
    bool has_polls = d.what == CHANGES_POLL || d.what == CHANGES_ROW || d.what == CHANGES_ALL;
    uint64_t h = ork_hash_add(ork_hash_add(d.key, d.what), has_polls ? d.polls : 0);

    for (uint32_t r = 0; r < e->ranks; r++) {
        uint64_t kept =
            ork_hash_add(hash_rank(e, &d, r), ork_explored_kept_polls(e, run, change, r));
        h ^= ork_hash_add(kept, ork_names_known(e, r));
    }
    for (uint32_t i = 0; i < change->num_ahead; i++) {
        const struct ork_kept_receive *a = &change->ahead[i];
        h ^= key_of_posted(ork_names_known(e, a->rank), a->post, ork_names_of_source(e, a->source),
                           a->tag);
    }
    return h;
}

bool ork_explored_covers(struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    struct decision d = look_at(e, run, change);

    for (uint32_t i = ork_hash_map_get(&e->first, d.key); i != 0; i = e->entry[i - 1].next) {
        ORK_ASSERT(i <= e->entries && e->entry[i - 1].run < e->runs && e->entry[i - 1].next < i);
        if (has_made(e, &e->run[e->entry[i - 1].run], &d))
            return true;
    }
    return false;
}
