/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations: posted sends and receives, and the queues that contain them. */
#ifndef ORK_DETECTOR_OP_H
#define ORK_DETECTOR_OP_H

#include "detector/state/pool.h"
#include "record/record.h"

#include <stdbool.h>

struct proc;
struct queue;
struct request;
struct mpi_thread;

enum owner {
    OWNER_NONE,
    OWNER_THREAD,
    OWNER_REQUEST,
    OWNER_SHARED,
    OWNER_BUFFER,  /* a buffered send: MPI_Buffer_detach waits for it */
    OWNER_MESSAGE, /* taken by a matched probe, not yet received */
};

struct op {
    /* sends: their channel, in order; receives: the queue of their pattern */
    struct op *next, *prev;
    /* sends: their exact queue; undecided wildcard receives: those of their destination */
    struct op *side_next, *side_prev;
    struct queue *q;           /* sends: exact queue; receives: queue of the pattern */
    struct mpi_thread *thread; /* the thread that started it; OWNER_THREAD: that waits for it */
    union {
        struct op *owner_next;   /* OWNER_SHARED, OWNER_BUFFER */
        struct request *request; /* OWNER_REQUEST */
    };
    union {
        struct op *owner_prev;
        struct op *message; /* a matched probe: the send whose message it took */
    };
    uint64_t seq; /* position in the detector's order of postings */
    union {
        uint64_t seen_up_to;  /* sends: seq of the sender's latest incoming dependency */
        uint64_t call_number; /* receives: `num_calls` of `thread` when it was posted */
    };
    union {
        uint64_t released;  /* sends: seq of the latest match that the sender depended on */
        uint64_t overtaken; /* receives: seq when one posted later took a message first; 0: never */
    };
    uint64_t bytes;
    uint32_t comm;
    uint32_t site;
    int32_t peer; /* as in the record */
    int32_t tag;
    uint32_t type; /* type id of `bytes` */
    uint16_t call;
    uint8_t mode;
    uint8_t owner;
    bool is_send;
    bool quiet; /* MPI_Pcontrol(0) was in effect when it was posted */
    bool queued;
    bool unconfirmed; /* the run completed it, strict semantics did not; confirmed when matched */
    /* receive: its source and tag were observed; it takes its send even if others are undecided */
    bool observed;
    bool cancelling;          /* MPI_Cancel was called, its outcome is unknown */
    bool overtaken_probe : 1; /* `mprobe`: a receive posted later took a message first */
    bool returned : 1;        /* receive: an error returned to the application */
    bool is_freed : 1;        /* receive: no call will show its outcome */
    bool is_uncertain : 1;    /* `mprobe`: it may have taken another message than `message` */
    bool truncated : 1;       /* receive: it failed because its message was too long */
    /* receive: a matched probe, which takes the message but does not complete the send */
    bool mprobe;
};
_Static_assert(sizeof(struct op) == 2 * 64, "two cache lines");

struct fifo {
    struct op *head, *tail;
};

/* Sends and receives of one pattern. src ORK_ANY_SOURCE, tag ORK_ANY_TAG for patterns with
 * wildcards:
 *
 *   exact (src, tag)     sends by side links, receives
 *   channel (src, any)   all sends of src in order, receives with ANY_TAG
 *   (any, tag), (any, any)   undecided wildcard receives, and the number of sends
 *
 * Queues with wildcards exist only if the destination `may_overlap`. */
struct queue {
    /* the first cache line suffices for most matches */
    uint32_t comm, dst;
    int32_t src, tag;
    struct queue *hash_next;
    struct fifo sends, recvs;
    uint32_t num_sends, num_recvs;
    struct queue *channel, *any_source,
        *any_any;                    /* exact: all three or none; channel and (*, tag): dest */
    struct queue *to_next, *to_prev; /* exact: queues of the same destination */
    uint32_t hash;                   /* exact: hash of its key */
    uint32_t refs;                   /* queues that point here */
    uint32_t num_observed;           /* observed receives whose send is not posted yet */
    bool exact_only;                 /* exact, without queues above it */
    bool is_ambiguous;
    bool in_doubt;    /* (*, tag), dest: receives were posted before `passed` */
    struct fifo wild; /* dest: undecided wildcard receives with any tag, by side links */
    /* seq of the latest observed receive that was matched; channel: or of another one that was
     * matched before earlier ones */
    uint64_t passed;
    uint64_t overtaken_by; /* (*, tag): undecided receives posted before it are marked so */
    struct queue *ambiguous_next, *ambiguous_prev;
    struct queue *ambiguous; /* dest: queues with sends and receives whose match is not decided */
};

/* Queues by key. */
struct table {
    struct queue **bucket;
    uint32_t buckets, used; /* a power of two, or 0 */
};

/* All posted operations. */
struct matching {
    struct pool ops, queues;
    struct table exact, above; /* queues without wildcards, and with */
    uint32_t queue_limit;      /* above it, idle queues are freed */
};

/* owner.c */
/* NULL: the operation was complete at once. Keeps the first call of each place since none was left,
 * of 8 places. */
void ork_shared_add(struct proc *p, struct op *op, const struct ork_record *rec);
/* The operation is complete, or counts as complete. */
void ork_shared_unlink(struct proc *p, struct op *op);
/* One of them was tested with success, or freed. RATIONALE: it need not be one that is complete
 * here, as the library may have buffered its message. */
void ork_shared_drop(struct proc *p);
/* Those that a call can still wait for; and so many of them are certainly complete, whichever were
 * dropped. */
uint32_t ork_shared_left(const struct proc *p);
uint32_t ork_shared_ready(const struct proc *p);
/* Give a buffered send to its process. */
void ork_buffer_add(struct proc *p, struct op *op);
/* Notify the owner of the operation that it is complete. */
void ork_op_notify_owner(struct op *op);

#endif
