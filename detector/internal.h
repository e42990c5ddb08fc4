/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the detector. Invariants are in docs/explanation/detector.md; names follow it. */
#ifndef ORK_DETECTOR_INTERNAL_H
#define ORK_DETECTOR_INTERNAL_H

#include "detector/detector.h"
#include "detector/state/diary.h"

#include <string.h>

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
    struct queue *q;                  /* sends: exact queue; receives: queue of the pattern */
    struct strand *strand;            /* who started it; OWNER_STRAND: who waits for it */
    union {
        struct op *bag_next;     /* OWNER_BAG, OWNER_BUFFER */
        struct request *request; /* OWNER_REQUEST */
    };
    union {
        struct op *bag_prev;
        struct op *mate; /* EXTRACT: the message it took */
    };
    uint64_t seq;      /* position in the order of postings the detector made */
    uint64_t incoming; /* sends: seq of the sender's latest incoming dependency */
    union {
        uint64_t released;  /* sends: seq of the latest match that let the sender go on */
        uint64_t overtaken; /* receives: seq when one posted later took a message first; 0: never */
    };
    uint64_t bytes;
    uint32_t comm;
    uint32_t site;
    int32_t peer; /* as in the record */
    int32_t tag;
    uint16_t call;
    uint8_t mode;
    uint8_t owner;
    bool is_send;
    bool quiet; /* of the process, when it was posted */
    bool queued;
    bool debt;     /* the run completed it before strict semantics could; paid when it is matched */
    bool observed; /* receive: the run told its source and tag; it takes its send whatever others
                      are undecided */
    bool cancelling;      /* MPI_Cancel was called, the outcome is not known */
    bool overtaken_probe; /* `extract`: a later posted receive took a message first */
    bool extract; /* receive: a matched probe, which takes the message but does not complete the
                     send */
};
_Static_assert(sizeof(struct op) == 2 * 64, "two cache lines");

struct fifo {
    struct op *head, *tail;
};

/* Sends and receives of one pattern. src ORK_ANY_SOURCE, tag ORK_ANY_TAG for patterns with
 * wildcards: exact (src, tag): sends by side links, receives;   channel (src, *): all sends of src
 * in order, receives with ANY_TAG;
 *   (*, tag), (*, *): undecided wildcard receives, and how many sends there are. Those with
 * wildcards are there only if the destination is `wide`. */
struct queue {
    /* the first cache line is all that most matches need */
    uint32_t comm, dst;
    int32_t src, tag;
    struct queue *hash_next;
    struct fifo sends, recvs;
    uint32_t num_sends, num_recvs;
    struct queue *chan, *by_tag, *dest; /* exact, all three or none; channel and (*, tag): dest */
    struct queue *to_next, *to_prev;    /* exact: those of the same destination */
    uint32_t hash;                      /* exact: of its key */
    uint32_t refs;                      /* queues that point here */
    uint32_t num_observed; /* receives that are observed but whose send is not there yet */
    bool is_plain;         /* exact, with none above it */
    bool is_contested;
    bool in_doubt;    /* dest: some of `wild` were posted before that */
    struct fifo wild; /* dest: undecided wildcard receives of every tag, by side links */
    uint64_t passed;  /* but (*, tag): latest posting of an observed receive that was matched */
    uint64_t overtaken_by; /* (*, tag): earlier undecided receives of this tag are marked so */
    struct queue *contested_next, *contested_prev;
    struct queue *contested; /* dest: queues with sends and receives that may not be matched yet */
};

/* Where the exact queue of a message stands, or would. */
struct spot {
    struct queue *q; /* NULL: there is none */
    uint32_t hash;
    uint32_t comm, dst;
    int32_t src, tag;
};

/* Queues by key. */
struct table {
    struct queue **bucket;
    uint32_t buckets, used; /* a power of two, or 0 */
};

/* ---- communicators and waves
 * ---------------------------------------------------------------------------------- */

struct wave {
    struct comm *comm;
    uint32_t index;
    uint32_t arrived;
    uint32_t unsure;         /* arrivals whose calls may still fail */
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
};

