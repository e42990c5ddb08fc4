/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/node.h"

#include "common/clock.h"
#include "common/log.h"
#include "common/text.h"
#include "common/vec.h"
#include "overlay/stream/aggregate.h"
#include "overlay/tool/cpu_binding.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Streams that are joined here: this process's own leaf is 0, child i is i + 1. */
enum { OWN = 0 };
/* A collective call is held for the other streams at most this long. */
#define HOLD_NS UINT64_C(20000000)
/* Nor longer than this if nothing moves. RATIONALE: what ranks elsewhere did at the same time takes
 * a moment to arrive. */
#define IDLE_HOLD_NS UINT64_C(5000000)
enum { NO_PROCESS = UINT32_MAX };
/* One step visits the streams while there is something to take, for at most this time. */
#define STEP_NS UINT64_C(5000000)
/* What ranks have sent reaches the root within this time. */
#define DRAIN_NS UINT64_C(500000000)
/* The job is bound when it starts; ranks attach one after the other. */
#define SETTLE_NS UINT64_C(100000000)

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

static uint64_t now(const struct ork_node *n)
{
    return n->clock->monotonic_ns(n->clock->context);
}

/* ---- orders ---- */

static enum ork_status follow_order(struct ork_node *n, const struct ork_order *order)
{
    struct ork_down leaf = ork_leaf_down(n->leaf);

    if (order->kind == ORK_ORDER_LAST && n->transport != NULL)
        n->transport->awaits_last = true;
    n->awaits_last |= order->kind == ORK_ORDER_LAST;
    if (order->kind != ORK_ORDER_END)
        return ork_down_send(&leaf, order);
    n->ended = true;
    n->orderly = order->is_orderly;
    return ORK_OK;
}

/* To this process, and to all below it. */
static enum ork_status send_order(void *context, const struct ork_order *order)
{
    struct ork_node *n = context;
    enum ork_status status =
        n->transport != NULL ? ork_transport_send_order(n->transport, order) : ORK_OK;

    return status == ORK_OK ? follow_order(n, order) : status;
}

enum ork_status ork_node_kill_ranks(struct ork_node *n)
{
    return send_order(n, &(struct ork_order){.kind = ORK_ORDER_KILL});
}

enum ork_status ork_node_ask_last(struct ork_node *n)
{
    return send_order(n, &(struct ork_order){.kind = ORK_ORDER_LAST});
}

bool ork_node_has_all(const struct ork_node *n)
{
    uint32_t size = n->transport != NULL ? n->transport->tree.size : 1;

    for (uint32_t i = 0; i < size; i++) {
        if (!n->said_goodbye[i] && !n->is_lost[i])
            return false;
    }
    return true;
}

bool ork_node_end(struct ork_node *n)
{
    struct ork_order order = {.kind = ORK_ORDER_END, .is_orderly = !n->lost};

    if (n->transport == NULL)
        return true;
    return ork_transport_send_order(n->transport, &order) == ORK_OK && !n->lost;
}

static enum ork_status follow_orders(struct ork_node *n, size_t *moved)
{
    struct ork_order order;
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && ork_transport_next_order(n->transport, &order)) {
        *moved += order.kind != ORK_ORDER_COLLECT;
        status = send_order(n, &order);
    }
    return status;
}

/* ---- lost processes and their ranks ---- */

static enum ork_status set_leaf(struct ork_node *n, uint32_t rank, uint32_t leaf)
{
    uint32_t known = n->num_ranks;

    if (!ork_vec_reserve(&n->leaf_of, &n->num_ranks, rank + 1, sizeof(*n->leaf_of)))
        return ORK_NOMEM;
    for (uint32_t r = known; r < n->num_ranks; r++)
        n->leaf_of[r] = NO_PROCESS;
    n->leaf_of[rank] = leaf;
    return ORK_OK;
}

static char *name_lost(const struct ork_node *n, uint32_t first, uint32_t end)
{
    if (end - first == 1)
        return ork_text("tool process %u on %s", first, ork_transport_host(n->transport, first));
    if (end - first == 2)
        return ork_text("tool process %u on %s, above process %u,", first,
                        ork_transport_host(n->transport, first), first + 1);
    return ork_text("tool process %u on %s, above processes %u to %u,", first,
                    ork_transport_host(n->transport, first), first + 1, end - 1);
}

/* Returns how many of them were not lost before. */
static uint32_t mark_lost(struct ork_node *n, uint32_t first, uint32_t end)
{
    uint32_t count = 0;

    for (uint32_t i = first; i < end; i++) {
        count += !n->is_lost[i];
        n->is_lost[i] = true;
    }
    return count;
}

static enum ork_status lose(struct ork_node *n, uint32_t first, uint32_t end)
{
    uint32_t size = n->transport->tree.size;
    uint32_t *rank = malloc((n->num_ranks + 1) * sizeof(*rank));
    uint32_t count = 0;

