/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_net.h"

#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 64 };

struct batch {
    struct batch *next;
    size_t size;
    uint8_t bytes[]; /* ORK_BATCH_MAX, until it is sent */
};

struct batches {
    struct batch *first, **end;
    uint32_t count;
};

struct sent {
    struct sent *next;
    struct ork_order order;
};

/* What is between a process and its parent. */
struct line {
    struct batches transit, queue; /* under way up; at the parent */
    struct sent *order, **order_end;
    bool dead, seen, reported; /* the child, to the parent */
};

struct ork_net {
    struct ork_tree tree;
    struct batch *filling;
    struct batches full;
    uint64_t waits;
};

static struct {
    uint32_t size, created;
    uint64_t seed, batches;
    struct line line[PROCESSES]; /* by child */
    bool dead[PROCESSES];
} world;

static bool chance(unsigned one_in)
{
    return random_next(&world.seed) % one_in == 0;
}

/* ---- lists ---- */

static void batches_init(struct batches *b)
{
    *b = (struct batches){.end = &b->first};
}

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

static void drop(struct batches *b)
{
    while (b->first != NULL)
        free(pop(b));
}

static void drop_orders(struct line *l)
{
    while (l->order != NULL) {
        struct sent *next = l->order->next;
        free(l->order);
        l->order = next;
    }
    l->order_end = &l->order;
}

/* ---- the world ---- */

void fake_net_begin(uint32_t size, uint64_t seed)
{
    assert_in_range(size, 1, PROCESSES);
    memset(&world, 0, sizeof(world));
    world.size = size;
    world.seed = seed * 2654435761u + 1;
    for (uint32_t i = 0; i < size; i++) {
        batches_init(&world.line[i].transit);
        batches_init(&world.line[i].queue);
        world.line[i].order_end = &world.line[i].order;
    }
}

void fake_net_end(void)
{
    for (uint32_t i = 0; i < world.size; i++) {
        drop(&world.line[i].transit);
        drop(&world.line[i].queue);
        drop_orders(&world.line[i]);
    }
}

void fake_net_kill(uint32_t process)
{
    world.line[process].dead = world.dead[process] = true;
}

uint64_t fake_net_num_batches(void)
{
    return world.batches;
}

/* ---- net.h ---- */

enum ork_status ork_net_create(uint32_t fanin, struct ork_net **out)
{
    struct ork_net *net = calloc(1, sizeof(*net));

    assert_in_range(world.created, 0, world.size - 1);
    if (net == NULL)
        return ORK_NOMEM;
    net->tree = ork_tree_of(world.size, fanin, world.created++);
    batches_init(&net->full);
    *out = net;
    return ORK_OK;
}

void ork_net_destroy(struct ork_net *net, bool orderly)
{
    (void)orderly;
    drop(&net->full);
    free(net->filling);
    free(net);
}

const struct ork_tree *ork_net_tree(const struct ork_net *net)
{
    return &net->tree;
}

const char *ork_net_host(const struct ork_net *net, uint32_t process)
{
    static const char *const host[] = {"n0", "n1", "n2", "n3"};

    (void)net;
    return host[process / 2 % 4];
}

uint32_t ork_net_number(const struct ork_net *net)
{
    return net->tree.me; /* in truth all are on this machine */
}

uint32_t ork_net_num_hosts(const struct ork_net *net)
{
    return (net->tree.size + 1) / 2;
}

enum ork_status ork_net_barrier(struct ork_net *net)
{
    (void)net; /* all are created before one of them does a step */
    return ORK_OK;
}

const struct pollfd *ork_net_fds(const struct ork_net *net, nfds_t *count)
{
    (void)net;
    *count = 0;
    return NULL;
}

static struct line *line_of(const struct ork_net *net, uint32_t i)
{
    return &world.line[ork_tree_child(&net->tree, i)];
}

static void hear_child(struct line *l, size_t *moved)
{
    while (l->transit.count > 0 && l->queue.count < ORK_NET_WINDOW && !chance(3)) {
        struct batch *batch = pop(&l->transit);
        *moved += batch->size > 0;
        push(&l->queue, batch);
    }
}

/* Some of its last words may not have left it. */
static void see_death(struct line *l, size_t *moved)
{
    l->seen = true;
    *moved += 1;
    while (l->transit.count > 0 && !chance(4))
        push(&l->queue, pop(&l->transit));
    drop(&l->transit);
}