struct comm {
    uint32_t id;
    uint32_t shown; /* its own, or of the communicator that it is a part of; see comm_of_starts() */
    uint32_t size;  /* of both groups together */
    uint32_t local; /* members of the first group; == size unless inter */
    uint32_t *member;        /* processes; NULL: member i is process i */
    uint32_t *index;         /* collective calls that member i made; see comm_calls() */
    uint32_t passed;         /* and that all made at once: see arrival.c */
    struct passage *passage; /* the latest of those; NULL: none */
    uint32_t gathered;       /* members found, in resolution number `gathered_in` */
    uint64_t gathered_in;
    bool inter, self, mentioned;
    bool recorded;      /* the history speaks of it */
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
    struct job *world_of;    /* MPI_COMM_WORLD of this job */
    struct job *ends;        /* MPI_Finalize of this job */
    uint32_t *job, num_jobs; /* jobs of the members, if they are several */
    struct comm *link_next;  /* with several jobs */
    bool *met;               /* see meet.c: members that got it */
    struct comm *meet_next;
    int32_t meet_tag; /* of MPI_Intercomm_create */
    bool made_by_child;
};

struct comm_ref {
    struct comm *comm;
    uint32_t me; /* member number of this process */
};

/* A collective call that all members made at once; members learn of it when they act next. */
struct passage {
    uint32_t refs;
    uint64_t number; /* 1.. in the order in which they came; of several that are equal the latest */
    uint64_t seq;
    uint64_t ranks;
    uint32_t num_arrivals;
    struct ork_arrival arrival[];
};

/* Which communicators the ranks of `span` know by the number `local`, as of `definitions`. */
struct party {
    uint32_t local;
    uint64_t definitions; /* 0: not in use */
    uint32_t num_spans, span_cap, num_comms, comm_cap;
    struct ork_span *span;
    struct comm **comm; /* all members of each of them are in the spans */
    uint32_t least;     /* size of the smallest */
};
enum { PARTIES = 16 };

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
    bool assumed;  /* which message it took was decided, not told */
    struct op *op; /* active and not complete: one of these two */
    struct wave *wave;
    struct request *wave_next, *wave_prev;
    struct strand *waiter;
    struct strand *starter; /* of a collective */
    /* the message that a receive took, and where the receive stood, in case it is cancelled */
    struct strand *took_from;
    uint64_t took_seq, recv_seq;
    int32_t took_tag;
    struct comm *starts;    /* persistent collective: see comm_of_starts() */
    uint32_t me;            /* its member */
    struct proc *debtor;    /* not a request: this process completed one before its wave was */
    struct ork_record call; /* that started it; template of a persistent one */
};

/* ---- strands and processes
 * ------------------------------------------------------------------------------------ */

struct slots {
    struct ork_record *slot;
    uint64_t *when; /* place in the order of the records of the process */
    size_t cap, first, count;
};

/* May the strand take the next record from its queue? See turn.c. */
enum turn {
    TURN_NOW,
    TURN_AFTER,  /* another strand has to go first: the program sees to it */
    TURN_NUMBER, /* the same, but only because a number is used again */
};

/* One thread of one process that called MPI. RATIONALE: what nearly every record needs comes first,
 * here and in struct proc: with thousands of ranks each cache line of it has to be fetched. */
struct strand {
    struct proc *proc;
    uint16_t thread;
    bool held;      /* inside `call` */
    bool is_odd;    /* see ODD_INSIDE */
    bool exited;    /* the EXIT record of `call` was applied */
    bool returned;  /* the overlay saw that `call` returned */
    bool confirmed; /* call_confirm() was called */
    bool in_work;
    bool over;     /* the thread has ended: no more records come for it */
    uint32_t open; /* parts not complete */
    bool unknown;  /* nothing is known of what the call waits for: over when the run went on */
    struct op *send, *recv;
    uint64_t released; /* seq of the latest match of its operations */
    struct wave *wave;
    struct strand *work_next;
    struct slots queue;
    struct names *names; /* in the queue; see turn.c */
    uint32_t *list;      /* of `call` */
    uint32_t list_cap;
    enum turn turn; /* not held, records are queued: why */
    struct ork_record call;
    uint32_t *outcome; /* list of the EXIT record, kept for MPI_Waitany and the like */
    uint32_t outcome_cap, outcome_count;
    int32_t found_source,
        found_tag; /* EXIT of a probe or wildcard receive; found_source ORK_NO_PEER: not known */
    uint32_t found_message;
    bool has_assumed;   /* which message some member took was assumed: the outcome will tell */
    bool has_cancelled; /* some member is to be cancelled */
    uint32_t members;   /* MPI_Waitany and the like: active ones */
    uint32_t bag_need;  /* MPI_Waitall: members that are shared handles */
    uint32_t strange;   /* MPI_Wait and the like: handles of no request that is known */
    struct strand *wave_next, *wave_prev;
    struct strand *parked; /* the next one that is not in use */
    struct strand *behind; /* another one has to go first; until when: see turn.c */
    uint64_t until;
    uint32_t made_on; /* number of the communicator of the latest constructor call, MADE_ON_... */
    uint32_t made_at; /* and the index of its wave */
    struct wave *unsure; /* whose arrival by `call` is taken back if the call fails */
    uint32_t unsure_member;
};

