/* SPDX-License-Identifier: BSD-3-Clause */
/* The other side of a leaf: what an interceptor does, and what nobody should do, without MPI. */
#ifndef ORK_TEST_OVERLAY_PEER_H
#define ORK_TEST_OVERLAY_PEER_H

#include "record/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PEER_TOKEN "0123456789abcdef0123456789abcdef"

/* Name of a run that no other test uses; static storage, until the next call. */
const char *peer_session(void);

/* Connect to leaf 0 of `session`; fails the test if that is impossible. */
int peer_connect(const char *session);
int peer_connect_to(const char *session, uint32_t leaf);

/* A memfd of `size` bytes that starts as a ring, with `seals`. */
int peer_memory(size_t size, int seals);

/* Everything right, of this process. */
struct ork_hello peer_hello(uint32_t rank);

/* `size` bytes of `bytes` with `n` descriptors (at most 2) in one message. */
void peer_say(int socket, const void *bytes, size_t size, const int *descriptor, int n);

/* 1 or 0 as the leaf answered; -1: it said nothing (yet), -2: it has hung up. */
int peer_answer(int socket);

/* A rank with a ring of its own. */
struct peer {
    int socket;
    struct ork_ring *ring;
    uint64_t head;
};

/* Connect and say `hello`. The leaf has still to take it. */
void peer_attach(struct peer *peer, const char *session, const struct ork_hello *hello);
void peer_attach_to(struct peer *peer, const char *session, uint32_t leaf,
                    const struct ork_hello *hello);
void peer_detach(struct peer *peer);
/* Publish `n` records as thread 0 whose `extra` counts on from 0. The ring must have room. */
void peer_publish(struct peer *peer, size_t n);
void peer_put(struct peer *peer, const struct ork_record *record);
void peer_state(struct peer *peer, uint32_t thread, enum ork_state state);

/* Run `life` in a child process, which then waits for a signal; returns when it has begun to wait.
 * With `user` not 0 the child becomes that user first. */
pid_t peer_child(void (*life)(void *), void *argument, uid_t user);
/* Is the child still there? If not, *status is how it ended. */
bool peer_lives(pid_t child, int *status);
/* Kill and reap. */
void peer_end(pid_t child);

int peer_open_descriptors(void);

#endif
