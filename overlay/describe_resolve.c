/* SPDX-License-Identifier: BSD-3-Clause */
/* Which single wait, if it were over, would break the knot: each arc of a root is taken away in
 * turn, and what that releases is counted. What is said holds for the calls that are in the graph;
 * what the ranks do behind them is not known. */
#include "overlay/describe_internal.h"

#include "overlay/describe_release.h"
#include "overlay/words.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: in a ring every arc breaks the knot, and each look takes as long as the ring. */
enum { WORK_MAX = 20 * 1000 * 1000, REMEDIES_MAX = 64, SHOWN_MAX = 4 };

/* What an arc says; in the order in which it helps a reader. */
enum way { WAY_NEAR_MISS, WAY_RECEIVE, WAY_SEND, WAY_ARRIVE, WAY_END, WAY_OTHER, WAY_COLLECTIVE };

struct way_out {
    enum way way;
    uint32_t rank; /* whose call it is */
    uint16_t call;
    uint32_t site;
    uint32_t near; /* WAY_NEAR_MISS: which */
    uint16_t coll; /* WAY_ARRIVE: that it does not come to */
    bool finished; /* WAY_END */
    uint32_t from; /* WAY_RECEIVE: whose message it waits for; UINT32_MAX: of several */
};

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

static enum way way_of_kind(unsigned kind)
{
    switch (kind) {
    case ORK_KIND_RECV:
    case ORK_KIND_PROBE:
        return WAY_RECEIVE;
    case ORK_KIND_SEND:
        return WAY_SEND;
    case ORK_KIND_COLL:
    case ORK_KIND_FINALIZE:
        return WAY_COLLECTIVE;
    default:
        return WAY_OTHER;
    }
}

/* The near miss that this receive is one side of. */
static bool find_near(const struct ork_finding *f, const struct way_out *w, struct ork_sites *sites,
                      uint32_t *near, enum ork_status *status)
{
    struct ork_where where;
    bool found = false;

    if (f->num_near_misses == 0)
        return false;
    *status = ork_sites_find(sites, w->rank, w->site, &where);
    for (uint32_t i = 0; i < f->num_near_misses && *status == ORK_OK && !found; i++) {
        const struct ork_match_end *end = &f->near_miss[i].waits;
        found = strcmp(end->call, ork_call_name(w->call)) == 0 &&
                (end->rank == w->rank || f->near_miss[i].others > 0) &&
                describe_is_same_where(&end->where, &where);
        *near = i;
    }
    if (*status == ORK_OK)
        ork_where_release(&where);
    return found;
}

static enum ork_status describe_arc(const struct ork_detector *d, struct ork_sites *sites,
                                    const struct ork_search *s, const struct ork_finding *f,
                                    uint32_t v, uint32_t arc, struct way_out *w)
{
    uint32_t to = ork_wfg_arc(s->wfg, v, arc).to;
    struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
    enum ork_status status = ORK_OK;

    *w = (struct way_out){.rank = owner(s, v)};
    if (node.kind == ORK_WFG_HUB) {
        const struct ork_hub_view *hub = &s->hub[node.process];
        struct ork_rank_view view = ork_search_rank(d, s, to);
        w->way = hub->any ? WAY_OTHER : WAY_ARRIVE;
        w->coll = hub->coll;
        w->rank = to;
        w->call = view.call.call;
        w->site = view.call.site;
        return ORK_OK;
    }
    struct ork_rank_view view = ork_search_rank(d, s, w->rank);
    if (view.status == ORK_RANK_DONE) {
        w->way = WAY_END;
        w->finished = view.end == ORK_END_FINISHED;
        return ORK_OK;
    }
    const struct ork_term *t = term_of(s, v, arc);
    bool is_own = t == NULL || t->kind == ORK_KIND_CONT;
    w->call = is_own ? view.call.call : t->call;
    w->site = is_own ? view.call.site : t->site;
    w->way = way_of_kind(is_own ? view.call.kind : t->kind);
    w->from = ork_wfg_node(s->wfg, to).kind == ORK_WFG_PROCESS && to != v ? to : UINT32_MAX;
    if ((w->way == WAY_RECEIVE || w->way == WAY_SEND) && find_near(f, w, sites, &w->near, &status))
        w->way = WAY_NEAR_MISS;
    return status;
}

/* ---- sentences ---- */

