/* SPDX-License-Identifier: BSD-3-Clause */
/* Strongly connected components of the subgraph that a set induces: Tarjan's algorithm with an
 * explicit path. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum ork_status ork_scc_init(struct ork_scc *s, uint32_t num_nodes)
{
    *s = (struct ork_scc){
        .number = ork_array_create(num_nodes, sizeof(*s->number)),
        .low = ork_array_create(num_nodes, sizeof(*s->low)),
        .cursor = ork_array_create(num_nodes, sizeof(*s->cursor)),
        .path = ork_array_create(num_nodes, sizeof(*s->path)),
        .stack = ork_array_create(num_nodes, sizeof(*s->stack)),
        .out = ork_array_create(num_nodes, sizeof(*s->out)),
    };
    if (s->number != NULL && s->low != NULL && s->cursor != NULL && s->path != NULL &&
        s->stack != NULL && s->out != NULL)
        return ORK_OK;
    ork_scc_release(s);
    return ORK_NOMEM;
}

void ork_scc_release(struct ork_scc *s)
{
    free(s->number);
    free(s->low);
    free(s->cursor);
    free(s->path);
    free(s->stack);
    free(s->out);
    *s = (struct ork_scc){0};
}

static void enter(struct ork_scc *s, const struct ork_digraph *g, uint32_t v)
{
    ORK_ASSERT(s->number[v] == 0);
    s->number[v] = s->low[v] = ++s->counter;
    s->cursor[v] = g->start[v];
    s->path[s->depth++] = v;
    s->stack[s->height++] = v;
}

/* All arcs of v have been followed: update the node from which v was reached, and remove the
 * component of v if v is its first node. */
static void leave(struct ork_scc *s, uint32_t v)
{
    s->depth--;
    if (s->depth > 0) {
        uint32_t parent = s->path[s->depth - 1];
        if (s->low[v] < s->low[parent])
            s->low[parent] = s->low[v];
    }
    if (s->low[v] != s->number[v])
        return;
    uint32_t first = s->num_out;
    uint32_t w;
    do {
        ORK_ASSERT(s->height > 0); /* v itself is on the stack */
        w = s->stack[--s->height];
        s->low[w] = ORK_NONE;
        s->number[w] = first + 1; /* from now on: where its component begins in `out`, from 1 */
        s->out[s->num_out++] = w;
    } while (w != v);
}

/* Invariant: the stack holds, in order of discovery, the discovered nodes whose component is not
 * complete. low[v] of such a node is the number of a node of the stack that v reaches, and at most
 * the number of v. */
static void explore(struct ork_scc *s, const struct ork_digraph *g, const uint32_t *set,
                    uint32_t id, uint32_t root)
{
    enter(s, g, root);
    while (s->depth > 0) {
        uint32_t v = s->path[s->depth - 1];
        if (s->cursor[v] == g->start[v + 1]) {
            leave(s, v);
            continue;
        }
        uint32_t w = g->to[s->cursor[v]++];
        if (set[w] != id)
            continue;
        if (s->number[w] == 0)
            enter(s, g, w);
        else if (s->low[w] < s->low[v])
            s->low[v] = s->low[w];
    }
}

void ork_scc_split(struct ork_scc *s, const struct ork_digraph *g, uint32_t *set, uint32_t *node,
                   uint32_t lo, uint32_t hi)
{
    s->depth = 0;
    s->height = 0;
    s->num_out = 0;
    s->counter = 0;
    for (uint32_t i = lo; i < hi; i++)
        s->number[node[i]] = 0;
    for (uint32_t i = lo; i < hi; i++) {
        if (s->number[node[i]] == 0)
            explore(s, g, set, lo, node[i]);
    }
    ORK_ASSERT(s->height == 0 && s->num_out == hi - lo); /* each node is in one component */
    for (uint32_t i = 0; i < s->num_out; i++) {
        uint32_t v = s->out[i];
        node[lo + i] = v;
        set[v] = lo + s->number[v] - 1;
    }
}

uint32_t ork_scc_end(const uint32_t *set, const uint32_t *node, uint32_t lo, uint32_t hi)
{
    uint32_t end = lo;

    while (end < hi && set[node[end]] == lo)
        end++;
    return end;
}

bool ork_scc_is_bottom(const struct ork_digraph *g, const uint32_t *set, const uint32_t *node,
                       uint32_t lo, uint32_t hi)
{
    for (uint32_t i = lo; i < hi; i++) {
        uint32_t v = node[i];
        for (uint32_t a = g->start[v]; a < g->start[v + 1]; a++) {
            uint32_t id = set[g->to[a]];
            if (id != ORK_NONE && id != lo)
                return false;
        }
    }
    return true;
}
