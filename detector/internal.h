/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the detector. Invariants are in docs/explanation/detector.md; names follow it. */
#ifndef ORK_DETECTOR_INTERNAL_H
#define ORK_DETECTOR_INTERNAL_H

#include "detector/detector.h"

/* struct strand, made_on: no constructor was called, or one on a communicator that is not known. */
#define MADE_ON_NONE    UINT32_MAX
#define MADE_ON_UNKNOWN (UINT32_MAX - 1)

/* ---- operations: a posted send or receive
 * --------------------------------------------------------------------- */

enum owner {
    OWNER_NONE,
    OWNER_STRAND,
    OWNER_REQUEST,
    OWNER_BAG,
    OWNER_BUFFER,  /* a buffered send: MPI_Buffer_detach waits for it */
    OWNER_MESSAGE, /* taken by a matched probe, not yet received */
};

struct op {
    struct op *next,
        *prev; /* sends: their channel, in order; receives: the queue of their pattern */
    struct op *side_next, *side_prev; /* sends: their exact queue; undecided wildcard receives:
                                         those of their destination */
    struct op *bag_next, *bag_prev;   /* OWNER_BAG */
    struct queue *q;                  /* sends: exact queue; receives: queue of the pattern */
    struct op *mate;                  /* EXTRACT: the message it took */
    struct strand *strand;            /* who started it; OWNER_STRAND: who waits for it */
    struct request *request;          /* OWNER_REQUEST */
    uint64_t seq;                     /* position in the order of postings the detector made */
    uint64_t incoming;                /* sends: seq of the sender's latest incoming dependency */
    uint64_t bytes;
    uint32_t comm;
    uint32_t site;
    int32_t peer; /* as in the record */
    int32_t tag;
    uint16_t call;
    uint8_t mode;
    uint8_t owner;
    bool is_send;
    bool queued;
    bool debt;     /* the run completed it before strict semantics could; paid when it is matched */
    bool observed; /* receive: the run told its source and tag; it takes its send whatever others
                      are undecided */
    bool cancelling; /* MPI_Cancel was called, the outcome is not known */
    bool extract;    /* receive: a matched probe, which takes the message but does not complete the
                        send */
};

struct fifo {
    struct op *head, *tail;
};

/* Sends and receives of one pattern. src ORK_ANY_SOURCE, tag ORK_ANY_TAG for patterns with
 * wildcards: exact (src, tag): sends by side links, receives;   channel (src, *): all sends of src
 * in order, receives with ANY_TAG;
 *   (*, tag), (*, *): undecided wildcard receives, and how many sends there are. */
struct queue {
    uint32_t comm, dst;
    int32_t src, tag;
    struct fifo sends, recvs;
    uint32_t num_sends, num_recvs;
    uint32_t num_observed; /* receives that are observed but whose send is not there yet */
    uint32_t refs;         /* queues that point here */
    struct queue *chan, *by_tag, *dest; /* exact: all three; channel and (*, tag): dest */
    struct fifo wild; /* dest: undecided wildcard receives of every tag, by side links */
    uint64_t passed;  /* exact, dest: latest posting of an observed receive that was matched */
    bool in_doubt;    /* dest: some of `wild` were posted before that */
    struct queue *contested_next, *contested_prev;
    struct queue *contested; /* dest: queues with sends and receives that may not be matched yet */
    bool is_contested;
    struct queue *hash_next;
};

/* ---- communicators and waves
 * ---------------------------------------------------------------------------------- */

struct wave {
    struct comm *comm;
    uint32_t index;
    uint32_t arrived;
    struct ork_record first; /* the first arrival's call */
    uint32_t first_rank;
    struct strand *waiters;
    struct request *requests;
    struct bridge
        *bridge;     /* MPI_Intercomm_create: the leaders' meeting, once the leader has entered */
    uint32_t leader; /* of this side, process */
    bool complete;   /* and told so, but an earlier wave is not */
    uint32_t issue;  /* number of its mismatch + 1 */
    uint32_t hub;    /* in search number `hub_search` */
    uint64_t hub_search;
};