/* See history.c. The communicator of a record is its number, `extra` which member the rank is. */
struct history {
    struct diary diary;
    uint32_t passages; /* of those in the log */
    uint64_t begun;    /* which history it is of: see history_of() */
};

/* Why a process cannot pass a wave without being looked at. */
enum {
    ODD_STRANDS = 1 << 0, /* not exactly one, thread 0 */
    ODD_INSIDE = 1 << 1,  /* in a call, or behind the run */
    ODD_PARTIAL = 1 << 2,
    ODD_FAULT = 1 << 3,
    ODD_ENDED = 1 << 4,
};

enum { PROC_TAKEN = 8 };
struct proc {
    struct ork_detector *d;
    uint32_t rank; /* number of this process */
    uint32_t num_strands;
    struct strand *first;  /* strand[0] */
    struct strand *parked; /* of threads that ended, for those that come; see strand_end() */
    const char *fault;
    uint64_t when;     /* events so far that may have to wait in a queue */
    uint64_t passages; /* those up to this one it knows of */
    uint64_t incoming; /* seq of the latest that it may know of others */
    bool is_partial;
    bool is_wide; /* see queue.h */
    bool several; /* it has had more than one thread */
    bool quiet;   /* MPI_Pcontrol(0) */
    bool qualified;
    bool looked;           /* into a window, where others may have put what is not known yet */
    struct comm_ref world; /* comm[ORK_COMM_WORLD] */
    struct comm_ref *comm;
    struct queue *queues; /* exact ones of which it is the destination */
    struct lock *lock;    /* held or asked for, by held_next */
    uint64_t debts;       /* operations with a debt that is not paid */
    /* A message that it found before its send was known: it may know of what is yet to come. */
    struct {
        uint32_t comm, source;
        int32_t tag;
        bool is_one, are_more; /* not received yet; more than one was found so, once */
    } found;
    struct job *job;
    uint32_t num_comms;
    uint32_t probing; /* strands held in a probe */
    struct request **request;
    uint32_t num_requests;
    bool ended;
    bool misled;      /* took a message never sent, or still to be received: it may be anywhere */
    bool assumed;     /* a match of its was decided, not told */
    bool busy;        /* has a thread of its own that may yet call MPI */
    uint64_t resting; /* bit i: thread i, while in no call, waits for the others */
    enum ork_end end;
    enum ork_polling polling;
    struct ork_record poll;
    struct strand **strand;
    uint32_t strand_cap;
    struct op **message; /* messages taken by matched probes, by number: EXTRACT receives */
    uint32_t num_messages;
    struct op *bag; /* operations of the shared handle that are not complete */
    bool bag_doubt; /* one was waited for while another was not complete: which is left? */
    uint32_t bag_size, bag_complete; /* not yet waited for: all of them, and those complete */
    struct ork_record bag_call;
    struct op *buffered; /* buffered sends that are not matched, by bag links */
    struct history history;
    struct win_group *win_group;
    /* bit sets by call site: calls that pass once the run did; of those, in a deadlock that was
     * relaxed */
    uint8_t *lazy_site, *relaxed_site;
    uint32_t lazy_sites, relaxed_sites;
    struct ork_taken taken[PROC_TAKEN]; /* a ring of the last messages that wildcards took */
    uint32_t num_taken;                 /* so far */
    /* a record whose list has not arrived in full */
    struct ork_record partial;
    uint32_t *words;
    uint32_t words_cap, words_have;
    struct ork_record passed; /* the first call that was let pass; kind ORK_KIND_CONT: none */
};

/* The processes of one MPI_COMM_WORLD. */
struct job {
    uint32_t number, first, size;
    uint32_t name; /* 0: none */
    struct proc *proc;
    struct comm *world, *finalize;
    struct wave *end; /* the only wave of finalize */
    bool finalized;   /* it is complete, and so are those of all connected jobs */
    uint32_t spawner; /* a process that spawned it; UINT32_MAX: not known */
    uint32_t spawn_site;
    uint16_t spawn_call;
    uint32_t kept; /* jobs with the same number here are connected whatever is disconnected */
    bool marked;
};

struct pool {
    void *free;
    void *blocks;
    size_t size;
    uint64_t used;
};

