/* SPDX-License-Identifier: BSD-3-Clause */
/* The process: its steps, and how they begin and end. */
#include "overlay/tool/node_internal.h"

#include "common/log.h"
#include "overlay/tool/cpu_binding.h"

#include <stdlib.h>

/* One step visits the streams while there is something to take, for at most this time. */
#define STEP_NS UINT64_C(5000000)
/* What ranks have sent reaches the root within this time. */
#define DRAIN_NS UINT64_C(500000000)
/* The job is bound when it starts; ranks attach one after the other. */
#define SETTLE_NS UINT64_C(100000000)

/* When ranks have attached or ended, and no more for a moment. */
static enum ork_status find_place(struct ork_node *n)
{
    uint32_t attached = ork_leaf_num_attached(n->leaf);
    unsigned processors;

    if (attached != n->attached) {
        n->attached = attached;
        n->attached_ns = ork_node_now(n);
    }
    if (attached <= n->placed_beside || ork_node_now(n) - n->attached_ns < SETTLE_NS)
        return ORK_OK;
    n->placed_beside = attached;
    uint32_t *pid = malloc(attached * sizeof(*pid));
    if (pid == NULL)
        return ORK_NOMEM;
    ork_leaf_pids(n->leaf, pid, attached);
    if (ork_cpu_binding_beside(pid, attached, &processors) == ORK_OK)
        ork_debug("%u rank%s here; processors left for the tool: %u%s", attached,
                  attached == 1 ? "" : "s", processors,
                  processors == 0 ? ", so it is not bound" : "");
    free(pid);
    return ORK_OK;
}

/* Streams of other processes and of the own leaf release each other: repeat while they do. */
static enum ork_status take_all(struct ork_node *n, size_t *moved)
{
    const uint64_t begin = ork_node_now(n);
    size_t drained = 0;
    size_t before;
    enum ork_status status = ork_leaf_step(n->leaf, &drained);

    *moved += drained;
    if (n->join == NULL)
        return status;
    do {
        before = *moved;
        if (status == ORK_OK)
            status = ork_node_take_streams(n, moved);
        if (status == ORK_OK)
            status = ork_leaf_go_on(n->leaf, &drained);
        *moved += drained;
    } while (status == ORK_OK && *moved > before && ork_node_now(n) - begin < STEP_NS);
    return status;
}

static enum ork_status work(struct ork_node *n, size_t *moved)
{
    enum ork_status status =
        n->transport != NULL ? ork_transport_step(n->transport, moved) : ORK_OK;

    if (status == ORK_OK && n->transport != NULL)
        status = ork_node_follow_orders(n, moved);
    if (status == ORK_OK)
        status = take_all(n, moved);
    if (status == ORK_OK && n->join != NULL)
        status = ork_node_let_go(n, moved);
    if (status == ORK_OK)
        status = ork_node_say_goodbye(n);
    if (status == ORK_OK && n->transport != NULL)
        status = ork_node_detach_children(n);
    return status == ORK_OK ? find_place(n) : status;
}

enum ork_status ork_node_step(struct ork_node *n, size_t *moved)
{
    *moved = 0;
    enum ork_status status = work(n, moved);

    if (status == ORK_OK && n->root != NULL)
        status = ork_root_step(n->root);
    if (status == ORK_OK && n->transport != NULL)
        status = ork_node_report_waits(n);
    if (status == ORK_OK && n->transport != NULL)
        status = ork_transport_flush(n->transport);
    return status;
}

/* RATIONALE: between nodes, nothing wakes a process. */
bool ork_node_is_silent(const struct ork_node *n)
{
    return n->transport == NULL && ork_leaf_is_silent(n->leaf);
}

bool ork_node_is_held_up(const struct ork_node *n)
{
    return n->writer != NULL && ork_up_credit(&n->above) == 0;
}

bool ork_node_is_ended(const struct ork_node *n, bool *orderly)
{
    *orderly = n->orderly && !n->lost;
    return n->ended;
}

bool ork_node_is_drained(const struct ork_node *n)
{
    return n->transport == NULL || ork_root_is_over(n->root) ||
           ork_root_quiet_ns(n->root) > DRAIN_NS;
}

/* ---- create, step, destroy ---- */