/* The two leaders of one MPI_Intercomm_create. */
struct bridge {
    struct bridge *next;
    uint32_t peer_comm;
    int32_t tag;
    uint32_t leader[2];
    struct wave *wave[2];
    bool entered[2];
    unsigned left; /* sides whose wave is gone */
    uint32_t id;
};

struct comm {
    uint32_t id;
    uint32_t size;    /* of both groups together */
    uint32_t local;   /* members of the first group; == size unless inter */
    uint32_t *member; /* processes; NULL: member i is process i */
    uint32_t *index;  /* collective calls that member i made */
    bool inter, self, mentioned;
    uint32_t freed;     /* members that freed it */
    struct wave **wave; /* ring of waves base.. base+waves-1 */
    uint32_t wave_cap, wave_first, waves, base;
    uint32_t hub[2]; /* wildcard hubs of either side in search number `hub_search` */
    uint64_t hub_search[2];
    uint64_t key[3]; /* identity: parent and place of creation */
    char *name;
    enum ork_coll made_by;
    uint32_t parent;
    int32_t color;
    uint32_t rank, site;
    struct lock *lock; /* of a window */
    struct comm *hash_next;
};

struct comm_ref {
    struct comm *comm;
    uint32_t me; /* member number of this process */
};

/* ---- windows --------------------------------------------------------------------------------- */

enum { PAIR_BUCKETS = 4096 };

/* General active target: how often `target` has posted to `origin`, and origin started and
 * completed towards target. */
struct pair {
    struct pair *next;
    uint32_t comm, target, origin;
    uint32_t posts, starts, completes;
};

/* The group of an open epoch of a process: access (start) or exposure (post). */
struct win_group {
    struct win_group *next;
    uint32_t comm;
    uint32_t count;
    bool access;
    uint32_t process[];
};

struct lock_name {
    uint32_t comm;   /* the window */
    uint32_t target; /* process; UINT32_MAX: all (MPI_Win_lock_all) */
    bool exclusive;
};

/* A passive target epoch, or the wish for one. */
struct lock {
    struct lock *next;      /* of the window, oldest first */
    struct lock *held_next; /* of the process */
    struct proc *proc;
    struct strand *strand; /* that asked for it */
    struct lock_name name;
    bool granted;
    uint64_t learned, asked; /* when it was asked for: see lock_order.c */
    struct ork_record call;
};

/* ---- requests
 * -------------------------------------------------------------------------------------------------
 */

struct request {
    uint32_t id;
    bool in_use, active, persistent;
    struct op *op; /* active and not complete: one of these two */
    struct wave *wave;
    struct request *wave_next, *wave_prev;
    struct strand *waiter;
    /* the message that a receive took, and where the receive stood, in case it is cancelled */
    struct strand *took_from;
    uint64_t took_seq, recv_seq;
    int32_t took_tag;
    struct proc *debtor;    /* not a request: this process completed one before its wave was */
    struct ork_record call; /* that started it; template of a persistent one */
};

/* ---- strands and processes
 * ------------------------------------------------------------------------------------ */

struct slots {
    struct ork_record *slot;
    size_t cap, first, count;
};

