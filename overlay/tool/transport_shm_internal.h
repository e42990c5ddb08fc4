/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the processes of a node share, and what each knows of its neighbours:
 * transport_shm.c and transport_shm_messages.c. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_SHM_INTERNAL_H
#define ORK_OVERLAY_TOOL_TRANSPORT_SHM_INTERNAL_H

#include "common/watch.h"
#include "overlay/tool/batches.h"
#include "overlay/tool/transport_shm.h"

#include <stdatomic.h>

enum { NUM_ORDERS = 64 };

struct slot {
    size_t size;
    uint8_t bytes[ORK_BATCH_MAX];
};

struct line {
    /* by the child */
    _Alignas(64) _Atomic uint32_t sent; /* batches */
    _Atomic uint32_t obeyed;            /* orders that it has taken */
    _Atomic uint32_t child_steps;
    _Atomic bool ready; /* it, and all below it */
    /* by the parent */
    _Alignas(64) _Atomic uint32_t processed; /* batches */
    _Atomic uint32_t ordered;
    _Atomic uint32_t parent_steps;
    struct ork_order order[NUM_ORDERS];
    struct slot slot[ORK_WINDOW];
};

struct batch {
    struct ork_batch base;
    uint8_t bytes[ORK_BATCH_MAX];
};

/* An order for which the queue had no room. */
struct waiting {
    struct waiting *next;
    struct ork_order order;
};

struct neighbour {
    struct line *line;
    int bell, pidfd; /* -1: none */
    struct ork_watch watch;
    uint32_t steps;   /* of it, when this process last looked */
    uint64_t sent_ns; /* of the latest message that it should look at */
    bool dead, reported;
    struct waiting *waiting, **waiting_end; /* a child's */
};

struct shm {
    struct ork_transport base;
    char host[256];
    struct neighbour parent, *child;
    int bell; /* of this process */
    struct pollfd *fd;
    nfds_t num_fds;
    struct batch *filling;
    struct ork_batches full;
    struct ork_batch *spare;
};

/* Batches that the child has sent and the parent has not processed. */
static inline uint32_t ork_shm_under_way(const struct line *line)
{
    return atomic_load_explicit(&line->sent, memory_order_acquire) -
           atomic_load_explicit(&line->processed, memory_order_acquire);
}

/* Something was sent that `n` should look at. Only a hint: a lost one costs some milliseconds. */
void ork_shm_wake(struct neighbour *n);
/* An order to a child. ORK_NOMEM. */
enum ork_status ork_shm_send_to(struct neighbour *child, const struct ork_order *order);
/* Put orders that wait for room into the queue, as many as there is room for. */
void ork_shm_put_waiting(struct neighbour *child);

/* As in struct ork_transport_ops. */
struct ork_wire_out ork_shm_out(struct ork_transport *t);
enum ork_status ork_shm_flush(struct ork_transport *t);
const uint8_t *ork_shm_front(const struct ork_transport *t, uint32_t i, size_t *size);
enum ork_status ork_shm_pop(struct ork_transport *t, uint32_t i);
enum ork_status ork_shm_send_order(struct ork_transport *t, const struct ork_order *order);
bool ork_shm_next_order(struct ork_transport *t, struct ork_order *order);

#endif