struct ork_detector {
    uint32_t nprocs;
    bool failed; /* out of memory: nothing may be concluded any more */
    bool aborted;
    struct ork_model model;
    struct proc **proc;
    struct job **job;
    uint32_t num_jobs;
    struct comm *link;    /* communicators across jobs */
    struct comm *meeting; /* see meet.c, oldest first */
    uint64_t num_meetings;
    bool finalized; /* all jobs are */
    struct pool ops, queues, waves, requests, bridges;
    struct pool pairs, locks;
    struct pair **pair_hash;
    struct lock_order *lock_order;
    uint32_t num_lock_orders;
    struct table exact, above; /* queues without wildcards, and with */
    uint32_t queue_limit;
    struct comm **comm; /* by number */
    uint32_t num_comms, comm_cap;
    struct comm **comm_hash;
    uint32_t comm_buckets;
    struct bridge *bridge;
    uint64_t history_records, history_limit;
    bool history_full, history_has_wildcards;
    bool history_lacks_wildcards; /* some were not kept */
    uint64_t history_begun;
    struct passage **log; /* since the history began */
    uint32_t num_logged, log_cap;
    uint64_t passages;
    uint32_t passage_numbers; /* communicators of which there were some have lower numbers */
    uint64_t definitions;     /* changes whenever a number gets another meaning */
    uint64_t resolutions;
    struct party party[PARTIES];
    uint32_t next_party;
    struct passage *latest; /* NULL: none, or not known of which party */
    struct party *latest_party;
    struct ork_span *span; /* scratch */
    uint32_t span_cap;
    uint8_t *odd; /* of each process, ODD_.. */
    uint32_t num_odd;
    uint64_t seq;
    struct strand *work_head, *work_tail;
    struct ork_counts counts;
    struct ork_issue *issue;
    uint32_t num_issues, issue_cap;
};

/* pool.c */
/* Zeroed, and at the begin of a cache line. NULL: out of memory. */
void *lines_alloc(size_t count, size_t size);
void pool_init(struct pool *pool, size_t size);
void pool_release(struct pool *pool);
void *pool_get(struct ork_detector *d, struct pool *pool); /* zeroed; NULL sets d->failed */
void pool_put(struct pool *pool, void *object);
/* The same, but not zeroed. */
static inline void *pool_take(struct ork_detector *d, struct pool *pool)
{
    void *object = pool->free;

    if (object == NULL)
        return pool_get(d, pool);
    pool->free = *(void **)object;
    pool->used++;
    return object;
}
/* Grow *array of `size`-byte elements to at least `want`, zeroed behind; false sets d->failed. */
bool grow(struct ork_detector *d, void *array, uint32_t *cap, uint32_t want, size_t size);

/* owner.c */
/* NULL: an operation that was complete at once. */
void bag_add(struct proc *p, struct op *op, const struct ork_record *rec);
/* It is complete, or counts as complete. */
void bag_unlink(struct proc *p, struct op *op);
/* Give a buffered send to its process. */
void buffer_add(struct proc *p, struct op *op);
/* Tell whoever waits for the operation that it is complete. */
void op_tell_owner(struct op *op);

/* ready_list.c */
void ready_add(struct strand *st);
/* NULL: there is none. */
struct strand *ready_take(struct ork_detector *d);
void strand_wake(struct strand *st);      /* let it look again, if it is held */
void strand_part_done(struct strand *st); /* one of `open` is complete */

/* match.c */
/* Fill *spot; it is valid until the next posting. False: out of memory. */
bool match_look(struct ork_detector *d, const struct comm *c, uint32_t src, uint32_t dst,
                int32_t tag, struct spot *spot);
/* NULL: out of memory. */
struct op *match_post_send(struct strand *st, struct spot *spot, const struct ork_record *rec);
struct op *match_post_recv(struct strand *st, struct spot *spot, const struct ork_record *rec);
/* With a wildcard. */
struct op *match_post_any(struct strand *st, const struct comm *c, int32_t src, int32_t tag,
                          const struct ork_record *rec);
/* Match what the posting of `op` made possible. Completes operations, their owners included: set
 * the owner before. */
void match_resolve(struct ork_detector *d, struct op *op); /* op may be gone afterwards */
/* The send that a receive would take for sure, if it was posted now; NULL: none. */
struct op *match_sender(const struct spot *spot);
/* A receive of `st`, to be told of by `request` (NULL: by nobody), takes that send. */
void match_receive(struct strand *st, struct op *s, struct request *request);
/* The same for a send, but for MPI_Rsend. */
struct op *match_receiver(const struct spot *spot);
void match_send(struct strand *st, struct op *r, const struct ork_record *rec);
/* The run told that receive `op` took a message of (src, tag). */
void match_observe(struct ork_detector *d, struct op *op, int32_t src, int32_t tag);
/* Take `op` out of matching and free it. */
void match_withdraw(struct ork_detector *d, struct op *op);
/* A receive that was assumed to have taken one message took one of (src, tag): let them change
 * places. */
