/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes, which the public interface calls ranks. */
#ifndef ORK_DETECTOR_PROC_H
#define ORK_DETECTOR_PROC_H

#include "detector/detector.h"
#include "detector/issues.h"
#include "detector/state/call_places.h"
#include "detector/state/comm.h"
#include "detector/state/record_log.h"
#include "detector/state/request.h"
#include "detector/state/thread.h"

struct job;
struct lock;
struct op;
struct ork_detector;
struct pattern_users;
struct queue;
struct win_group;

/* Records that post again what is pending at a moment: see history/pending.c. */
struct pending {
    struct ork_record *record;
    uint32_t count, cap;
};

/* See history/history.c. `comm` of a record is the detector's number, `extra` the member number of
 * the rank. */
struct history {
    struct record_log record_log;
    uint32_t bulk_waves;    /* number of those in the log that are included */
    uint64_t begun;         /* the history that it belongs to: see ork_history_of() */
    struct pending before;  /* the first record of the log */
    struct pending at_mark; /* before record `mark` of the log */
    uint32_t mark;
};

/* The histories of all processes. */
struct histories {
    uint64_t records, limit;
    bool full, has_wildcards;
    bool lacks_wildcards; /* some receives with wildcards were not stored */
    bool has_news;        /* since it was searched */
    bool rests;           /* full; it begins again as soon as a record comes */
    bool wants_mark;      /* as soon as records can tell what is pending */
    bool is_paused;       /* see ork_detector_pause_history() */
    uint64_t begun;
    uint64_t news_at;       /* `records` when the latest new one came */
    uint64_t mark_at;       /* the same at the mark; 0: there is none */
    uint64_t look_at;       /* number of calls at the next try to set the mark */
    struct bulk_wave **log; /* since the history began */
    uint32_t num_logged, log_cap;
};

/* Reasons why a process cannot pass a wave in bulk. */
enum {
    BULK_THREADS = 1 << 0, /* not exactly one, thread 0 */
    BULK_IN_CALL = 1 << 1, /* in a call, or lagging behind the run */
    BULK_PARTIAL = 1 << 2,
    BULK_FAULT = 1 << 3,
    BULK_ENDED = 1 << 4,
    BULK_OPEN = 1 << 5,
};

/* See calls/message_names.h. */
struct message_name {
    uint32_t id, number; /* in the records of the run, and in the analysis */
    uint32_t instance;   /* of the thread that probed it */
};
struct early_receive {
    struct ork_record rec;
    struct mpi_thread *thread;
};
struct message_names {
    struct message_name
        *name; /* not received yet, by the records that have arrived; oldest first */
    uint32_t count, cap;
    struct early_receive *early; /* received by a thread that is ahead of the probe */
    uint32_t num_early, early_cap;
    bool *is_used; /* by number */
    uint32_t num_used;
};

/* See calls/request_names.h. */
struct request_names {
    uint32_t *number; /* of the requests of the records that have arrived, by their number there */
    bool *is_taken;   /* by a request that the analysis has not reached */
    uint32_t *maker;  /* instance of the thread that made the latest request with this number */
    uint32_t num_numbers, num_taken, num_makers;
    uint32_t latest; /* number that was not that of the records */
};

/* A send to MPI_PROC_NULL. */
struct null_send {
    struct ork_term term;
    uint64_t seq; /* of the latest operation before it */
    uint64_t bytes;
    uint32_t type;
};

