/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/decision_tree.h"

#include <stdlib.h>

#define NONE       UINT64_MAX
#define SHOWN_FULL (ORK_TREE_NODES / 2) /* from here on, only runs on a way are drawn alone */

/* Of each run: what it and all runs below it are. */
struct below {
    uint64_t child; /* first one; NONE */
    uint64_t next;  /* of the same parent */
    uint64_t runs;
    uint64_t by_look[ORK_LOOKS];
    uint32_t outcome; /* UINT32_MAX: several */
    bool on_way;      /* one of them is the first with an outcome that must be visible */
};

struct folding {
    const struct ork_exploration *e;
    struct below *below;
    struct ork_tree_node *node;
    uint32_t num_nodes;
};

const unsigned char ork_look_order[ORK_LOOKS] = {
    ORK_OUTCOME_DEADLOCK, ORK_OUTCOME_HANG,    ORK_OUTCOME_SIGNAL,
    ORK_OUTCOME_EXIT,     ORK_OUTCOME_FINDING, ORK_LOOK_OTHER_RESULT,
    ORK_OUTCOME_WARNING,  ORK_OUTCOME_LOST,    ORK_OUTCOME_ENDED,
};

/* RATIONALE: no hyphens, which graphviz would escape. */
const char *ork_look_class(unsigned look)
{
    static const char *const word[] = {
        [ORK_OUTCOME_ENDED] = "ended",       [ORK_OUTCOME_LOST] = "nothing",
        [ORK_OUTCOME_WARNING] = "warned",    [ORK_OUTCOME_FINDING] = "fault",
        [ORK_OUTCOME_EXIT] = "exit",         [ORK_OUTCOME_SIGNAL] = "signal",
        [ORK_OUTCOME_HANG] = "hang",         [ORK_OUTCOME_DEADLOCK] = "deadlock",
        [ORK_LOOK_OTHER_RESULT] = "another", [ORK_LOOK_MIXED] = "mixed",
    };

    return word[look];
}

const char *ork_look_words(unsigned look)
{
    struct ork_outcome outcome = {.kind = (enum ork_outcome_kind)look};

    if (look == ORK_LOOK_MIXED)
        return "several outcomes";
    if (look == ORK_LOOK_OTHER_RESULT)
        outcome = (struct ork_outcome){.is_result = true, .is_bad = true};
    if (look == ORK_OUTCOME_ENDED)
        outcome.is_result = true;
    return ork_outcome_short_words(&outcome);
}

unsigned ork_outcome_look(const struct ork_exploration *e, uint32_t outcome)
{
    if (outcome >= e->num_outcomes)
        return ORK_OUTCOME_LOST;
    const struct ork_outcome *o = &e->outcome[outcome];
    return o->kind == ORK_OUTCOME_ENDED && o->is_bad ? (unsigned)ORK_LOOK_OTHER_RESULT : o->kind;
}

static unsigned look_of(const uint64_t by_look[ORK_LOOKS])
{
    unsigned found = ORK_LOOKS;

    for (unsigned i = 0; i < ORK_LOOKS; i++) {
        if (by_look[i] == 0)
            continue;
        if (found != ORK_LOOKS)
            return ORK_LOOK_MIXED;
        found = i;
    }
    return found;
}

