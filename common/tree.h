/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of the tree of tool processes. Pure. Process 0 is the root. Every subtree is a range of
 * processes that begins with its head, so that neighbours on a node stay together, and the
 * application's ranks below a process form few ranges. */
#ifndef ORK_TREE_H
#define ORK_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct ork_tree {
    uint32_t size;
    uint32_t me, end; /* this subtree: me .. end - 1 */
    uint32_t parent;  /* of the root: itself */
    uint32_t depth;   /* of this process; 0 for the root */
    uint32_t layers;  /* of the whole tree */
    uint32_t num_children;
    uint32_t width; /* processes of a child's subtree; the first children may have one more */
    uint32_t wider; /* how many of these there are */
};

/* The place of process `me` of `size` if each has at most `fanin` children (2 or more). */
struct ork_tree ork_tree_of(uint32_t size, uint32_t fanin, uint32_t me);

/* Head of the subtree of child `i`, and the first process after it. */
uint32_t ork_tree_child(const struct ork_tree *tree, uint32_t i);
uint32_t ork_tree_child_end(const struct ork_tree *tree, uint32_t i);

#endif
