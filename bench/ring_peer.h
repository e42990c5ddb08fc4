/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank without a program: its ring, and the socket to the leaf that has it. */
#ifndef ORK_BENCH_RING_PEER_H
#define ORK_BENCH_RING_PEER_H

#include "record/ring.h"

#include <stdbool.h>
#include <stddef.h>

struct ring_peer {
    int socket;   /* -1: it has left */
    bool repeats; /* it counts the records of steps that it repeats, as the interceptor does;
                   * false at first */
    struct ork_ring *ring;
    uint64_t head;  /* records, */
    uint64_t slot;  /* and slots written, see record/ring.h */
    uint64_t first; /* number of the first repeated record, */
    uint32_t block; /* and records of its block; 0: none */
};

/* Say hello to leaf `leaf` of this node, which has still to take the ring. False with errno. */
bool ring_peer_attach(struct ring_peer *peer, const char *session, const char *token, uint32_t leaf,
                      uint32_t rank, uint32_t size);
/* The rank writes the records of a step of its loop. False: there is no room. */
bool ring_peer_put(struct ring_peer *peer, const struct ork_record *record, size_t n);
/* Records that the leaf has not taken. */
uint64_t ring_peer_backlog(const struct ring_peer *peer);
/* MPI_Finalize has returned, and the process ends. The ring stays until ring_peer_release(). */
void ring_peer_leave(struct ring_peer *peer);
void ring_peer_release(struct ring_peer *peer);

#endif
