/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches and orders, sent and received. */
#include "overlay/tool/transport_mpi_internal.h"

#include "common/clock.h"
#include "overlay/tool/wakeup.h"

#include <stdlib.h>

enum { TAG_BATCH = 1, TAG_ORDER = 2 };
#define QUIET_NS UINT64_C(2000000) /* a process without messages for this time may sleep */

/* ---- lists ---- */

static struct batch *first_of(const struct ork_batches *b)
{
    return (struct batch *)b->first;
}

static struct batch *pop(struct ork_batches *b)
{
    return (struct batch *)ork_batches_pop(b);
}

static struct batch *batch_get(struct net *net)
{
    struct batch *batch = (struct batch *)net->spare;

    if (batch != NULL)
        net->spare = batch->base.next;
    else
        batch = malloc(sizeof(*batch));
    if (batch != NULL) {
        batch->base.next = NULL;
        batch->base.size = 0;
        batch->request = MPI_REQUEST_NULL;
    }
    return batch;
}

static void batch_put(struct net *net, struct batch *batch)
{
    batch->base.next = net->spare;
    net->spare = &batch->base;
}

/* ---- receives that are posted ---- */

enum ork_status ork_net_listen_to_parent(struct net *net)
{
    if (net->base.tree.me == 0)
        return ORK_OK;
    return MPI_Irecv(&net->order, (int)sizeof(net->order), MPI_BYTE, (int)net->parent.process,
                     TAG_ORDER, MPI_COMM_WORLD, &net->order_request) == MPI_SUCCESS
               ? ORK_OK
               : ORK_IO;
}

enum ork_status ork_net_listen_to_child(struct net *net, struct neighbour *child)
{
    if (child->dead || child->coming != NULL || child->queue.count >= ORK_WINDOW)
        return ORK_OK;
    struct batch *batch = batch_get(net);
    if (batch == NULL)
        return ORK_NOMEM;
    child->coming = batch;
    return MPI_Irecv(batch->bytes, ORK_BATCH_MAX, MPI_BYTE, (int)child->process, TAG_BATCH,
                     MPI_COMM_WORLD, &batch->request) == MPI_SUCCESS
               ? ORK_OK
               : ORK_IO;
}

/* ---- up: writing ---- */

static uint8_t *reserve(void *context, size_t size)
{
    struct net *net = context;

    if (net->filling != NULL && net->filling->base.size + size > ORK_BATCH_MAX) {
        ork_batches_push(&net->full, &net->filling->base);
        net->filling = NULL;
    }
    if (net->filling == NULL)
        net->filling = batch_get(net);
    return net->filling == NULL ? NULL : net->filling->bytes + net->filling->base.size;
}

static void commit(void *context, size_t size)
{
    struct net *net = context;

    net->filling->base.size += size;
}

static size_t room(void *context)
{
    const struct net *net = context;
    uint32_t used = net->full.count + net->flying.count + (net->filling != NULL);

    return used < ORK_WINDOW ? ORK_FRAME_MAX : 0;
}

struct ork_wire_out ork_net_out(struct ork_transport *t)
{
    struct net *net = (struct net *)t;
    return (struct ork_wire_out){
        .context = net, .reserve = reserve, .commit = commit, .room = room};
}

/* Something was sent that `n` should look at. */
static void wake(struct net *net, struct neighbour *n)
{
    uint64_t at = ork_monotonic_ns();

    if (n->pidfd >= 0 && at - n->sent_ns > QUIET_NS)
        ork_wakeup_signal(net->bell, net->process[n->process].pid);
    n->sent_ns = at;
}

static enum ork_status send_full(struct net *net)
{
    bool any = false;

    while (net->full.count > 0 && net->credit > 0) {
        struct batch *batch = pop(&net->full);
        net->credit--;
        net->sign_ns = ork_monotonic_ns();
        ork_batches_push(&net->flying, &batch->base);
        if (MPI_Isend(batch->bytes, (int)batch->base.size, MPI_BYTE, (int)net->parent.process,
                      TAG_BATCH, MPI_COMM_WORLD, &batch->request) != MPI_SUCCESS)
            return ORK_CLOSED;
        any |= batch->base.size > 0;
    }
    if (any)
        wake(net, &net->parent);
    net->base.num_waits += net->full.count > 0;
    return ORK_OK;
}

enum ork_status ork_net_flush(struct ork_transport *t)
{
    struct net *net = (struct net *)t;
    if (net->base.tree.me == 0)
        return ORK_OK;
    if (net->filling != NULL && net->full.count == 0 && net->credit > 0) {
        ork_batches_push(&net->full, &net->filling->base);
        net->filling = NULL;
    }
    return send_full(net);
}

