/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the tool processes: batches of frames go up the tree, orders go down. There are
 * two kinds of transport: MPI between processes, and shared memory between those of one node. No
 * function waits, except the barrier: the caller sleeps in between.
 *
 * A process may have ORK_WINDOW batches under way that its parent has not processed. Then it has no
 * room, its leaf drains no rings, and in the end the ranks wait for room in theirs. So nothing is
 * lost, and no queue grows. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_H
#define ORK_OVERLAY_TOOL_TRANSPORT_H

#include "common/tree.h"
#include "overlay/stream/wire.h"

#include <poll.h>

#define ORK_WINDOW 4u

struct ork_transport;

/* The operations of a kind of transport; see the functions below. */
struct ork_transport_ops {
    void (*destroy)(struct ork_transport *t, bool orderly);
    const char *(*host)(const struct ork_transport *t, uint32_t process);
    bool (*are_beside)(const struct ork_transport *t, uint32_t a, uint32_t b);
    enum ork_status (*barrier)(struct ork_transport *t);
    enum ork_status (*step)(struct ork_transport *t, size_t *moved);
    const struct pollfd *(*fds)(const struct ork_transport *t, nfds_t *count);
    struct ork_wire_out (*out)(struct ork_transport *t);
    enum ork_status (*flush)(struct ork_transport *t);
    const uint8_t *(*front)(const struct ork_transport *t, uint32_t child, size_t *size);
    enum ork_status (*pop)(struct ork_transport *t, uint32_t child);
    uint32_t (*next_dead)(struct ork_transport *t);
    enum ork_status (*send_order)(struct ork_transport *t, const struct ork_order *order);
    bool (*next_order)(struct ork_transport *t, struct ork_order *order);
};

/* The place of one process. Each kind has it as the first member of its own type. */
struct ork_transport {
    const struct ork_transport_ops *ops;
    struct ork_tree tree;
    uint32_t number;    /* of this process among the tool processes of its node */
    uint64_t num_waits; /* how often a full batch had to wait for the parent */
    bool awaits_last;   /* the run is over: a child that has stopped is not waited for */
};

/* NULL is allowed. `orderly`: all processes of the job do so now; otherwise the others are not
 * notified. */
static inline void ork_transport_destroy(struct ork_transport *t, bool orderly)
{
    if (t != NULL)
        t->ops->destroy(t, orderly);
}

/* The name of the machine that a process runs on. */
static inline const char *ork_transport_host(const struct ork_transport *t, uint32_t process)
{
    return t->ops->host(t, process);
}

/* Are two processes on one host? RATIONALE: several hosts may have one name. */
static inline bool ork_transport_are_beside(const struct ork_transport *t, uint32_t a, uint32_t b)
{
    return t->ops->are_beside(t, a, b);
}

/* Wait until all processes are here. ORK_IO. */
static inline enum ork_status ork_transport_barrier(struct ork_transport *t)
{
    return t->ops->barrier(t);
}

/* Move what can be moved. *moved: messages that came. ORK_NOMEM; ORK_CLOSED: no parent any more. */
static inline enum ork_status ork_transport_step(struct ork_transport *t, size_t *moved)
{
    return t->ops->step(t, moved);
}

/* Descriptors that become readable when a neighbour dies or sends something. */
static inline const struct pollfd *ork_transport_fds(const struct ork_transport *t, nfds_t *count)
{
    return t->ops->fds(t, count);
}

/* ---- up ---- */

static inline struct ork_wire_out ork_transport_out(struct ork_transport *t)
{
    return t->ops->out(t);
}

/* Send what was written, even if the batch is not full. */
static inline enum ork_status ork_transport_flush(struct ork_transport *t)
{
    return t->ops->flush(t);
}

/* The oldest batch of a child that is not processed; NULL: none. `size` 0 is a heartbeat. */
static inline const uint8_t *ork_transport_front(const struct ork_transport *t, uint32_t child,
                                                 size_t *size)
{
    return t->ops->front(t, child, size);
}

/* That batch is processed. */
static inline enum ork_status ork_transport_pop(struct ork_transport *t, uint32_t child)
{
    return t->ops->pop(t, child);
}

/* A child that was found dead since the last call, after all its batches were processed;
 * UINT32_MAX: none. */
static inline uint32_t ork_transport_next_dead(struct ork_transport *t)
{
    return t->ops->next_dead(t);
}

/* ---- down ---- */

/* To all children that are alive. ORK_NOMEM. */
static inline enum ork_status ork_transport_send_order(struct ork_transport *t,
                                                       const struct ork_order *order)
{
    return t->ops->send_order(t, order);
}

/* The next order from the parent; false: none. */
static inline bool ork_transport_next_order(struct ork_transport *t, struct ork_order *order)
{
    return t->ops->next_order(t, order);
}

#endif
