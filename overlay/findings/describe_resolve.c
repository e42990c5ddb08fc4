/* SPDX-License-Identifier: BSD-3-Clause */
/* What would resolve a deadlock. Remove each arc of a root in turn. If that releases the whole
 * root, the wait could be over if the awaited rank did its part before it blocked. So each arc is a
 * pair: which rank waits in which call, and which rank would have to act before which call. This
 * holds for the calls in the graph; later calls of the ranks are unknown. describe_advice.c makes
 * the text. */
#include "overlay/findings/describe_advice.h"

#include "overlay/findings/describe_near.h"
#include "overlay/findings/describe_release.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: in a ring every arc breaks the knot, and each try takes time for the whole ring. */
enum { WORK_MAX = 20 * 1000 * 1000, REMEDIES_MAX = 64, SHOWN_MAX = 4 };

static bool is_process(const struct ork_search *s, uint32_t v)
{
    return ork_wfg_node(s->wfg, v).kind == ORK_WFG_PROCESS;
}

/* The process that a node belongs to; UINT32_MAX: a hub. */
static uint32_t owner(const struct ork_search *s, uint32_t v)
{
    struct ork_wfg_node n = ork_wfg_node(s->wfg, v);

    return n.kind == ORK_WFG_HUB ? UINT32_MAX : n.process;
}

/* The term that an arc of a process or of a part of its call stands for; NULL: the call itself. */
static const struct ork_term *term_of(const struct ork_search *s, uint32_t v, uint32_t arc)
{
    uint32_t label = ork_wfg_arc(s->wfg, v, arc).label;

    if (label == 0)
        label = ork_wfg_node(s->wfg, v).label;
    return label > 0 && label <= s->num_terms ? &s->term[label - 1] : NULL;
}

/* A deadlocked node with an arc to `to`: of a rank if possible, other than `but` if possible.
 * UINT32_MAX: none. */
static uint32_t find_waiter(const struct ork_search *s, uint32_t to, uint32_t but, uint32_t *arc)
{
    uint32_t second = UINT32_MAX, second_arc = 0;

    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        if (v == to || !ork_wfg_is_deadlocked(s->wfg, v))
            continue;
        for (*arc = 0; *arc < ork_wfg_num_arcs(s->wfg, v); ++*arc) {
            if (ork_wfg_arc(s->wfg, v, *arc).to != to)
                continue;
            if (owner(s, v) != UINT32_MAX && owner(s, v) != but)
                return v;
            if (second == UINT32_MAX || owner(s, second) == UINT32_MAX) {
                second = v;
                second_arc = owner(s, v) != UINT32_MAX ? *arc : 0;
            }
        }
    }
    *arc = second_arc;
    return second;
}

/* ---- an arc as a pair ---- */

static enum advice_part part_of(unsigned kind)
{
    switch (kind) {
    case ORK_KIND_RECV:
    case ORK_KIND_PROBE:
        return ADVICE_SEND;
    case ORK_KIND_SEND:
        return ADVICE_RECEIVE;
    default:
        return ADVICE_NONE;
    }
}

/* Which rank waits in which call, for an arc of a process or of a part of its call. */
static void fill_waiter(const struct ork_detector *d, const struct ork_search *s, uint32_t v,
                        uint32_t arc, struct advice *a)
{
    struct ork_rank_view view;
    const struct ork_term *t = term_of(s, v, arc);

    a->waiter = owner(s, v);
    view = ork_search_rank(d, s, a->waiter);
    bool is_own = t == NULL || t->kind == ORK_KIND_CONT;
    a->part = part_of(is_own ? view.call.kind : t->kind);
    a->is_request = !is_own && t->call != view.call.call;
    a->wait_call = is_own ? view.call.call : t->call;
    a->wait_site = is_own ? view.call.site : t->site;
    a->comm = is_own ? view.comm : t->comm;
    a->tag = is_own ? view.call.tag : t->tag;
    a->is_any = (is_own ? view.call.peer : t->peer) == ORK_ANY_SOURCE;
}

/* Which rank would have to act, before which call. */
static void fill_actor(const struct ork_detector *d, const struct ork_search *s, uint32_t rank,
                       struct advice *a)
{
    struct ork_rank_view view = ork_search_rank(d, s, rank);

