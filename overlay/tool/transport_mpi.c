/* SPDX-License-Identifier: BSD-3-Clause */
/* The start and the end of the tree, and which of its processes are alive. */
#include "overlay/tool/transport_mpi.h"

#include "common/clock.h"
#include "common/hash.h"
#include "common/log.h"
#include "overlay/tool/transport_mpi_internal.h"
#include "overlay/tool/wakeup.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without a heartbeat for this time, a process elsewhere is dead; at the end of the run, this. */
#define LIMIT_NS      UINT64_C(60000000000)
#define LAST_LIMIT_NS ORK_WATCH_SILENT_NS

/* ---- start ---- */

/* Boot and namespace of process ids; if unknown, a number of no other process. */
static uint64_t machine_of(const struct ork_host *host)
{
    struct stat ns;

    if (host->boot[0] == '\0' || stat("/proc/self/ns/pid", &ns) != 0)
        return (uint64_t)getpid() << 32 | (uint32_t)gethostid();
    return ork_hash_text(0, host->boot) ^ (uint64_t)ns.st_ino;
}

static enum ork_status meet(struct net *net)
{
    struct process own = {.pid = (uint32_t)getpid()};
    uint32_t me = net->base.tree.me;

    ork_host_read(&own.host);
    own.machine = machine_of(&own.host);
    net->process = calloc(net->base.tree.size, sizeof(*net->process));
    if (net->process == NULL)
        return ORK_NOMEM;
    if (MPI_Allgather(&own, (int)sizeof(own), MPI_BYTE, net->process, (int)sizeof(own), MPI_BYTE,
                      MPI_COMM_WORLD) != MPI_SUCCESS)
        return ORK_IO;
    for (uint32_t i = 0; i < me; i++)
        net->base.number += ork_host_is_same(&net->process[i].host, &own.host);
    return ORK_OK;
}

static void watch(struct net *net, struct neighbour *n, uint32_t process)
{
    const struct process *p = &net->process[process];

    *n = (struct neighbour){.process = process, .pidfd = -1};
    ork_batches_init(&n->queue);
    if (process == net->base.tree.me || p->machine != net->process[net->base.tree.me].machine)
        return;
    n->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)p->pid, 0);
    n->watch.pid = p->pid;
    if (n->pidfd >= 0)
        net->fd[net->num_fds++] = (struct pollfd){.fd = n->pidfd, .events = POLLIN};
}

static enum ork_status build(struct net *net)
{
    uint32_t children = net->base.tree.num_children;
    enum ork_status status = meet(net);

    if (status != ORK_OK)
        return status;
    net->child = calloc(children + 1, sizeof(*net->child));
    net->fd = calloc(children + 2, sizeof(*net->fd));
    if (net->child == NULL || net->fd == NULL)
        return ORK_NOMEM;
    if (net->bell >= 0)
        net->fd[net->num_fds++] = (struct pollfd){.fd = net->bell, .events = POLLIN};
    watch(net, &net->parent, net->base.tree.parent);
    status = ork_net_listen_to_parent(net);
    for (uint32_t i = 0; i < children && status == ORK_OK; i++) {
        watch(net, &net->child[i], ork_tree_child(&net->base.tree, i));
        status = ork_net_listen_to_child(net, &net->child[i]);
    }
    return status;
}

static void free_batches(struct ork_batch *batch)
{
    while (batch != NULL) {
        struct ork_batch *next = batch->next;
        free(batch);
        batch = next;
    }
}

/* RATIONALE: MPI_Finalize waits for all; without the others the process just ends, and buffers that
 * MPI still uses stay in place until then. */
static void mpi_destroy(struct ork_transport *t, bool orderly)
{
    struct net *net = (struct net *)t;
    if (!orderly)
        return;
    if (net->order_request != MPI_REQUEST_NULL) {
        MPI_Cancel(&net->order_request);
        MPI_Request_free(&net->order_request);
    }
    for (uint32_t i = 0; i < net->base.tree.num_children; i++) {
        struct batch *coming = net->child[i].coming;
        if (coming != NULL && coming->request != MPI_REQUEST_NULL) {
            MPI_Cancel(&coming->request);
            MPI_Request_free(&coming->request);
        }
    }
    ork_net_reap(net); /* else MPICH says on stderr that they are pending */
    MPI_Finalize();
    for (uint32_t i = 0; i < net->base.tree.num_children; i++) {
        free(net->child[i].coming);
        free_batches(net->child[i].queue.first);
    }
    for (nfds_t i = 0; i < net->num_fds; i++)
        close(net->fd[i].fd);
    while (net->sent != NULL) {
        struct sent_order *next = net->sent->next;
        free(net->sent);
        net->sent = next;
    }
    free_batches(net->full.first);
    free_batches(net->flying.first);
    free_batches(net->spare);
    free(net->filling);
    free(net->child);
    free(net->fd);
    free(net->process);
    free(net);
}

static const char *mpi_host(const struct ork_transport *t, uint32_t process)
{
    const struct net *net = (const struct net *)t;

    return net->process[process].host.name;
}

static bool mpi_are_beside(const struct ork_transport *t, uint32_t a, uint32_t b)
{
    const struct net *net = (const struct net *)t;

    return ork_host_is_same(&net->process[a].host, &net->process[b].host);
}

static const struct pollfd *mpi_fds(const struct ork_transport *t, nfds_t *count)
{
    const struct net *net = (const struct net *)t;
    *count = net->num_fds;
    return net->fd;
}