enum ork_status ork_net_step(struct ork_net *net, size_t *moved)
{
    for (uint32_t i = 0; i < net->tree.num_children; i++) {
        struct line *l = line_of(net, i);
        if (l->seen)
            continue;
        hear_child(l, moved);
        if (l->dead && chance(4))
            see_death(l, moved);
    }
    if (net->tree.me != 0 && world.dead[net->tree.parent] && chance(3))
        return ORK_CLOSED;
    return ORK_OK;
}

/* ---- up ---- */

static struct line *own_line(const struct ork_net *net)
{
    return &world.line[net->tree.me];
}

static uint8_t *reserve(void *context, size_t size)
{
    struct ork_net *net = context;

    assert_int_not_equal(net->tree.me, 0);
    assert_in_range(size, 0, ORK_BATCH_MAX);
    if (net->filling != NULL && (net->filling->size + size > ORK_BATCH_MAX || chance(16))) {
        push(&net->full, net->filling);
        net->filling = NULL;
    }
    if (net->filling == NULL) {
        net->filling = malloc(sizeof(*net->filling) + ORK_BATCH_MAX);
        assert_non_null(net->filling);
        net->filling->size = 0;
    }
    return net->filling->bytes + net->filling->size;
}

static void commit(void *context, size_t size)
{
    struct ork_net *net = context;

    net->filling->size += size;
    assert_in_range(net->filling->size, 1, ORK_BATCH_MAX);
}

static size_t room(void *context)
{
    const struct ork_net *net = context;
    const struct line *l = own_line(net);
    uint32_t used = net->full.count + l->transit.count + l->queue.count + (net->filling != NULL);

    if (used >= ORK_NET_WINDOW || chance(5))
        return 0;
    return chance(3) ? ORK_FRAME_MAX : 200 + random_next(&world.seed) % 2000;
}

struct ork_wire_out ork_net_out(struct ork_net *net)
{
    return (struct ork_wire_out){
        .context = net, .reserve = reserve, .commit = commit, .room = room};
}

static void send_batch(struct line *l, struct batch *batch)
{
    world.batches++;
    push(&l->transit, realloc(batch, sizeof(*batch) + batch->size)); /* not a byte behind it */
}

enum ork_status ork_net_flush(struct ork_net *net)
{
    struct line *l = own_line(net);

    if (net->tree.me == 0)
        return ORK_OK;
    if (net->filling == NULL && l->transit.count == 0 && chance(8)) { /* a sign of life */
        reserve(net, 0);
        send_batch(l, net->filling);
        net->filling = NULL;
    }
    if (net->filling != NULL && net->full.count == 0) {
        push(&net->full, net->filling);
        net->filling = NULL;
    }
    while (net->full.count > 0 && l->transit.count + l->queue.count < ORK_NET_WINDOW)
        send_batch(l, pop(&net->full));
    net->waits += net->full.count > 0;
    return ORK_OK;
}

uint64_t ork_net_num_waits(const struct ork_net *net)
{
    return net->waits;
}

const uint8_t *ork_net_front(const struct ork_net *net, uint32_t i, size_t *size)
{
    const struct batch *front = line_of(net, i)->queue.first;

    if (front == NULL)
        return NULL;
    *size = front->size;
    return front->bytes;
}

enum ork_status ork_net_pop(struct ork_net *net, uint32_t i)
{
    free(pop(&line_of(net, i)->queue));
    return ORK_OK;
}

uint32_t ork_net_next_dead(struct ork_net *net)
{
    for (uint32_t i = 0; i < net->tree.num_children; i++) {
        struct line *l = line_of(net, i);
        if (!l->seen || l->reported || l->queue.count > 0)
            continue;
        l->reported = true;
        return i;
    }
    return UINT32_MAX;
}

/* ---- down ---- */

enum ork_status ork_net_send_order(struct ork_net *net, const struct ork_order *order)
{
    for (uint32_t i = 0; i < net->tree.num_children; i++) {
        struct line *l = line_of(net, i);
        struct sent *sent = calloc(1, sizeof(*sent));
        assert_non_null(sent);
        sent->order = *order;
        *l->order_end = sent;
        l->order_end = &sent->next;
    }
    return ORK_OK;
}

bool ork_net_next_order(struct ork_net *net, struct ork_order *order)
{
    struct line *l = own_line(net);
    struct sent *sent = l->order;

    if (sent == NULL || chance(3))
        return false;
    *order = sent->order;
    l->order = sent->next;
    if (l->order == NULL)
        l->order_end = &l->order;
    free(sent);
    return true;
}
