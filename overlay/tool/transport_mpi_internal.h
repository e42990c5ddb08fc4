/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of the tree, their batches and orders under way: transport_mpi.c and
 * transport_mpi_messages.c. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_MPI_INTERNAL_H
#define ORK_OVERLAY_TOOL_TRANSPORT_MPI_INTERNAL_H

#include "common/host.h"
#include "common/watch.h"
#include "overlay/tool/batches.h"
#include "overlay/tool/transport_mpi.h"

#include <mpi.h>
#include <poll.h>

#define SIGN_NS UINT64_C(1000000000) /* interval of heartbeats */

/* What processes exchange at the start. */
struct process {
    struct ork_host host;
    uint64_t machine; /* if equal, the processes see each other's process ids */
    uint32_t pid;
};

struct batch {
    struct ork_batch base;
    MPI_Request request;
    uint8_t bytes[ORK_BATCH_MAX];
};

struct neighbour {
    uint32_t process;
    int pidfd;              /* -1: on another machine */
    uint64_t seen_ns;       /* of awake_ns */
    struct ork_watch watch; /* on this machine */
    bool has_sign;          /* it sent something since the latest look */
    uint64_t sent_ns;       /* of the latest message that it should look at */
    bool dead, reported;
    struct batch *coming;     /* a child's: being received */
    struct ork_batches queue; /* received */
    uint32_t credit;          /* processed, not reported yet */
};

struct sent_order {
    struct sent_order *next;
    MPI_Request request;
    struct ork_order order;
};

struct net {
    struct ork_transport base;
    struct process *process; /* all of the job */
    struct neighbour parent, *child;
    int bell;
    struct pollfd *fd;
    nfds_t num_fds;
    /* up */
    struct batch *filling;
    struct ork_batches full, flying; /* waiting for credit; under way */
    struct ork_batch *spare;
    uint32_t credit;
    uint64_t sign_ns;
    /* down */
    MPI_Request order_request;
    struct ork_order order; /* being received */
    struct sent_order *sent;
    uint64_t reported_ns;
    uint64_t stepped_ns;
    uint64_t awake_ns; /* active time of this process: a stopped job is not dead */
};

/* Post the receive of the next order, or of the next batch of a child if there is room for it. */
enum ork_status ork_net_listen_to_parent(struct net *net);
enum ork_status ork_net_listen_to_child(struct net *net, struct neighbour *child);
/* Queue the batches that came from a child. */
enum ork_status ork_net_hear_child(struct net *net, struct neighbour *child);
/* A heartbeat, if nothing else was sent for a while. */
enum ork_status ork_net_give_sign(struct net *net);
/* Tell the children how many of their batches were processed. */
enum ork_status ork_net_give_credit(struct net *net);
/* The order to end, to a child that is given up. */
enum ork_status ork_net_end_child(struct net *net, const struct neighbour *child);
/* Free what was sent. */
void ork_net_reap(struct net *net);

/* As in struct ork_transport_ops. */
struct ork_wire_out ork_net_out(struct ork_transport *t);
enum ork_status ork_net_flush(struct ork_transport *t);
const uint8_t *ork_net_front(const struct ork_transport *t, uint32_t i, size_t *size);
enum ork_status ork_net_pop(struct ork_transport *t, uint32_t i);
enum ork_status ork_net_send_order(struct ork_transport *t, const struct ork_order *order);
bool ork_net_next_order(struct ork_transport *t, struct ork_order *order);

#endif