    a->actor = rank;
    a->actor_call = view.call;
    a->actor_comm = view.comm;
    a->has_ended = view.status == ORK_RANK_DONE;
    a->has_finished = a->has_ended && view.end == ORK_END_FINISHED;
}

/* A wildcard receive that any member may send to, or a collective call with missing members. */
static void fill_hub(const struct ork_detector *d, const struct ork_search *s, uint32_t hub,
                     uint32_t actor, struct advice *a)
{
    const struct ork_hub_view *view = &s->hub[ork_wfg_node(s->wfg, hub).process];
    uint32_t arc, v = find_waiter(s, hub, actor, &arc);

    a->part = ADVICE_NONE;
    if (v == UINT32_MAX || owner(s, v) == UINT32_MAX || (!view->any && view->coll == ORK_COLL_NONE))
        return;
    fill_waiter(d, s, v, arc, a);
    if (view->any)
        return;
    a->part = ADVICE_ARRIVE;
    a->coll = view->coll;
    a->comm = view->comm;
}

static struct advice advice_of(const struct ork_detector *d, const struct ork_search *s, uint32_t v,
                               uint32_t arc)
{
    struct advice a = {.part = ADVICE_NONE, .actor = UINT32_MAX, .near = UINT32_MAX};
    uint32_t to = ork_wfg_arc(s->wfg, v, arc).to;

    if (owner(s, v) != UINT32_MAX &&
        ork_search_rank(d, s, owner(s, v)).status == ORK_RANK_DONE) { /* the root is that rank */
        to = owner(s, v);
        v = find_waiter(s, to, UINT32_MAX, &arc);
        if (v == UINT32_MAX)
            return a;
    }
    if (owner(s, v) == UINT32_MAX)
        fill_hub(d, s, v, is_process(s, to) ? owner(s, to) : UINT32_MAX, &a);
    else
        fill_waiter(d, s, v, arc, &a);
    if (a.part == ADVICE_NONE || !is_process(s, to)) {
        a.part = ADVICE_NONE;
        return a;
    }
    fill_actor(d, s, to, &a);
    if (a.actor == a.waiter && a.is_any) /* no other rank can send it */
        a.part = ADVICE_NONE;
    return a;
}

static bool is_at(const struct ork_match_end *end, const struct advice *a,
                  const struct ork_where *where)
{
    return strcmp(end->call, ork_call_name(a->wait_call)) == 0 &&
           ork_describe_is_same_where(&end->where, where);
}

/* The near miss that this send or receive is one side of. */
static uint32_t find_near(struct ork_writing *w, const struct ork_finding *f,
                          const struct advice *a)
{
    struct ork_where where;

    if (f->num_near_misses == 0 || a->part == ADVICE_ARRIVE)
        return UINT32_MAX;
    where = ork_writing_where(w, a->waiter, a->wait_site);
    for (uint32_t i = 0; i < f->num_near_misses; i++) {
        const struct ork_near_miss *n = &f->near_miss[i];
        if (ork_describe_is_near_of_messages(n) &&
            (is_at(&n->waits, a, &where) || is_at(&n->pending, a, &where)))
            return i;
    }
    return UINT32_MAX;
}

/* ---- collecting ---- */

/* A remedy; the sets are those of the writing. */
struct entry {
    struct advice advice; /* of the first of those that are alike */
    struct ork_u32s ranks, frees, actors;
    uint32_t roots, last_root; /* number of roots with it, and the latest one */
    uint32_t num_frees;        /* in each of them */
    uint32_t rank;             /* the less, the better */
    uint32_t hub;              /* `ranks` are its waiters; UINT32_MAX: none */
    bool is_dropped;
};

struct collection {
    struct ork_writing *w;
    const struct ork_search *s;
    const struct ork_finding *f;
    struct ork_release *release;
    struct entry *entry;
    uint32_t count;
    uint32_t root; /* the one being examined */
};

/* Best first: what the run itself shows, then near misses. */
static uint32_t rank_of(const struct advice *a)
{
    if (a->is_later)
        return 0;
    if (a->near != UINT32_MAX)
        return 1;
    return 1 + (uint32_t)a->part;
}

