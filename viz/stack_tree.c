/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/stack_tree.h"

#include "common/text.h"
#include "common/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: the tool takes 64 stacks; a report from a file may have any number. */
enum { STACKS_MAX = 4096, NODES_MAX = 1024, FRAMES_MAX = 64 };

bool ork_stack_is_own(const struct ork_where *frame)
{
    return frame->file != NULL && strncmp(frame->file, "/usr/", strlen("/usr/")) != 0;
}

const struct ork_where *ork_stack_own_frame(const struct ork_rank_row *wait)
{
    for (uint32_t i = 0; i < wait->num_stack; i++)
        if (ork_stack_is_own(&wait->stack[i]))
            return &wait->stack[i];
    return NULL;
}

static bool is_same_frame(const struct ork_where *a, const struct ork_where *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    bool has_name = a->function != NULL || a->file != NULL;

    return a->line == b->line && ork_text_is_same(a->function, b->function) &&
           ork_text_is_same(a->file, b->file) &&
           (has_name || (a->offset == b->offset && ork_text_is_same(a->module, b->module)));
}

static bool is_it(const struct ork_stack_node *node, const struct ork_where *frame,
                  const char *call)
{
    return is_same_frame(node->frame, frame) && (frame != NULL || strcmp(node->call, call) == 0);
}

/* The child of a node, which is made if it is new. Node 0 is above all others, and is not shown. */
static uint32_t find_child(struct ork_stack_tree *t, uint32_t parent, const struct ork_where *frame,
                           const char *call)
{
    uint32_t last = 0;

    for (uint32_t i = t->node[parent].child; i != 0; i = t->node[i].next) {
        if (is_it(&t->node[i], frame, call))
            return i;
        last = i;
    }
    assert(t->count < NODES_MAX);
    uint32_t made = t->count++;
    t->node[made] = (struct ork_stack_node){
        .frame = frame, .call = call, .depth = parent == 0 ? 0 : t->node[parent].depth + 1};
    if (last == 0)
        t->node[parent].child = made;
    else
        t->node[last].next = made;
    return made;
}

/* RATIONALE: the rows of a hang are by time. */
static bool add_rank(struct ork_stack_node *node, uint32_t rank)
{
    uint32_t i = node->count;

    if (!ork_vec_extend(&node->rank, node->count, node->count + 1, sizeof(*node->rank)))
        return false;
    for (; i > 0 && node->rank[i - 1] > rank; i--)
        node->rank[i] = node->rank[i - 1];
    node->rank[i] = rank;
    node->count++;
    return true;
}

/* False: out of memory. */
static bool add_stack(struct ork_stack_tree *t, const struct ork_rank_row *wait)
{
    uint32_t frames = wait->num_stack < FRAMES_MAX ? wait->num_stack : FRAMES_MAX;
    const char *call = wait->call != NULL ? ork_rank_row_name(wait) : "";
    uint32_t at = 0;

    if (t->count + frames + 1 > NODES_MAX) {
        t->left_out++;
        return true;
    }
    for (uint32_t i = frames; i > 0; i--) {
        at = find_child(t, at, &wait->stack[i - 1], call);
        if (!add_rank(&t->node[at], wait->rank))
            return false;
    }
    at = find_child(t, at, NULL, call);
    t->stacks++;
    return add_rank(&t->node[at], wait->rank);
}

/* Each node before its children. RATIONALE: a node is made after its parent, so that the way up is
 * never needed: the next of a node or of one above it is kept. */
static void put_in_order(struct ork_stack_tree *t)
{
    uint32_t above[FRAMES_MAX + 2], depth = 0, at = t->node[0].child, n = 0;

    while (at != 0) {
        t->order[n++] = at;
        if (t->node[at].child != 0) {
            above[depth++] = t->node[at].next;
            at = t->node[at].child;
            continue;
        }
        at = t->node[at].next;
        while (at == 0 && depth > 0)
            at = above[--depth];
    }
    assert(n + 1 == t->count);
    t->count = n;
}

enum ork_status ork_stack_tree_init(struct ork_stack_tree *t, const struct ork_finding *f)
{
    uint32_t taken = 0;

    *t = (struct ork_stack_tree){.count = 0};
    t->node = calloc(NODES_MAX, sizeof(*t->node));
    t->order = calloc(NODES_MAX, sizeof(*t->order));
    bool ok = t->node != NULL && t->order != NULL;
    t->count = 1; /* above all */
    for (uint32_t i = 0; i < f->num_waits && ok; i++) {
        if (f->waits[i].num_stack == 0)
            continue;
        if (taken++ < STACKS_MAX)
            ok = add_stack(t, &f->waits[i]);
        else
            t->left_out++;
    }
    if (!ok) {
        ork_stack_tree_release(t);
        return ORK_NOMEM;
    }
    put_in_order(t);
    return ORK_OK;
}

void ork_stack_tree_release(struct ork_stack_tree *t)
{
    for (uint32_t i = 0; t->node != NULL && i < NODES_MAX; i++)
        free(t->node[i].rank);
    free(t->node);
    free(t->order);
    *t = (struct ork_stack_tree){.count = 0};
}
