/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/tool/transport_memory.h"

#include "common/assert.h"
#include "overlay/tool/batches.h"

#include <stdlib.h>
#include <string.h>

struct batch {
    struct ork_batch base;
    uint8_t bytes[]; /* ORK_BATCH_MAX, until it is sent */
};

struct sent {
    struct sent *next;
    struct ork_order order;
};

/* The connection of a process with its parent. */
struct line {
    struct ork_batches transit, queue; /* under way up; at the parent */
    struct sent *order, **order_end;
    bool dead, seen, reported; /* the child, to the parent */
};

struct ork_memory_job {
    struct ork_memory_options options;
    uint64_t random;
    struct line *line; /* by child */
    struct ork_batch *spare;
};

struct process {
    struct ork_transport base;
    struct ork_memory_job *job;
    struct batch *filling;
    struct ork_batches full;
};

/* True in one of `one_in` cases at random; never without a seed. */
static bool chance(struct ork_memory_job *job, unsigned one_in)
{
    if (job->options.seed == 0)
        return false;
    job->random = job->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (job->random >> 33) % one_in == 0;
}

/* ---- lists ---- */

static struct batch *pop(struct ork_batches *b)
{
    return (struct batch *)ork_batches_pop(b);
}

static void drop(struct ork_batches *b)
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

static struct batch *get_batch(struct ork_memory_job *job)
{
    struct batch *batch = (struct batch *)job->spare;

    if (batch != NULL)
        job->spare = batch->base.next;
    else
        batch = malloc(sizeof(*batch) + ORK_BATCH_MAX);
    if (batch != NULL)
        batch->base.size = 0;
    return batch;
}

/* RATIONALE: with a seed a batch has exactly as many bytes as were sent, so that the sanitizer
 * detects a read beyond them. It cannot be reused then. */
static void put_batch(struct ork_memory_job *job, struct batch *batch)
{
    if (job->options.seed != 0) {
        free(batch);
        return;
    }
    batch->base.next = job->spare;
    job->spare = &batch->base;
}

/* ---- the job ---- */

enum ork_status ork_memory_job_create(const struct ork_memory_options *options,
                                      struct ork_memory_job **out)
{
    struct ork_memory_job *job = calloc(1, sizeof(*job));

    if (job == NULL)
        return ORK_NOMEM;
    job->options = *options;
    job->random = options->seed;
    job->line = calloc(options->processes, sizeof(*job->line));
    if (job->line == NULL) {
        free(job);
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < options->processes; i++) {
        ork_batches_init(&job->line[i].transit);
        ork_batches_init(&job->line[i].queue);
        job->line[i].order_end = &job->line[i].order;
    }
    *out = job;
    return ORK_OK;
}

void ork_memory_job_destroy(struct ork_memory_job *job)
{
    if (job == NULL)
        return;
    for (uint32_t i = 0; i < job->options.processes; i++) {
        drop(&job->line[i].transit);
        drop(&job->line[i].queue);
        drop_orders(&job->line[i]);
    }
    while (job->spare != NULL) {
        struct ork_batch *next = job->spare->next;
        free(job->spare);
        job->spare = next;
    }
    free(job->line);
    free(job);
}

void ork_memory_job_kill(struct ork_memory_job *job, uint32_t process)
{
    job->line[process].dead = true;
}

/* ---- a process ---- */

static void memory_destroy(struct ork_transport *t, bool orderly)
{
    struct process *p = (struct process *)t;

    (void)orderly;
    drop(&p->full);
    free(p->filling);
    free(p);
}

static const char *memory_host(const struct ork_transport *t, uint32_t process)
{
    static const char *const host[] = {"n0", "n1", "n2", "n3"};

    (void)t;
    return host[process / 2 % 4];
}

static bool memory_are_beside(const struct ork_transport *t, uint32_t a, uint32_t b)
{
    return memory_host(t, a) == memory_host(t, b);
}

static enum ork_status memory_barrier(struct ork_transport *t)
{
    (void)t; /* all are created before one of them does a step */
    return ORK_OK;
}

static const struct pollfd *memory_fds(const struct ork_transport *t, nfds_t *count)
{
    (void)t;
    *count = 0;
    return NULL;
}

static struct line *line_of(const struct ork_transport *t, uint32_t child)
{
    return &((const struct process *)t)->job->line[ork_tree_child(&t->tree, child)];
}

static struct line *own_line(const struct process *p)
{
    return &p->job->line[p->base.tree.me];
}

static void receive(struct ork_memory_job *job, struct line *l, size_t *moved)
{
    while (l->transit.count > 0 && l->queue.count < ORK_WINDOW && !chance(job, 3)) {
        struct batch *batch = pop(&l->transit);
        *moved += batch->base.size > 0;
        ork_batches_push(&l->queue, &batch->base);
    }
}

/* Some of its last batches may not have been sent. */
static void notice_death(struct ork_memory_job *job, struct line *l, size_t *moved)
{
    l->seen = true;
    *moved += 1;
    while (l->transit.count > 0 && !chance(job, 4))
        ork_batches_push(&l->queue, &pop(&l->transit)->base);
    drop(&l->transit);
}

/* Has a possibly delayed event occurred? Always, without a seed. */
static bool has_come(struct ork_memory_job *job, unsigned one_in)
{
    return job->options.seed == 0 || chance(job, one_in);
}

static enum ork_status memory_step(struct ork_transport *t, size_t *moved)
{
    struct ork_memory_job *job = ((struct process *)t)->job;

