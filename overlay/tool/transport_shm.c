/* SPDX-License-Identifier: BSD-3-Clause */
/* A parent and a child share one line: a queue of batches, which the child fills and the parent
 * takes, a queue of orders for the other direction, and counters. Each counter has one writer. An
 * entry is written before the counter says so, and is not written again before the other side's
 * counter says that it was read; so a process may end, or be killed, at any time. */
#include "overlay/tool/transport_shm_internal.h"

#include "common/assert.h"
#include "common/clock.h"
#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* At the end of the run, for a child that has the order to end. */
enum { END_MS = 2000 };
/* ---- bells ---- */

static void clear_bell(const struct shm *s)
{
    uint64_t count;

    if (read(s->bell, &count, sizeof(count)) < 0)
        return; /* it was not rung */
}

/* ---- start ---- */

static int open_bell(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static void init_neighbour(struct neighbour *n, struct line *line, int bell)
{
    *n = (struct neighbour){.line = line, .bell = bell, .pidfd = -1};
    n->waiting_end = &n->waiting;
}

/* The words between root and mustrun are not for this process. */
static void drop_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        close(null);
    }
}

static void become_child(struct shm *s, uint32_t i, pid_t parent)
{
    const struct ork_tree tree = s->base.tree;
    uint32_t me = ork_tree_child(&tree, i);
    struct neighbour self = s->child[i];
    char name[16];

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1); /* the parent died before */
    snprintf(name, sizeof(name), "must-tool-%u", me);
    prctl(PR_SET_NAME, name);
    drop_streams();
    for (uint32_t k = 0; k < i; k++) {
        close(s->child[k].pidfd);
        close(s->child[k].bell);
    }
    if (s->parent.line != NULL)
        close(s->parent.bell);
    free(s->child);
    free(s->fd);
    int above = s->bell;
    *s = (struct shm){.bell = self.bell};
    s->base.tree = (struct ork_tree){.size = tree.size, .me = me};
    init_neighbour(&s->parent, self.line, above);
    s->parent.watch.pid = (uint32_t)parent;
}

/* Returns 1 in the child, 0 in the parent, -1: no process. */
static int fork_child(struct shm *s, uint32_t i, struct line *line)
{
    struct neighbour *n = &s->child[i];
    pid_t self = getpid();

    init_neighbour(n, line, open_bell());
    s->base.tree.num_children = i + 1; /* those that exist, if the next one does not */
    pid_t pid = n->bell >= 0 ? fork() : -1;
    if (pid < 0)
        return -1;
    if (pid == 0) {
        become_child(s, i, self);
        return 1;
    }
    n->watch.pid = (uint32_t)pid;
    n->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    s->fd[s->num_fds++] = (struct pollfd){.fd = n->pidfd, .events = POLLIN};
    return n->pidfd >= 0 ? 0 : -1;
}

