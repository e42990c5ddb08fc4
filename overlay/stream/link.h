/* SPDX-License-Identifier: BSD-3-Clause */
/* What is exchanged between a leaf and the level above it, by any transport (a call in the same
 * process, or messages of the tool job): events go up, orders go down.
 *
 * Up, in order for each rank: attach, records (in batches, or as part of a wave), end. The order to
 * collect asks for the published state of all ranks; the answers come up in order with everything
 * else. */
#ifndef ORK_OVERLAY_STREAM_LINK_H
#define ORK_OVERLAY_STREAM_LINK_H

#include "common/status.h"
#include "record/group_record.h"
#include "record/ring.h"
#include "record/unseen.h"
#include "report/report.h"

#include <stdbool.h>

/* From `then` to `now`; 0 if `then` is later. RATIONALE: a step reads the clock once, and later
 * times may be compared with it. */
static inline uint64_t ork_elapsed_ns(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

/* Where a rank's process was when it ended, as far as a leaf can see. */
enum ork_death {
    ORK_DEATH_FINISHED, /* after MPI_Finalize */
    ORK_DEATH_OUTSIDE,  /* outside MPI calls that can block */
    ORK_DEATH_INSIDE,   /* inside one */
    ORK_DEATH_STARTING, /* inside MPI_Init */
    ORK_DEATH_BEFORE,   /* before it */
};

/* How it ended: see record/note.h. Strings are the sender's, NULL if unknown. */
struct ork_ending {
    enum ork_death how;
    uint64_t full_waits;
    enum ork_note_kind kind; /* NONE: it left no note */
    int32_t value, code;     /* as in the note */
    uint32_t sender;
    uint64_t time_ns;       /* CLOCK_REALTIME of its node; without a note: when it was found */
    struct ork_record last; /* its latest call; kind CONT: none */
    const char *call; /* ERROR: the function that failed; SIGNAL: the language layer of the MPI
                       * library that it was in, a file, or "" */
    const char *text; /* ERROR: MPI's text; SIGNAL: the sender's program */
    const struct ork_rank_row *wait; /* its stack only; NULL: none */
    uint64_t polls; /* its unsuccessful polls so far, if it polled since that call; else 0 */
    struct ork_polled polled; /* the latest one */
};

struct ork_attached {
    uint32_t pid;
    uint32_t leaf; /* the tool process that serves it */
};

/* What threads of a rank that are in no blocking MPI call can do, besides those that have called
 * MPI and run. */
enum ork_others {
    ORK_OTHERS_NONE,    /* none can act before another thread of the rank does, or there are none */
    ORK_OTHERS_UNKNOWN, /* some wait for something unseen: input, another process, a signal */
    ORK_OTHERS_ACT,     /* some that have not called MPI run, or wait for a time */
};

/* A rank's published state at one instant. */
struct ork_snapshot {
    uint64_t head; /* records published */
    uint32_t threads;
    uint64_t word[ORK_RING_THREADS]; /* see struct ork_thread_state */
    enum ork_others others;
    uint64_t resting;   /* bit i: thread i is in no MPI call and waits without a time limit */
    uint64_t stirred;   /* equal in two snapshots: no waiting thread has run in between */
    uint64_t others_ns; /* processor time of all threads that are in no MPI call that can block */
    uint64_t wrong;     /* bit i: thread i is in a call that it knows to be wrong */
    uint64_t polls, probes;   /* of all threads: see struct ork_thread_state */
    struct ork_polled polled; /* the latest of the thread with most of them */
    /* Of the thread with most polls: see struct ork_thread_state and ork_effort_slept_ns(). */
    uint64_t looks, busy, timed, work_ns, slept_ns;
    /* In a deterministic run: the wait of the rank (even: none; see struct ork_decision_page), how
     * often it has looked, and whether it has taken all decisions. */
    uint32_t wait;
    bool has_decisions;
    uint64_t waiting_looks;
    uint64_t cpu_ns; /* processor time the process has used */
    /* See struct ork_effort. */
    uint64_t inside_ns, waited_ns, yields;
    bool sleeps, is_runnable, is_halted;
};

/* Is some thread of the rank in this state? */
static inline bool ork_snapshot_has_thread(const struct ork_snapshot *s, enum ork_state state)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        if ((s->word[t] & 0xff) == (uint64_t)state)
            return true;
    }
    return false;
}

