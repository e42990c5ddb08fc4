/* SPDX-License-Identifier: BSD-3-Clause */
/* What would resolve a deadlock. Remove each arc of a root in turn. If that releases the whole
 * root, the wait could be over if the awaited rank did its part before it blocked. So each arc is a
 * pair: which rank waits in which call, and which rank would have to act before which call. This
 * holds for the calls in the graph; later calls of the ranks are unknown. describe_advice.c makes
 * the text. */
#include "overlay/findings/describe_advice.h"

#include "overlay/findings/describe_near.h"
#include "overlay/findings/describe_release.h"
#include "overlay/findings/phrase.h"
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
static enum ork_status find_near(const struct ork_finding *f, struct ork_call_sites *sites,
                                 struct advice *a)
{
    struct ork_where where;

    if (f->num_near_misses == 0 || a->part == ADVICE_ARRIVE)
        return ORK_OK;
    enum ork_status status = ork_call_sites_find(sites, a->waiter, a->wait_site, &where);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; i < f->num_near_misses && a->near == UINT32_MAX; i++) {
        const struct ork_near_miss *n = &f->near_miss[i];
        if (ork_describe_is_near_of_messages(n) &&
            (is_at(&n->waits, a, &where) || is_at(&n->pending, a, &where)))
            a->near = i;
    }
    ork_where_release(&where);
    return ORK_OK;
}

/* ---- collecting ---- */

struct entry {
    struct ork_remedy remedy; /* without its sentence */
    struct advice advice;     /* of the first of those that are alike */
    struct ork_u32s actors;
    uint32_t roots, last_root; /* number of roots with it, and the latest one */
    uint32_t num_frees;        /* in each of them */
    uint32_t rank;             /* the less, the better */
    uint32_t hub;              /* `remedy` names its waiters; UINT32_MAX: none */
    bool is_dropped;
};

struct collection {
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

static enum ork_status name_call(struct ork_call_sites *sites, const struct advice *a,
                                 struct ork_remedy *r)
{
    bool of_actor = a->part == ADVICE_ARRIVE;

    *r = (struct ork_remedy){0};
    if (a->has_ended)
        r->call = strdup("");
    else
        r->call = strdup(ork_call_name(of_actor ? a->actor_call.call : a->wait_call));
    if (r->call == NULL)
        return ORK_NOMEM;
    if (a->has_ended)
        return ORK_OK;
    return ork_call_sites_find(sites, named_rank(a), of_actor ? a->actor_call.site : a->wait_site,
                               &r->where);
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

static enum ork_status fill_frees(const struct ork_release *release, const struct ork_search *s,
                                  struct ork_remedy *r)
{
    uint32_t count;
    const uint32_t *node = ork_release_nodes(release, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (is_process(s, node[i]) && !ork_describe_add_rank(&r->frees, node[i]))
            return ORK_NOMEM;
    }
    ork_describe_sort_unique(&r->frees);
    return ORK_OK;
}

static void release_entry(struct entry *e)
{
    free(e->remedy.ranks.item);
    free(e->remedy.call);
    ork_where_release(&e->remedy.where);
    free(e->remedy.frees.item);
    free(e->remedy.message);
    free(e->actors.item);
}

/* Merge it with a similar one, or begin a new one. *out NULL: there are too many. */
static enum ork_status collect(struct collection *c, struct ork_call_sites *sites,
                               const struct ork_release *release, const struct ork_search *s,
                               const struct advice *a, uint32_t frees, struct entry **out)
{
    struct entry new = {.advice = *a, .rank = rank_of(a), .num_frees = frees, .hub = UINT32_MAX};
    enum ork_status status = name_call(sites, a, &new.remedy);
    uint32_t i = 0;

    *out = NULL;
    while (status == ORK_OK && i < c->count && !is_alike(sites, &c->entry[i], a, frees))
        i++;
    if (status != ORK_OK || i < c->count || c->count == REMEDIES_MAX)
        release_entry(&new);
    else
        c->entry[c->count++] = new;
    if (status != ORK_OK || i == REMEDIES_MAX)
        return status;
    struct entry *e = &c->entry[i];
    if (!ork_describe_add_rank(&e->remedy.ranks, named_rank(a)) ||
        !ork_describe_add_rank(&e->actors, a->actor))
        return ORK_NOMEM;
    *out = e;
    if (e->roots > 0 && e->last_root == c->root)
        return ORK_OK;
    e->roots++;
    e->last_root = c->root;
    return fill_frees(release, s, &e->remedy);
}

/* A message from the actor may end any of the waits that share the hub, not only that of the waiter
 * that represents them. */
static enum ork_status add_waiters(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *s, uint32_t hub, const struct advice *a,
                                   struct entry *e)
{
    struct advice other = {0};

