/* SPDX-License-Identifier: BSD-3-Clause */
#include "peer.h"

#include "common/leaf_address.h"
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

const char *peer_session(void)
{
    static char name[48];
    static unsigned number;

    snprintf(name, sizeof(name), "test-%d-%u", (int)getpid(), number++);
    return name;
}

int peer_connect_to(const char *session, uint32_t leaf)
{
    struct sockaddr_un address;
    socklen_t size = ork_leaf_address(session, PEER_TOKEN, leaf, &address);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(s >= 0);
    assert_true(size > 0);
    assert_int_equal(connect(s, (struct sockaddr *)&address, size), 0);
    return s;
}

int peer_connect(const char *session)
{
    return peer_connect_to(session, 0);
}

int peer_memory(size_t size, int seals)
{
    struct {
        uint64_t magic;
        uint32_t records;
    } start = {ORK_RING_MAGIC, ORK_RING_RECORDS};
    int fd = memfd_create("orknot-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, &start, sizeof(start), 0), sizeof(start));
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    if (seals != 0)
        assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

struct ork_hello peer_hello(uint32_t rank)
{
    struct ork_hello hello = {
        .magic = ORK_RING_MAGIC, .job = "job", .rank = rank, .pid = (uint32_t)getpid()};

    memcpy(hello.token, PEER_TOKEN, sizeof(hello.token));
    return hello;
}

void peer_say(int s, const void *bytes, size_t size, const int *descriptor, int n)
{
    char copy[1024];
    struct iovec part = {copy, size};
    union {
        char space[CMSG_SPACE(2 * sizeof(int))];
        struct cmsghdr align;
    } control = {.space = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    assert_in_range(size, 0, sizeof(copy));
    memcpy(copy, bytes, size);
    if (n > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE((size_t)n * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN((size_t)n * sizeof(int));
        memcpy(CMSG_DATA(c), descriptor, (size_t)n * sizeof(int));
    }
    assert_int_equal(sendmsg(s, &message, MSG_NOSIGNAL), size);
}

int peer_answer(int s)
{
    char answer;
    ssize_t n = recv(s, &answer, 1, MSG_DONTWAIT);

    if (n == 1)
        return answer & ORK_ANSWER_ACCEPTED;
    return n < 0 && errno == EAGAIN ? -1 : -2;
}

void peer_attach(struct peer *peer, const char *session, const struct ork_hello *hello)
{
    peer_attach_to(peer, session, 0, hello);
}

void peer_attach_to(struct peer *peer, const char *session, uint32_t leaf,
                    const struct ork_hello *hello)
{
    int memory = peer_memory(sizeof(struct ork_ring), F_SEAL_SHRINK | F_SEAL_GROW);

    peer->socket = peer_connect_to(session, leaf);
    peer->ring = mmap(NULL, sizeof(*peer->ring), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    assert_ptr_not_equal(peer->ring, MAP_FAILED);
    atomic_store(&peer->ring->threads, 1);
    peer->head = 0;
    peer_say(peer->socket, hello, sizeof(*hello), &memory, 1);
    close(memory);
}

void peer_detach(struct peer *peer)
{
    if (peer->socket >= 0)
        close(peer->socket);
    munmap(peer->ring, sizeof(*peer->ring));
    peer->socket = -1;
}

void peer_put(struct peer *peer, const struct ork_record *record)
{
    assert_in_range(peer->head - atomic_load(&peer->ring->tail), 0, ORK_RING_RECORDS - 1);
    peer->ring->slot[peer->head % ORK_RING_RECORDS] = *record;
    atomic_store_explicit(&peer->ring->head, ++peer->head, memory_order_release);
}

void peer_publish(struct peer *peer, size_t n)
{
    for (size_t i = 0; i < n; i++)
        peer_put(peer, &(struct ork_record){.kind = ORK_KIND_OPAQUE, .extra = peer->head});
}

void peer_state(struct peer *peer, uint32_t thread, enum ork_state state)
{
    atomic_store(&peer->ring->thread[thread].word, peer->head << 8 | (uint64_t)state);
}

pid_t peer_child(void (*life)(void *), void *argument, uid_t user)
{
    int ready[2];
    char byte = 0;

    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (user == 0 || setresuid(user, user, user) == 0) {
            life(argument);
            byte = write(ready[1], "y", 1) == 1;
        }
        while (byte)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

bool peer_lives(pid_t child, int *status)
{
    return waitpid(child, status, WNOHANG) == 0;
}

void peer_end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

int peer_open_descriptors(void)
{
    DIR *open_ones = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(open_ones);
    while (readdir(open_ones) != NULL)
        n++;
    closedir(open_ones);
    return n;
}
