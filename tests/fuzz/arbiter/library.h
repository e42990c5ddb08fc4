/* SPDX-License-Identifier: BSD-3-Clause */
/* A small MPI library: messages on their way, receives in the order in which they were started. */
#ifndef ORK_FUZZ_ARBITER_LIBRARY_H
#define ORK_FUZZ_ARBITER_LIBRARY_H

#include "tests/fuzz/arbiter/program.h"

enum { MAX_OPS = 256, NOBODY = -10 };

enum message_state { ON_ITS_WAY, ARRIVED, TAKEN, RECEIVED };

struct packet {
    enum message_state state;
    uint32_t id; /* the same in all runs */
    uint32_t comm, from, to;
    int32_t tag;
    uint32_t arrival;
};

enum op_state { OP_HELD, OP_STARTED, OP_DONE, OP_CANCELLED };

/* A send or a receive. */
struct op {
    enum op_state state;
    bool is_send, synchronous;
    uint32_t rank, comm;
    int32_t source, tag;      /* of a receive: a world rank, ORK_ANY_SOURCE */
    bool wildcard, named_any; /* as the program gave them: any source; any tag only */
    bool decided;
    uint32_t number; /* of a wildcard receive in its rank */
    uint32_t started;
    uint32_t message; /* its place */
};

/* Atomics of a place that were made. */
struct made {
    uint32_t reads, updates;
};

/* Of the window: locks that are held, and those that were, as far as the interceptor has counted
 * them. */
struct target {
    int32_t shared, exclusive;
    uint32_t shared_over, exclusive_over;
    struct made place[PLACES];
};

struct library {
    const struct program *p;
    struct packet message[MAX_OPS];
    uint32_t messages, arrivals;
    struct op op[MAX_OPS];
    uint32_t ops, starts;
    uint32_t sent[MAX_RANKS];
    uint32_t entered[COMMS][MAX_RANKS]; /* collective calls */
    struct target target[MAX_RANKS];
};

/* Ranks in a communicator, as the rank `me` sees them. */
uint32_t library_world_of(uint32_t comm, uint32_t me, int32_t peer);
int32_t library_peer_of(uint32_t comm, uint32_t world);

bool library_fits(int32_t source, int32_t tag, const struct packet *m);
/* Send; the operation. */
uint32_t library_send(struct library *l, uint32_t comm, uint32_t from, uint32_t to, int32_t tag,
                      bool synchronous);
/* A receive that is held; the operation. */
uint32_t library_receive(struct library *l, uint32_t comm, uint32_t rank, int32_t source,
                         int32_t tag);
void library_start(struct library *l, struct op *op);
bool library_is_complete(const struct library *l, const struct op *op);
/* A message that has arrived and that no receive has taken; MAX_OPS: none. */
uint32_t library_probe(const struct library *l, uint32_t comm, uint32_t rank, int32_t source,
                       int32_t tag);
/* Some message arrives. False: none is on its way. */
bool library_deliver(struct library *l, struct wfg_random *random);

#endif