/* One thread of one process that called MPI. */
struct strand {
    struct proc *proc;
    uint16_t thread;
    bool held;     /* inside `call` */
    bool exited;   /* the EXIT record of `call` was applied */
    bool returned; /* the overlay saw that `call` returned */
    bool in_work;
    struct ork_record call;
    uint32_t *list; /* of `call` */
    uint32_t list_cap;
    uint32_t *outcome; /* list of the EXIT record, kept for MPI_Waitany and the like */
    uint32_t outcome_cap, outcome_count;
    int32_t found_source,
        found_tag; /* EXIT of a probe or wildcard receive; found_source ORK_NO_PEER: not known */
    uint32_t found_message;
    bool unknown;       /* nothing is known of what the call waits for: over when the run went on */
    uint32_t open;      /* parts not complete */
    bool has_cancelled; /* some member is to be cancelled */
    uint32_t members;   /* MPI_Waitany and the like: active ones */
    uint32_t bag_need;  /* MPI_Waitall: members that are shared handles */
    struct op *send, *recv;
    struct wave *wave;
    struct strand *wave_next, *wave_prev;
    struct slots queue;
    uint32_t made_on; /* number of the communicator of the latest constructor call, MADE_ON_... */
    uint32_t made_at; /* and the index of its wave */
    uint32_t made_bridge;
    struct strand *work_next;
};

struct proc {
    struct ork_detector *d;
    uint32_t rank;
    const char *fault;
    bool ended, qualified;
    enum ork_polling polling;
    struct ork_record poll;
    bool busy; /* has a thread of its own that may yet call MPI */
    enum ork_end end;
    struct strand **strand;
    uint32_t num_strands;
    struct comm_ref *comm;
    uint32_t num_comms;
    struct request **request;
    uint32_t num_requests;
    struct op **message; /* messages taken by matched probes, by number: EXTRACT receives */
    uint32_t num_messages;
    struct op *bag; /* operations of the shared handle that are not complete */
    bool bag_doubt; /* one was waited for while another was not complete: which is left? */
    uint32_t bag_size, bag_complete; /* not yet waited for: all of them, and those complete */
    struct ork_record bag_call;
    struct op *buffered; /* buffered sends that are not matched, by bag links */
    struct win_group *win_group;
    struct lock *lock; /* held or asked for, by held_next */
    uint32_t probing;  /* strands held in a probe */
    uint64_t incoming;
    uint64_t debts;     /* operations with a debt that is not paid */
    uint8_t *lazy_site; /* bit set by call site */
    uint32_t lazy_sites;
    /* a record whose list has not arrived in full */
    struct ork_record partial;
    uint32_t *words;
    uint32_t words_cap, words_have;
    bool is_partial;
};

struct pool {
    void *free;
    void *blocks;
    size_t size;
};

struct ork_detector {
    uint32_t nprocs;
    bool failed; /* out of memory: nothing may be concluded any more */
    bool aborted;
    struct ork_model model;
    struct proc *proc;
    struct pool ops, queues, waves, requests, bridges;
    struct pool pairs, locks;
    struct pair **pair_hash;
    struct lock_order *lock_order;
    uint32_t num_lock_orders;
    struct queue **queue_hash;
    uint32_t queue_buckets, num_queues, queue_limit;
    struct comm **comm; /* by number */
    uint32_t num_comms, comm_cap;
    struct comm **comm_hash;
    uint32_t comm_buckets;
    struct comm *finalize;
    struct bridge *bridge;
    uint32_t num_bridges;
    uint64_t seq;
    struct strand *work_head, *work_tail;
    struct ork_counts counts;
    uint64_t *opaque;
    uint32_t num_opaque;
    struct ork_issue *issue;
    uint32_t num_issues, issue_cap;
};

/* pool.c */
void pool_init(struct pool *pool, size_t size);
void pool_release(struct pool *pool);
void *pool_get(struct ork_detector *d, struct pool *pool); /* zeroed; NULL sets d->failed */
void pool_put(struct pool *pool, void *object);
/* Grow *array of `size`-byte elements to at least `want`, zeroed behind; false sets d->failed. */
bool grow(struct ork_detector *d, void *array, uint32_t *cap, uint32_t want, size_t size);

/* match.c */
struct op *match_post_send(struct ork_detector *d, struct strand *st, const struct comm *c,
                           uint32_t dst, const struct ork_record *rec, int32_t tag);