    if (first >= end || end > size) {
        free(rank);
        return ORK_INVALID;
    }
    char *who = name_lost(n, first, end);
    for (uint32_t r = 0; r < n->num_ranks && rank != NULL; r++) {
        if (n->leaf_of[r] < first || n->leaf_of[r] >= end)
            continue;
        n->leaf_of[r] = NO_PROCESS;
        rank[count++] = r;
    }
    n->lost = true;
    enum ork_status status =
        rank == NULL || who == NULL
            ? ORK_NOMEM
            : ork_root_lose(n->root, who, mark_lost(n, first, end), rank, count);
    free(who);
    free(rank);
    return status;
}

/* ---- events upwards ---- */

/* Where a tool process runs. */
static const char *host_of(struct ork_node *n, uint32_t process)
{
    if (n->transport != NULL)
        return process < n->transport->tree.size ? ork_transport_host(n->transport, process) : "";
    if (n->host[0] == '\0')
        gethostname(n->host, sizeof(n->host) - 1);
    return n->host;
}

/* What the root's process has to remember of it. */
static enum ork_status note_event(struct ork_node *n, const struct ork_event *e)
{
    if (e->kind == ORK_EVENT_ATTACH) {
        enum ork_status status =
            ork_root_note_process(n->root, e->rank, e->attached.pid, host_of(n, e->attached.leaf));
        return status == ORK_OK ? set_leaf(n, e->rank, e->attached.leaf) : status;
    }
    if (e->kind == ORK_EVENT_END)
        return set_leaf(n, e->rank, NO_PROCESS);
    return ORK_OK;
}

static enum ork_status note_goodbye(struct ork_node *n, uint32_t process)
{
    if (process >= (n->transport != NULL ? n->transport->tree.size : 1))
        return ORK_INVALID;
    n->said_goodbye[process] = true;
    return ORK_OK;
}

/* From this process's own leaf; at the root, from all processes below, too. */
static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct ork_node *n = context;

    if (e->kind == ORK_EVENT_WAVE && n->join != NULL)
        return ork_aggregate_arrive(n->join, OWN, e->wave, now(n));
    if (n->root == NULL)
        return ork_up_deliver(&n->above, e);
    if (e->kind == ORK_EVENT_LOST)
        return lose(n, e->lost.first, e->lost.end);
    if (e->kind == ORK_EVENT_GOODBYE)
        return note_goodbye(n, e->process);
    if (e->kind == ORK_EVENT_WAITS) {
        ork_root_add_waits(n->root, e->waits);
        return ORK_OK;
    }
    enum ork_status status = note_event(n, e);
    return status == ORK_OK ? ork_up_deliver(&n->above, e) : status;
}

static size_t credit(void *context)
{
    const struct ork_node *n = context;

    if (n->join != NULL && ork_aggregate_buffers(n->join, OWN))
        return 0;
    return ork_up_credit(&n->above);
}

/* Report how often this process waited for the one above. */
static enum ork_status report_waits(struct ork_node *n)
{
    uint64_t waits = n->transport->num_waits;
    uint64_t more = waits - n->waits_reported;

    if (more == 0 || n->writer == NULL || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    n->waits_reported = waits;
    return ork_up_deliver(&n->above, &(struct ork_event){.kind = ORK_EVENT_WAITS, .waits = more});
}

/* When the ranks here have nothing left, and it was sent. */
static enum ork_status say_goodbye(struct ork_node *n)
{
    if (!n->awaits_last || (n->join != NULL && ork_aggregate_buffers(n->join, OWN)) ||
        !ork_leaf_has_sent_last(n->leaf) || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    n->awaits_last = false;
    return deliver(
        n, &(struct ork_event){.kind = ORK_EVENT_GOODBYE,
                               .process = n->transport != NULL ? n->transport->tree.me : 0});
}

static enum ork_status detach_children(struct ork_node *n)
{
    enum ork_status status = ORK_OK;
    uint32_t i;

    while (status == ORK_OK && (i = ork_transport_next_dead(n->transport)) != NO_PROCESS) {
        struct ork_event e = {.kind = ORK_EVENT_LOST};
        e.lost.first = ork_tree_child(&n->transport->tree, i);
        e.lost.end = ork_tree_child_end(&n->transport->tree, i);
        n->lost = true;
        status = deliver(n, &e);
    }
    return status;
}

/* ---- streams from below ---- */

static enum ork_status take_frame(struct ork_node *n, uint32_t i, const uint8_t *frame, size_t size)
{
    struct child *c = &n->child[i];
    struct ork_wave wave;
    enum ork_status status;

    if (frame[0] == ORK_EVENT_WAVE) {
        status = ork_wire_read_wave(c->reader, frame, size, &wave);
        return status == ORK_OK ? ork_aggregate_arrive(n->join, i + 1, &wave, now(n)) : status;
    }
    return n->root != NULL ? ork_wire_read(c->reader, frame, size)
                           : ork_wire_forward(n->writer, frame, size);
}

/* As long as there is room above, and until it is held. */
static enum ork_status take_stream(struct ork_node *n, uint32_t i, size_t *moved)
{
    struct child *c = &n->child[i];
    enum ork_status status = ORK_OK;
    enum ork_event_kind kind;
    size_t size;
    size_t used;
    const uint8_t *bytes;