    for (uint32_t i = 0; i < t->tree.num_children; i++) {
        struct line *l = line_of(t, i);
        if (l->seen)
            continue;
        receive(job, l, moved);
        if (l->dead && has_come(job, 4))
            notice_death(job, l, moved);
    }
    if (t->tree.me != 0 && job->line[t->tree.parent].dead && has_come(job, 3))
        return ORK_CLOSED;
    return ORK_OK;
}

/* ---- up ---- */

static uint8_t *reserve(void *context, size_t size)
{
    struct process *p = context;

    ORK_ASSERT(p->base.tree.me != 0 && size <= ORK_BATCH_MAX);
    if (p->filling != NULL &&
        (p->filling->base.size + size > ORK_BATCH_MAX || chance(p->job, 16))) {
        ork_batches_push(&p->full, &p->filling->base);
        p->filling = NULL;
    }
    if (p->filling == NULL)
        p->filling = get_batch(p->job);
    return p->filling != NULL ? p->filling->bytes + p->filling->base.size : NULL;
}

static void commit(void *context, size_t size)
{
    struct process *p = context;

    p->filling->base.size += size;
    ORK_ASSERT(p->filling->base.size <= ORK_BATCH_MAX);
}

static uint32_t num_under_way(const struct process *p)
{
    const struct line *l = own_line(p);

    return l->transit.count + l->queue.count;
}

static size_t room(void *context)
{
    struct process *p = context;
    uint32_t used = p->full.count + num_under_way(p) + (p->filling != NULL);

    if (used >= ORK_WINDOW || chance(p->job, 5))
        return 0;
    if (p->job->options.seed == 0 || chance(p->job, 3))
        return ORK_FRAME_MAX;
    return 200 + (p->job->random >> 40) % 2000;
}

static struct ork_wire_out memory_out(struct ork_transport *t)
{
    return (struct ork_wire_out){.context = t, .reserve = reserve, .commit = commit, .room = room};
}

static void send_batch(struct process *p, struct batch *batch)
{
    const struct ork_memory_options *o = &p->job->options;

    if (o->on_batch != NULL)
        o->on_batch(o->context, p->base.tree.me, batch->bytes, batch->base.size);
    if (o->seed != 0) {
        struct batch *exact = realloc(batch, sizeof(*batch) + batch->base.size);
        batch = exact != NULL ? exact : batch;
    }
    ork_batches_push(&own_line(p)->transit, &batch->base);
}

static enum ork_status memory_flush(struct ork_transport *t)
{
    struct process *p = (struct process *)t;

    if (t->tree.me == 0)
        return ORK_OK;
    if (p->filling == NULL && num_under_way(p) == 0 && chance(p->job, 8) &&
        reserve(p, 0) != NULL) { /* a heartbeat */
        send_batch(p, p->filling);
        p->filling = NULL;
    }
    if (p->filling != NULL && p->full.count == 0) {
        ork_batches_push(&p->full, &p->filling->base);
        p->filling = NULL;
    }
    while (p->full.count > 0 && num_under_way(p) < ORK_WINDOW)
        send_batch(p, pop(&p->full));
    t->num_waits += p->full.count > 0;
    return ORK_OK;
}

static const uint8_t *memory_front(const struct ork_transport *t, uint32_t child, size_t *size)
{
    const struct batch *front = (const struct batch *)line_of(t, child)->queue.first;

    if (front == NULL)
        return NULL;
    *size = front->base.size;
    return front->bytes;
}

static enum ork_status memory_pop(struct ork_transport *t, uint32_t child)
{
    put_batch(((struct process *)t)->job, pop(&line_of(t, child)->queue));
    return ORK_OK;
}

static uint32_t memory_next_dead(struct ork_transport *t)
{
    for (uint32_t i = 0; i < t->tree.num_children; i++) {
        struct line *l = line_of(t, i);
        if (!l->seen || l->reported || l->queue.count > 0)
            continue;
        l->reported = true;
        return i;
    }
    return UINT32_MAX;
}

/* ---- down ---- */

static enum ork_status memory_send_order(struct ork_transport *t, const struct ork_order *order)
{
    for (uint32_t i = 0; i < t->tree.num_children; i++) {
        struct line *l = line_of(t, i);
        struct sent *sent = calloc(1, sizeof(*sent));
        if (sent == NULL)
            return ORK_NOMEM;
        sent->order = *order;
        *l->order_end = sent;
        l->order_end = &sent->next;
    }
    return ORK_OK;
}

static bool memory_next_order(struct ork_transport *t, struct ork_order *order)
{
    struct process *p = (struct process *)t;
    struct line *l = own_line(p);
    struct sent *sent = l->order;

    if (sent == NULL || chance(p->job, 3))
        return false;
    *order = sent->order;
    l->order = sent->next;
    if (l->order == NULL)
        l->order_end = &l->order;
    free(sent);
    return true;
}

static const struct ork_transport_ops memory_ops = {.destroy = memory_destroy,
                                                    .host = memory_host,
                                                    .are_beside = memory_are_beside,
                                                    .barrier = memory_barrier,
                                                    .step = memory_step,
                                                    .fds = memory_fds,
                                                    .out = memory_out,
                                                    .flush = memory_flush,
                                                    .front = memory_front,
                                                    .pop = memory_pop,
                                                    .next_dead = memory_next_dead,
                                                    .send_order = memory_send_order,
                                                    .next_order = memory_next_order};

enum ork_status ork_transport_memory_create(struct ork_memory_job *job, uint32_t process,
                                            struct ork_transport **out)
{
    struct process *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return ORK_NOMEM;
    p->base.ops = &memory_ops;
    p->base.tree = ork_tree_of(job->options.processes, job->options.fanin, process);
    p->base.number = process; /* really all are on this machine */
    p->job = job;
    ork_batches_init(&p->full);
    *out = &p->base;
    return ORK_OK;
}
