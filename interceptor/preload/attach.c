/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/attach.h"

#include "common/leaf_address.h"
#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
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
    UNSEEN_TRIES = 50, /* the leaf has been there for long */
    ANSWER_MS = 30000, /* on an overloaded machine the leaf may answer late */
    SOCKET_MIN = 500,
};

/* RATIONALE: these pages are made at once, which takes less time than a page fault for each. Many
 * programs never use the others. */
enum { RING_TOUCHED = offsetof(struct ork_ring, slot) + 1024 * sizeof(struct ork_record) };

/* The leaves of this node. */
struct leaves {
    const char *session, *token;
    uint32_t count, number; /* of the one that is tried next */
    bool has_refused;       /* a process of another user that was at an address of one */
};

/* Neighbouring ranks share a leaf. */
static uint32_t leaf_number(uint32_t local_rank, uint32_t local_size, uint32_t leaves)
{
    if (local_size > local_rank)
        return (uint32_t)((uint64_t)local_rank * leaves / local_size);
    return local_rank % leaves;
}

/* False: the environment does not request observation. */
static bool find_leaves(uint32_t local_rank, uint32_t local_size, struct leaves *out)
{
    const char *several = getenv(ORK_ENV_LEAVES);
    uint32_t count = several != NULL ? (uint32_t)strtoul(several, NULL, 10) : 0;

    *out = (struct leaves){.session = getenv(ORK_ENV_SESSION), .token = getenv(ORK_ENV_TOKEN)};
    out->count = count > 0 ? count : 1;
    out->number = leaf_number(local_rank, local_size, out->count);
    return out->session != NULL && out->token != NULL;
}

/* False: the environment does not request observation. */
static bool read_environment(const struct ork_job_rank *self, struct ork_hello *hello,
                             struct leaves *leaves)
{
    if (!find_leaves(self->local_rank, self->local_size, leaves))
        return false;
    *hello = (struct ork_hello){
        .magic = ORK_RING_MAGIC, .rank = self->rank, .size = self->size, .pid = (uint32_t)getpid()};
    memcpy(hello->token, leaves->token, strnlen(leaves->token, sizeof(hello->token)));
    if (self->job != NULL)
        memcpy(hello->job, self->job, strnlen(self->job, sizeof(hello->job) - 1));
    return true;
}