/* The rank whose wait the report names: for a collective call the missing rank. */
static uint32_t named_rank(const struct advice *a)
{
    return a->has_ended || a->part == ADVICE_ARRIVE ? a->actor : a->waiter;
}

static bool is_alike(struct ork_call_sites *sites, const struct entry *e, const struct advice *a,
                     uint32_t frees)
{
    const struct advice *b = &e->advice;

    if (a->near != UINT32_MAX && a->near == b->near) /* the other side of the same near miss */
        return true;
    return a->part == b->part && a->wait_call == b->wait_call && a->is_later == b->is_later &&
           a->has_ended == b->has_ended && a->actor_call.call == b->actor_call.call &&
           (a->part != ADVICE_ARRIVE || a->comm == b->comm) && a->near == b->near &&
           e->num_frees == frees &&
           ork_describe_is_same_site(sites, a->waiter, a->wait_site, b->waiter, b->wait_site) &&
           ork_describe_is_same_site(sites, a->actor, a->actor_call.site, b->actor,
                                     b->actor_call.site) &&
           ork_describe_is_same_site(sites, a->actor, a->later.site, b->actor, b->later.site);
}

static void add_frees(struct collection *c, struct entry *e)
{
    uint32_t count;
    const uint32_t *node = ork_release_nodes(c->release, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (is_process(c->s, node[i]))
            ork_writing_add(c->w, &e->frees, node[i]);
    }
    ork_describe_sort_unique(&e->frees);
}

/* Merge it with a similar one, or begin a new one. NULL: there are too many. */
static struct entry *collect(struct collection *c, const struct advice *a, uint32_t frees)
{
    uint32_t i = 0;

    while (i < c->count && !is_alike(c->w->sites, &c->entry[i], a, frees))
        i++;
    if (i == REMEDIES_MAX)
        return NULL;
    if (i == c->count)
        c->entry[c->count++] =
            (struct entry){.advice = *a, .rank = rank_of(a), .num_frees = frees, .hub = UINT32_MAX};
    struct entry *e = &c->entry[i];
    ork_writing_add(c->w, &e->ranks, named_rank(a));
    ork_writing_add(c->w, &e->actors, a->actor);
    if (e->roots == 0 || e->last_root != c->root) {
        e->roots++;
        e->last_root = c->root;
        add_frees(c, e);
    }
    return e;
}

/* A message from the actor may end any of the waits that share the hub, not only that of the waiter
 * that represents them. */
static void add_waiters(struct collection *c, uint32_t hub, const struct advice *a, struct entry *e)
{
    const struct ork_search *s = c->s;
    struct advice other = {0};

    e->hub = hub;
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        if (owner(s, v) == UINT32_MAX || owner(s, v) == a->actor ||
            !ork_wfg_is_deadlocked(s->wfg, v))
            continue;
        for (uint32_t arc = 0; arc < ork_wfg_num_arcs(s->wfg, v); arc++) {
            if (ork_wfg_arc(s->wfg, v, arc).to != hub)
                continue;
            fill_waiter(c->w->d, s, v, arc, &other);
            if (other.wait_call == a->wait_call &&
                ork_describe_is_same_site(c->w->sites, other.waiter, other.wait_site, a->waiter,
                                          a->wait_site))
                ork_writing_add(c->w, &e->ranks, other.waiter);
        }
    }
}