/* Index of the run with this number, below `end`; 0: there is none. */
static uint64_t index_of(const struct ork_exploration *e, uint64_t number, uint64_t end)
{
    uint64_t low = 0, high = end;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (e->run[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && e->run[low].number == number ? low : 0;
}

/* RATIONALE: the first runs of the first few bad outcomes, and of each look, so that none is hidden
 * in a folded node. */
#define BAD_ON_WAY 12u

static void mark_ways(struct folding *f)
{
    const struct ork_exploration *e = f->e;
    bool seen[ORK_LOOKS] = {false};
    uint32_t bad = 0;

    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        const struct ork_outcome *o = &e->outcome[i];
        unsigned look = ork_outcome_look(e, i);
        if (seen[look] && (!o->is_bad || bad >= BAD_ON_WAY))
            continue;
        seen[look] = true;
        bad += o->is_bad;
        uint64_t run = index_of(e, o->first, e->num_runs);
        if (e->run[run].outcome == i)
            f->below[run].on_way = true;
    }
}

/* Parents have lower indices, so the last run is the first one to be complete. */
static void add_up(struct folding *f)
{
    const struct ork_exploration *e = f->e;

    for (uint64_t i = e->num_runs; i-- > 0;) {
        struct below *b = &f->below[i];
        b->runs++;
        b->by_look[ork_outcome_look(e, e->run[i].outcome)]++;
        if (b->child != NONE && b->outcome != e->run[i].outcome)
            b->outcome = UINT32_MAX;
        else
            b->outcome = e->run[i].outcome;
        if (i == 0)
            return;
        struct below *up = &f->below[index_of(e, e->run[i].parent, i)];
        up->outcome = up->child == NONE || up->outcome == b->outcome ? b->outcome : UINT32_MAX;
        b->next = up->child;
        up->child = i;
        up->runs += b->runs;
        up->on_way = up->on_way || b->on_way;
        for (unsigned k = 0; k < ORK_LOOKS; k++)
            up->by_look[k] += b->by_look[k];
    }
}

/* A new node, for the run and all below it. */
static struct ork_tree_node *add_node(struct folding *f, uint32_t parent, uint64_t run)
{
    const struct below *b = &f->below[run];
    struct ork_tree_node *node = &f->node[f->num_nodes++];

    *node = (struct ork_tree_node){
        .parent = parent, .run = run, .runs = b->runs, .beside = 1, .outcome = b->outcome};
    for (unsigned k = 0; k < ORK_LOOKS; k++)
        node->by_look[k] = b->by_look[k];
    node->look = look_of(node->by_look);
    return node;
}

static void add_beside(struct folding *f, struct ork_tree_node *node, uint64_t run)
{
    const struct below *b = &f->below[run];

    node->runs += b->runs;
    node->beside++;
    node->outcome = node->outcome == b->outcome ? b->outcome : UINT32_MAX;
    for (unsigned k = 0; k < ORK_LOOKS; k++)
        node->by_look[k] += b->by_look[k];
    node->look = look_of(node->by_look);
}

/* Which children are drawn alone? */
enum alone { ALONE_ALL, ALONE_MIXED, ALONE_ON_WAY };

static bool is_alone(const struct folding *f, uint64_t run, enum alone alone)
{
    const struct below *b = &f->below[run];

    return alone == ALONE_ALL || b->on_way ||
           (alone == ALONE_MIXED && look_of(b->by_look) == ORK_LOOK_MIXED);
}

/* Nodes that the children of a run need: those alone, and one for each look of the others. */
static uint64_t cost_of(const struct folding *f, uint64_t run, enum alone alone)
{
    bool seen[ORK_LOOKS + 1] = {false};
    uint64_t cost = 0;

    for (uint64_t i = f->below[run].child; i != NONE; i = f->below[i].next) {
        unsigned look = look_of(f->below[i].by_look);
        if (is_alone(f, i, alone))
            cost++;
        else if (!seen[look])
            cost += seen[look] = true;
    }
    return cost;
}

static void add_children(struct folding *f, uint32_t parent, uint64_t run, enum alone alone)
{
    uint32_t of_look[ORK_LOOKS + 1] = {0}; /* the root is nobody's child */

    for (uint64_t i = f->below[run].child; i != NONE; i = f->below[i].next) {
        unsigned look = look_of(f->below[i].by_look);
        if (is_alone(f, i, alone)) {
            add_node(f, parent, i);
        } else if (of_look[look] != 0) {
            add_beside(f, &f->node[of_look[look]], i);
        } else {
            of_look[look] = f->num_nodes;
            add_node(f, parent, i);
        }
    }
}

/* Draw the children of a node; it stands for its own run only then. */
static void expand(struct folding *f, uint32_t n)
{
    enum alone alone = f->e->num_runs <= ORK_TREE_WHOLE ? ALONE_ALL : ALONE_MIXED;
    struct ork_tree_node *node = &f->node[n];
    uint64_t run = node->run;

    if (node->beside > 1 || f->below[run].child == NONE)
        return;
    if (alone == ALONE_MIXED && f->num_nodes + cost_of(f, run, alone) > SHOWN_FULL)
        alone = ALONE_ON_WAY;
    if (f->num_nodes + cost_of(f, run, alone) > ORK_TREE_NODES)
        return;
    add_children(f, n, run, alone);
    node->runs = 1;
    node->look = ork_outcome_look(f->e, f->e->run[run].outcome);
    node->outcome = f->e->run[run].outcome;
    for (unsigned k = 0; k < ORK_LOOKS; k++)
        node->by_look[k] = k == node->look;
}

/* First the ways to outcomes, then other runs with several outcomes below them. */
static void fold(struct folding *f)
{
    bool whole = f->e->num_runs <= ORK_TREE_WHOLE;

    add_node(f, 0, 0);
    for (uint32_t n = 0; n < f->num_nodes; n++)
        if (whole || f->below[f->node[n].run].on_way)
            expand(f, n);
    for (uint32_t n = 0; n < f->num_nodes; n++)
        if (f->node[n].runs > 1 && f->node[n].look == ORK_LOOK_MIXED)
            expand(f, n);
}

enum ork_status ork_decision_tree_init(struct ork_decision_tree *tree,
                                       const struct ork_exploration *e)
{
    struct folding f = {.e = e};

    *tree = (struct ork_decision_tree){0};
    if (e->num_runs == 0)
        return ORK_OK;
    f.below = calloc(e->num_runs, sizeof(*f.below));
    f.node = calloc(ORK_TREE_NODES, sizeof(*f.node));
    if (f.below == NULL || f.node == NULL) {
        free(f.below);
        free(f.node);
        return ORK_NOMEM;
    }
    for (uint64_t i = 0; i < e->num_runs; i++)
        f.below[i].child = f.below[i].next = NONE;
    mark_ways(&f);
    add_up(&f);
    fold(&f);
    free(f.below);
    tree->node = f.node;
    tree->num_nodes = f.num_nodes;
    for (uint32_t n = 0; n < f.num_nodes; n++)
        tree->folded = tree->folded || f.node[n].runs > 1;
    return ORK_OK;
}

void ork_decision_tree_release(struct ork_decision_tree *tree)
{
    free(tree->node);
    *tree = (struct ork_decision_tree){0};
}
