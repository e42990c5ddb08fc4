/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by node.c, the process, and node_tree.c, what comes from the tree and goes to it. */
#ifndef ORK_OVERLAY_TOOL_NODE_INTERNAL_H
#define ORK_OVERLAY_TOOL_NODE_INTERNAL_H

#include "common/clock.h"
#include "overlay/stream/aggregate.h"
#include "overlay/tool/node.h"

struct child {
    struct ork_wire_reader *reader;
    size_t read; /* bytes of its front batch that were read */
};

struct ork_node {
    struct ork_transport *transport; /* NULL: alone */
    const struct ork_clock *clock;
    struct ork_leaf *leaf;
    struct ork_root *root;
    struct ork_wire_out out;
    struct ork_wire_writer *writer; /* not of the root */
    struct ork_up above;            /* the root, or the writer */
    struct ork_up own;              /* deliver() below */
    struct ork_aggregate *join;     /* NULL: no stream from below */
    struct child *child;
    bool *is_lost;      /* the root: by process */
    bool *said_goodbye; /* the root: by process */
    bool awaits_last;   /* the run is over, and this process has not said goodbye */
    uint32_t *leaf_of;  /* the root: by rank; NO_PROCESS: lost, or unknown */
    uint32_t num_ranks;
    bool ended, orderly, lost;
    uint64_t waits_reported;
    uint32_t placed_beside, attached; /* ranks of this node */
    uint64_t attached_ns;
    char host[256]; /* alone: the name of this machine; "": not needed yet */
};

static inline uint64_t ork_node_now(const struct ork_node *n)
{
    return n->clock->monotonic_ns(n->clock->context);
}

/* An order, to this process and to all below it. context: the node. */
enum ork_status ork_node_send_order(void *context, const struct ork_order *order);
/* Those of the process above. */
enum ork_status ork_node_follow_orders(struct ork_node *n, size_t *moved);

/* An event, and how many bytes there is room for, as in struct ork_up: from this process's own
 * leaf; at the root, from all processes below, too. context: the node. */
enum ork_status ork_node_deliver(void *context, const struct ork_event *e);
size_t ork_node_credit(void *context);

/* Report how often this process waited for the one above. */
enum ork_status ork_node_report_waits(struct ork_node *n);
/* When the ranks here have nothing left, and it was sent. */
enum ork_status ork_node_say_goodbye(struct ork_node *n);
/* Report the children that have ended. */
enum ork_status ork_node_detach_children(struct ork_node *n);

/* Take what the children sent, as long as there is room above. */
enum ork_status ork_node_take_streams(struct ork_node *n, size_t *moved);
/* Pass on the collective calls that were held for long enough. */
enum ork_status ork_node_let_go(struct ork_node *n, size_t *moved);

#endif
