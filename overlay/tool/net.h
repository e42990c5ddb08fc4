/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the tool job: batches of frames go up the tree, orders go down. The only part of the
 * overlay that knows MPI. Nothing here waits: whoever calls sleeps in between.
 *
 * A process may have ORK_NET_WINDOW batches under way that its parent has not worked through; then
 * it has no room, its leaf drains no rings, and in the end the ranks wait for room in theirs. So
 * nothing is lost and no queue grows. */
#ifndef ORK_OVERLAY_TOOL_NET_H
#define ORK_OVERLAY_TOOL_NET_H

#include "common/tree.h"
#include "overlay/stream/wire.h"

#include <poll.h>

#define ORK_NET_WINDOW 4u

enum ork_order_kind {
    ORK_ORDER_CREDIT, /* arg: batches that were worked through */
    ORK_ORDER_ALIVE,
    ORK_ORDER_COLLECT,
    ORK_ORDER_ASK,
    ORK_ORDER_STACK,  /* arg: rank */
    ORK_ORDER_LATEST, /* arg: rank; until */
    ORK_ORDER_NUMBER, /* job; arg: number of its first process */
    ORK_ORDER_KILL,
    ORK_ORDER_END,
};

struct ork_order {
    uint32_t kind;
    uint32_t arg;
    struct ork_until until;
    struct ork_job_name job;
};

struct ork_net;

/* Join the tool job (MPI_Init) and find the place in the tree. ORK_NOMEM, ORK_IO (logged). */
enum ork_status ork_net_create(uint32_t fanin, struct ork_net **out);
/* `orderly`: all processes of the job do so now (MPI_Finalize), else without a word to the others.
 * Nothing of MPI may be called afterwards. */
void ork_net_destroy(struct ork_net *net, bool orderly);

const struct ork_tree *ork_net_tree(const struct ork_net *net);
const char *ork_net_host(const struct ork_net *net, uint32_t process);
/* Which of the tool processes of its node this one is, and how many nodes there are. */
uint32_t ork_net_number(const struct ork_net *net);
uint32_t ork_net_num_hosts(const struct ork_net *net);

/* All processes have come here. The only function that waits. ORK_IO. */
enum ork_status ork_net_barrier(struct ork_net *net);

/* Move what can be moved. *moved: messages that came. ORK_NOMEM; ORK_CLOSED: the parent is gone. */
enum ork_status ork_net_step(struct ork_net *net, size_t *moved);
/* Descriptors that become readable when a neighbour dies. */
const struct pollfd *ork_net_fds(const struct ork_net *net, nfds_t *count);

/* --- up --- */

struct ork_wire_out ork_net_out(struct ork_net *net);
/* What was written goes on its way now, full batch or not. */
enum ork_status ork_net_flush(struct ork_net *net);
/* How often a full batch had to wait for the parent. */
uint64_t ork_net_num_waits(const struct ork_net *net);

/* The oldest batch of child `i` that is not worked through; NULL: none is there. `size` 0 is a sign
 * of life. */
const uint8_t *ork_net_front(const struct ork_net *net, uint32_t i, size_t *size);
enum ork_status ork_net_pop(struct ork_net *net, uint32_t i);
/* A child that was found dead since the last call, all of whose batches have been worked through;
 * UINT32_MAX: none. */
uint32_t ork_net_next_dead(struct ork_net *net);

/* --- down --- */

/* To all children that live. ORK_NOMEM. */
enum ork_status ork_net_send_order(struct ork_net *net, const struct ork_order *order);
/* The next order from the parent; false: there is none. */
bool ork_net_next_order(struct ork_net *net, struct ork_order *order);

#endif
