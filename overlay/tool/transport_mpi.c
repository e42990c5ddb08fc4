/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/transport_mpi.h"

#include "common/clock.h"
#include "common/hash.h"
#include "common/log.h"
#include "overlay/tool/batches.h"
#include "overlay/tool/wakeup.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TAG_BATCH = 1, TAG_ORDER = 2 };
enum { HOST_MAX = 64 };
#define QUIET_NS UINT64_C(2000000)     /* a process without messages for this time may sleep */
#define SIGN_NS  UINT64_C(1000000000)  /* interval of heartbeats */
#define LIMIT_NS UINT64_C(60000000000) /* without any, a process elsewhere is dead */

/* What processes exchange at the start. */
struct process {
    char host[HOST_MAX];
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
    int pidfd;        /* -1: on another machine */
    uint64_t seen_ns; /* of awake_ns */
    uint64_t sent_ns; /* of the latest message that it should look at */
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

/* ---- start ---- */

/* Boot and process id namespace: two processes with equal values see each other's ids. */
static uint64_t machine_of(void)
{
    char boot[64] = "";
    struct stat ns;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (file != NULL) {
        if (fgets(boot, sizeof(boot), file) == NULL)
            boot[0] = '\0';
        fclose(file);
    }
    if (boot[0] == '\0' || stat("/proc/self/ns/pid", &ns) != 0)
        return (uint64_t)getpid() << 32 | (uint32_t)gethostid(); /* equal for no other process */
    return ork_hash_text(0, boot) ^ (uint64_t)ns.st_ino;
}

static bool is_same_host(const struct process *a, const struct process *b)
{
    return strcmp(a->host, b->host) == 0;
}

static enum ork_status meet(struct net *net)
{
    struct process own = {.machine = machine_of(), .pid = (uint32_t)getpid()};
    uint32_t me = net->base.tree.me;

    gethostname(own.host, sizeof(own.host) - 1);
    net->process = calloc(net->base.tree.size, sizeof(*net->process));
    if (net->process == NULL)
        return ORK_NOMEM;
    if (MPI_Allgather(&own, (int)sizeof(own), MPI_BYTE, net->process, (int)sizeof(own), MPI_BYTE,
                      MPI_COMM_WORLD) != MPI_SUCCESS)
        return ORK_IO;
    for (uint32_t i = 0; i < me; i++)
        net->base.number += is_same_host(&net->process[i], &own);
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
    if (n->pidfd >= 0)
        net->fd[net->num_fds++] = (struct pollfd){.fd = n->pidfd, .events = POLLIN};
}

static enum ork_status listen_to_parent(struct net *net)
{
    if (net->base.tree.me == 0)
        return ORK_OK;
    return MPI_Irecv(&net->order, (int)sizeof(net->order), MPI_BYTE, (int)net->parent.process,
                     TAG_ORDER, MPI_COMM_WORLD, &net->order_request) == MPI_SUCCESS
               ? ORK_OK
               : ORK_IO;
}

static enum ork_status listen_to_child(struct net *net, struct neighbour *child)
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
    status = listen_to_parent(net);
    for (uint32_t i = 0; i < children && status == ORK_OK; i++) {
        watch(net, &net->child[i], ork_tree_child(&net->base.tree, i));
        status = listen_to_child(net, &net->child[i]);
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

    return net->process[process].host;
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

static struct ork_wire_out mpi_out(struct ork_transport *t)
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

static enum ork_status mpi_flush(struct ork_transport *t)
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

static enum ork_status give_sign(struct net *net)
{
    if (net->base.tree.me == 0 || ork_monotonic_ns() - net->sign_ns < SIGN_NS || net->credit == 0 ||
        net->flying.count > 0)
        return ORK_OK;
    if (net->filling == NULL)
        net->filling = batch_get(net);
    return net->filling == NULL ? ORK_NOMEM : mpi_flush(&net->base);
}

/* ---- up: reading ---- */

static bool is_over(MPI_Request *request, MPI_Status *status)
{
    int flag = 0;

    return MPI_Test(request, &flag, status) == MPI_SUCCESS && flag;
}

static enum ork_status hear_child(struct net *net, struct neighbour *child)
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
        result = listen_to_child(net, child);
    }
    return result;
}

