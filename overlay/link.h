/* SPDX-License-Identifier: BSD-3-Clause */
/* What flows between a leaf and what is above it, whatever carries it (a call in the same process,
 * or messages of the tool job).
 *
 * Up, in order for each rank: attach, records (in batches, or as part of a wave), end. A collect
 * asks for the published state of all ranks; the answers come up in the same order as everything
 * else. */
#ifndef ORK_LINK_H
#define ORK_LINK_H

#include "common/status.h"
#include "record/arrival.h"
#include "record/ring.h"
#include "viz/report.h"

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

/* A rank's published state at one instant. */
struct ork_snapshot {
    uint64_t head; /* records published */
    uint32_t threads;
    uint64_t word[ORK_RING_THREADS]; /* see struct ork_thread_state */
    uint32_t
        strangers; /* threads that may call MPI, have not yet, and do not wait for another thread */
    uint64_t asleep;        /* bit i: see ork_threads_asleep() */
    uint64_t polls, probes; /* of all threads: see struct ork_thread_state */
    uint32_t poll_site, poll_call;
    uint64_t looks, work_ns; /* of the thread with most polls: see struct ork_thread_state */
    uint64_t cpu_ns;         /* processor time the process has used */
};

/* Ranks that are at a collective call: number `index` of those that each of them made on its
 * communicator number `arrival[].call.comm`, the same for all. Communicators of one number that
 * have different members have, most likely, different `group`s. */
struct ork_wave {
    uint32_t index;
    uint32_t group;
    const struct ork_arrival *arrival;
    uint32_t num_arrivals;
};

/* Processes of one MPI_COMM_WORLD. */
struct ork_job_name {
    char name[sizeof(((struct ork_hello *)NULL)->job)];
    uint32_t size; /* 0: not known */
};

/* The upper side, as a leaf sees it. `context` is the first argument of each. */
struct ork_up {
    void *context;
    /* A job whose numbers are not known came; they are told from above. */
    enum ork_status (*job)(void *context, const struct ork_job_name *job);
    enum ork_status (*attach)(void *context, const struct ork_attached *attached);
    enum ork_status (*batch)(void *context, uint32_t rank, const struct ork_record *record,
                             size_t n);
    enum ork_status (*wave)(void *context, const struct ork_wave *wave);
    enum ork_status (*end)(void *context, uint32_t rank, enum ork_death how, uint64_t full_waits);
    /* A process that gets no number, and runs unobserved. */
    enum ork_status (*stranger)(void *context);
    enum ork_status (*snapshot)(void *context, uint32_t rank, const struct ork_snapshot *snapshot);
    /* The snapshots of all ranks of this leaf have been sent, for that round. */
    enum ork_status (*collected)(void *context, uint32_t round);
    /* The call stack of wait->rank, which is all that *wait says; or why there is none (else "").
     */
    enum ork_status (*stack)(void *context, const struct ork_wait *wait, const char *reason);
    /* Records that the upper side takes now. */
    size_t (*credit)(void *context);
};

/* The lower side, as the root sees it: all ranks of the run. */
struct ork_down {
    void *context;
    /* Send the published state of every rank up. */
    enum ork_status (*collect)(void *context, uint32_t round);
    /* Let the ranks tell the sources of their wildcard receives that are complete (EARLY records),
     * at their next MPI call or inside the one they poll in. */
    enum ork_status (*ask)(void *context);
    /* Take the call stack of a rank; nothing comes for one that is not there. */
    enum ork_status (*stack)(void *context, uint32_t rank);
    /* The first process of a job has this number; UINT32_MAX: its processes get none. */
    enum ork_status (*number)(void *context, const struct ork_job_name *job, uint32_t first);
    /* End every process that is still attached with SIGKILL. */
    enum ork_status (*kill_all)(void *context);
};

#endif
