/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/ring_peer.h"

#include "common/leaf_address.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_leaf(const char *session, const char *token, uint32_t leaf)
{
    struct sockaddr_un address;
    socklen_t size = ork_leaf_address(session, token, leaf, &address);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (s >= 0 && connect(s, (const struct sockaddr *)&address, size) != 0) {
        close(s);
        return -1;
    }
    return s;
}

static int make_ring(struct ork_ring **ring)
{
    int fd = memfd_create("orknot-bench", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -1;
    *ring = MAP_FAILED;
    if (ftruncate(fd, (off_t)sizeof(**ring)) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        *ring = mmap(NULL, sizeof(**ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*ring == MAP_FAILED) {
        close(fd);
        return -1;
    }
    (*ring)->magic = ORK_RING_MAGIC;
    (*ring)->records = ORK_RING_RECORDS;
    (*ring)->pid = (uint32_t)getpid();
    atomic_store(&(*ring)->threads, 1);
    atomic_store(&(*ring)->thread[0].tid, (uint32_t)gettid());
    return fd;
}

static bool say_hello(int s, int memory, const struct ork_hello *hello)
{
    struct ork_hello copy = *hello;
    struct iovec part = {.iov_base = &copy, .iov_len = sizeof(copy)};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof(control.bytes)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &memory, sizeof(memory));
    return sendmsg(s, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(copy);
}

bool ring_peer_attach(struct ring_peer *peer, const char *session, const char *token, uint32_t leaf,
                      uint32_t rank, uint32_t size)
{
    struct ork_hello hello = {.magic = ORK_RING_MAGIC,
                              .job = "bench",
                              .rank = rank,
                              .size = size,
                              .pid = (uint32_t)getpid()};
    int memory = make_ring(&peer->ring);

    if (memory < 0)
        return false;
    peer->head = peer->slot = peer->first = 0;
    peer->block = 0;
    peer->repeats = false;
    peer->socket = connect_leaf(session, token, leaf);
    memcpy(hello.token, token, strnlen(token, sizeof(hello.token)));
    bool said = peer->socket >= 0 && say_hello(peer->socket, memory, &hello);
    close(memory);
    return said;
}

static struct ork_record *slot_of(struct ring_peer *peer, uint64_t slot)
{
    return &peer->ring->slot[slot % ORK_RING_RECORDS];
}

/* Are the records those of the `n` slots before `slot`? */
static bool is_before(struct ring_peer *peer, uint64_t slot, const struct ork_record *record,
                      size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (slot < n || !ork_record_is_same(slot_of(peer, slot - n + i), &record[i]))
            return false;
    return true;
}

static void begin_repetition(struct ring_peer *peer, size_t n)
{
    peer->first = peer->head;
    peer->block = (uint32_t)n;
    atomic_store_explicit(&peer->ring->block_end, peer->slot, memory_order_release);
    atomic_store_explicit(&peer->ring->repetition, ork_repetition_pack(peer->first, peer->block),
                          memory_order_release);
}

static void end_repetition(struct ring_peer *peer)
{
    uint64_t records = peer->head - peer->first;

    if (records > 0)
        *slot_of(peer, peer->slot++) =
            (struct ork_record){.kind = ORK_RING_REPETITION, .arg = peer->block, .extra = records};
    atomic_store_explicit(&peer->ring->skipped, peer->head - peer->slot, memory_order_release);
    atomic_store_explicit(&peer->ring->repetition, 0, memory_order_release);
    peer->block = 0;
}

static bool has_room(const struct ring_peer *peer, size_t n, uint64_t records)
{
    return ring_peer_backlog(peer) + n <= records;
}

/* RATIONALE: as the interceptor, the state of the rank with each record; it never counts as
 * blocked, for there is no call that it is in. */
bool ring_peer_put(struct ring_peer *peer, const struct ork_record *record, size_t n)
{
    bool is_repeated = peer->block == n && is_before(peer, peer->slot, record, n);

    if (!has_room(peer, n + 1, is_repeated ? ORK_REPEAT_AHEAD_MAX : ORK_RING_AHEAD_MAX))
        return false;
    if (peer->block != 0 && !is_repeated)
        end_repetition(peer);
    if (is_repeated) {
        peer->head += n;
    } else {
        for (size_t i = 0; i < n; i++)
            *slot_of(peer, peer->slot++) = record[i];
        peer->head += n;
        if (peer->repeats && peer->slot > 2 * n && is_before(peer, peer->slot - n, record, n))
            begin_repetition(peer, n);
    }
    atomic_store_explicit(&peer->ring->head, peer->head, memory_order_release);
    atomic_store_explicit(&peer->ring->thread[0].word, peer->head << 8 | ORK_STATE_RUNNING,
                          memory_order_release);
    return true;
}

uint64_t ring_peer_backlog(const struct ring_peer *peer)
{
    return peer->head - atomic_load_explicit(&peer->ring->tail, memory_order_acquire);
}

void ring_peer_leave(struct ring_peer *peer)
{
    atomic_store(&peer->ring->thread[0].word, peer->head << 8 | ORK_STATE_DONE);
    close(peer->socket);
    peer->socket = -1;
}

void ring_peer_release(struct ring_peer *peer)
{
    if (peer->socket >= 0)
        close(peer->socket);
    munmap(peer->ring, sizeof(*peer->ring));
}