enum ork_status ork_net_give_sign(struct net *net)
{
    if (net->base.tree.me == 0 || ork_monotonic_ns() - net->sign_ns < SIGN_NS || net->credit == 0 ||
        net->flying.count > 0)
        return ORK_OK;
    if (net->filling == NULL)
        net->filling = batch_get(net);
    return net->filling == NULL ? ORK_NOMEM : ork_net_flush(&net->base);
}

/* ---- up: reading ---- */

static bool is_over(MPI_Request *request, MPI_Status *status)
{
    int flag = 0;

    return MPI_Test(request, &flag, status) == MPI_SUCCESS && flag;
}

enum ork_status ork_net_hear_child(struct net *net, struct neighbour *child)
{
    MPI_Status status;
    enum ork_status result = ORK_OK;

    while (result == ORK_OK && child->coming != NULL && is_over(&child->coming->request, &status)) {
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        child->coming->base.size = (size_t)size;
        ork_batches_push(&child->queue, &child->coming->base);
        child->coming = NULL;
        child->seen_ns = net->awake_ns;
        child->has_sign = true;
        result = ork_net_listen_to_child(net, child);
    }
    return result;
}

const uint8_t *ork_net_front(const struct ork_transport *t, uint32_t i, size_t *size)
{
    const struct net *net = (const struct net *)t;
    const struct batch *front = first_of(&net->child[i].queue);

    if (front == NULL)
        return NULL;
    *size = front->base.size;
    return front->bytes;
}

enum ork_status ork_net_pop(struct ork_transport *t, uint32_t i)
{
    struct net *net = (struct net *)t;
    struct neighbour *child = &net->child[i];

    batch_put(net, pop(&child->queue));
    child->credit++;
    return ork_net_listen_to_child(net, child);
}

/* ---- down ---- */

static enum ork_status send_order(struct net *net, const struct neighbour *child,
                                  const struct ork_order *order)
{
    struct sent_order *sent = malloc(sizeof(*sent));

    if (sent == NULL)
        return ORK_NOMEM;
    *sent = (struct sent_order){.next = net->sent, .order = *order};
    net->sent = sent;
    MPI_Isend(&sent->order, (int)sizeof(sent->order), MPI_BYTE, (int)child->process, TAG_ORDER,
              MPI_COMM_WORLD, &sent->request); /* one that cannot be reached will be found dead */
    return ORK_OK;
}

enum ork_status ork_net_end_child(struct net *net, const struct neighbour *child)
{
    return send_order(net, child, &(struct ork_order){.kind = ORK_ORDER_END});
}

enum ork_status ork_net_send_order(struct ork_transport *t, const struct ork_order *order)
{
    struct net *net = (struct net *)t;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < net->base.tree.num_children && status == ORK_OK; i++) {
        if (net->child[i].dead)
            continue;
        status = send_order(net, &net->child[i], order);
        if (order->kind != ORK_ORDER_ALIVE)
            wake(net, &net->child[i]);
    }
    return status;
}

bool ork_net_next_order(struct ork_transport *t, struct ork_order *order)
{
    struct net *net = (struct net *)t;
    MPI_Status status;

    while (net->order_request != MPI_REQUEST_NULL && is_over(&net->order_request, &status)) {
        *order = net->order;
        net->parent.seen_ns = net->awake_ns;
        net->parent.has_sign = true;
        if (ork_net_listen_to_parent(net) != ORK_OK)
            net->parent.dead = true;
        if (order->kind == ORK_ORDER_CREDIT)
            net->credit += order->credit;
        else if (order->kind != ORK_ORDER_ALIVE)
            return true;
    }
    return false;
}

enum ork_status ork_net_give_credit(struct net *net)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < net->base.tree.num_children && status == ORK_OK; i++) {
        struct neighbour *child = &net->child[i];
        if (child->credit == 0 || child->dead)
            continue;
        status = send_order(net, child,
                            &(struct ork_order){.kind = ORK_ORDER_CREDIT, .credit = child->credit});
        child->credit = 0;
    }
    return status;
}

void ork_net_reap(struct net *net)
{
    MPI_Status status;

    for (struct sent_order **link = &net->sent; *link != NULL;) {
        struct sent_order *sent = *link;
        if (!is_over(&sent->request, &status)) {
            link = &sent->next;
            continue;
        }
        *link = sent->next;
        free(sent);
    }
    while (net->flying.count > 0 && is_over(&first_of(&net->flying)->request, &status))
        batch_put(net, pop(&net->flying));
}
