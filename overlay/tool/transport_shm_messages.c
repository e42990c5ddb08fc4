/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches and orders, in memory that a parent and a child share. */
#include "overlay/tool/transport_shm_internal.h"

#include "common/assert.h"
#include "common/clock.h"
#include "common/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUIET_NS UINT64_C(2000000) /* a process without messages for this time may sleep */

void ork_shm_wake(struct neighbour *n)
{
    const uint64_t one = 1, at = ork_monotonic_ns();

    if (at - n->sent_ns > QUIET_NS && write(n->bell, &one, sizeof(one)) < 0)
        ork_debug("cannot wake a tool process: %s", strerror(errno));
    n->sent_ns = at;
}

/* ---- up ---- */

static struct batch *get_batch(struct shm *s)
{
    struct batch *batch = (struct batch *)s->spare;

    if (batch != NULL)
        s->spare = batch->base.next;
    else
        batch = malloc(sizeof(*batch));
    if (batch != NULL)
        batch->base.size = 0;
    return batch;
}

static uint8_t *reserve(void *context, size_t size)
{
    struct shm *s = context;

    ORK_ASSERT(s->base.tree.me != 0 && size <= ORK_BATCH_MAX);
    if (s->filling != NULL && s->filling->base.size + size > ORK_BATCH_MAX) {
        ork_batches_push(&s->full, &s->filling->base);
        s->filling = NULL;
    }
    if (s->filling == NULL)
        s->filling = get_batch(s);
    return s->filling != NULL ? s->filling->bytes + s->filling->base.size : NULL;
}

static void commit(void *context, size_t size)
{
    struct shm *s = context;

    s->filling->base.size += size;
    ORK_ASSERT(s->filling->base.size <= ORK_BATCH_MAX);
}

static size_t room(void *context)
{
    const struct shm *s = context;
    uint32_t used = s->full.count + ork_shm_under_way(s->parent.line) + (s->filling != NULL);

    return used < ORK_WINDOW ? ORK_FRAME_MAX : 0;
}

struct ork_wire_out ork_shm_out(struct ork_transport *t)
{
    return (struct ork_wire_out){.context = t, .reserve = reserve, .commit = commit, .room = room};
}

static void send_batch(struct shm *s, struct batch *batch)
{
    struct line *line = s->parent.line;
    uint32_t sent = atomic_load_explicit(&line->sent, memory_order_relaxed);
    struct slot *slot = &line->slot[sent % ORK_WINDOW];

    slot->size = batch->base.size;
    memcpy(slot->bytes, batch->bytes, batch->base.size);
    atomic_store_explicit(&line->sent, sent + 1, memory_order_release);
    batch->base.next = s->spare;
    s->spare = &batch->base;
}

enum ork_status ork_shm_flush(struct ork_transport *t)
{
    struct shm *s = (struct shm *)t;
    bool any = false;

    if (t->tree.me == 0)
        return ORK_OK;
    if (s->filling != NULL && s->full.count == 0 &&
        ork_shm_under_way(s->parent.line) < ORK_WINDOW) {
        ork_batches_push(&s->full, &s->filling->base);
        s->filling = NULL;
    }
    while (s->full.count > 0 && ork_shm_under_way(s->parent.line) < ORK_WINDOW) {
        send_batch(s, (struct batch *)ork_batches_pop(&s->full));
        any = true;
    }
    if (any)
        ork_shm_wake(&s->parent);
    t->num_waits += s->full.count > 0;
    return ORK_OK;
}

const uint8_t *ork_shm_front(const struct ork_transport *t, uint32_t i, size_t *size)
{
    const struct line *line = ((const struct shm *)t)->child[i].line;
    uint32_t processed = atomic_load_explicit(&line->processed, memory_order_relaxed);

    if (ork_shm_under_way(line) == 0)
        return NULL;
    const struct slot *slot = &line->slot[processed % ORK_WINDOW];
    *size = slot->size;
    return slot->bytes;
}

enum ork_status ork_shm_pop(struct ork_transport *t, uint32_t i)
{
    struct line *line = ((struct shm *)t)->child[i].line;

    ORK_ASSERT(ork_shm_under_way(line) > 0);
    atomic_fetch_add_explicit(&line->processed, 1, memory_order_release);
    return ORK_OK;
}

/* ---- down ---- */

static bool put_order(struct line *line, const struct ork_order *order)
{
    uint32_t ordered = atomic_load_explicit(&line->ordered, memory_order_relaxed);

    if (ordered - atomic_load_explicit(&line->obeyed, memory_order_acquire) == NUM_ORDERS)
        return false;
    line->order[ordered % NUM_ORDERS] = *order;
    atomic_store_explicit(&line->ordered, ordered + 1, memory_order_release);
    return true;
}

void ork_shm_put_waiting(struct neighbour *child)
{
    while (child->waiting != NULL && put_order(child->line, &child->waiting->order)) {
        struct waiting *first = child->waiting;
        child->waiting = first->next;
        if (child->waiting == NULL)
            child->waiting_end = &child->waiting;
        free(first);
    }
}

enum ork_status ork_shm_send_to(struct neighbour *child, const struct ork_order *order)
{
    ork_shm_put_waiting(child);
    if (child->waiting == NULL && put_order(child->line, order)) {
        ork_shm_wake(child);
        return ORK_OK;
    }
    struct waiting *w = malloc(sizeof(*w));
    if (w == NULL)
        return ORK_NOMEM;
    *w = (struct waiting){.order = *order};
    *child->waiting_end = w;
    child->waiting_end = &w->next;
    return ORK_OK;
}

enum ork_status ork_shm_send_order(struct ork_transport *t, const struct ork_order *order)
{
    struct shm *s = (struct shm *)t;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < t->tree.num_children && status == ORK_OK; i++) {
        if (!s->child[i].dead)
            status = ork_shm_send_to(&s->child[i], order);
    }
    return status;
}

bool ork_shm_next_order(struct ork_transport *t, struct ork_order *order)
{
    struct line *line = ((struct shm *)t)->parent.line;

    if (line == NULL)
        return false;
    uint32_t obeyed = atomic_load_explicit(&line->obeyed, memory_order_relaxed);
    if (obeyed == atomic_load_explicit(&line->ordered, memory_order_acquire))
        return false;
    *order = line->order[obeyed % NUM_ORDERS];
    atomic_store_explicit(&line->obeyed, obeyed + 1, memory_order_release);
    return true;
}
