/* SPDX-License-Identifier: BSD-3-Clause */
/* From conditions to an AND(+)OR graph: the function t of the SC12 paper's Fig. 5, n-ary and
 * without intermediate nodes (Fig. 6(d)). Drafts of nodes hold their arcs in linked lists, so that
 * a nested operator joins its parent in constant time. Drafts that are still referenced then get
 * numbers and rows. Iterative and linear in the number of building calls. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

struct item {
    uint32_t target; /* a draft */
    uint32_t label;
    uint32_t next; /* ORK_NONE ends the list */
};

struct draft {
    uint32_t first; /* items */
    uint32_t last;
    uint32_t label;
    uint32_t process; /* of a term */
    enum ork_wfg_op op;
    bool many; /* items with at least two different targets; otherwise there is at most one item */
    bool satisfied; /* regardless of the items */
};

struct transform {
    const struct ork_conditions *from;
    struct draft *draft; /* the processes, the hubs, then terms in the order of opening */
    uint32_t num_drafts;
    uint32_t first_hub;
    uint32_t first_term;
    struct item *item;
    uint32_t num_items;
    uint32_t *open; /* drafts of the open terms; the outermost is the process itself */
    uint32_t depth;
    uint32_t process;
    uint32_t *number; /* by draft: its node, ORK_NONE while it has none */
    uint32_t *term;   /* drafts of the terms that remain */
    uint32_t num_terms;
    uint32_t *last_arc; /* by node: the latest arc to it */
};

static void transform_release(struct transform *t)
{
    free(t->draft);
    free(t->item);
    free(t->open);
    free(t->number);
    free(t->term);
    free(t->last_arc);
}

static enum ork_status transform_init(struct transform *t, const struct ork_conditions *from)
{
    uint64_t drafts = (uint64_t)from->num_processes + from->num_hubs + from->num_open;
    /* A building call creates at most one item, and so does a member and an ended process. */
    uint64_t items = (uint64_t)from->num_tokens + from->num_members + from->num_processes;

    if (drafts >= ORK_NONE || items >= ORK_NONE)
        return ORK_NOMEM;
    *t = (struct transform){
        .from = from,
        .draft = ork_array_create(drafts, sizeof(*t->draft)),
        .first_hub = from->num_processes,
        .first_term = from->num_processes + from->num_hubs,
        .item = ork_array_create(items, sizeof(*t->item)),
        .open = ork_array_create(from->max_depth, sizeof(*t->open)),
        .number = ork_array_create(drafts, sizeof(*t->number)),
        .term = ork_array_create(from->num_open, sizeof(*t->term)),
        .last_arc = ork_array_create(drafts, sizeof(*t->last_arc)),
    };
    if (t->draft != NULL && t->item != NULL && t->open != NULL && t->number != NULL &&
        t->term != NULL && t->last_arc != NULL)
        return ORK_OK;
    transform_release(t);
    return ORK_NOMEM;
}

static uint32_t add_draft(struct transform *t, enum ork_wfg_op op, uint32_t label)
{
    ORK_ASSERT(t->num_drafts < t->first_term + t->from->num_open);
    t->draft[t->num_drafts] = (struct draft){
        .first = ORK_NONE, .last = ORK_NONE, .label = label, .process = t->process, .op = op};
    return t->num_drafts++;
}

/* A nested operator that equals its parent's is merged into the parent, unless it has a label. */
static bool can_join(const struct transform *t, const struct draft *d, uint32_t target,
                     uint32_t label)
{
    return target >= t->first_term && label == 0 && t->draft[target].label == 0 &&
           t->draft[target].op == d->op;
}

static void join(struct transform *t, struct draft *d, const struct draft *term)
{
    if (d->first == ORK_NONE)
        d->first = term->first;
    else
        t->item[d->last].next = term->first;
    d->last = term->last;
    d->many = true; /* a term that was kept has several */
}

static void append(struct transform *t, uint32_t id, uint32_t target, uint32_t label)
{
    struct draft *d = &t->draft[id];

    if (can_join(t, d, target, label)) {
        join(t, d, &t->draft[target]);
        return;
    }
    if (d->first != ORK_NONE && !d->many && t->item[d->first].target == target) {
        if (t->item[d->first].label == 0)
            t->item[d->first].label = label;
        return;
    }
    ORK_ASSERT(t->num_items < t->from->num_tokens + t->from->num_members + t->from->num_processes);
    t->item[t->num_items] = (struct item){target, label, ORK_NONE};
    if (d->first == ORK_NONE) {
        d->first = t->num_items;
    } else {
        t->item[d->last].next = t->num_items;
        d->many = true;
    }
    d->last = t->num_items++;
}