struct op *match_post_recv(struct ork_detector *d, struct strand *st, const struct comm *c,
                           int32_t src, int32_t tag, const struct ork_record *rec);
/* Match what the posting of `op` made possible. Completes operations, their owners included: set
 * the owner before. */
void match_resolve(struct ork_detector *d, struct op *op); /* op may be gone afterwards */
/* The run told that receive `op` took a message of (src, tag). */
void match_observe(struct ork_detector *d, struct op *op, int32_t src, int32_t tag);
/* Take `op` out of matching and free it. */
void match_withdraw(struct ork_detector *d, struct op *op);
/* MPI_Cancel of a receive that was matched: whether it really was is open again. The sender goes on
 * as if. */
void match_reopen(struct ork_detector *d, struct strand *st, const struct comm *c,
                  struct request *request);
/* MPI_Cancel came to nothing: the receive matches as any other. */
void match_uncancel(struct ork_detector *d, struct op *op);
/* Let go of `op`: nobody waits for it any more, but it stays in matching. */
void match_detach(struct op *op);
/* The same, because the run went past it. */
void match_owe(struct op *op);
/* Is there an unmatched partner for op that may be taken, whatever the order? */
bool match_is_possible(const struct op *op);
/* Messages of the pattern: NONE, some that an earlier posted receive may take first, or one that is
 * there for sure. */
enum presence { PRESENCE_NONE, PRESENCE_MAYBE, PRESENCE_SURE };
enum presence match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst, int32_t src,
                          int32_t tag);
/* A receive that is a matched probe: it takes the message, but does not complete its send. */
void match_extract(struct ork_detector *d, struct op *op);
/* The message of a matched probe was received: complete its send, or as soon as it arrives. Frees
 * `op`. */
void match_release_extracted(struct ork_detector *d, struct op *op);
struct queue *match_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                         int32_t tag);
void match_free(struct ork_detector *d, struct op *op);

/* comm.c */
bool comm_init(struct ork_detector *d);
void comm_destroy(struct comm *c);
/* An issue speaks of it: what it was stays known when it is freed. */
void comm_mention(struct ork_detector *d, uint32_t id);
/* NULL: unknown. Valid until the next definition. */
struct comm_ref *comm_ref(struct proc *p, uint32_t local_id);
uint32_t comm_member(const struct comm *c, uint32_t me,
                     uint32_t i); /* process; of MPI_COMM_SELF, `me` is the process */
/* Process that rank `r` means to member `me` of `c` in point-to-point calls; false: no such rank.
 */
bool comm_peer(const struct comm_ref *ref, int32_t r, uint32_t *process);
void comm_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void comm_release(struct proc *p, uint32_t local_id);
void comm_set_name(struct proc *p, const struct ork_record *rec, const uint32_t *list);
struct comm *comm_of_group(struct ork_detector *d, struct proc *p, const struct ork_record *rec,
                           const uint32_t *list, uint32_t *me);
/* Arrive at the next wave of `c`: follow with wave_wait() or a request, then wave_try_complete(),
 * which may free it. NULL: out of memory. */
struct wave *wave_arrive(struct strand *st, struct comm *c, uint32_t me,
                         const struct ork_record *rec);
void wave_wait(struct wave *w, struct strand *st);
void wave_wait_request(struct wave *w, struct request *r);
/* The run completed a request of `p` before the wave was complete: a debt until then. */
void wave_owe(struct proc *p, struct wave *w);
bool wave_is_complete(const struct wave *w);
void wave_try_complete(struct ork_detector *d, struct wave *w);
bool wave_has_arrived(const struct wave *w, uint32_t member);
void wave_wake(struct wave *w); /* let those that wait look again */
void wave_unlink_waiter(struct strand *st);
void wave_unlink_request(struct request *r);
void bridge_arrive(struct strand *st, struct wave *w, const struct comm_ref *ref,
                   const struct ork_record *rec);