/* Is thread `t` in a call that can block, or in one that is wrong, so that it may never return? */
static inline bool ork_snapshot_is_inside(const struct ork_snapshot *s, uint32_t t)
{
    return (s->word[t] & 0xff) == ORK_STATE_BLOCKED || (s->wrong >> t & 1) != 0;
}

/* Ranks that are at a collective call: call number `index` of each on its communicator number
 * `group_record[].call.comm`, the same number for all. Communicators with one number and different
 * members most likely have different `group`s. */
struct ork_wave {
    uint32_t index;
    uint32_t group;
    const struct ork_group_record *group_record;
    uint32_t num_group_records;
};

/* One of the latest calls of a rank, or several equal ones in a row. `call` was written by the rank
 * and is untrusted. */
struct ork_latest_call {
    struct ork_record call; /* comm ORK_COMM_UNKNOWN: the number was reused since */
    uint32_t times;         /* in a row; at least 1 */
    int32_t took, took_tag; /* the message of a wildcard receive or probe; ORK_NO_PEER: unknown */
    uint32_t error;         /* class of the error it returned; 0: none known */
    uint32_t awaited_after; /* it made a request: how many calls later in the list the thread waited
                             * for it; 0: unknown */
    bool inside;            /* the rank is still in it */
    /* It begins an iteration: this call and the following ones of its thread, `iteration` of them,
     * were made `iterations` times in a row; 0: it does not. */
    uint32_t iteration, iterations;
};

enum { ORK_LATEST_CALLS = 16, ORK_LATEST_THREADS = 8 };
/* Iterations of more calls are not folded. */
enum { ORK_ITERATION_CALLS = 8 };

/* Which calls are the latest: all calls of the rank, or, with `past`, those in its first `records`
 * records (modulo 2^32) without the last `skip` of these. */
struct ork_until {
    bool past;
    uint32_t records, skip;
};

/* The latest calls of a rank, up to ORK_LATEST_CALLS of each of its first ORK_LATEST_THREADS
 * threads: by thread, the oldest first. */
struct ork_latest {
    uint32_t rank;
    uint32_t num_calls;
    struct ork_latest_call call[ORK_LATEST_CALLS * ORK_LATEST_THREADS];
};

/* Processes of one MPI_COMM_WORLD. */
struct ork_job_name {
    char name[sizeof(((struct ork_hello *)NULL)->job)];
    uint32_t size; /* 0: unknown */
};

/* The kinds of events. */
enum ork_event_kind {
    ORK_EVENT_JOB = 1,    /* job: a job without known numbers; an order brings them */
    ORK_EVENT_ATTACH,     /* rank, attached */
    ORK_EVENT_RECORDS,    /* rank, records */
    ORK_EVENT_WAVE,       /* wave */
    ORK_EVENT_END,        /* rank, ending */
    ORK_EVENT_UNASSIGNED, /* a process that gets no number, and runs unobserved */
    ORK_EVENT_SNAPSHOT,   /* rank, snapshot */
    ORK_EVENT_COLLECTED,  /* round: this leaf has sent the snapshots of all its ranks */
    ORK_EVENT_LOST,       /* lost: tool processes of a subtree, with their ranks */
    ORK_EVENT_STACK,      /* stack: the answer to ORK_ORDER_STACK */
    ORK_EVENT_WAITS,      /* waits: further batches that had to wait for the process above */
    ORK_EVENT_LATEST,     /* latest: the answer to ORK_ORDER_LATEST */
    ORK_EVENT_CUT,        /* rank: it goes on unrecorded, as its leaf had stopped */
    ORK_EVENT_UNSEEN,     /* unseen: a process that used MPI, and cannot be observed */
    ORK_EVENT_GOODBYE,    /* process: the answer of a tool process to ORK_ORDER_LAST, after all
                           * that its ranks have recorded */
};

/* Records that can come again in one event. */
#define ORK_AGAIN_MAX 256u