/* The draft that the next part belongs to. */
static uint32_t current(const struct transform *t)
{
    return t->depth > 0 ? t->open[t->depth - 1] : t->process;
}

static void add_true(struct transform *t)
{
    struct draft *d = &t->draft[current(t)];

    if (d->op == ORK_WFG_OR)
        d->satisfied = true;
}

/* Add a part that is never satisfied. A wait for the process itself is equivalent, and ensures that
 * every knot contains a process. */
static void add_false(struct transform *t, uint32_t label)
{
    append(t, current(t), t->process, label);
}

static void add_hub(struct transform *t, uint32_t hub, uint32_t label)
{
    const struct draft *d = &t->draft[t->first_hub + hub];

    if (d->first != ORK_NONE)
        append(t, current(t), t->first_hub + hub, label);
    else if (d->op == ORK_WFG_AND)
        add_true(t);
    else
        add_false(t, label != 0 ? label : d->label);
}

static void open_term(struct transform *t, enum ork_wfg_op op, uint32_t label)
{
    uint32_t id = t->process;

    if (t->depth > 0) {
        id = add_draft(t, op, label);
    } else {
        t->draft[id].op = op;
        t->draft[id].label = label;
    }
    ORK_ASSERT(t->depth < t->from->max_depth);
    t->open[t->depth++] = id;
}

/* The outermost term is the process. If it has one arc, to an unlabelled term, it takes the place
 * of that term. */
static void close_process(struct transform *t, struct draft *d)
{
    if (d->satisfied)
        d->first = ORK_NONE;
    else if (d->first == ORK_NONE && d->op == ORK_WFG_OR)
        add_false(t, 0);
    if (d->first == ORK_NONE || d->many)
        return;
    const struct item *only = &t->item[d->first];
    if (only->target < t->first_term || only->label != 0 || t->draft[only->target].label != 0)
        return;
    const struct draft *term = &t->draft[only->target];
    d->op = term->op;
    d->first = term->first;
    d->last = term->last;
    d->many = true;
}

static void close_term(struct transform *t)
{
    ORK_ASSERT(t->depth > 0);
    uint32_t id = t->open[--t->depth];
    struct draft *d = &t->draft[id];

    if (t->depth == 0) {
        close_process(t, d);
    } else if (d->satisfied || (d->first == ORK_NONE && d->op == ORK_WFG_AND)) {
        add_true(t);
    } else if (d->first == ORK_NONE) {
        add_false(t, d->label);
    } else if (d->many) {
        append(t, current(t), id, 0);
    } else {
        const struct item *only = &t->item[d->first];
        append(t, current(t), only->target, d->label != 0 ? d->label : only->label);
    }
}

static void read_token(struct transform *t, const struct ork_token *token)
{
    switch (token->kind) {
    case ORK_TOKEN_BEGIN:
        t->process = token->value;
        break;
    case ORK_TOKEN_OPEN:
        open_term(t, (enum ork_wfg_op)token->value, token->label);
        break;
    case ORK_TOKEN_ATOM:
        append(t, current(t), token->value, token->label);
        break;
    case ORK_TOKEN_HUB:
        add_hub(t, token->value, token->label);
        break;
    case ORK_TOKEN_TRUE:
        add_true(t);
        break;
    case ORK_TOKEN_CLOSE:
        close_term(t);
        break;
    }
}

static void draft_all(struct transform *t)
{
    const struct ork_conditions *from = t->from;

    for (uint32_t p = 0; p < from->num_processes; p++) {
        t->process = p;
        add_draft(t, ORK_WFG_AND, 0);
    }
    for (uint32_t h = 0; h < from->num_hubs; h++)
        add_draft(t, from->hub[h].op, from->hub[h].label);
    for (uint32_t m = 0; m < from->num_members; m++)
        append(t, t->first_hub + from->member[m].hub, from->member[m].process, 0);
    for (uint32_t p = 0; p < from->num_processes; p++) {
        if (from->state[p] == ORK_PROCESS_DONE)
            append(t, p, p, 0);
    }
    for (uint32_t i = 0; i < from->num_tokens; i++)
        read_token(t, &from->token[i]);
    ORK_ASSERT(t->depth == 0); /* the building calls ensure this */
}