    e->hub = hub;
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        if (owner(s, v) == UINT32_MAX || owner(s, v) == a->actor ||
            !ork_wfg_is_deadlocked(s->wfg, v))
            continue;
        for (uint32_t arc = 0; arc < ork_wfg_num_arcs(s->wfg, v); arc++) {
            if (ork_wfg_arc(s->wfg, v, arc).to != hub)
                continue;
            fill_waiter(d, s, v, arc, &other);
            if (other.wait_call == a->wait_call &&
                ork_describe_is_same_site(sites, other.waiter, other.wait_site, a->waiter,
                                          a->wait_site) &&
                !ork_describe_add_rank(&e->remedy.ranks, other.waiter))
                return ORK_NOMEM;
        }
    }
    return ORK_OK;
}

/* How many processes are in the knot, and how many of them the latest propagation released. */
static bool breaks(const struct ork_release *release, const struct ork_search *s,
                   const struct ork_wfg_knot *knot, uint32_t released, uint32_t deadlocked)
{
    uint32_t count, in_knot = 0, freed = 0;
    const uint32_t *node = ork_release_nodes(release, &count);

    if (released == 0 || released == deadlocked)
        return released > 0;
    for (uint32_t i = 0; i < knot->count; i++)
        in_knot += is_process(s, knot->node[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (is_process(s, node[i]) &&
            bsearch(&node[i], knot->node, knot->count, sizeof(*node), ork_describe_compare_ranks))
            freed++;
    }
    return freed == in_knot;
}

static enum ork_status try_arc(const struct ork_detector *d, struct ork_call_sites *sites,
                               const struct ork_search *s, const struct ork_release *release,
                               uint32_t v, uint32_t arc, uint32_t released,
                               const struct ork_finding *f, struct collection *c)
{
    struct advice a = advice_of(d, s, v, arc);
    struct entry *e = NULL;
    enum ork_status status = ORK_OK;

    if (a.part == ADVICE_NONE)
        return ORK_OK;
    if (s->rank == NULL) /* without it, unmatched calls in the detector come next */
        ork_advice_find_later(d, &a);
    if (!a.is_later)
        status = find_near(f, sites, &a);
    if (status == ORK_OK)
        status = collect(c, sites, release, s, &a, released, &e);
    bool is_one_of_many = owner(s, v) == UINT32_MAX && a.part != ADVICE_ARRIVE && !a.has_ended;
    if (status == ORK_OK && e != NULL && is_one_of_many && e->hub != v)
        status = add_waiters(d, sites, s, v, &a, e);
    return status;
}

static enum ork_status try_knot(const struct ork_detector *d, struct ork_call_sites *sites,
                                const struct ork_search *s, struct ork_release *release,
                                const struct ork_wfg_knot *knot, const struct ork_finding *f,
                                struct collection *c)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < knot->count; i++) {
        uint32_t v = knot->node[i];
        for (uint32_t arc = 0; arc < ork_wfg_num_arcs(s->wfg, v) && status == ORK_OK; arc++) {
            if (ork_release_work(release) > WORK_MAX)
                return ORK_OK;
            uint32_t released = ork_release_without(release, v, arc);
            if (breaks(release, s, knot, released, f->ranks.count))
                status = try_arc(d, sites, s, release, v, arc, released, f, c);
        }
    }
    return status;
}

static bool is_same_set(const struct ork_u32s *a, const struct ork_u32s *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->item, b->item, a->count * sizeof(*a->item)) == 0);
}

/* Would a known near miss release the same ranks? Then that is the mistake, and other remedies are
 * dropped. */
static bool is_covered(const struct collection *c, const struct entry *e)
{
    bool covered = false;

    for (uint32_t i = 0; i < c->count && !covered; i++)
        covered = c->entry[i].advice.near != UINT32_MAX && e->advice.near == UINT32_MAX &&
                  !e->advice.is_later && is_same_set(&c->entry[i].remedy.frees, &e->remedy.frees);
    return covered;
}

static void drop_covered(struct collection *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->count; i++)
        c->entry[i].is_dropped = is_covered(c, &c->entry[i]);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->entry[i].is_dropped)
            release_entry(&c->entry[i]);
        else
            c->entry[n++] = c->entry[i];
    }
    c->count = n;
}

/* Add the best ones, each with its sentence, to the finding. */
static enum ork_status choose(const struct ork_detector *d, struct ork_call_sites *sites,
                              struct collection *c, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    drop_covered(c);
    f->remedy = calloc(SHOWN_MAX, sizeof(*f->remedy));
    if (f->remedy == NULL)
        return ORK_NOMEM;
    for (uint32_t rank = 0; rank <= 1 + ADVICE_ARRIVE && status == ORK_OK; rank++) {
        for (uint32_t i = 0; i < c->count && f->num_remedies < SHOWN_MAX && status == ORK_OK; i++) {
            struct entry *e = &c->entry[i];
            if (e->rank != rank)
                continue;
            struct ork_remedy *r = &f->remedy[f->num_remedies++];
            ork_describe_sort_unique(&e->actors);
            *r = e->remedy;
            e->remedy = (struct ork_remedy){0};
            ork_describe_sort_unique(&r->ranks);
            status = ork_advice_words(d, sites, f, &e->advice, &e->actors, e->roots, &r->message);
        }
    }
    return status;
}

enum ork_status ork_describe_add_remedies(const struct ork_detector *d,
                                          struct ork_call_sites *sites,
                                          const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_search *s = dl->search;
    struct ork_release *release = NULL;
    struct collection c = {.entry = calloc(REMEDIES_MAX, sizeof(*c.entry))};
    enum ork_status status = c.entry == NULL ? ORK_NOMEM : ork_release_create(s->wfg, &release);

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg) && status == ORK_OK; k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        c.root = k;
        if (dl->root[k])
            status = try_knot(d, sites, s, release, &knot, f, &c);
    }
    if (status == ORK_OK)
        status = choose(d, sites, &c, f);
    for (uint32_t i = 0; i < c.count; i++)
        release_entry(&c.entry[i]);
    free(c.entry);
    ork_release_destroy(release);
    return status;
}
