/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/attach.h"

#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECT_TRIES = 5000, /* 10 s in all */
    CONNECT_PAUSE_NS = 2000000,
    ANSWER_MS = 30000, /* a machine with far too much to do gives the leaf its turn late */
    SOCKET_MIN = 500,
};

static uint32_t number_in(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

/* RATIONALE: under mpirun in a batch script the same variables are those of another step. */
static bool is_slurm_step(void)
{
    const char *job = getenv("PMIX_NAMESPACE");

    return job != NULL && strncmp(job, "slurm.", 6) == 0;
}

/* 0: not known. */
static uint32_t size_of_job(void)
{
    uint32_t size = number_in("OMPI_COMM_WORLD_SIZE");

    return size == 0 && is_slurm_step() ? number_in("SLURM_STEP_NUM_TASKS") : size;
}

/* False: the environment does not ask for observation, or this is no rank of a job. */
static bool read_environment(struct ork_hello *hello, const char **session)
{
    const char *token = getenv(ORK_ENV_TOKEN);
    const char *job = getenv("PMIX_NAMESPACE");
    const char *rank = getenv("PMIX_RANK");

    *session = getenv(ORK_ENV_SESSION);
    if (rank == NULL)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    if (*session == NULL || token == NULL || rank == NULL)
        return false;
    *hello = (struct ork_hello){.magic = ORK_RING_MAGIC,
                                .rank = (uint32_t)strtoul(rank, NULL, 10),
                                .size = size_of_job(),
                                .pid = (uint32_t)getpid()};
    memcpy(hello->token, token, strnlen(token, sizeof(hello->token)));
    if (job != NULL)
        memcpy(hello->job, job, strnlen(job, sizeof(hello->job) - 1));
    return true;
}

/* RATIONALE: where the user limits the size of files (ulimit -f), ftruncate() also raises SIGXFSZ,
 * which would kill the application. */
static bool set_size(int fd, off_t size)
{
    sigset_t limit, before;

    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    bool done = ftruncate(fd, size) == 0;
    int saved = errno;
    if (!done && saved == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&limit, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return done;
}

/* The memfd of a fresh ring, or -1. */
static int ring_create(struct ork_ring **ring)
{
    int fd = memfd_create("orknot-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -1;
    if (!set_size(fd, (off_t)sizeof(**ring)) ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        goto err_close;
    *ring = mmap(NULL, sizeof(**ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (*ring == MAP_FAILED)
        goto err_close;
    (*ring)->magic = ORK_RING_MAGIC;
    (*ring)->records = ORK_RING_RECORDS;
    (*ring)->pid = (uint32_t)getpid();
    return fd;

err_close:
    close(fd);
    return -1;
}

/* RATIONALE: before the leaf has the ring: who is named in a record must be known by then. */
static void put_job(struct ork_ring *ring, const struct ork_hello *hello)
{
    ring->slot[0] = (struct ork_record){.kind = ORK_KIND_JOB,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = (int32_t)hello->rank,
                                        .arg2 = hello->size,
                                        .extra = ork_job_number(hello->job)};
    atomic_store(&ring->head, 1);
}

/* Tasks of a node, by Slurm's list of them: "4(x3),2". 0: it is not in the list. */
static uint32_t tasks_of_node(const char *list, uint32_t node)
{
    while (list != NULL && *list != '\0') {
        char *end;
        uint32_t tasks = (uint32_t)strtoul(list, &end, 10);
        uint32_t nodes = strncmp(end, "(x", 2) == 0 ? (uint32_t)strtoul(end + 2, NULL, 10) : 1;
        if (node < nodes)
            return tasks;
        node -= nodes;
        list = end + strcspn(end, ",");
        if (*list == ',')
            list++;
    }
    return 0;
}

/* Where the launcher names the rank's place on its node. */
static bool find_place(uint32_t *place, uint32_t *of)
{
    *place = number_in("OMPI_COMM_WORLD_LOCAL_RANK");
    *of = number_in("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (*of == 0 && is_slurm_step()) {
        *place = number_in("SLURM_LOCALID");
        *of = tasks_of_node(getenv("SLURM_STEP_TASKS_PER_NODE"), number_in("SLURM_NODEID"));
    }
    return *of > *place;
}

/* Neighbours go to one leaf. */
static uint32_t leaf_number(uint32_t leaves)
{
    uint32_t place;
    uint32_t of;

    if (find_place(&place, &of))
        return (uint32_t)((uint64_t)place * leaves / of);
    return place % leaves;
}

static socklen_t write_address(struct sockaddr_un *address, const char *session, uint32_t leaf)
{
    char host[65] = "";

    gethostname(host, sizeof(host) - 1);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, ORK_SOCKET_FORMAT,
                     (unsigned)getuid(), session, leaf, host);
    if (n < 0 || strlen(session) > ORK_SESSION_MAX)
        return 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address->sun_path + 1));
}

/* Connect to the leaf's abstract socket; it may not be there yet. -1 with errno.
 * RATIONALE: not every launcher spreads the tool's processes evenly, so where this node has no leaf
 * of that number another one does. */
static int connect_leaf(const char *session)
{
    uint32_t several = number_in(ORK_ENV_LEAVES);
    uint32_t leaves = several > 0 ? several : 1; /* of this node */
    uint32_t leaf = leaf_number(leaves);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (s < 0)
        return -1;
    for (int i = 0; i < CONNECT_TRIES; i++) {
        struct sockaddr_un address;
        socklen_t size = write_address(&address, session, leaf);
        errno = ENAMETOOLONG;
        if (size != 0 && connect(s, (const struct sockaddr *)&address, size) == 0)
            return s;
        if (errno != ECONNREFUSED && errno != EAGAIN && errno != EINTR)
            break;
        leaf = (leaf + 1) % leaves;
        nanosleep(&(struct timespec){.tv_nsec = CONNECT_PAUSE_NS}, NULL);
    }
    int saved = errno;
    close(s);
    errno = saved;
    return -1;
}

/* The other side must be ours; it may then look into this process (stacks of a hung rank). */
static bool check_leaf(int s)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return false;
    if (peer.uid != getuid()) {
        errno = EPERM;
        return false;
    }
    if (peer.pid > 0)
        prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
    return true;
}

static bool send_hello(int s, int fd, const struct ork_hello *hello)
{
    struct ork_hello copy = *hello;
    struct iovec part = {.iov_base = &copy, .iov_len = sizeof(copy)};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof(control.bytes),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    return sendmsg(s, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(copy);
}

/* The leaf's verdict on the hello; false with errno. */
static bool await_answer(int s)
{
    struct pollfd p = {.fd = s, .events = POLLIN};
    char answer = 0;
    ssize_t got;
    int n;

    do
        n = poll(&p, 1, ANSWER_MS);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        errno = n == 0 ? ETIMEDOUT : errno;
        return false;
    }
    got = recv(s, &answer, 1, 0);
    if (got == 1 && answer == 1)
        return true;
    errno = EACCES;
    return false;
}

/* RATIONALE: files that the application opens get the numbers they would have without us. */
static int move_out_of_the_way(int s)
{
    int high = fcntl(s, F_DUPFD_CLOEXEC, SOCKET_MIN);

    if (high < 0)
        return s;
    close(s);
    return high;
}

bool ork_attach(struct ork_ring **ring, int *socket)
{
    struct ork_hello hello;
    const char *session;
    struct ork_ring *made = NULL;
    int fd;
    int s;

    if (!read_environment(&hello, &session))
        return false;
    ork_log_init("orknot", false);
    fd = ring_create(&made);
    if (fd < 0) {
        ork_error("rank %u: runs unobserved: cannot create its ring buffer: %s", hello.rank,
                  strerror(errno));
        return false;
    }
    put_job(made, &hello);
    s = connect_leaf(session);
    if (s < 0) {
        ork_error("rank %u: runs unobserved: cannot connect to the tool: %s", hello.rank,
                  strerror(errno));
        goto err_unmap;
    }
    if (!check_leaf(s) || !send_hello(s, fd, &hello) || !await_answer(s)) {
        ork_error("rank %u: runs unobserved: the tool did not accept its ring buffer: %s",
                  hello.rank, strerror(errno));
        goto err_close;
    }
    close(fd);
    *ring = made;
    *socket = move_out_of_the_way(s);
    return true;

err_close:
    close(s);
err_unmap:
    munmap(made, sizeof(*made));
    close(fd);
    return false;
}
