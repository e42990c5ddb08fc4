/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool process in its tree: orders go down, events go up, children end. */
#include "overlay/tool/node_internal.h"

#include "common/text.h"
#include "common/vec.h"

#include <stdlib.h>
#include <unistd.h>

/* Streams that are joined here: this process's own leaf is 0, child i is i + 1. */
enum { OWN = 0 };
/* A collective call is held for the other streams at most this long. */
#define HOLD_NS UINT64_C(20000000)
/* Nor longer than this if nothing moves. RATIONALE: what ranks elsewhere did at the same time takes
 * a moment to arrive. */
#define IDLE_HOLD_NS UINT64_C(5000000)
enum { NO_PROCESS = UINT32_MAX };

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

enum ork_status ork_node_send_order(void *context, const struct ork_order *order)
{
    struct ork_node *n = context;
    enum ork_status status =
        n->transport != NULL ? ork_transport_send_order(n->transport, order) : ORK_OK;

    return status == ORK_OK ? follow_order(n, order) : status;
}

enum ork_status ork_node_kill_ranks(struct ork_node *n)
{
    return ork_node_send_order(n, &(struct ork_order){.kind = ORK_ORDER_KILL});
}

enum ork_status ork_node_ask_last(struct ork_node *n)
{
    return ork_node_send_order(n, &(struct ork_order){.kind = ORK_ORDER_LAST});
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

enum ork_status ork_node_follow_orders(struct ork_node *n, size_t *moved)
{
    struct ork_order order;
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && ork_transport_next_order(n->transport, &order)) {
        *moved += order.kind != ORK_ORDER_COLLECT;
        status = ork_node_send_order(n, &order);
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

enum ork_status ork_node_deliver(void *context, const struct ork_event *e)
{
    struct ork_node *n = context;

    if (e->kind == ORK_EVENT_WAVE && n->join != NULL)
        return ork_aggregate_arrive(n->join, OWN, e->wave, ork_node_now(n));
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

size_t ork_node_credit(void *context)
{
    const struct ork_node *n = context;

    if (n->join != NULL && ork_aggregate_buffers(n->join, OWN))
        return 0;
    return ork_up_credit(&n->above);
}

enum ork_status ork_node_report_waits(struct ork_node *n)
{
    uint64_t waits = n->transport->num_waits;
    uint64_t more = waits - n->waits_reported;

    if (more == 0 || n->writer == NULL || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    n->waits_reported = waits;
    return ork_up_deliver(&n->above, &(struct ork_event){.kind = ORK_EVENT_WAITS, .waits = more});
}

enum ork_status ork_node_say_goodbye(struct ork_node *n)
{
    if (!n->awaits_last || (n->join != NULL && ork_aggregate_buffers(n->join, OWN)) ||
        !ork_leaf_has_sent_last(n->leaf) || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    n->awaits_last = false;
    return ork_node_deliver(
        n, &(struct ork_event){.kind = ORK_EVENT_GOODBYE,
                               .process = n->transport != NULL ? n->transport->tree.me : 0});
}

enum ork_status ork_node_detach_children(struct ork_node *n)
{
    enum ork_status status = ORK_OK;
    uint32_t i;

    while (status == ORK_OK && (i = ork_transport_next_dead(n->transport)) != NO_PROCESS) {
        struct ork_event e = {.kind = ORK_EVENT_LOST};
        e.lost.first = ork_tree_child(&n->transport->tree, i);
        e.lost.end = ork_tree_child_end(&n->transport->tree, i);
        n->lost = true;
        status = ork_node_deliver(n, &e);
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
        return status == ORK_OK ? ork_aggregate_arrive(n->join, i + 1, &wave, ork_node_now(n))
                                : status;
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

enum ork_status ork_node_take_streams(struct ork_node *n, size_t *moved)
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

enum ork_status ork_node_let_go(struct ork_node *n, size_t *moved)
{
    uint32_t held = ork_aggregate_num_buffered(n->join);

    if (held == 0 || ork_up_credit(&n->above) == 0)
        return ORK_OK;
    /* RATIONALE: while iterations are counted, calls that other ranks repeat do not come here. */
    uint64_t before = ork_node_now(n) - (*moved == 0 ? IDLE_HOLD_NS : HOLD_NS);
    enum ork_status status =
        ork_aggregate_flush(n->join, ork_leaf_is_folding(n->leaf) ? UINT64_MAX : before);
    *moved += held - ork_aggregate_num_buffered(n->join);
    return status;
}

/* ---- as text ---- */

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
