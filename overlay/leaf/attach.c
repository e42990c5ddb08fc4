/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/attach.h"

#include "common/leaf_address.h"
#include "common/log.h"
#include "record/sections.h"
#include "record/unseen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum ork_status ork_attach_listen(const char *session, const char *token, uint32_t number, int *fd)
{
    struct sockaddr_un address;
    socklen_t length = ork_leaf_address(session, token, number, &address);

    if (length == 0)
        return ORK_INVALID;
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0) {
        ork_error("cannot make a socket: %s", strerror(errno));
        return ORK_IO;
    }
    if (bind(s, (struct sockaddr *)&address, length) != 0 || listen(s, 4096) != 0) {
        ork_error("cannot listen for the ranks of run %s: %s", session, strerror(errno));
        close(s);
        return ORK_IO;
    }
    *fd = s;
    return ORK_OK;
}

static bool is_our_user(int fd, pid_t *pid)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != getuid())
        return false;
    *pid = peer.pid;
    return true;
}

bool ork_attach_is_ours(int fd)
{
    pid_t pid;

    return is_our_user(fd, &pid);
}

/* Receive the hello and the descriptor that comes with it (-1: none). */
static enum ork_status receive(int fd, struct ork_hello *hello, int *memory)
{
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {hello, sizeof(*hello)};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             /* RATIONALE: CMSG_SPACE has room for a second descriptor, which would
                              * stay open. */
                             .msg_controllen = CMSG_LEN(sizeof(int))};
    ssize_t n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

    *memory = -1;
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? ORK_AGAIN : ORK_CLOSED;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(memory, CMSG_DATA(c), sizeof(int));
    if (n == 0)
        return ORK_CLOSED;
    return (size_t)n == sizeof(*hello) ? ORK_OK : ORK_DENIED;
}

/* Compares in constant time, wherever they differ. */
static bool is_token(const char *given, const char *expected)
{
    unsigned char difference = 0;

    if (strlen(expected) != ORK_TOKEN_SIZE)
        return false;
    for (size_t i = 0; i < ORK_TOKEN_SIZE; i++)
        difference |= (unsigned char)(given[i] ^ expected[i]);
    return difference == 0;
}

static struct ork_ring *map(int memory)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
    struct stat st;

    if (memory < 0 || (fcntl(memory, F_GET_SEALS) & seals) != seals || fstat(memory, &st) != 0 ||
        (size_t)st.st_size < sizeof(struct ork_ring))
        return NULL;
    struct ork_ring *ring =
        mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (ring == MAP_FAILED)
        return NULL;
    if (ring->magic == ORK_RING_MAGIC && ring->records == ORK_RING_RECORDS)
        return ring;
    ork_attach_unmap(ring);
    return NULL;
}

int ork_attach_sections(void)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    int fd = memfd_create("orknot-sections", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd >= 0 && ftruncate(fd, (off_t)sizeof(struct ork_sections)) == 0 &&
        fcntl(fd, F_ADD_SEALS, seals) == 0)
        return fd;
    ork_error("the order of window locks is not recorded: cannot make shared memory: %s",
              strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

enum ork_status ork_attach_answer(int fd, int sections, int stream, int bell)
{
    union {
        char space[CMSG_SPACE(ORK_ANSWER_FILES * sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    int file[ORK_ANSWER_FILES];
    size_t files = 0;
    char answer = ORK_ANSWER_ACCEPTED;
    struct iovec part = {&answer, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (sections >= 0) {
        answer |= ORK_ANSWER_SECTIONS;
        file[files++] = sections;
    }
    if (stream >= 0) {
        answer |= ORK_ANSWER_ORDER;
        file[files++] = stream;
    }
    if (bell >= 0) {
        answer |= ORK_ANSWER_BELL;
        file[files++] = bell;
    }
    if (files > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(files * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(files * sizeof(int));
        memcpy(CMSG_DATA(c), file, files * sizeof(int));
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL) == 1 ? ORK_OK : ORK_CLOSED;
}

enum ork_status ork_attach_accept(int fd, const char *token, struct ork_hello *hello,
                                  struct ork_ring **ring)
{
    int memory;
    pid_t pid;
    struct ork_ring *mapped = NULL;
    enum ork_status status = receive(fd, hello, &memory);

    if (status == ORK_OK && is_our_user(fd, &pid) && hello->magic == ORK_RING_MAGIC &&
        is_token(hello->token, token))
        mapped = map(memory);
    if (memory >= 0)
        close(memory);
    if (status != ORK_OK && status != ORK_DENIED)
        return status;
    if (status == ORK_OK && mapped == NULL && is_our_user(fd, &pid) &&
        hello->magic == ORK_UNSEEN_MAGIC && is_token(hello->token, token))
        return ORK_NOTFOUND;
    if (mapped == NULL)
        return send(fd, "\0", 1, MSG_NOSIGNAL) == 1 ? ORK_DENIED : ORK_CLOSED;
    hello->job[sizeof(hello->job) - 1] = '\0';
    hello->pid = (uint32_t)pid;
    *ring = mapped;
    return ORK_OK;
}

void ork_attach_read_unseen(int fd, struct ork_unseen *unseen)
{
    if (recv(fd, unseen, sizeof(*unseen), MSG_DONTWAIT) != (ssize_t)sizeof(*unseen))
        *unseen = (struct ork_unseen){.why = ORK_UNSEEN_LOOKED_UP};
    ork_unseen_clean(unseen);
}

void ork_attach_unmap(struct ork_ring *ring)
{
    if (ring != NULL)
        munmap(ring, sizeof(*ring));
}