static const uint8_t *mpi_front(const struct ork_transport *t, uint32_t i, size_t *size)
{
    const struct net *net = (const struct net *)t;
    const struct batch *front = first_of(&net->child[i].queue);

    if (front == NULL)
        return NULL;
    *size = front->base.size;
    return front->bytes;
}

static enum ork_status mpi_pop(struct ork_transport *t, uint32_t i)
{
    struct net *net = (struct net *)t;
    struct neighbour *child = &net->child[i];

    batch_put(net, pop(&child->queue));
    child->credit++;
    return listen_to_child(net, child);
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

static enum ork_status mpi_send_order(struct ork_transport *t, const struct ork_order *order)
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

static bool mpi_next_order(struct ork_transport *t, struct ork_order *order)
{
    struct net *net = (struct net *)t;
    MPI_Status status;

    while (net->order_request != MPI_REQUEST_NULL && is_over(&net->order_request, &status)) {
        *order = net->order;
        net->parent.seen_ns = net->awake_ns;
        if (listen_to_parent(net) != ORK_OK)
            net->parent.dead = true;
        if (order->kind == ORK_ORDER_CREDIT)
            net->credit += order->credit;
        else if (order->kind != ORK_ORDER_ALIVE)
            return true;
    }
    return false;
}

static enum ork_status give_credit(struct net *net)
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

static void reap(struct net *net)
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

/* ---- heartbeats and ends ---- */

static void stay_awake(struct net *net, uint64_t at)
{
    uint64_t gap = net->stepped_ns != 0 ? at - net->stepped_ns : 0;

    net->awake_ns += gap < SIGN_NS ? gap : SIGN_NS;
    net->stepped_ns = at;
}

static bool is_dead(const struct net *net, const struct neighbour *n)
{
    struct pollfd fd = {.fd = n->pidfd, .events = POLLIN};

    if (n->pidfd >= 0)
        return poll(&fd, 1, 0) > 0;
    return net->awake_ns - n->seen_ns > LIMIT_NS;
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

static enum ork_status look_around(struct net *net, size_t *moved)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < net->base.tree.num_children && status == ORK_OK; i++) {
        struct neighbour *child = &net->child[i];
        bool dead = !child->dead && is_dead(net, child);
        status = hear_child(net, child); /* also its last messages */
        if (dead) {
            child->dead = true;
            *moved += 1;
            stop_watching(net, child);
        }
    }
    if (net->base.tree.me != 0 && (net->parent.dead || is_dead(net, &net->parent)))
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
    reap(net);
    if (status == ORK_OK)
        status = give_credit(net);
    if (status == ORK_OK && at - net->reported_ns > SIGN_NS) {
        net->reported_ns = at;
        status = mpi_send_order(&net->base, &alive);
    }
    return status == ORK_OK ? give_sign(net) : status;
}

static const struct ork_transport_ops mpi_ops = {.destroy = mpi_destroy,
                                                 .host = mpi_host,
                                                 .fds = mpi_fds,
                                                 .barrier = mpi_barrier,
                                                 .out = mpi_out,
                                                 .flush = mpi_flush,
                                                 .front = mpi_front,
                                                 .pop = mpi_pop,
                                                 .send_order = mpi_send_order,
                                                 .next_order = mpi_next_order,
                                                 .next_dead = mpi_next_dead,
                                                 .step = mpi_step};

enum ork_status ork_transport_mpi_create(uint32_t fanin, struct ork_transport **out)
{
    int rank = 0;
    int size = 1;

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