enum { PROC_TAKEN = ORK_TAKEN_MAX, PROC_NULL_SENDS = 4 };
struct proc {
    struct ork_detector *d;
    uint32_t rank; /* number of this process */
    uint32_t num_threads;
    struct mpi_thread *first;  /* thread[0] */
    struct mpi_thread *parked; /* of ended threads, for new ones; see ork_thread_end() */
    const char *fault;
    struct proc *next_faulty; /* whose records were seen to be invalid after those of this one */
    uint64_t when;            /* number of events so far that may have to wait in a queue */
    uint64_t bulk_waves;      /* it knows the bulk waves up to this one */
    uint64_t seen_up_to;      /* seq of the latest event that it may know of others */
    bool is_partial;
    bool may_overlap;          /* see match/queue.h */
    bool several;              /* it has had more than one thread */
    bool several_may_call;     /* by the level that MPI_Init_thread has returned */
    bool is_of_several;        /* see check/pattern_users.c */
    bool has_doubts;           /* of what was reported of messages with doubted_tag */
    int32_t doubted_tag;       /* ORK_ANY_TAG: with any */
    bool are_patterns_unknown; /* of some messages: it is unknown which threads have them */
    bool quiet;                /* MPI_Pcontrol(0) */
    bool depends_on_buffering;
    bool window_inspected;       /* it may have read data that others put into a window */
    struct comm_ref world;       /* comm[ORK_COMM_WORLD] */
    struct ork_number_map comms; /* by the numbers of the process: struct comm_ref */
    uint32_t comm_numbers;       /* all are lower */
    struct queue *queues;        /* exact ones whose destination it is */
    struct lock *lock;           /* held or requested, by held_next */
    uint64_t num_unconfirmed;    /* unconfirmed operations */
    /* A message that a probe found before its send was known: the process may know later events. */
    struct {
        uint32_t comm, source;
        int32_t tag;
        bool is_one, are_more; /* not received yet; more than one was found this way */
    } found;
    struct job *job;
    uint32_t num_in_probe; /* threads held in a probe */
    struct request **request;
    uint32_t num_requests;
    bool ended;
    bool is_open;     /* it has called a function without a hook: no later record counts */
    bool state_lost;  /* an error undid a match, or its actions are unknown: it may be anywhere */
    bool assumed;     /* one of its matches was assumed, not observed */
    bool busy;        /* has a thread that has not called MPI but may still do so */
    bool stuck;       /* see ork_detector_set_stuck() */
    uint64_t resting; /* bit i: thread i, while in no call, waits for other threads */
    enum ork_end end;
    enum ork_polling polling;
    struct ork_record poll;
    struct mpi_thread **thread;
    uint32_t thread_cap;
    uint32_t num_instances; /* threads so far, with those that have ended */
    struct pattern_users *pattern_users;
    struct op **message; /* messages taken by matched probes, by number: the receives of these
                          * probes */
    uint32_t num_messages;
    struct message_names message_names;
    struct request_names request_names;
    struct op *shared;    /* operations of the shared handle that are not complete */
    bool shared_in_doubt; /* one was waited for while another was open: it is unknown which */
    uint32_t shared_count, shared_complete; /* not yet waited for: all, and the complete ones; */
    uint32_t shared_dropped; /* so many of them were tested or freed, but it is unknown which */
    struct ork_record *shared_made; /* calls that made those which are left: the first one at each
                                     * place, see ork_shared_add() */
    uint32_t num_shared_made, shared_made_cap;
    struct op *buffered; /* buffered sends that are not matched, by owner links */
    struct history history;
    struct win_group *win_group;
    /* bit sets by call site: calls that are relaxed as soon as the run has returned from them, and
     * those of them that were relaxed in a deadlock */
    uint8_t *permissive_site, *relaxed_site;
    uint32_t permissive_sites, relaxed_sites;
    struct ork_taken taken[PROC_TAKEN]; /* ring of the latest messages that wildcards took */
    uint32_t num_taken;                 /* number of messages so far */
    struct call_places places;
    struct null_send null_send[PROC_NULL_SENDS]; /* ring of the latest ones */
    uint32_t num_null_sends;                     /* so far */
    /* a record whose list is not complete yet */
    struct ork_record partial;
    uint32_t *words;
    uint32_t words_cap, words_have;
    struct ork_record half_null; /* see ork_detector_half_null(); kind ORK_KIND_CONT: none */
    struct ork_record passed;    /* the first call that was relaxed; kind ORK_KIND_CONT: none */
};

/* Mark the records of `p` as invalid; `text` has static storage. */
void ork_proc_fault(struct proc *p, const char *text);
/* NULL: unknown. Valid until the process defines or frees one. */
static inline struct comm_ref *ork_comm_ref(struct proc *p, uint32_t local_id)
{
    if (local_id == ORK_COMM_WORLD)
        return &p->world;
    return ork_number_map_find(&p->comms, local_id, sizeof(struct comm_ref));
}
/* NULL: not in use. */
static inline struct request *ork_request_find(struct proc *p, uint32_t id)
{
    struct request *r = id < p->num_requests ? p->request[id] : NULL;

    return r != NULL && r->in_use ? r : NULL;
}
/* As ork_thread_find(). */
static inline struct mpi_thread *ork_thread_get(struct proc *p, uint16_t thread)
{
    return p->first != NULL && p->first->thread == thread && !p->first->over
               ? p->first
               : ork_thread_find(p, thread);
}

#endif