void match_correct(struct ork_detector *d, struct strand *st, const struct comm *c,
                   struct request *request, int32_t src, int32_t tag);
/* MPI_Cancel of an operation that is not matched. */
void match_cancel(struct op *op);
/* MPI_Cancel of a receive that was matched: whether it really was is open again. The sender goes on
 * as if. */
void match_reopen(struct ork_detector *d, struct strand *st, const struct comm *c,
                  struct request *request);
/* MPI_Cancel came to nothing: the receive matches as any other. */
void match_uncancel(struct ork_detector *d, struct op *op);
/* The run completed `op`, a receive from one source with one tag: it has its message, whatever else
 * may take it. */
void match_confirm(struct ork_detector *d, struct op *op);
/* Let go of `op`: nobody waits for it any more, but it stays in matching. */
void match_detach(struct op *op);
/* The same, because the run went past it. */
void match_owe(struct op *op);
/* Is there an unmatched partner for op that may be taken, whatever the order? */
bool match_is_possible(const struct op *op);
/* Has `op` no message of those that are there, since earlier receives of its thread, that can have
 * no others, take them all? It has one only if a further message comes: from its own source, or
 * (*by_any) one that an earlier receive takes, from anybody. */
bool match_is_forestalled(const struct op *op, bool *by_any);
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
void match_free(struct ork_detector *d, struct op *op);
/* Every rank is in MPI_Finalize: what is still unmatched stays so. Not where a wildcard receive may
 * have taken it. */
void match_report_lost(struct ork_detector *d);

/* knowledge.c */
/* `p` may know of everything so far. */
void knowledge_until_now(struct proc *p);
/* `p` has gone through a collective of `c` that was complete at `seq`. */
void knowledge_gathered(struct proc *p, const struct comm *c, uint64_t seq);
/* `p` has the message of `s`. */
void knowledge_received(struct proc *p, const struct op *s);
/* A probe of `p` that does not wait found a message. is_there: its send is known. */
void knowledge_found(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                     bool is_there);
/* Seq of the latest that `p` may know of when it asks for a lock, or sends; UINT64_MAX: cannot be
 * told. */
uint64_t knowledge_at_lock(const struct proc *p);
uint64_t knowledge_at_send(const struct proc *p);

/* job.c */
/* A job of `size` processes behind those there are. False: out of memory. */
bool job_add(struct ork_detector *d, uint32_t size);
void job_destroy(struct job *job);
/* Groups in the list of a record of `p` become groups of processes. */
void job_translate(const struct proc *p, struct ork_record *rec, uint32_t *list);
/* The members of `c` are connected from now on; until unlinked, if that `severs`. */
bool job_link(struct ork_detector *d, struct comm *c);
/* True: they were by it, so others may leave MPI_Finalize. */
bool job_unlink(struct ork_detector *d, struct comm *c, bool severs);
/* Mark the jobs that are connected with this one, itself included. */
void job_mark_connected(struct ork_detector *d, struct job *job);
/* A process entered MPI_Finalize, or was severed: let those go that may. */
void job_try_finalize(struct ork_detector *d);

/* meet.c */
bool is_meeting(unsigned coll);
/* COMM_DEF of what spawn, accept, connect or join returned. */
void meet_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void meet_forget(struct ork_detector *d, struct comm *c);

/* comm.c */
struct comm *comm_new(struct ork_detector *d, const uint64_t key[3], uint32_t size, uint32_t local,
                      uint32_t *member);
/* What a COMM_DEF record says of the group. */
struct layout {
    uint32_t size, local, me;
    bool inter,
        swapped; /* swapped: the first group of the list is the second of the communicator */
};
bool layout_of(struct proc *p, const struct ork_record *rec, const uint32_t *list,
               struct layout *l);
uint32_t *layout_members(struct ork_detector *d, const struct ork_record *rec, const uint32_t *list,
                         const struct layout *l);
void comm_set_ref(struct proc *p, uint32_t id, struct comm *c, uint32_t me);
void comm_describe(struct comm *c, const struct strand *st, const struct ork_record *rec,
                   const struct comm_ref *parent);
void comm_destroy(struct comm *c);
/* NULL: there is none with this identity. */
struct comm *comm_find(const struct ork_detector *d, const uint64_t key[3]);
/* A communicator with the group of `parent`. NULL: out of memory. */
struct comm *comm_same_group(struct strand *st, const uint64_t key[3],
                             const struct comm_ref *parent);
