/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/attach.h"

#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
    ANSWER_MS = 5000,
    SOCKET_MIN = 500,
};

/* False: the environment does not ask for observation, or this is no rank of a job. */
static bool read_environment(struct ork_hello *hello, const char **session)
{
    const char *token = getenv(ORK_ENV_TOKEN);
    const char *job = getenv("PMIX_NAMESPACE");
    const char *rank = getenv("PMIX_RANK");
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");

    *session = getenv(ORK_ENV_SESSION);
    if (rank == NULL)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    if (*session == NULL || token == NULL || rank == NULL)
        return false;
    *hello = (struct ork_hello){.magic = ORK_RING_MAGIC,
                                .rank = (uint32_t)strtoul(rank, NULL, 10),
                                .size = size != NULL ? (uint32_t)strtoul(size, NULL, 10) : 0,
                                .pid = (uint32_t)getpid()};
    memcpy(hello->token, token, strnlen(token, sizeof(hello->token)));
    if (job != NULL)
        memcpy(hello->job, job, strnlen(job, sizeof(hello->job) - 1));
    return true;
}

/* The memfd of a fresh ring, or -1. */
static int ring_create(struct ork_ring **ring)
{
    int fd = memfd_create("orknot-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)sizeof(**ring)) != 0 ||
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

uint32_t ork_job_name(const char *job)
{
    char *end;
    unsigned long name = strtoul(job, &end, 10);

    return end != job && *end == '\0' && name < UINT32_MAX ? (uint32_t)name : 0;
}

/* RATIONALE: before the leaf has the ring: who is named in a record must be known by then. */
static void put_job(struct ork_ring *ring, const struct ork_hello *hello)
{
    ring->slot[0] = (struct ork_record){.kind = ORK_KIND_JOB,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = (int32_t)hello->rank,
                                        .arg2 = hello->size,
                                        .extra = ork_job_name(hello->job)};
    atomic_store(&ring->head, 1);
}

/* Connect to the leaf's abstract socket; it may not be there yet. -1 with errno. */
static int connect_leaf(const char *session)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t room = sizeof(address.sun_path) - 1;
    int n =
        snprintf(address.sun_path + 1, room, ORK_SOCKET_FORMAT, (unsigned)getuid(), session, 0u);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    int s;

    if (n < 0 || (size_t)n >= room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return -1;
    for (int i = 0; i < CONNECT_TRIES; i++) {
        if (connect(s, (const struct sockaddr *)&address, size) == 0)
            return s;
        if (errno != ECONNREFUSED && errno != EAGAIN && errno != EINTR)
            break;
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
        ork_error("rank %u: runs unobserved: cannot make a ring: %s", hello.rank, strerror(errno));
        return false;
    }
    put_job(made, &hello);
    s = connect_leaf(session);
    if (s < 0) {
        ork_error("rank %u: runs unobserved: cannot reach the tool: %s", hello.rank,
                  strerror(errno));
        goto err_unmap;
    }
    if (!check_leaf(s) || !send_hello(s, fd, &hello) || !await_answer(s)) {
        ork_error("rank %u: runs unobserved: the tool did not take its ring: %s", hello.rank,
                  strerror(errno));
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
