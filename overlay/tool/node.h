/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool process: a leaf for ranks of its node, the inner node for the tool processes below it, and
 * the root if it is the first. */
#ifndef ORK_OVERLAY_TOOL_NODE_H
#define ORK_OVERLAY_TOOL_NODE_H

#include "overlay/root/root.h"
#include "overlay/leaf/leaf.h"
#include "overlay/tool/transport.h"

struct ork_node_options {
    /* The place in the tree; the node takes ownership. NULL: this is the only tool process. */
    struct ork_transport *transport;
    const char *session, *token;
    /* All tool processes are on this node, and were forked with this memory for critical sections
     * (ork_leaf_make_sections()), which the node takes over. */
    bool shares_sections;
    int sections;
    struct ork_root_options root; /* its clock is the clock of every node */
};

struct ork_node;

/* Listen for ranks; when it returns, all processes do. `sink` is for
 * the root. ORK_NOMEM, ORK_IO (logged). */
enum ork_status ork_node_create(const struct ork_node_options *options,
                                const struct ork_report_sink *sink, struct ork_node **out);
/* Ranks that are still attached continue unobserved. `orderly`: all tool processes end now. */
void ork_node_destroy(struct ork_node *node, bool orderly);

/* NULL: this is not the root. */
struct ork_root *ork_node_root(const struct ork_node *node);
/* "1 process", "7 processes in 3 layers on n1 (3), n2 (4)"; the caller's. NULL: out of memory. */
char *ork_node_tree_words(const struct ork_node *node);

/* Move what can be moved; the root classifies. *moved: records and messages that came. ORK_NOMEM;
 * ORK_CLOSED: the process above has ended. */
enum ork_status ork_node_step(struct ork_node *node, size_t *moved);
/* Does nothing come before a rank wakes this process? */
bool ork_node_is_silent(const struct ork_node *node);
/* Must the process above take something before anything more can go up? */
bool ork_node_is_held_up(const struct ork_node *node);
/* The root has sent the order to end. *orderly: see ork_node_destroy(). */
bool ork_node_is_ended(const struct ork_node *node, bool *orderly);
/* After the end of the job: have its last records arrived? */
bool ork_node_is_drained(const struct ork_node *node);

/* At the root. */
/* The run is over: each process says goodbye when it has sent the last records of its ranks. */
enum ork_status ork_node_ask_last(struct ork_node *node);
/* Has each process said goodbye, or is it lost? */
bool ork_node_has_all(const struct ork_node *node);
enum ork_status ork_node_kill_ranks(struct ork_node *node);
/* Send the order to end to all; true: all are there to receive it. */
bool ork_node_end(struct ork_node *node);

/* Copy the descriptors to wait for into fd[], at most `room`. Returns how many. */
nfds_t ork_node_fds(const struct ork_node *node, struct pollfd *fd, nfds_t room);

#endif
