/* SPDX-License-Identifier: BSD-3-Clause */
/* The call stacks of the ranks of a finding, merged from their outermost frames on, as STAT does:
 * ranks that have come the same way are told once. */
#ifndef ORK_VIZ_STACK_TREE_H
#define ORK_VIZ_STACK_TREE_H

#include "report/report.h"

struct ork_stack_node {
    const struct ork_where *frame; /* the report's; NULL: in `call`, which no frame calls further */
    const char *call;              /* "": outside MPI */
    uint32_t depth;                /* from 0 on */
    uint32_t *rank;                /* ascending */
    uint32_t count;
    uint32_t child, next; /* the first child, and the next one of its parent; 0: none */
};

struct ork_stack_tree {
    struct ork_stack_node *node;
    uint32_t count;    /* 0: no rank has a stack */
    uint32_t *order;   /* of the nodes: each before its children */
    uint32_t stacks;   /* merged here */
    uint32_t left_out; /* for which there was no room */
};

/* The finding must outlive *tree, which the caller releases. ORK_NOMEM leaves nothing to
 * release. */
enum ork_status ork_stack_tree_init(struct ork_stack_tree *tree, const struct ork_finding *finding);
void ork_stack_tree_release(struct ork_stack_tree *tree);

/* The innermost frame of the program's own code: with lines, and not of the system. NULL: none. */
const struct ork_where *ork_stack_own_frame(const struct ork_rank_row *wait);
/* Is it a frame of the program's own code? */
bool ork_stack_is_own(const struct ork_where *frame);

#endif
