/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/loopback.h"

#include <stdlib.h>
#include <string.h>

struct batch {
    struct batch *next;
    size_t size;
    uint8_t bytes[ORK_BATCH_MAX];
};

struct batches {
    struct batch *first, **end;
    uint32_t count;
};

struct order {
    struct order *next;
    struct ork_order order;
};

struct ork_net {
    struct ork_tree tree;
    struct batch *filling;
    struct batches full, under_way; /* waiting for credit; for the parent, until it is through */
    struct order *order, **order_end;
    uint64_t waits;
};

/* RATIONALE: ork_net_create() has no argument that names a job, for a process belongs to one only.
 */
static struct {
    struct ork_net **net;
    uint32_t size, next;
    struct batch *spare;
    struct loopback_top top;
} job;

enum ork_status loopback_begin(uint32_t processes)
{
    struct ork_net **net = calloc(processes, sizeof(struct ork_net *));

    if (net == NULL)
        return ORK_NOMEM;
    memset(&job, 0, sizeof(job));
    job.net = net;
    job.size = processes;
    return ORK_OK;
}

struct loopback_top loopback_top(void)
{
    return job.top;
}

static void free_batches(struct batch *batch)
{
    while (batch != NULL) {
        struct batch *next = batch->next;
        free(batch);
        batch = next;
    }
}

void loopback_end(void)
{
    free_batches(job.spare);
    free(job.net);
    job.spare = NULL;
    job.net = NULL;
}

/* ---- lists ---- */

static void push(struct batches *b, struct batch *batch)
{
    batch->next = NULL;
    *b->end = batch;
    b->end = &batch->next;
    b->count++;
}

static struct batch *pop(struct batches *b)
{
    struct batch *batch = b->first;

    b->first = batch->next;
    if (b->first == NULL)
        b->end = &b->first;
    b->count--;
    return batch;
}

static struct batch *get_batch(void)
{
    struct batch *batch = job.spare;

    if (batch != NULL)
        job.spare = batch->next;
    else
        batch = malloc(sizeof(*batch));
    if (batch != NULL)
        batch->size = 0;
    return batch;
}

static void put_batch(struct batch *batch)
{
    batch->next = job.spare;
    job.spare = batch;
}

/* ---- a process ---- */

enum ork_status ork_net_create(uint32_t fanin, struct ork_net **out)
{
    struct ork_net *net = calloc(1, sizeof(*net));

    if (net == NULL || job.next == job.size) {
        free(net);
        return ORK_NOMEM;
    }
    net->tree = ork_tree_of(job.size, fanin, job.next);
    net->full.end = &net->full.first;
    net->under_way.end = &net->under_way.first;
    net->order_end = &net->order;
    job.net[job.next++] = net;
    *out = net;
    return ORK_OK;
}

void ork_net_destroy(struct ork_net *net, bool orderly)
{
    (void)orderly;
    free(net->filling);
    free_batches(net->full.first);
    free_batches(net->under_way.first);
    while (net->order != NULL) {
        struct order *next = net->order->next;
        free(net->order);
        net->order = next;
    }
    free(net);
}

const struct ork_tree *ork_net_tree(const struct ork_net *net)
{
    return &net->tree;
}

const char *ork_net_host(const struct ork_net *net, uint32_t process)
{
    (void)net;
    (void)process;
    return "here";
}

uint32_t ork_net_number(const struct ork_net *net)
{
    return net->tree.me;
}

uint32_t ork_net_num_hosts(const struct ork_net *net)
{
    (void)net;
    return 1;
}

enum ork_status ork_net_barrier(struct ork_net *net)
{
    (void)net; /* nothing moves before all have been created */
    return ORK_OK;
}

enum ork_status ork_net_step(struct ork_net *net, size_t *moved)
{
    (void)net;
    (void)moved;
    return ORK_OK;
}

const struct pollfd *ork_net_fds(const struct ork_net *net, nfds_t *count)
{
    (void)net;
    *count = 0;
    return NULL;
}

/* ---- up ---- */

static uint8_t *reserve(void *context, size_t size)
{
    struct ork_net *net = context;

    if (net->filling != NULL && net->filling->size + size > ORK_BATCH_MAX) {
        push(&net->full, net->filling);
        net->filling = NULL;
    }
    if (net->filling == NULL)
        net->filling = get_batch();
    return net->filling == NULL ? NULL : net->filling->bytes + net->filling->size;
}

static void commit(void *context, size_t size)
{
    struct ork_net *net = context;

    net->filling->size += size;
}

static size_t room(void *context)
{
    const struct ork_net *net = context;
    uint32_t used = net->full.count + net->under_way.count + (net->filling != NULL);

    return used < ORK_NET_WINDOW ? ORK_FRAME_MAX : 0;
}

struct ork_wire_out ork_net_out(struct ork_net *net)
{
    return (struct ork_wire_out){
        .context = net, .reserve = reserve, .commit = commit, .room = room};
}

static void count_top(const struct batch *batch)
{
    enum ork_event_kind kind;
    size_t used;

    job.top.bytes += batch->size;
    job.top.batches++;
    for (size_t at = 0; at < batch->size; at += used) {
        if (ork_wire_frame(batch->bytes + at, batch->size - at, &kind, &used) != ORK_OK)
            abort();
        job.top.waves += kind == ORK_EVENT_WAVE;
    }
}

static bool has_credit(const struct ork_net *net)
{
    return net->under_way.count < ORK_NET_WINDOW;
}

enum ork_status ork_net_flush(struct ork_net *net)
{
    if (net->tree.me == 0)
        return ORK_OK;
    if (net->filling != NULL && net->full.count == 0 && has_credit(net)) {
        push(&net->full, net->filling);
        net->filling = NULL;
    }
    while (net->full.count > 0 && has_credit(net)) {
        if (net->tree.parent == 0)
            count_top(net->full.first);
        push(&net->under_way, pop(&net->full));
    }
    net->waits += net->full.count > 0;
    return ORK_OK;
}

uint64_t ork_net_num_waits(const struct ork_net *net)
{
    return net->waits;
}

static struct batches *from_child(const struct ork_net *net, uint32_t i)
{
    return &job.net[ork_tree_child(&net->tree, i)]->under_way;
}

const uint8_t *ork_net_front(const struct ork_net *net, uint32_t i, size_t *size)
{
    const struct batch *front = from_child(net, i)->first;

    if (front == NULL)
        return NULL;
    *size = front->size;
    return front->bytes;
}

enum ork_status ork_net_pop(struct ork_net *net, uint32_t i)
{
    put_batch(pop(from_child(net, i)));
    return ORK_OK;
}

uint32_t ork_net_next_dead(struct ork_net *net)
{
    (void)net;
    return UINT32_MAX;
}

/* ---- down ---- */

enum ork_status ork_net_send_order(struct ork_net *net, const struct ork_order *order)
{
    for (uint32_t i = 0; i < net->tree.num_children; i++) {
        struct ork_net *child = job.net[ork_tree_child(&net->tree, i)];
        struct order *o = malloc(sizeof(*o));
        if (o == NULL)
            return ORK_NOMEM;
        *o = (struct order){.order = *order};
        *child->order_end = o;
        child->order_end = &o->next;
    }
    return ORK_OK;
}

bool ork_net_next_order(struct ork_net *net, struct ork_order *order)
{
    struct order *o = net->order;

    if (o == NULL)
        return false;
    *order = o->order;
    net->order = o->next;
    if (net->order == NULL)
        net->order_end = &net->order;
    free(o);
    return true;
}