/* An event. All that it points to is the sender's, and valid during deliver() only. */
struct ork_event {
    enum ork_event_kind kind;
    uint32_t rank;
    union {
        const struct ork_job_name *job;
        struct ork_attached attached;
        struct {
            const struct ork_record *record;
            size_t count;
            uint32_t again; /* all of them (at most ORK_AGAIN_MAX) come so many times more */
        } records;
        const struct ork_wave *wave;
        const struct ork_ending *ending;
        const struct ork_snapshot *snapshot;
        uint32_t round;
        struct {
            uint32_t first, end; /* processes first .. end - 1 */
        } lost;
        struct {
            const struct ork_rank_row *row; /* its rank and its call stack only */
            const char *reason;             /* why there is no stack, or "" */
        } stack;
        uint64_t waits;
        uint32_t process;
        const struct ork_unseen *unseen;
        const struct ork_latest *latest; /* no calls: nothing can be read any more */
    };
};

/* The upper side. */
struct ork_up {
    void *context;
    enum ork_status (*deliver)(void *context, const struct ork_event *event);
    /* Number of records that the upper side accepts now. */
    size_t (*credit)(void *context);
};

static inline enum ork_status ork_up_deliver(const struct ork_up *up, const struct ork_event *event)
{
    return up->deliver(up->context, event);
}

static inline size_t ork_up_credit(const struct ork_up *up)
{
    return up->credit(up->context);
}

/* The orders to all tool processes. The comment names the member. */
enum ork_order_kind {
    ORK_ORDER_CREDIT,   /* credit: number of processed batches; to a child only */
    ORK_ORDER_ALIVE,    /* the process above lives */
    ORK_ORDER_COLLECT,  /* round: send the published state of every rank up */
    ORK_ORDER_ASK,      /* have the ranks report the sources of their complete wildcard receives
                         * (EARLY records), at their next MPI call or inside the one they poll in */
    ORK_ORDER_RELEASE,  /* in a replay: have ranks that wait for a recorded outcome give up */
    ORK_ORDER_EXPIRE,   /* in an exploration: have polls that wait be unsuccessful */
    ORK_ORDER_DECISION, /* decision: for one rank of a deterministic run */
    ORK_ORDER_WATCH,    /* is_watched: in a deterministic run, whether events of the ranks have to
                         * wake the leaves */
    ORK_ORDER_HOLD,     /* hold: hold all ranks at their next calls, or let them go on */
    ORK_ORDER_FOLD,     /* is_folding: the root counts iterations of all ranks, so the collective
                         * calls of each rank come as its other records do; or no longer */
    ORK_ORDER_STACK,    /* rank: take its call stack; no answer if it is not attached */
    ORK_ORDER_LATEST,   /* latest: report the latest calls of a rank; no answer if it was never
                         * attached */
    ORK_ORDER_NUMBER,   /* number: the first process of a job has this number */
    ORK_ORDER_LAST,     /* the run is over: each tool process says goodbye */
    ORK_ORDER_KILL,     /* end every process that is still attached with SIGKILL */
    ORK_ORDER_END,      /* is_orderly: the tool ends; all its processes are there to receive this */
};

/* An order. It has no pointers, so it can be sent as it is. */
struct ork_order {
    enum ork_order_kind kind;
    union {
        uint32_t credit;
        uint32_t round;
        uint32_t rank;
        enum ork_hold hold;
        struct {
            uint32_t rank;
            struct ork_until until;
        } latest;
        struct {
            struct ork_job_name job;
            uint32_t first; /* UINT32_MAX: its processes get no numbers */
        } number;
        struct {
            uint32_t rank;
            struct ork_decision decision;
        } decision;
        bool is_watched;
        bool is_folding;
        bool is_orderly;
    };
};

/* The lower side: one leaf; for the root, all leaves of the run. */
struct ork_down {
    void *context;
    /* The order is the sender's, and valid during the call only. */
    enum ork_status (*send)(void *context, const struct ork_order *order);
};

static inline enum ork_status ork_down_send(const struct ork_down *down,
                                            const struct ork_order *order)
{
    return down->send(down->context, order);
}

#endif