/* Nobody makes it again. */
void comm_unhash(struct ork_detector *d, const struct comm *c);
/* Nobody has it any more: free what nobody asks for. */
void comm_discard(struct ork_detector *d, struct comm *c);
/* An issue speaks of it: what it was stays known when it is freed. */
void comm_mention(struct ork_detector *d, uint32_t id);
/* NULL: unknown. Valid until the next definition. */
static inline struct comm_ref *comm_ref(struct proc *p, uint32_t local_id)
{
    if (local_id == ORK_COMM_WORLD)
        return &p->world;
    return local_id < p->num_comms && p->comm[local_id].comm != NULL ? &p->comm[local_id] : NULL;
}
uint32_t comm_member(const struct comm *c, uint32_t me,
                     uint32_t i); /* process; of MPI_COMM_SELF, `me` is the process */
/* Process that rank `r` means to member `me` of `c` in point-to-point calls; false: no such rank.
 */
bool comm_peer(const struct comm_ref *ref, int32_t r, uint32_t *process);
void comm_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* `coll` is the call that frees it. */
void comm_release(struct proc *p, uint32_t local_id, unsigned coll);
/* The starts of a persistent collective, which was made as number `index` on `ref`, are waves in an
 * order of their own. NULL: out of memory. */
struct comm *comm_of_starts(struct strand *st, const struct comm_ref *ref, uint32_t index);
/* A member will start it no more. */
void comm_drop(struct ork_detector *d, struct comm *c, unsigned coll);
void comm_set_name(struct proc *p, const struct ork_record *rec, const uint32_t *list);
/* MPI_Comm_create_group: the caller is not in the group. */
bool comm_is_outside(const struct proc *p, const struct ork_record *rec, const uint32_t *list);
struct comm *comm_of_group(struct ork_detector *d, struct proc *p, const struct ork_record *rec,
                           const uint32_t *list, uint32_t *me);
/* Arrive at the next wave of `c`: follow with wave_wait() or a request, then wave_try_complete(),
 * which may free it. NULL: out of memory. */
struct wave *wave_arrive(struct strand *st, struct comm *c, uint32_t me,
                         const struct ork_record *rec);
/* The call by which `st` arrived and that might have failed was made: complete what now is. */
void wave_confirm(struct strand *st);
/* It failed: `st` has not arrived. */
void wave_retract(struct strand *st);
void wave_wait(struct wave *w, struct strand *st);
void wave_wait_request(struct wave *w, struct request *r);
/* The run completed a request of `p` before the wave was complete: a debt until then. */
void wave_owe(struct proc *p, struct wave *w);
bool wave_is_complete(const struct wave *w);
/* MPI_Intercomm_create: the wave of the other group, once both leaders have entered; NULL: not yet,
 * or it is complete. */
struct wave *wave_opposite(const struct wave *w);
void wave_try_complete(struct ork_detector *d, struct wave *w);
/* Let go who waits for it. */
void wave_tell(struct ork_detector *d, struct wave *w);
/* Wave number `index` of `c`, to come or under way. NULL: out of memory. */
struct wave *wave_at(struct ork_detector *d, struct comm *c, uint32_t index);
/* NULL: none is under way. */
struct wave *wave_oldest(const struct comm *c);
void wave_drop_oldest(struct comm *c);
bool wave_has_arrived(const struct wave *w, uint32_t member);
void wave_wake(struct wave *w); /* let those that wait look again */
void wave_unlink_waiter(struct strand *st);
void wave_unlink_request(struct request *r);
/* What the call of member `me` must wait for in every implementation, because it needs the data
 * (or, a barrier, the presence). */
enum wave_needs { WAVE_NEEDS_NOTHING, WAVE_NEEDS_ALL, WAVE_NEEDS_ROOT, WAVE_NEEDS_LOWER };
enum wave_needs wave_needs(const struct wave *w, uint32_t me, const struct ork_record *call);
/* Does the call by which `p` arrived still wait for that? */
bool wave_lacks_data(const struct proc *p, const struct wave *w, const struct ork_record *call);
/* The member that `process` is; false: it is none. */
bool wave_member(const struct wave *w, uint32_t process, uint32_t *member);
/* Members that a wave needs: of MPI_COMM_SELF each process is alone. */
static inline uint32_t wave_size(const struct wave *w)
{
    return w->comm->self ? 1 : w->comm->size;
}
/* Have both leaders of an MPI_Intercomm_create entered? */
static inline bool wave_is_joined(const struct wave *w)
{
    return w->bridge != NULL && w->bridge->entered[0] && w->bridge->entered[1];
}
void bridge_arrive(struct strand *st, struct wave *w, const struct comm_ref *ref,
                   const struct ork_record *rec);

