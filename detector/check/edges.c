/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dist_graph_create_adjacent: each rank names the edges that lead to it and those that lead
 * from it, so each edge is named by two ranks (MPI-3.1 section 7.5.4). MPI_Graph_create:
 * neighbourhood collectives need as many edges in one direction as in the other (section 7.6). */
#include "detector/check/edges.h"

#include "detector/check/issue.h"
#include "detector/check/neighbors.h"

#include <stdlib.h>

/* The edges by one of their ends, sorted: from << 32 | to. */
struct edges {
    uint64_t *edge;
    size_t count;
};

static void add(struct edges *e, const struct comm *c, uint32_t from, uint32_t to)
{
    if (from < c->size && to < c->size)
        e->edge[e->count++] = (uint64_t)from << 32 | to;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* As the members that they lead from name them, or (`is_in`) those that they lead to. */
static bool collect(const struct comm *c, bool is_in, struct edges *e)
{
    size_t n = 0;

    for (uint32_t i = 0; i < c->size; i++)
        n += is_in ? c->neighbors[i]->sources : c->neighbors[i]->destinations;
    *e = (struct edges){.edge = calloc(n + 1, sizeof(*e->edge))};
    if (e->edge == NULL)
        return false;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct neighbors *m = c->neighbors[i];
        for (uint32_t k = 0; is_in && k < m->sources; k++)
            add(e, c, (uint32_t)m->rank[k], i);
        for (uint32_t k = 0; !is_in && k < m->destinations; k++)
            add(e, c, i, (uint32_t)m->rank[m->sources + k]);
    }
    qsort(e->edge, e->count, sizeof(*e->edge), compare);
    return true;
}

/* How often `edge` comes next; moves *at behind it. */
static uint32_t count_next(const struct edges *e, size_t *at, uint64_t edge)
{
    size_t first = *at;

    while (*at < e->count && e->edge[*at] == edge)
        ++*at;
    return (uint32_t)(*at - first);
}

static uint64_t next_of(const struct edges *e, size_t at)
{
    return at < e->count ? e->edge[at] : UINT64_MAX;
}

static void set_side(struct ork_detector *d, const struct comm *c, uint32_t member,
                     struct ork_issue_side *side)
{
    const struct neighbors *n = c->neighbors[member];

    side->rank = c->member == NULL ? member : c->member[member];
    side->call = (struct ork_record){.kind = ORK_KIND_COLL,
                                     .call = n->call,
                                     .mode = (uint16_t)c->made_by,
                                     .site = n->site,
                                     .peer = ORK_NO_PEER};
    ork_issue_add_rank(d, side, side->rank);
}

static struct ork_issue *add_issue(struct ork_detector *d, const struct comm *c, uint64_t edge,
                                   const uint32_t named[2])
{
    uint32_t from = (uint32_t)(edge >> 32), to = (uint32_t)edge;
    struct ork_issue *issue = ork_issue_add(d, ORK_ISSUE_GRAPH, c->id, 2);

    if (issue == NULL)
        return NULL;
    set_side(d, c, from, &issue->side[0]);
    set_side(d, c, to, &issue->side[1]);
    for (unsigned i = 0; i < 2; i++) {
        issue->edges.named[i] = named[i];
        issue->quiet |= d->proc[issue->side[i].rank]->quiet;
    }
    return issue;
}

/* Invariant: all edges before `i` and `k` were compared. */
static void compare_all(struct ork_detector *d, const struct comm *c, const struct edges *out,
                        const struct edges *in)
{
    struct ork_issue *issue = NULL;
    size_t i = 0, k = 0;

    while ((i < out->count || k < in->count) && !d->failed) {
        uint64_t x = next_of(out, i), y = next_of(in, k);
        uint64_t edge = x < y ? x : y;
        uint32_t named[2] = {count_next(out, &i, edge), count_next(in, &k, edge)};
        if (named[0] == named[1])
            continue;
        if (issue == NULL)
            issue = add_issue(d, c, edge, named);
        else
            issue->edges.others++;
    }
}

void ork_edges_compare(struct ork_detector *d, const struct comm *c)
{
    struct edges out = {0}, in = {0};

    if (c->made_by != ORK_COLL_DIST_GRAPH_CREATE_ADJACENT && c->made_by != ORK_COLL_GRAPH_CREATE)
        return;
    if (collect(c, false, &out) && collect(c, true, &in))
        compare_all(d, c, &out, &in);
    else
        d->failed = true;
    free(out.edge);
    free(in.edge);
}
