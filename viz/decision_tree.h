/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs of an exploration as a tree that is small enough to be drawn: the children of a run made
 * its choices up to one. In a large exploration, runs that ended alike are folded into one node. */
#ifndef ORK_VIZ_DECISION_TREE_H
#define ORK_VIZ_DECISION_TREE_H

#include "report/exploration.h"

#define ORK_TREE_NODES 60u /* at most */
#define ORK_TREE_WHOLE 40u /* a tree of so many runs is not folded */

/* How a run is drawn: by the kind of its outcome; an output other than the first one is a kind of
 * its own. */
enum {
    ORK_LOOK_OTHER_RESULT = ORK_OUTCOME_KINDS,
    ORK_LOOKS,
    ORK_LOOK_MIXED = ORK_LOOKS, /* of several */
};

struct ork_tree_node {
    uint32_t parent; /* index; of the root: itself */
    uint64_t run;    /* index of its run; the lowest one, if it stands for several */
    uint64_t runs;   /* for which it stands: `run`, and runs below it or beside it */
    uint64_t beside; /* changes of the parent for which it stands; 1: that of `run` */
    uint64_t by_look[ORK_LOOKS];
    unsigned look;
    uint32_t outcome; /* index; UINT32_MAX: several */
};

struct ork_decision_tree {
    struct ork_tree_node *node; /* parents first */
    uint32_t num_nodes;
    bool folded; /* some node stands for several runs */
};

/* From bad to good. */
extern const unsigned char ork_look_order[ORK_LOOKS];
/* "deadlock", "another", "mixed": names of classes for style sheets. */
const char *ork_look_class(unsigned look);
/* For people. */
const char *ork_look_words(unsigned look);
/* Of an outcome; of one that is out of range, ORK_OUTCOME_LOST. */
unsigned ork_outcome_look(const struct ork_exploration *e, uint32_t outcome);

/* Runs with an unknown parent count as children of the first run. *tree is the caller's, without
 * nodes for an exploration without runs. ORK_NOMEM: nothing to release. */
enum ork_status ork_decision_tree_init(struct ork_decision_tree *tree,
                                       const struct ork_exploration *e);
void ork_decision_tree_release(struct ork_decision_tree *tree);

/* decision_tree_dot.c: in DOT; the same as SVG. ORK_NOTFOUND: fewer than two runs. */
enum ork_status ork_decision_tree_dot(const struct ork_exploration *e, char **text);
enum ork_status ork_decision_tree_svg(const struct ork_exploration *e, char **text);

#endif