bool runs_are_valid(const struct ork_detector *d, const uint32_t *list, uint32_t runs,
                    uint32_t *size);
void runs_expand(const uint32_t *list, uint32_t runs, uint32_t *member);

/* rma.c: calls of the WIN_ kinds */
void rma_enter(struct strand *st);
bool rma_is_over(struct strand *st);
void rma_leave(struct strand *st);
bool rma_relax(struct strand *st);
/* A later record shows that `st`, held in MPI_Win_lock, has its lock. */
void rma_has_lock(struct strand *st);
void rma_release(struct ork_detector *d, struct comm *c); /* the window is gone */
void rma_release_groups(struct proc *p);
/* Whom MPI_Win_start or MPI_Win_wait still waits for, one after the other; *at starts from 0. */
bool rma_next_missing(struct strand *st, uint32_t *at, uint32_t *process);
/* Who has an epoch that excludes the one that MPI_Win_lock asks for; *at starts from NULL. */
bool rma_next_holder(struct strand *st, const struct lock **at, uint32_t *process);

/* lock_order.c */
bool lock_names_exclude(const struct lock_name *a, const struct lock_name *b);
/* `p` got a lock without being let past a strict wait for it. */
void lock_order_got(struct proc *p, const struct lock *got);
void lock_order_forget(struct ork_detector *d, uint32_t comm); /* the window is gone */
void lock_order_destroy(struct ork_detector *d);

/* request.c */
/* The request that rec names, fresh; NULL: it names none (shared, null, impossible). */
struct request *request_new(struct strand *st, const struct ork_record *rec);
struct request *request_find(struct proc *p, uint32_t id);
void request_free(struct strand *st, uint32_t id);
void request_cancel(struct strand *st, uint32_t id);
void request_consume(struct strand *st, uint32_t entry, int32_t source, int32_t tag);
void bag_add(struct proc *p, struct op *op, const struct ork_record *rec);
/* Give a buffered send to its process. */
void buffer_add(struct proc *p, struct op *op);
void buffer_drop(struct proc *p, struct op *op); /* it was matched */
void bag_take(struct proc *p);
void bag_drop(struct proc *p, struct op *op);
void wait_enter(struct strand *st);
bool wait_is_over(struct strand *st);
void wait_leave(struct strand *st);
void wait_apply_exit(struct strand *st);
bool wait_relax(struct strand *st);

/* strand.c */
struct strand *strand_get(struct proc *p, uint16_t thread);
void strand_dispatch(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void strand_wake(struct strand *st);
void strand_part_done(struct strand *st); /* one of `open` is complete */
bool strand_has_moved(const struct strand *st);
bool strand_relax(struct strand *st);
void strand_destroy(struct strand *st);
void run_work(struct ork_detector *d);

/* calls.c */
void call_enter(struct strand *st);
void call_apply_exit(struct strand *st, const struct ork_record *rec, const uint32_t *list);
bool call_is_over(struct strand *st);
void call_leave(struct strand *st);
bool call_relax(struct strand *st);
void call_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);

/* search.c */
/* Does a collective that only waits for its data still wait? */
bool search_is_open_lazily(struct strand *st);
bool search_is_request_open_lazily(struct proc *p, struct request *r);

/* issue.c */
/* NULL: out of memory. */
struct ork_issue *issue_add(struct ork_detector *d, enum ork_issue_kind kind, uint32_t comm,
                            unsigned num_sides);
void issue_add_rank(struct ork_detector *d, struct ork_issue_side *side, uint32_t rank);
void issue_mismatch(struct strand *st, struct wave *w, const struct ork_record *rec);
void issue_rsend(struct ork_detector *d, const struct op *send);
void issue_leaks(struct proc *p);
void issue_lost_messages(struct ork_detector *d);
void issue_destroy(struct ork_detector *d);

/* Out of sense: `text` has static storage. */
void proc_fault(struct proc *p, const char *text);

#endif