    while (status == ORK_OK && (bytes = ork_transport_front(n->transport, i, &size)) != NULL) {
        while (status == ORK_OK && c->read < size) {
            if (ork_aggregate_buffers(n->join, i + 1) || ork_up_credit(&n->above) == 0)
                return ORK_OK;
            status = ork_wire_frame(bytes + c->read, size - c->read, &kind, &used);
            if (status != ORK_OK)
                return status;
            status = take_frame(n, i, bytes + c->read, used);
            c->read += used;
            *moved += kind != ORK_EVENT_SNAPSHOT && kind != ORK_EVENT_COLLECTED;
        }
        c->read = 0;
        if (status == ORK_OK)
            status = ork_transport_pop(n->transport, i);
    }
    return status;
}

static enum ork_status take_streams(struct ork_node *n, size_t *moved)
{
    enum ork_status status = ORK_OK;
    size_t before;

    do {
        before = *moved;
        for (uint32_t i = 0; i < n->transport->tree.num_children && status == ORK_OK; i++)
            status = take_stream(n, i, moved);
    } while (status == ORK_OK && *moved > before);
    return status;
}

static enum ork_status let_go(struct ork_node *n, size_t *moved)
{
    uint32_t held = ork_aggregate_num_buffered(n->join);

    if (held == 0 || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    /* RATIONALE: while iterations are counted, calls that other ranks repeat do not come here. */
    uint64_t before = now(n) - (*moved == 0 ? IDLE_HOLD_NS : HOLD_NS);
    enum ork_status status =
        ork_aggregate_flush(n->join, ork_leaf_is_folding(n->leaf) ? UINT64_MAX : before);
    *moved += held - ork_aggregate_num_buffered(n->join);
    return status;
}

/* When ranks have attached or ended, and no more for a moment. */
static enum ork_status find_place(struct ork_node *n)
{
    uint32_t attached = ork_leaf_num_attached(n->leaf);
    unsigned processors;

    if (attached != n->attached) {
        n->attached = attached;
        n->attached_ns = now(n);
    }
    if (attached <= n->placed_beside || now(n) - n->attached_ns < SETTLE_NS)
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
    const uint64_t begin = now(n);
    size_t drained = 0;
    size_t before;
    enum ork_status status = ork_leaf_step(n->leaf, &drained);

    *moved += drained;
    if (n->join == NULL)
        return status;
    do {
        before = *moved;
        if (status == ORK_OK)
            status = take_streams(n, moved);
        if (status == ORK_OK)
            status = ork_leaf_go_on(n->leaf, &drained);
        *moved += drained;
    } while (status == ORK_OK && *moved > before && now(n) - begin < STEP_NS);
    return status;
}

static enum ork_status work(struct ork_node *n, size_t *moved)
{
    enum ork_status status =
        n->transport != NULL ? ork_transport_step(n->transport, moved) : ORK_OK;

    if (status == ORK_OK && n->transport != NULL)
        status = follow_orders(n, moved);
    if (status == ORK_OK)
        status = take_all(n, moved);
    if (status == ORK_OK && n->join != NULL)
        status = let_go(n, moved);
    if (status == ORK_OK)
        status = say_goodbye(n);
    if (status == ORK_OK && n->transport != NULL)
        status = detach_children(n);
    return status == ORK_OK ? find_place(n) : status;
}

enum ork_status ork_node_step(struct ork_node *n, size_t *moved)
{
    *moved = 0;
    enum ork_status status = work(n, moved);

    if (status == ORK_OK && n->root != NULL)
        status = ork_root_step(n->root);
    if (status == ORK_OK && n->transport != NULL)
        status = report_waits(n);
    if (status == ORK_OK && n->transport != NULL)
        status = ork_transport_flush(n->transport);
    return status;
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
    const struct ork_down down = {.context = n, .send = send_order};
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
    n->own = (struct ork_up){.context = n, .deliver = deliver, .credit = credit};
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

/* Processes are usually in the order of their nodes, but need not be. */
static uint32_t count_on(const struct ork_node *n, uint32_t process)
{
    uint32_t size = n->transport->tree.size;
    uint32_t count = 0;

    for (uint32_t i = 0; i < size; i++) {
        if (!ork_transport_are_beside(n->transport, i, process))
            continue;
        if (i < process)
            return 0; /* named before */
        count++;
    }
    return count;
}

char *ork_node_tree_words(const struct ork_node *n)
{
    if (n->transport == NULL)
        return ork_text("1 process");
    const struct ork_tree *tree = &n->transport->tree;
    char *text = ork_text("%u process%s in %u layer%s on ", tree->size, tree->size == 1 ? "" : "es",
                          tree->layers, tree->layers == 1 ? "" : "s");
    for (uint32_t i = 0; i < tree->size && text != NULL; i++) {
        uint32_t here = count_on(n, i);
        if (here == 0)
            continue;
        char *longer = ork_text("%s%s%s (%u)", text, i > 0 ? ", " : "",
                                ork_transport_host(n->transport, i), here);
        free(text);
        text = longer;
    }
    return text;
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