/* RATIONALE: if the user limits the size of files (ulimit -f), ftruncate() also raises SIGXFSZ,
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

/* The memfd of a new ring, or -1. */
static int ring_create(struct ork_ring **ring)
{
    int fd = memfd_create("orknot-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -1;
    if (!set_size(fd, (off_t)sizeof(**ring)) ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        goto err_close;
    *ring = mmap(NULL, sizeof(**ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*ring == MAP_FAILED)
        goto err_close;
    madvise(*ring, RING_TOUCHED, MADV_POPULATE_WRITE); /* if the kernel knows it */
    (*ring)->magic = ORK_RING_MAGIC;
    (*ring)->records = ORK_RING_RECORDS;
    (*ring)->pid = (uint32_t)getpid();
    return fd;

err_close:
    close(fd);
    return -1;
}

/* RATIONALE: before the leaf has the ring, because records refer to jobs by number. */
static void put_job(struct ork_ring *ring, const struct ork_hello *hello, uint8_t flags,
                    bool has_refused)
{
    ring->slot[0] = (struct ork_record){.kind = ORK_KIND_JOB,
                                        .flags = flags,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = (int32_t)hello->rank,
                                        .arg = has_refused,
                                        .arg2 = hello->size,
                                        .extra = ork_job_number(hello->job)};
    atomic_store(&ring->head, ORK_RING_FIRST);
}

/* The peer may inspect this process (stacks of a hung rank), if it is ours. False with errno. */
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

/* Connect to the leaf whose turn it is. -1 with errno; EPERM: it is another user's process. */
static int try_leaf(const struct leaves *leaves)
{
    struct sockaddr_un address;
    socklen_t size = ork_leaf_address(leaves->session, leaves->token, leaves->number, &address);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (s < 0)
        return -1;
    errno = ENAMETOOLONG;
    if (size != 0 && connect(s, (const struct sockaddr *)&address, size) == 0 && check_leaf(s))
        return s;
    int saved = errno;
    close(s);
    errno = saved;
    return -1;
}

/* Connect to a leaf, which may not be there yet. -1 with errno. RATIONALE: not every launcher
 * spreads the tool's processes evenly, so if this node has no leaf of that number, use another one;
 * and if a leaf has ended, any user may have taken its address. */
static int connect_leaf(struct leaves *leaves, int tries)
{
    uint32_t in_a_row = 0;

    for (int i = 0; i < tries; i++) {
        int s = try_leaf(leaves);
        if (s >= 0)
            return s;
        leaves->has_refused |= errno == EPERM;
        in_a_row = errno == EPERM ? in_a_row + 1 : 0;
        if (in_a_row == leaves->count)
            break;
        if (errno != ECONNREFUSED && errno != EAGAIN && errno != EINTR && errno != EPERM)
            break;
        leaves->number = (leaves->number + 1) % leaves->count;
        nanosleep(&(struct timespec){.tv_nsec = CONNECT_PAUSE_NS}, NULL);
    }
    return -1;
}

static const char *why_not_connected(void)
{
    return errno == ECONNREFUSED ? "none of its processes has the host name and the network "
                                   "namespace of this rank"
                                 : strerror(errno);
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

/* Receive one byte, and the files that come with it, at most ORK_ANSWER_FILES; else -1. */
static ssize_t receive_answer(int s, char *answer, int *file)
{
    struct iovec part = {.iov_base = answer, .iov_len = 1};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(ORK_ANSWER_FILES * sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof(control.bytes),
    };
    ssize_t got = recvmsg(s, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;

    for (int i = 0; i < ORK_ANSWER_FILES; i++)
        file[i] = -1;
    if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len <= CMSG_LEN(ORK_ANSWER_FILES * sizeof(int)))
        memcpy(file, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    return got;
}

/* The leaf's answer to the hello; false with errno. */
static bool await_answer(int s, struct ork_attach_files *files)
{
    struct pollfd p = {.fd = s, .events = POLLIN};
    int file[ORK_ANSWER_FILES];
    char answer = 0;
    int n;

    do
        n = poll(&p, 1, ANSWER_MS);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        errno = n == 0 ? ETIMEDOUT : errno;
        return false;
    }
    if (receive_answer(s, &answer, file) == 1 && (answer & ORK_ANSWER_ACCEPTED) != 0) {
        n = 0;
        files->sections = (answer & ORK_ANSWER_SECTIONS) != 0 ? file[n++] : -1;
        files->order = (answer & ORK_ANSWER_ORDER) != 0 ? file[n++] : -1;
        files->bell = (answer & ORK_ANSWER_BELL) != 0 ? file[n] : -1;
        return true;
    }
    errno = EACCES;
    return false;
}

/* RATIONALE: files that the application opens get the same numbers as without the tool. */
static int move_out_of_the_way(int s)
{
    int high = fcntl(s, F_DUPFD_CLOEXEC, SOCKET_MIN);

    if (high < 0)
        return s;
    close(s);
    return high;
}

bool ork_attach(const struct ork_job_rank *self, uint8_t flags, struct ork_ring **ring, int *socket,
                struct ork_attach_files *files)
{
    struct ork_hello hello;
    struct leaves leaves;
    struct ork_ring *made = NULL;
    int fd;
    int s;

    if (!read_environment(self, &hello, &leaves))
        return false;
    ork_log_init("orknot", false);
    fd = ring_create(&made);
    if (fd < 0) {
        ork_error("rank %u: runs unobserved: cannot create its ring buffer: %s", hello.rank,
                  strerror(errno));
        return false;
    }
    s = connect_leaf(&leaves, CONNECT_TRIES);
    if (s < 0) {
        ork_error("rank %u: runs unobserved: cannot connect to the tool: %s", hello.rank,
                  why_not_connected());
        goto err_unmap;
    }
    put_job(made, &hello, flags, leaves.has_refused);
    if (!send_hello(s, fd, &hello) || !await_answer(s, files)) {
        ork_error("rank %u: runs unobserved: the tool did not accept its ring buffer: %s",
                  hello.rank, strerror(errno));
        goto err_close;
    }
    close(fd);
    *ring = made;
    *socket = move_out_of_the_way(s);
    if (files->bell >= 0)
        files->bell = move_out_of_the_way(files->bell);
    return true;

err_close:
    close(s);
err_unmap:
    munmap(made, sizeof(*made));
    close(fd);
    return false;
}

/* RATIONALE: nobody waits for it, and the leaf is there until the job has ended. It is told even if
 * the launcher does not name the rank. */
void ork_attach_tell_unseen(const struct ork_unseen *unseen, uint32_t local_rank)
{
    struct {
        struct ork_hello hello;
        struct ork_unseen unseen;
    } both = {.unseen = *unseen};
    struct leaves leaves;

    if (!find_leaves(local_rank, 0, &leaves))
        return;
    both.hello.magic = ORK_UNSEEN_MAGIC;
    memcpy(both.hello.token, leaves.token, strnlen(leaves.token, sizeof(both.hello.token)));
    int s = connect_leaf(&leaves, UNSEEN_TRIES);
    if (s < 0)
        return;
    ssize_t sent = send(s, &both, sizeof(both), MSG_NOSIGNAL);
    (void)sent;
    close(s);
}