/* "rank 3's MPI_Recv at a.c:12", "the MPI_Recv at a.c:12 of any one of ranks 0-2" */
static char *whose_words(const struct ork_remedy *r)
{
    char *call = ork_words_call(r->call, &r->where);
    char *who = describe_ranks(r->ranks.item, r->ranks.count);
    char *text = NULL;

    if (call != NULL && who != NULL)
        text = r->ranks.count == 1 ? ork_words("%s's %s", who, call)
                                   : ork_words("the %s of any one of %s", call, who);
    free(call);
    free(who);
    return text;
}

/* What would have to be otherwise for the near miss to be none. */
static char *near_words(const struct ork_near_miss *n, const char *whose)
{
    if (strcmp(n->differs, "tag") == 0)
        return ork_words("%s had the tag of rank %u's %s", whose, n->pending.rank, n->pending.call);
    if (strcmp(n->differs, "communicator") == 0)
        return ork_words("%s were on the communicator of rank %u's %s", whose, n->pending.rank,
                         n->pending.call);
    return ork_words("%s and rank %u's %s named each other", whose, n->pending.rank,
                     n->pending.call);
}

static char *condition_words(const struct ork_finding *f, const struct way_out *w,
                             const struct ork_remedy *r)
{
    char *whose = whose_words(r);
    char *text = NULL;

    if (whose == NULL)
        return NULL;
    switch (w->way) {
    case WAY_NEAR_MISS:
        text = near_words(&f->near_miss[w->near], whose);
        break;
    case WAY_RECEIVE:
        text = r->ranks.count == 1 && w->from != UINT32_MAX
                   ? ork_words("%s got a message from rank %u", whose, w->from)
                   : ork_words("%s got a message", whose);
        break;
    case WAY_SEND:
        text = ork_words("%s did not have to wait for its receive", whose);
        break;
    case WAY_ARRIVE:
        text = w->coll == ORK_COLL_NONE
                   ? ork_words("%s came after MPI_Finalize of the others had begun", whose)
                   : ork_words("%s came after MPI_%s", whose, ork_coll_name(w->coll));
        break;
    case WAY_END: {
        char *who = describe_ranks(r->ranks.item, r->ranks.count);
        text = who == NULL ? NULL
                           : ork_words(w->finished ? "%s had not left MPI_Finalize"
                                                   : "%s had not ended without MPI_Finalize",
                                       who);
        free(who);
        break;
    }
    case WAY_OTHER:
        text = ork_words("%s were over", whose);
        break;
    case WAY_COLLECTIVE:
        text = ork_words("%s did not wait for the others", whose);
        break;
    }
    free(whose);
    return text;
}

static char *sentence(const struct ork_finding *f, const struct way_out *w,
                      const struct ork_remedy *r)
{
    bool all = r->frees.count >= f->ranks.count;
    char *condition = condition_words(f, w, r);
    char *who = all ? strdup(f->ranks.count == 1   ? "it"
                             : f->ranks.count == 2 ? "both ranks"
                                                   : "all of these ranks")
                    : describe_ranks(r->frees.item, r->frees.count);
    char *text = condition == NULL || who == NULL
                     ? NULL
                     : ork_words("If %s, %s could go on.", condition, who);

    free(condition);
    free(who);
    return text;
}

/* ---- collecting ---- */

struct collection {
    struct ork_remedy *remedy;
    struct way_out *way;
    uint32_t count;
};

static enum ork_status find_place(struct ork_sites *sites, const struct way_out *w,
                                  struct ork_where *where)
{
    *where = (struct ork_where){0};
    return w->way == WAY_END ? ORK_OK : ork_sites_find(sites, w->rank, w->site, where);
}

static enum ork_status fill_frees(const struct ork_release *release, const struct ork_search *s,
                                  struct ork_remedy *r)
{
    uint32_t count;
    const uint32_t *node = ork_release_nodes(release, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (ork_wfg_node(s->wfg, node[i]).kind == ORK_WFG_PROCESS &&
            !describe_add_rank(&r->frees, node[i]))
            return ORK_NOMEM;
    }
    describe_sort_unique(&r->frees);
    return ORK_OK;
}

/* Join it with an equal one of another rank, or begin one. */
static enum ork_status collect(struct collection *c, struct ork_sites *sites,
                               const struct ork_release *release, const struct ork_search *s,
                               const struct way_out *w, uint32_t frees)
{
    struct ork_where where;
    uint32_t i = 0;
    enum ork_status status = find_place(sites, w, &where);

    if (status != ORK_OK)
        return status;
    while (i < c->count && (c->way[i].way != w->way || c->way[i].call != w->call ||
                            c->way[i].coll != w->coll || c->remedy[i].frees.count != frees ||
                            !describe_is_same_where(&c->remedy[i].where, &where)))
        i++;
    if (i < c->count || c->count == REMEDIES_MAX) {
        ork_where_release(&where);
        return i == REMEDIES_MAX || describe_add_rank(&c->remedy[i].ranks, w->rank) ? ORK_OK
                                                                                    : ORK_NOMEM;
    }
    c->way[c->count] = *w;
    struct ork_remedy *r = &c->remedy[c->count++];
    *r = (struct ork_remedy){.where = where,
                             .call = strdup(w->way == WAY_END ? "" : ork_call_name(w->call))};
    if (r->call == NULL || !describe_add_rank(&r->ranks, w->rank))
        return ORK_NOMEM;
    return fill_frees(release, s, r);
}