static enum ork_status mpi_barrier(struct ork_transport *t)
{
    (void)t;
    return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS ? ORK_OK : ORK_IO;
}

/* ---- heartbeats and ends ---- */

static void stay_awake(struct net *net, uint64_t at)
{
    uint64_t gap = net->stepped_ns != 0 ? at - net->stepped_ns : 0;

    net->awake_ns += gap < SIGN_NS ? gap : SIGN_NS;
    net->stepped_ns = at;
}

static bool has_ended(const struct neighbour *n)
{
    struct pollfd fd = {.fd = n->pidfd, .events = POLLIN};

    return n->pidfd >= 0 && poll(&fd, 1, 0) > 0;
}

/* Has it stopped for good? `is_awaited`: this process, or the end of the run, waits for it. */
static bool has_stopped(const struct net *net, struct neighbour *n, bool is_awaited)
{
    bool has_sign = n->has_sign;

    n->has_sign = false;
    if (n->pidfd >= 0)
        return ork_watch_is_stopped(&n->watch, net->stepped_ns, has_sign, is_awaited);
    return net->awake_ns - n->seen_ns > (net->base.awaits_last ? LAST_LIMIT_NS : LIMIT_NS);
}

static void stop_watching(struct net *net, const struct neighbour *n)
{
    for (nfds_t i = 0; i < net->num_fds; i++) {
        if (net->fd[i].fd == n->pidfd)
            net->fd[i].fd = -1; /* poll(2) skips it */
    }
}

static uint32_t mpi_next_dead(struct ork_transport *t)
{
    struct net *net = (struct net *)t;
    for (uint32_t i = 0; i < net->base.tree.num_children; i++) {
        struct neighbour *child = &net->child[i];
        if (!child->dead || child->reported || child->queue.count > 0)
            continue;
        child->reported = true;
        return i;
    }
    return UINT32_MAX;
}

/* RATIONALE: a child that had only stopped reads the order to end if it is continued, so that its
 * ranks go on. */
static enum ork_status look_at_child(struct net *net, struct neighbour *child, size_t *moved)
{
    bool ended = !child->dead && has_ended(child);
    enum ork_status status = ork_net_hear_child(net, child); /* also its last messages */

    if (status != ORK_OK || child->dead ||
        (!ended && !has_stopped(net, child, net->base.awaits_last)))
        return status;
    if (!ended)
        status = ork_net_end_child(net, child);
    child->dead = true;
    *moved += 1;
    stop_watching(net, child);
    return status;
}

static enum ork_status look_around(struct net *net, size_t *moved)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < net->base.tree.num_children && status == ORK_OK; i++)
        status = look_at_child(net, &net->child[i], moved);
    /* RATIONALE: without its parent this process has no room for records, so its ranks would wait.
     */
    if (net->base.tree.me != 0 &&
        (net->parent.dead || has_ended(&net->parent) ||
         has_stopped(net, &net->parent, net->full.count > 0 && net->credit == 0)))
        return ORK_CLOSED;
    return status;
}

static enum ork_status mpi_step(struct ork_transport *t, size_t *moved)
{
    struct net *net = (struct net *)t;
    static const struct ork_order alive = {.kind = ORK_ORDER_ALIVE};
    uint64_t at = ork_monotonic_ns();

    stay_awake(net, at);
    ork_wakeup_clear(net->bell);
    enum ork_status status = look_around(net, moved);
    ork_net_reap(net);
    if (status == ORK_OK)
        status = ork_net_give_credit(net);
    if (status == ORK_OK && at - net->reported_ns > SIGN_NS) {
        net->reported_ns = at;
        status = ork_net_send_order(&net->base, &alive);
    }
    return status == ORK_OK ? ork_net_give_sign(net) : status;
}

static const struct ork_transport_ops mpi_ops = {.destroy = mpi_destroy,
                                                 .host = mpi_host,
                                                 .are_beside = mpi_are_beside,
                                                 .fds = mpi_fds,
                                                 .barrier = mpi_barrier,
                                                 .out = ork_net_out,
                                                 .flush = ork_net_flush,
                                                 .front = ork_net_front,
                                                 .pop = ork_net_pop,
                                                 .send_order = ork_net_send_order,
                                                 .next_order = ork_net_next_order,
                                                 .next_dead = mpi_next_dead,
                                                 .step = mpi_step};

enum ork_status ork_transport_mpi_create(uint32_t fanin, struct ork_transport **out)
{
    int rank = 0;
    int size = 1;

    ork_log_init("must-tool", false); /* this module has a log of its own */
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        ork_error("MPI_Init failed");
        return ORK_IO;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct net *net = calloc(1, sizeof(*net));
    if (net == NULL)
        return ORK_NOMEM;
    net->base.ops = &mpi_ops;
    net->base.tree = ork_tree_of((uint32_t)size, fanin, (uint32_t)rank);
    net->order_request = MPI_REQUEST_NULL;
    net->credit = ORK_WINDOW;
    net->sign_ns = ork_monotonic_ns();
    net->bell = ork_wakeup_open(); /* before others know this process */
    ork_batches_init(&net->full);
    ork_batches_init(&net->flying);
    enum ork_status status = build(net);
    if (status != ORK_OK) {
        ork_error("the tool processes could not connect: %s", ork_status_text(status));
        mpi_destroy(&net->base, false);
        return status;
    }
    *out = &net->base;
    return ORK_OK;
}
