/* SPDX-License-Identifier: BSD-3-Clause */
/* What flows between a leaf and what is above it, whatever carries it (a call in the same process,
 * or messages of the tool job).
 *
 * Up, in order for each rank: attach, batches of records, end. A sender may send as many records as
 * it has credit for. Down: a collect asks for the published state of ranks, which is answered at
 * once and not in order with the records. */
#ifndef ORK_LINK_H
#define ORK_LINK_H

#include "common/status.h"
#include "record/record.h"
#include "record/ring.h"

#include <stdbool.h>

/* How a rank's process ended, as far as a leaf can see. */
enum ork_death {
    ORK_DEATH_FINISHED, /* after MPI_Finalize */
    ORK_DEATH_OUTSIDE,  /* outside MPI calls that can block */
    ORK_DEATH_INSIDE,   /* inside one */
};

struct ork_attached {
    uint32_t rank;
    uint32_t pid;
};

/* The upper side, as a leaf sees it. `context` is the first argument of each. */
struct ork_up {
    void *context;
    enum ork_status (*attach)(void *context, const struct ork_attached *attached);
    enum ork_status (*batch)(void *context, uint32_t rank, const struct ork_record *record,
                             size_t n);
    enum ork_status (*end)(void *context, uint32_t rank, enum ork_death how, uint64_t full_waits);
    /* Records that the upper side takes now. */
    size_t (*credit)(void *context);
};

/* A rank's published state at one instant. */
struct ork_snapshot {
    bool present;   /* the rank is attached and alive */
    uint64_t head;  /* records published */
    uint64_t taken; /* of these, sent up */
    uint32_t threads;
    uint64_t word[ORK_RING_THREADS]; /* see struct ork_thread_state */
    uint32_t
        strangers; /* threads that may call MPI, have not yet, and do not wait for another thread */
    uint64_t polls, probes; /* of all threads: see struct ork_thread_state */
    uint32_t poll_site, poll_call;
    uint64_t cpu_ns; /* processor time the process has used */
};

/* The lower side, as the root sees it. */
struct ork_down {
    void *context;
    /* ORK_NOTFOUND: no such rank. */
    enum ork_status (*collect)(void *context, uint32_t rank, struct ork_snapshot *snapshot);
    /* Let a rank tell the sources of its wildcard receives that are complete (EARLY records), at
     * its next MPI call or inside the one it polls in. ORK_NOTFOUND: no such rank. */
    enum ork_status (*ask)(void *context, uint32_t rank);
    /* End every process that is still attached with SIGKILL. */
    void (*kill_all)(void *context);
};

#endif