/* Did the latest propagation, which released so many processes, release the whole knot? */
static bool breaks(const struct collection *c, const struct ork_wfg_knot *knot, uint32_t released)
{
    uint32_t count, in_knot = 0, freed = 0;
    const uint32_t *node = ork_release_nodes(c->release, &count);

    if (released == 0 || released == c->f->ranks.count)
        return released > 0;
    for (uint32_t i = 0; i < knot->count; i++)
        in_knot += is_process(c->s, knot->node[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (is_process(c->s, node[i]) &&
            bsearch(&node[i], knot->node, knot->count, sizeof(*node), ork_describe_compare_ranks))
            freed++;
    }
    return freed == in_knot;
}

static void try_arc(struct collection *c, uint32_t v, uint32_t arc, uint32_t released)
{
    struct advice a = advice_of(c->w->d, c->s, v, arc);

    if (a.part == ADVICE_NONE)
        return;
    if (c->s->rank == NULL) /* without it, unmatched calls in the detector come next */
        ork_advice_find_later(c->w->d, &a);
    if (!a.is_later)
        a.near = find_near(c->w, c->f, &a);
    struct entry *e = collect(c, &a, released);
    bool is_one_of_many = owner(c->s, v) == UINT32_MAX && a.part != ADVICE_ARRIVE && !a.has_ended;
    if (e != NULL && is_one_of_many && e->hub != v)
        add_waiters(c, v, &a, e);
}

static void try_knot(struct collection *c, const struct ork_wfg_knot *knot)
{
    for (uint32_t i = 0; i < knot->count; i++) {
        uint32_t v = knot->node[i];
        for (uint32_t arc = 0; arc < ork_wfg_num_arcs(c->s->wfg, v); arc++) {
            if (ork_release_work(c->release) > WORK_MAX)
                return;
            uint32_t released = ork_release_without(c->release, v, arc);
            if (breaks(c, knot, released))
                try_arc(c, v, arc, released);
        }
    }
}

/* Would a known near miss release the same ranks? Then that is the mistake, and other remedies are
 * dropped. */
static bool is_covered(const struct collection *c, const struct entry *e)
{
    bool covered = false;

    for (uint32_t i = 0; i < c->count && !covered; i++)
        covered = c->entry[i].advice.near != UINT32_MAX && e->advice.near == UINT32_MAX &&
                  !e->advice.is_later && ork_describe_is_same_set(&c->entry[i].frees, &e->frees);
    return covered;
}

static struct ork_remedy remedy_of(struct ork_writing *w, const struct ork_finding *f,
                                   struct entry *e)
{
    const struct advice *a = &e->advice;
    bool of_actor = a->part == ADVICE_ARRIVE;
    unsigned call = of_actor ? a->actor_call.call : a->wait_call;
    uint32_t site = of_actor ? a->actor_call.site : a->wait_site;

    ork_describe_sort_unique(&e->actors);
    ork_describe_sort_unique(&e->ranks);
    struct ork_remedy r = {
        .ranks = ork_writing_give_set(w, &e->ranks),
        .frees = ork_writing_give_set(w, &e->frees),
        .call = ork_writing_give(w, a->has_ended ? "" : ork_call_name(call)),
        .message = ork_writing_give_sentence(w, ork_advice_words(w, f, a, &e->actors, e->roots)),
    };
    if (!a->has_ended)
        ork_writing_check(w, ork_call_sites_find(w->sites, named_rank(a), site, &r.where));
    return r;
}

/* Add the best ones, each with its sentence, to the finding. */
static void choose(struct collection *c, struct ork_finding *f)
{
    f->remedy = calloc(SHOWN_MAX, sizeof(*f->remedy));
    if (!ork_writing_check(c->w, f->remedy != NULL ? ORK_OK : ORK_NOMEM))
        return;
    for (uint32_t i = 0; i < c->count; i++)
        c->entry[i].is_dropped = is_covered(c, &c->entry[i]);
    for (uint32_t rank = 0; rank <= 1 + ADVICE_ARRIVE; rank++) {
        for (uint32_t i = 0; i < c->count && f->num_remedies < SHOWN_MAX; i++) {
            struct entry *e = &c->entry[i];
            if (e->rank == rank && !e->is_dropped)
                f->remedy[f->num_remedies++] = remedy_of(c->w, f, e);
        }
    }
}

void ork_describe_add_remedies(struct ork_writing *w, const struct ork_deadlock *dl,
                               struct ork_finding *f)
{
    const struct ork_wfg *graph = dl->search->wfg;
    struct collection c = {.w = w,
                           .s = dl->search,
                           .f = f,
                           .entry = ork_writing_alloc(w, REMEDIES_MAX, sizeof(*c.entry))};

    if (c.entry != NULL)
        ork_writing_check(w, ork_release_create(graph, &c.release));
    for (uint32_t k = 0; k < ork_wfg_num_bottom(graph) && w->status == ORK_OK; k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(graph, k);
        c.root = k;
        if (dl->root[k])
            try_knot(&c, &knot);
    }
    if (w->status == ORK_OK)
        choose(&c, f);
    ork_release_destroy(c.release);
}