/* How many processes there are in the knot, and how many of them the latest look released. */
static bool breaks(const struct ork_release *release, const struct ork_search *s,
                   const struct ork_wfg_knot *knot, uint32_t released, uint32_t deadlocked)
{
    uint32_t count, in_knot = 0, freed = 0;
    const uint32_t *node = ork_release_nodes(release, &count);

    if (released == 0 || released == deadlocked)
        return released > 0;
    for (uint32_t i = 0; i < knot->count; i++)
        in_knot += ork_wfg_node(s->wfg, knot->node[i]).kind == ORK_WFG_PROCESS;
    for (uint32_t i = 0; i < count; i++) {
        if (ork_wfg_node(s->wfg, node[i]).kind == ORK_WFG_PROCESS &&
            bsearch(&node[i], knot->node, knot->count, sizeof(*node), describe_compare_ranks))
            freed++;
    }
    return freed == in_knot;
}

static enum ork_status try_knot(const struct ork_detector *d, struct ork_sites *sites,
                                const struct ork_search *s, struct ork_release *release,
                                const struct ork_wfg_knot *knot, const struct ork_finding *f,
                                struct collection *c)
{
    for (uint32_t i = 0; i < knot->count; i++) {
        uint32_t v = knot->node[i];
        for (uint32_t arc = 0; arc < ork_wfg_num_arcs(s->wfg, v); arc++) {
            struct way_out w;
            if (ork_release_work(release) > WORK_MAX)
                return ORK_OK;
            uint32_t released = ork_release_without(release, v, arc);
            if (!breaks(release, s, knot, released, f->ranks.count))
                continue;
            enum ork_status status = describe_arc(d, sites, s, f, v, arc, &w);
            if (status == ORK_OK)
                status = collect(c, sites, release, s, &w, released);
            if (status != ORK_OK)
                return status;
        }
    }
    return ORK_OK;
}

static void release_remedy(struct ork_remedy *r)
{
    free(r->ranks.item);
    free(r->call);
    ork_where_release(&r->where);
    free(r->frees.item);
    free(r->message);
}

/* The best ones, each with its sentence, go to the finding. */
static enum ork_status choose(struct collection *c, struct ork_finding *f)
{
    f->remedy = calloc(SHOWN_MAX, sizeof(*f->remedy));
    if (f->remedy == NULL)
        return ORK_NOMEM;
    for (unsigned way = 0; way <= WAY_COLLECTIVE; way++) {
        if (way == WAY_COLLECTIVE && f->num_remedies > 0) /* the others say it better */
            break;
        for (uint32_t i = 0; i < c->count && f->num_remedies < SHOWN_MAX; i++) {
            if (c->way[i].way != way)
                continue;
            struct ork_remedy *r = &f->remedy[f->num_remedies++];
            *r = c->remedy[i];
            c->remedy[i] = (struct ork_remedy){0};
            describe_sort_unique(&r->ranks);
            r->message = sentence(f, &c->way[i], r);
            if (r->message == NULL)
                return ORK_NOMEM;
        }
    }
    return ORK_OK;
}

enum ork_status describe_add_remedies(const struct ork_detector *d, struct ork_sites *sites,
                                      const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_search *s = dl->search;
    struct ork_release *release = NULL;
    struct collection c = {.remedy = calloc(REMEDIES_MAX, sizeof(*c.remedy)),
                           .way = calloc(REMEDIES_MAX, sizeof(*c.way))};
    enum ork_status status =
        c.remedy == NULL || c.way == NULL ? ORK_NOMEM : ork_release_create(s->wfg, &release);

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg) && status == ORK_OK; k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        if (dl->root[k])
            status = try_knot(d, sites, s, release, &knot, f, &c);
    }
    if (status == ORK_OK)
        status = choose(&c, f);
    for (uint32_t i = 0; i < c.count; i++)
        release_remedy(&c.remedy[i]);
    free(c.remedy);
    free(c.way);
    ork_release_destroy(release);
    return status;
}