bool runs_are_valid(const struct ork_detector *d, const uint32_t *list, uint32_t runs,
                    uint32_t *size);
void runs_expand(const uint32_t *list, uint32_t runs, uint32_t *member);

/* rma.c: calls of the WIN_ kinds */
void rma_enter(struct strand *st);
bool rma_is_over(struct strand *st);
void rma_leave(struct strand *st);
void rma_undo(struct strand *st); /* the call failed */
bool rma_relax(struct strand *st);
/* A later record shows that `st`, held in MPI_Win_lock, has its lock. */
void rma_has_lock(struct strand *st);
void rma_release(struct ork_detector *d, struct comm *c); /* the window is gone */
void rma_release_groups(struct proc *p);
/* Whom MPI_Win_start or MPI_Win_wait still waits for, one after the other; *at starts from 0. */
bool rma_next_missing(struct strand *st, uint32_t *at, uint32_t *process);
/* Who has an epoch that excludes the one that MPI_Win_lock asks for; *at starts from NULL. */
bool rma_next_holder(struct strand *st, const struct lock **at, uint32_t *process);

/* The continuation that begins a list of which `left` words are left. */
static inline struct ork_record cont_of(const uint32_t *list, uint32_t left)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT};
    struct ork_record raw;

    cont.words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS);
    memcpy(cont.word, list, cont.words * sizeof(*list));
    memcpy(&raw, &cont, sizeof(raw));
    return raw;
}

/* NULL: there is none in use. */
static inline struct request *request_find(struct proc *p, uint32_t id)
{
    struct request *r = id < p->num_requests ? p->request[id] : NULL;

    return r != NULL && r->in_use ? r : NULL;
}