/* Mark the hubs and collect the terms that this draft's arcs lead to. */
static void visit(struct transform *t, uint32_t id)
{
    for (uint32_t i = t->draft[id].first; i != ORK_NONE; i = t->item[i].next) {
        uint32_t target = t->item[i].target;
        if (target >= t->first_term)
            t->term[t->num_terms++] = target;
        else if (target >= t->first_hub)
            t->number[target] = 0;
    }
}

/* Returns the number of nodes. Only one arc leads to a term, so it is visited once. */
static uint32_t number_all(struct transform *t)
{
    uint32_t nodes = t->first_hub;
    uint32_t visited = 0;

    for (uint32_t id = 0; id < t->num_drafts; id++)
        t->number[id] = id < t->first_hub ? id : ORK_NONE;
    for (uint32_t p = 0; p < t->first_hub; p++) {
        visit(t, p);
        while (visited < t->num_terms)
            visit(t, t->term[visited++]);
    }
    for (uint32_t id = t->first_hub; id < t->first_term; id++) {
        if (t->number[id] != ORK_NONE)
            t->number[id] = nodes++;
    }
    for (uint32_t i = 0; i < t->num_terms; i++)
        t->number[t->term[i]] = nodes++;
    return nodes;
}

static struct ork_wfg_node describe(const struct transform *t, uint32_t id, bool is_or)
{
    struct ork_wfg_node node = {
        .kind = ORK_WFG_TERM,
        .op = is_or ? ORK_WFG_OR : ORK_WFG_AND,
        .process = t->draft[id].process,
        .label = t->draft[id].label,
    };
    if (id < t->first_hub) {
        node.kind = ORK_WFG_PROCESS;
    } else if (id < t->first_term) {
        node.kind = ORK_WFG_HUB;
        node.process = id - t->first_hub;
    }
    return node;
}

/* Rows are written in the order of their numbers; an arc that already exists only contributes its
 * label. */
static void write_row(struct transform *t, uint32_t id, struct ork_wfg_graph *out)
{
    struct ork_digraph *d = &out->d;
    uint32_t v = t->number[id];
    uint32_t end = d->start[v];

    for (uint32_t i = t->draft[id].first; i != ORK_NONE; i = t->item[i].next) {
        uint32_t to = t->number[t->item[i].target];
        ORK_ASSERT(to != ORK_NONE); /* it was visited */
        uint32_t arc = t->last_arc[to];
        if (arc >= d->start[v] && arc < end && d->to[arc] == to) {
            if (out->arc_label[arc] == 0)
                out->arc_label[arc] = t->item[i].label;
            continue;
        }
        d->to[end] = to;
        out->arc_label[end] = t->item[i].label;
        t->last_arc[to] = end++;
    }
    d->start[v + 1] = end;
    d->is_or[v] = t->draft[id].op == ORK_WFG_OR && end - d->start[v] > 1;
    out->node[v] = describe(t, id, d->is_or[v]);
}

static enum ork_status graph_init(struct ork_wfg_graph *out, uint32_t nodes, uint32_t arcs)
{
    *out = (struct ork_wfg_graph){0};
    if (ork_digraph_init(&out->d, nodes, arcs) != ORK_OK)
        return ORK_NOMEM;
    out->arc_label = ork_array_create(arcs, sizeof(*out->arc_label));
    out->node = ork_array_create(nodes, sizeof(*out->node));
    if (out->arc_label != NULL && out->node != NULL)
        return ORK_OK;
    ork_wfg_graph_release(out);
    return ORK_NOMEM;
}

enum ork_status ork_transform(const struct ork_conditions *from, struct ork_wfg_graph *out)
{
    struct transform t;
    if (transform_init(&t, from) != ORK_OK)
        return ORK_NOMEM;
    draft_all(&t);
    uint32_t nodes = number_all(&t);
    enum ork_status status = graph_init(out, nodes, t.num_items);
    if (status == ORK_OK) {
        for (uint32_t id = 0; id < t.first_term; id++) {
            if (t.number[id] != ORK_NONE)
                write_row(&t, id, out);
        }
        for (uint32_t i = 0; i < t.num_terms; i++)
            write_row(&t, t.term[i], out);
        ork_digraph_reverse(&out->d);
    }
    transform_release(&t);
    return status;
}

void ork_wfg_graph_release(struct ork_wfg_graph *graph)
{
    ork_digraph_release(&graph->d);
    free(graph->arc_label);
    free(graph->node);
    *graph = (struct ork_wfg_graph){0};
}