/* The lines to the children stay until this process ends. */
static struct line *map_lines(uint32_t count)
{
    void *memory = mmap(NULL, count * sizeof(struct line), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory != MAP_FAILED ? memory : NULL;
}

/* Fork the children of this process. In each child, the same begins again: *again. */
static enum ork_status fork_children(struct shm *s, uint32_t fanin, bool *again)
{
    *again = false;
    s->base.tree = ork_tree_of(s->base.tree.size, fanin, s->base.tree.me);
    uint32_t children = s->base.tree.num_children;
    s->child = calloc(children + 1, sizeof(*s->child));
    s->fd = calloc(children + 1, sizeof(*s->fd));
    struct line *line = children > 0 ? map_lines(children) : NULL;
    s->base.tree.num_children = 0;
    if (s->child == NULL || s->fd == NULL || (children > 0 && line == NULL))
        return ORK_NOMEM;
    s->fd[s->num_fds++] = (struct pollfd){.fd = s->bell, .events = POLLIN};
    for (uint32_t i = 0; i < children; i++) {
        int in_child = fork_child(s, i, line + i);
        if (in_child < 0)
            return ORK_IO;
        if (in_child > 0) {
            *again = true;
            return ORK_OK;
        }
    }
    return ORK_OK;
}

/* ---- who is alive ---- */

static bool has_ended(const struct neighbour *n)
{
    struct pollfd fd = {.fd = n->pidfd, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

/* Has it stopped for good? `steps`: its counter. `is_awaited`: this process, or the end of the run,
 * waits for it. */
static bool has_stopped(struct neighbour *n, const _Atomic uint32_t *steps, uint64_t at,
                        bool is_awaited)
{
    uint32_t now = atomic_load_explicit(steps, memory_order_relaxed);
    bool has_sign = now != n->steps;

    n->steps = now;
    return ork_watch_is_stopped(&n->watch, at, has_sign, is_awaited);
}

/* RATIONALE: a child that had only stopped obeys the order to end if it is continued, so that its
 * ranks go on. */
static enum ork_status look_at_child(struct shm *s, uint32_t i, uint64_t at, size_t *moved)
{
    struct neighbour *child = &s->child[i];
    enum ork_status status = ORK_OK;

    if (child->dead)
        return ORK_OK;
    atomic_fetch_add_explicit(&child->line->parent_steps, 1, memory_order_relaxed);
    ork_shm_put_waiting(child);
    bool ended = has_ended(child);
    if (!ended && !has_stopped(child, &child->line->child_steps, at, s->base.awaits_last))
        return ORK_OK;
    if (!ended)
        status = ork_shm_send_to(child, &(struct ork_order){.kind = ORK_ORDER_END});
    child->dead = true;
    *moved += 1;
    s->fd[1 + i].fd = -1; /* behind the bell; poll(2) skips it */
    return status;
}

static enum ork_status shm_step(struct ork_transport *t, size_t *moved)
{
    struct shm *s = (struct shm *)t;
    uint64_t at = ork_monotonic_ns();
    enum ork_status status = ORK_OK;

    clear_bell(s);
    for (uint32_t i = 0; i < t->tree.num_children && status == ORK_OK; i++)
        status = look_at_child(s, i, at, moved);
    struct line *above = s->parent.line;
    if (status != ORK_OK || above == NULL)
        return status;
    atomic_fetch_add_explicit(&above->child_steps, 1, memory_order_relaxed);
    /* RATIONALE: without its parent this process has no room for records, so its ranks would wait.
     */
    bool is_awaited = s->full.count > 0 && ork_shm_under_way(above) == ORK_WINDOW;
    return has_stopped(&s->parent, &above->parent_steps, at, is_awaited) ? ORK_CLOSED : ORK_OK;
}

static uint32_t shm_next_dead(struct ork_transport *t)
{
    struct shm *s = (struct shm *)t;

    for (uint32_t i = 0; i < t->tree.num_children; i++) {
        struct neighbour *child = &s->child[i];
        if (!child->dead || child->reported || ork_shm_under_way(child->line) > 0)
            continue;
        child->reported = true;
        return i;
    }
    return UINT32_MAX;
}

/* ---- the other operations ---- */

static const char *shm_host(const struct ork_transport *t, uint32_t process)
{
    (void)process;
    return ((const struct shm *)t)->host;
}

static bool shm_are_beside(const struct ork_transport *t, uint32_t a, uint32_t b)
{
    (void)t, (void)a, (void)b;
    return true;
}

static const struct pollfd *shm_fds(const struct ork_transport *t, nfds_t *count)
{
    const struct shm *s = (const struct shm *)t;

    *count = s->num_fds;
    return s->fd;
}

/* The first child that is not ready, or all below it are not; their number: there is none. */
static uint32_t first_unready(const struct shm *s)
{
    uint32_t i = 0;

    while (i < s->base.tree.num_children &&
           atomic_load_explicit(&s->child[i].line->ready, memory_order_acquire))
        i++;
    return i;
}

/* Wait for all below only: nothing is done before the root says so. */
static enum ork_status shm_barrier(struct ork_transport *t)
{
    struct shm *s = (struct shm *)t;

    for (uint32_t i; (i = first_unready(s)) < t->tree.num_children;) {
        struct pollfd fds[] = {s->fd[0], {.fd = s->child[i].pidfd, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return ORK_IO;
        clear_bell(s);
        if (fds[1].revents != 0 && first_unready(s) == i) {
            ork_error("tool process %u ended at its start", ork_tree_child(&t->tree, i));
            return ORK_IO;
        }
    }
    if (s->parent.line != NULL) {
        atomic_store_explicit(&s->parent.line->ready, true, memory_order_release);
        s->parent.sent_ns = 0; /* this one is no hint */
        ork_shm_wake(&s->parent);
    }
    return ORK_OK;
}

/* Until the child has ended or `end` has come; then it is killed. */
static void reap(struct neighbour *child, uint64_t end)
{
    struct pollfd fd = {.fd = child->pidfd, .events = POLLIN};
    uint64_t at = ork_monotonic_ns();

    if (poll(&fd, 1, at < end ? (int)((end - at) / 1000000) : 0) <= 0)
        kill((pid_t)child->watch.pid, SIGKILL);
    while (waitpid((pid_t)child->watch.pid, NULL, 0) < 0 && errno == EINTR) {
        /* again */
    }
}

static void free_batches(struct ork_batch *batch)
{
    while (batch != NULL) {
        struct ork_batch *next = batch->next;
        free(batch);
        batch = next;
    }
}

/* RATIONALE: without the order to end, a child would go on to watch ranks for nobody. */
static void shm_destroy(struct ork_transport *t, bool orderly)
{
    struct shm *s = (struct shm *)t;
    uint64_t end = ork_monotonic_ns() + (orderly ? END_MS * UINT64_C(1000000) : 0);

    for (uint32_t i = 0; i < t->tree.num_children; i++) {
        struct neighbour *child = &s->child[i];
        if (child->pidfd >= 0) {
            reap(child, child->dead ? 0 : end);
            close(child->pidfd);
        }
        while (child->waiting != NULL) {
            struct waiting *next = child->waiting->next;
            free(child->waiting);
            child->waiting = next;
        }
    }
    free_batches(s->full.first);
    free_batches(s->spare);
    free(s->filling);
    free(s->child);
    free(s->fd);
    free(s);
}

static const struct ork_transport_ops shm_ops = {.destroy = shm_destroy,
                                                 .host = shm_host,
                                                 .are_beside = shm_are_beside,
                                                 .barrier = shm_barrier,
                                                 .step = shm_step,
                                                 .fds = shm_fds,
                                                 .out = ork_shm_out,
                                                 .flush = ork_shm_flush,
                                                 .front = ork_shm_front,
                                                 .pop = ork_shm_pop,
                                                 .next_dead = shm_next_dead,
                                                 .send_order = ork_shm_send_order,
                                                 .next_order = ork_shm_next_order};

enum ork_status ork_transport_shm_create(uint32_t processes, uint32_t fanin,
                                         struct ork_transport **out)
{
    struct shm *s = calloc(1, sizeof(*s));
    enum ork_status status = ORK_OK;
    bool again;

    ORK_ASSERT(processes >= 2 && fanin >= 2);
    if (s == NULL)
        return ORK_NOMEM;
    s->base.tree.size = processes;
    s->bell = open_bell();
    do
        status = s->bell >= 0 ? fork_children(s, fanin, &again) : ORK_IO;
    while (status == ORK_OK && again);
    s->base.ops = &shm_ops;
    s->base.number = s->base.tree.me;
    gethostname(s->host, sizeof(s->host) - 1);
    ork_batches_init(&s->full);
    if (status != ORK_OK) {
        ork_error("cannot start a tool process: %s",
                  status == ORK_IO ? strerror(errno) : ork_status_text(status));
        shm_destroy(&s->base, false);
        return status;
    }
    *out = &s->base;
    return ORK_OK;
}