/* history.c */
void history_append(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* A call that strict semantics has reached, or its outcome. */
static inline void history_add(struct strand *st, const struct ork_record *rec,
                               const uint32_t *list)
{
    const struct ork_detector *d = st->proc->d;

    if (!d->history_full || (d->history_limit > 0 && !d->history_lacks_wildcards))
        history_append(st, rec, list);
}
void history_at_wave(struct ork_detector *d, const struct wave *w);
/* That of `p` up to now. */
struct history *history_of(struct proc *p);
/* May so many processes pass a wave at once? */
bool history_has_room(const struct ork_detector *d, uint64_t ranks);
/* They did, and it is the call of one communicator, or (NULL) of several. False: out of memory. */
bool history_pass(struct ork_detector *d, struct passage *g, const struct comm *c);
void history_destroy(struct ork_detector *d);

/* arrival.c */
/* Before `p` acts or is looked at. */
void passage_learn(struct proc *p);
/* The call that `rank` made then; NULL: none. */
const struct ork_record *passage_call(const struct passage *g, uint32_t rank);
void passage_put(struct passage *g); /* NULL is allowed */
void arrivals_destroy(struct ork_detector *d);
/* Let these pass at once, if they may; else (*passed false) each is to be fed by itself.
 * ORK_INVALID, ORK_NOMEM. */
enum ork_status arrivals_pass(struct ork_detector *d, const struct ork_arrival *arrival, uint32_t n,
                              bool *passed);

/* Behind its last rank. */
static inline uint64_t span_end(const struct ork_span *s)
{
    return (uint64_t)s->first + s->count;
}

static inline void passage_look(struct proc *p)
{
    if (p->passages != p->d->passages)
        passage_learn(p);
}

static inline void proc_set_odd(struct proc *p, unsigned why, bool is_odd)
{
    uint8_t *odd = &p->d->odd[p->rank];

    p->d->num_odd -= *odd != 0;
    *odd = (uint8_t)(is_odd ? *odd | why : *odd & ~why);
    p->d->num_odd += *odd != 0;
}

/* Collective calls that member `i` made. */
static inline uint32_t comm_calls(const struct comm *c, uint32_t i)
{
    return c->index[i] + c->passed;
}

/* lock_order.c */
bool lock_names_exclude(const struct lock_name *a, const struct lock_name *b);
/* `p` got a lock without being let past a strict wait for it. */
void lock_order_got(struct proc *p, const struct lock *got);
void lock_order_forget(struct ork_detector *d, uint32_t comm); /* the window is gone */
void lock_order_destroy(struct ork_detector *d);

/* request.c */
/* The request that rec names, fresh; NULL: it names none (shared, null, impossible). */
struct request *request_new(struct strand *st, const struct ork_record *rec);
void request_free(struct strand *st, uint32_t id);
void request_cancel(struct strand *st, uint32_t id);
void request_consume(struct strand *st, uint32_t entry, int32_t source, int32_t tag);
/* The library has completed it, the application has not yet waited for it. */
void request_early(struct strand *st, const struct ork_record *rec);
void bag_take(struct proc *p);
void wait_enter(struct strand *st);
bool wait_is_over(struct strand *st);
void wait_leave(struct strand *st);
void wait_apply_exit(struct strand *st);
void wait_confirm(struct strand *st);
bool wait_relax(struct strand *st);
bool wait_let_go(struct strand *st);

/* turn.c: the events of each queue, as they come and go; and whose turn it is. */
void turn_queued(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void turn_taken(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* May the front of the queue be taken? Sets st->turn. */
void turn_look(struct strand *st);
/* `behind` went on: is it worth a look? */
bool turn_may_have_come(const struct strand *st, const struct strand *behind);

/* strand.c */
/* NULL: there is none that lives. */
struct strand *strand_find_live(const struct proc *p, uint16_t thread);
/* It has come to its end. */
void strand_park(struct strand *st);
struct strand *strand_find(struct proc *p, uint16_t thread);
/* NULL: out of memory. */
static inline struct strand *strand_get(struct proc *p, uint16_t thread)
{
    return p->first != NULL && p->first->thread == thread && !p->first->over
               ? p->first
               : strand_find(p, thread);
}
void strand_dispatch(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* How many of these records do nothing but wait in its queue: they are there now. */
size_t strand_queue_run(struct strand *st, const struct ork_record *record, size_t n);
bool strand_has_moved(const struct strand *st);
bool strand_relax(struct strand *st, bool is_deadlocked);
void strand_destroy(struct strand *st);
/* `thread` has ended; its number may be that of another one from now on. RATIONALE: a strand may be
 * behind the run, so it goes when it has come to its end. What it started may outlive it and names
 * it, so its memory stays with the process, for the next thread. */
void strand_end(struct proc *p, uint16_t thread);
/* ---- warm.c ---- */

enum { WARM_RECORDS = 8 };

/* What of a batch of records was looked up already. */
struct warm {
    bool on;
    size_t places, queues; /* of that many records */
    uint32_t place[WARM_RECORDS][2];
};

void warm_begin(struct warm *warm, struct proc *p);
/* Before record `i` of `n` is taken. */
void warm_ahead(struct warm *warm, struct proc *p, const struct ork_record *record, size_t i,
                size_t n);

/* Before `st` takes the front of its queue. */
void warm_front(struct strand *st);
/* `st` will go on soon. */
void warm_next(struct strand *st);

void run_work(struct ork_detector *d);

/* calls.c */
void call_enter(struct strand *st);
void call_apply_exit(struct strand *st, const struct ork_record *rec, const uint32_t *list);
bool call_is_over(struct strand *st);
bool call_destroys(unsigned coll); /* MPI_Comm_free and its like */
/* Does a COLL record on `c` count in its order? */
bool call_arrives(const struct comm *c, const struct ork_record *rec);
void call_leave(struct strand *st);
bool call_relax(struct strand *st);
bool call_let_go(struct strand *st);
void call_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);

/* fail.c: EXIT with an error, of the call in which `st` is held, or that it has left. */
void fail_inside(struct strand *st, const struct ork_record *rec);
void fail_after(struct strand *st, const struct ork_record *rec);

bool call_never_waits(const struct ork_detector *d, unsigned coll);
void call_confirm(struct strand *st); /* the run went past the call, in which `st` is still held */

/* search.c */
/* Is there nothing known that may complete the call of `st`? */
bool search_is_open(struct strand *st);
/* Has it stopped acting, whatever it is held in? */
bool search_is_gone(const struct proc *p);
/* The thread of which ork_detector_rank() tells; NULL: there is none. */
struct strand *search_shown(const struct proc *p);

/* issue.c */
/* NULL: out of memory. */
struct ork_issue *issue_add(struct ork_detector *d, enum ork_issue_kind kind, uint32_t comm,
                            unsigned num_sides);
void issue_add_rank(struct ork_detector *d, struct ork_issue_side *side, uint32_t rank);
void issue_mismatch(struct strand *st, struct wave *w, const struct ork_record *rec);
/* Some call of the mismatch of `w` was not made; the others are compared anew. */
void issue_withdraw(struct ork_detector *d, struct wave *w);
void issue_rsend(struct ork_detector *d, const struct op *send);
void issue_leaks(struct proc *p);
/* Nobody received it before MPI_Finalize. */
void issue_lost_message(struct ork_detector *d, const struct op *send);
void issue_destroy(struct ork_detector *d);

/* Out of sense: `text` has static storage. */
void proc_fault(struct proc *p, const char *text);

#endif
