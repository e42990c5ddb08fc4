/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/tree.h"

/* Split the processes below the head into at most `fanin` ranges, as equal as possible. */
static void split(struct ork_tree *t, uint32_t head, uint32_t end, uint32_t fanin)
{
    uint32_t below = end - head - 1;

    t->me = head;
    t->end = end;
    t->num_children = below < fanin ? below : fanin;
    t->width = t->num_children == 0 ? 0 : below / t->num_children;
    t->wider = t->num_children == 0 ? 0 : below % t->num_children;
}

uint32_t ork_tree_child(const struct ork_tree *t, uint32_t i)
{
    return t->me + 1 + i * t->width + (i < t->wider ? i : t->wider);
}

uint32_t ork_tree_child_end(const struct ork_tree *t, uint32_t i)
{
    return ork_tree_child(t, i + 1);
}

/* RATIONALE: no subtree is deeper than that of the first child. */
static uint32_t layers_of(uint32_t size, uint32_t fanin)
{
    struct ork_tree t = {0};
    uint32_t n = 1;

    for (split(&t, 0, size, fanin); t.num_children > 0; n++)
        split(&t, ork_tree_child(&t, 0), ork_tree_child_end(&t, 0), fanin);
    return n;
}

struct ork_tree ork_tree_of(uint32_t size, uint32_t fanin, uint32_t me)
{
    struct ork_tree t = {.size = size, .layers = layers_of(size, fanin)};

    split(&t, 0, size, fanin);
    while (t.me != me) {
        uint32_t i = 0;
        while (ork_tree_child_end(&t, i) <= me)
            i++;
        t.parent = t.me;
        t.depth++;
        split(&t, ork_tree_child(&t, i), ork_tree_child_end(&t, i), fanin);
    }
    return t;
}