static enum ork_status create_root(struct ork_node *n, const struct ork_node_options *options,
                                   const struct ork_report_sink *sink)
{
    const struct ork_down down = {.context = n, .send = ork_node_send_order};
    enum ork_status status = ork_root_create(&options->root, sink, &n->root);

    if (status != ORK_OK)
        return status;
    n->above = ork_root_up(n->root);
    uint32_t size = n->transport != NULL ? n->transport->tree.size : 1;
    n->is_lost = calloc(size, sizeof(*n->is_lost));
    n->said_goodbye = calloc(size, sizeof(*n->said_goodbye));
    if (n->is_lost == NULL || n->said_goodbye == NULL)
        return ORK_NOMEM;
    return ork_root_set_down(n->root, &down, n->transport != NULL ? n->transport->tree.size : 1);
}

static enum ork_status create_writer(struct ork_node *n)
{
    n->out = ork_transport_out(n->transport);
    enum ork_status status = ork_wire_writer_create(&n->out, n->transport->tree.me, &n->writer);
    if (status == ORK_OK)
        n->above = ork_wire_up(n->writer);
    return status;
}

static enum ork_status create_children(struct ork_node *n)
{
    uint32_t children = n->transport->tree.num_children;
    enum ork_status status = ORK_OK;

    if (children == 0)
        return ORK_OK;
    n->child = calloc(children, sizeof(*n->child));
    if (n->child == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < children && status == ORK_OK; i++)
        status = ork_wire_reader_create(&n->own, &n->child[i].reader);
    return status == ORK_OK ? ork_aggregate_create(&n->above, &n->join) : status;
}

static enum ork_status build(struct ork_node *n, const struct ork_node_options *options,
                             const struct ork_report_sink *sink)
{
    n->clock = options->root.clock != NULL ? options->root.clock : &ork_system_clock;
    n->transport = options->transport;
    n->own = (struct ork_up){.context = n, .deliver = ork_node_deliver, .credit = ork_node_credit};
    enum ork_status status = n->transport == NULL || n->transport->tree.me == 0
                                 ? create_root(n, options, sink)
                                 : create_writer(n);
    if (status == ORK_OK && n->transport != NULL)
        status = create_children(n);
    if (status == ORK_OK)
        status =
            ork_leaf_create(options->session, options->token,
                            n->transport != NULL ? n->transport->number : 0, &n->own, &n->leaf);
    if (status == ORK_OK)
        ork_leaf_set_clock(n->leaf, n->clock);
    if (status == ORK_OK && options->shares_sections)
        ork_leaf_share_sections(n->leaf, options->sections);
    if (status == ORK_OK && options->root.replay != NULL)
        ork_leaf_set_replay(n->leaf, options->root.replay);
    if (status == ORK_OK && options->root.is_deterministic)
        status = ork_leaf_set_deterministic(n->leaf);
    if (status == ORK_OK)
        ork_leaf_set_stop(n->leaf, &options->root.stop);
    return status == ORK_OK && n->transport != NULL ? ork_transport_barrier(n->transport) : status;
}

enum ork_status ork_node_create(const struct ork_node_options *options,
                                const struct ork_report_sink *sink, struct ork_node **out)
{
    struct ork_node *n = calloc(1, sizeof(*n));

    if (n == NULL)
        return ORK_NOMEM;
    enum ork_status status = build(n, options, sink);
    if (status != ORK_OK) {
        ork_node_destroy(n, false);
        return status;
    }
    *out = n;
    return ORK_OK;
}

void ork_node_destroy(struct ork_node *n, bool orderly)
{
    if (n == NULL)
        return;
    ork_leaf_destroy(n->leaf);
    for (uint32_t i = 0; n->child != NULL && i < n->transport->tree.num_children; i++)
        ork_wire_reader_destroy(n->child[i].reader);
    free(n->child);
    ork_aggregate_destroy(n->join);
    ork_wire_writer_destroy(n->writer);
    ork_root_destroy(n->root);
    ork_transport_destroy(n->transport, orderly);
    free(n->leaf_of);
    free(n->is_lost);
    free(n->said_goodbye);
    free(n);
}

struct ork_root *ork_node_root(const struct ork_node *n)
{
    return n->root;
}

nfds_t ork_node_fds(const struct ork_node *n, struct pollfd *fd, nfds_t room)
{
    nfds_t own;
    nfds_t near = 0;
    const struct pollfd *leaf = ork_leaf_fds(n->leaf, &own);
    const struct pollfd *net = n->transport != NULL ? ork_transport_fds(n->transport, &near) : NULL;

    for (nfds_t i = 0; i < own && i < room; i++)
        fd[i] = leaf[i];
    for (nfds_t i = 0; i < near && own + i < room; i++)
        fd[own + i] = net[i];
    return own + near;
}
