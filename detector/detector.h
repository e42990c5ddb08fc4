/* SPDX-License-Identifier: BSD-3-Clause */
/* The detector turns call records of all ranks into wait states and deadlocks. Pure: no MPI, no
 * I/O, no clock, no threads, no globals.
 *
 * It follows each rank through its records under strict semantics: a standard send completes when
 * it is matched, a collective when every participant has entered (MPI-3.1 sections 3.4 and 5.1
 * allow both). Matching costs O(1) a send or receive, completion O(1) a request, collectives O(1) a
 * call. A deadlock found at any prefix of the ranks' records is a real deadlock under strict
 * semantics: see docs/explanation/detector.md for the invariants. Errors that it finds on its way
 * are in issues.h. */
#ifndef ORK_DETECTOR_H
#define ORK_DETECTOR_H

#include "common/status.h"
#include "common/words.h"
#include "detector/interleave/interleave.h"
#include "record/group_record.h"
#include "wfg/wfg.h"

#include <stdbool.h>

struct ork_detector;

/* Create a detector for `nprocs` ranks of one MPI_COMM_WORLD. Processes of further jobs are
 * numbered after them; a rank in this interface always means that number. The caller owns *out.
 * ORK_NOMEM, ORK_INVALID (no ranks). */
enum ork_status ork_detector_create(uint32_t nprocs, struct ork_detector **out);
/* What a program may rely on. All zero is strict: every standard send may block, and every
 * collective synchronises except MPI_Comm_free, which MPI-3.1 section 6.4.3 expects to be local in
 * effect. */
struct ork_model {
    bool buffered;          /* standard sends of at most `eager_bytes` complete when they start */
    uint64_t eager_bytes;   /* UINT64_MAX: no limit */
    bool dataflow;          /* collectives wait only for the data they need */
    bool free_synchronises; /* MPI_Comm_free also waits for all members */
};
/* To be called before the first record. */
void ork_detector_set_model(struct ork_detector *d, const struct ork_model *model);

/* Add a job: processes `first` and up, with an MPI_COMM_WORLD of their own. Records of other jobs
 * call it `name` (see ORK_KIND_JOB; 0: no name). `first` must be the number of processes so far. A
 * job that exists is left as it is; job 0 only gets its name. ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_detector_add_job(struct ork_detector *d, uint32_t first, uint32_t size,
                                     uint32_t name);

struct ork_job_view {
    uint32_t first, size;
    bool spawned; /* by this call: */
    uint32_t rank, site;
    uint16_t call;
};
uint32_t ork_detector_num_jobs(const struct ork_detector *d);
/* Has a communicator processes of other jobs of which it is not known which ones they are? Calls on
 * it are not analysed. */
bool ork_detector_has_foreign(const struct ork_detector *d);
struct ork_job_view ork_detector_job(const struct ork_detector *d, uint32_t job);

/* NULL is allowed. */
void ork_detector_destroy(struct ork_detector *d);

/* Feed the next `n` records of `rank`, in the order they were written; the batch may end between a
 * record and its continuation. Records are untrusted: from invalid records on, nothing is known
 * about their rank (see ork_detector_fault()), and the analysis of the other ranks continues.
 * ORK_NOMEM: the detector is unusable from now on and returns ORK_NOMEM from every call. */
enum ork_status ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                  const struct ork_record *record, size_t n);

/* Equivalent to ork_detector_feed() of group_record[i].call to each rank of its spans, for each i
 * in order. It takes O(n + spans + communicators) if the ranks together are all members of one or
 * more communicators, none of them waits, and they make the same blocking collective call. Any
 * other record is fed to each rank. ORK_INVALID, and nothing is fed: a rank out of range, an empty
 * span, spans not in order, a rank named twice. ORK_NOMEM. */
enum ork_status ork_detector_feed_bulk(struct ork_detector *d,
                                       const struct ork_group_record *group_record, uint32_t n);

/* How a rank's stream ended. */
enum ork_end {
    ORK_END_FINISHED, /* left MPI_Finalize, or never entered MPI_Init */
    ORK_END_EXITED,   /* ended by itself without MPI_Finalize: it will never act again */
    ORK_END_KILLED,   /* ended from outside during any action: it counts as still present */
    ORK_END_FAILED,   /* ended by a failed call: it counts as running */
};
/* To be called after the rank's last record. */
enum ork_status ork_detector_end(struct ork_detector *d, uint32_t rank, enum ork_end how);

/* Further actions of `rank` will be unknown: it may do anything. */
enum ork_status ork_detector_lose(struct ork_detector *d, uint32_t rank);

/* The latest call of a rank that was fed, of one of its threads if it has several; NULL: none.
 * Valid until the next call that is not const. */
const struct ork_record *ork_detector_latest_call(const struct ork_detector *d, uint32_t rank);

/* `thread` of `rank` has returned from the call it was last in, although no record shows it. */
enum ork_status ork_detector_returned(struct ork_detector *d, uint32_t rank, uint32_t thread);

/* While `busy` is true, some thread of `rank` that has not called MPI may still call it: the rank
 * may act even if all its known threads wait. */
enum ork_status ork_detector_set_busy(struct ork_detector *d, uint32_t rank, bool busy);
bool ork_detector_is_busy(const struct ork_detector *d, uint32_t rank);

/* The threads of `rank` in `threads` (bit i: thread i) that are in no call wait for other threads
 * of the rank, or have ended. If some of the other threads are in a call, only these count. No
 * record shows this, and only another call of this function ends it: the caller has to check its
 * consequences against the run. */
enum ork_status ork_detector_set_resting(struct ork_detector *d, uint32_t rank, uint64_t threads);
uint64_t ork_detector_resting(const struct ork_detector *d, uint32_t rank);
/* Is `thread` of `rank` inside a call under strict semantics? */
bool ork_detector_is_inside(const struct ork_detector *d, uint32_t rank, uint32_t thread);

/* While the overlay sees `rank` do nothing but poll, the rank counts as waiting for one of its
 * active requests (POLL_REQUESTS), or for any rank (POLL_ANYTHING: it probes). A deadlock that
 * needs such a rank is only suspected. `poll` is the latest poll, with the fields of a successful
 * one; only its call, site, peer, tag and communicator count, and ork_detector_rank() shows them.
 * NULL: none. */
enum ork_polling { ORK_POLL_NONE, ORK_POLL_REQUESTS, ORK_POLL_ANYTHING };
enum ork_status ork_detector_set_polling(struct ork_detector *d, uint32_t rank,
                                         enum ork_polling polling, const struct ork_record *poll);

/* `rank` is in a call that an error keeps from returning, so for a search it never acts again; or
 * it is not. ORK_INVALID: no such rank. */
enum ork_status ork_detector_set_stuck(struct ork_detector *d, uint32_t rank, bool stuck);
/* Is the latest call of `rank` one of issue number `i`, or a wait for its request, and do no other
 * ranks have to act for it? Of a collective call: also of a rank that is no side of the issue. */
bool ork_detector_is_at_issue(const struct ork_detector *d, uint32_t rank, uint32_t i);

/* Why the records of `rank` are invalid (static storage); NULL: they are valid. */
const char *ork_detector_fault(const struct ork_detector *d, uint32_t rank);
/* The ranks with invalid records, in the order in which this was seen: the one after `rank`, or the
 * first one after UINT32_MAX. UINT32_MAX: there is none yet. */
uint32_t ork_detector_next_faulty(const struct ork_detector *d, uint32_t rank);

struct ork_counts {
    uint64_t records, calls, messages, collectives, searches;
    uint64_t at_once; /* collectives whose members all came in one ork_detector_feed_bulk() */
    uint64_t assumed; /* matches that were assumed: see ork_detector_assume_match() */
    uint64_t choices; /* receives and probes from any source, where several others could send */
    uint64_t queued;  /* records after calls that may not return yet under strict semantics */
};
struct ork_counts ork_detector_counts(const struct ork_detector *d);

/* --- repetition: docs/explanation/folding.md --- */

/* All that the detector's future depends on: not how often something happened, but in which order.
 * Two equal states that get the same records lead to equal states and the same findings. */
struct ork_detector_state {
    struct ork_words words;
    /* Not compared: what has happened until then, and the calls on each communicator. */
    struct ork_counts counts;
    uint32_t *calls;
    uint32_t num_calls, calls_cap;
    uint32_t *lock_number; /* as in detector/state/lock_numbers.h */
    uint32_t num_lock_numbers, lock_numbers_cap;
    /* Set by the caller before the state is written: ork_detector_taken() is no part of it, and the
     * caller keeps it, see ork_detector_set_taken(). */
    bool leaves_taken;
    /* Not compared: there are communicators that only the history refers to, and which are
     * forgotten with it. */
    bool has_given_up;
};
/* Write the state to *state, which may hold an earlier one. False: the present state has something
 * that is not compared, or more than `limit` words, or memory ran out; *state is then invalid. */
bool ork_detector_state(struct ork_detector *d, size_t limit, struct ork_detector_state *state);
bool ork_detector_is_same_state(const struct ork_detector_state *a,
                                const struct ork_detector_state *b);
void ork_detector_release_state(struct ork_detector_state *state);
/* False: no state from now on can be compared, because of what has happened. */
bool ork_detector_may_repeat(const struct ork_detector *d);
/* May a loop with this record lead from a state to an equal one? If not, it is not worth a try. */
bool ork_record_may_repeat(const struct ork_record *rec);
/* The records that led from state `a` to the equal state `b`, which is the present one, came
 * `times` times more. */
void ork_detector_repeat(struct ork_detector *d, const struct ork_detector_state *a,
                         const struct ork_detector_state *b, uint64_t times);

/* --- where a rank is --- */

enum ork_rank_status {
    ORK_RANK_RUNNING, /* its last call is complete: it may do anything next */
    ORK_RANK_BLOCKED, /* in a call that no known operation can complete */
    ORK_RANK_STALLED, /* in a call that a known operation may complete; the match is not decided */
    ORK_RANK_UNKNOWN, /* in a call that is not analysed, or its records were corrupt */
    ORK_RANK_POLLING, /* see ork_detector_set_polling() */
    ORK_RANK_DONE,    /* ended, or left MPI_Finalize */
};

struct ork_rank_view {
    enum ork_rank_status status;
    enum ork_end end;       /* of a DONE rank */
    struct ork_record call; /* the call it is in; kind ORK_KIND_CONT: none yet */
    uint32_t comm;          /* communicator number of that call (see ork_detector_comm()) */
    bool moved;       /* the run continued: only buffering or a permissive collective allowed it */
    bool cancelled;   /* waits for a send that it cancelled; the wait must return (MPI-3.1 3.8.4) */
    bool assumed;     /* depends on a match that was assumed, not observed */
    bool awaits_lock; /* some thread waits for a window lock that another process seems to hold */
    bool several_may_call; /* other threads may call MPI, by the level that MPI_Init has returned */
    bool unsure;           /* the call may still fail, and then waits for no rank */
    bool quiet;            /* MPI_Pcontrol(0): the rank wants no reports of potential errors */
    bool depends_on_buffering; /* its later calls depend on such a return */
    uint32_t unknown_handles;  /* of a Wait: handles of unknown requests (generalized or freed) */
};
/* Bytes that the calls and active requests of `rank` send or receive, as far as the records show.
 * Matched operations count too, as their data may still be in transfer. */
uint64_t ork_detector_volume(const struct ork_detector *d, uint32_t rank);
/* The view of the first thread that is in a call, else of the first thread. */
struct ork_rank_view ork_detector_rank(const struct ork_detector *d, uint32_t rank);
/* A call of another thread of the rank than the one that ork_detector_rank() shows. */
struct ork_thread_call {
    struct ork_record call;
    uint32_t comm; /* as in struct ork_rank_view */
};
/* Call number i of these; false if there are no more. */
bool ork_detector_thread_call(const struct ork_detector *d, uint32_t rank, uint32_t i,
                              struct ork_thread_call *call);

/* The run's position of the thread that ork_detector_rank() shows. */
struct ork_run_view {
    bool is_ahead;            /* strict semantics holds the thread in a call that returned */
    bool ended;               /* the process has ended */
    struct ork_record newest; /* call; kind ORK_KIND_CONT: none */
};
struct ork_run_view ork_detector_run(const struct ork_detector *d, uint32_t rank);
/* The first call of the rank that was relaxed (see ork_detector_relax()), although strict semantics
 * would hold the rank in it; NULL: none. */
const struct ork_record *ork_detector_passed(const struct ork_detector *d, uint32_t rank);

/* Is this request of the rank a persistent receive? `made`: the record of the call that made it. */
bool ork_detector_persistent_receive(const struct ork_detector *d, uint32_t rank, uint32_t request,
                                     struct ork_record *made);

/* Records of `rank` after the call in which strict semantics holds it, without MODULE, SITE and JOB
 * records. UINT64_MAX: it has several threads. */
uint64_t ork_detector_queued(const struct ork_detector *d, uint32_t rank);

/* Has the rank completed receives whose messages are not known yet? */
bool ork_detector_is_ahead(const struct ork_detector *d, uint32_t rank);

/* --- communicators, by number: 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF of every rank --- */

struct ork_comm_view {
    const char *name;      /* MPI_Comm_set_name, or NULL */
    enum ork_coll made_by; /* ORK_COLL_NONE for the predefined ones */
    uint32_t parent;
    int32_t color;       /* of MPI_Comm_split */
    uint32_t rank, site; /* a rank that made it, and its call site there */
    uint32_t size;
    bool inter;
    uint32_t world_of; /* it is MPI_COMM_WORLD of this job; UINT32_MAX: of none */
    bool is_parent;    /* from MPI_Comm_get_parent; no record of the parents describes it yet */
};
struct ork_comm_view ork_detector_comm(const struct ork_detector *d, uint32_t comm);
/* The number of the communicator that `rank` itself calls `local`, at its position under strict
 * semantics; UINT32_MAX: none. */
uint32_t ork_detector_comm_of(const struct ork_detector *d, uint32_t rank, uint32_t local);
/* The process with index i (in an intercommunicator: of both groups); UINT32_MAX if i >= size, or
 * if every process has its own (MPI_COMM_SELF). */
uint32_t ork_detector_comm_member(const struct ork_detector *d, uint32_t comm, uint32_t i);

/* --- search --- */

/* The meaning of a graph label; label n of the graph is term[n - 1]. */
struct ork_term {
    uint32_t rank;
    uint32_t index; /* in the array of requests; UINT32_MAX: not in an array */
    uint16_t call;  /* of the call that started it */
    uint8_t kind;   /* ORK_KIND_SEND, ORK_KIND_RECV, ORK_KIND_COLL, ORK_KIND_PROBE */
    uint32_t site;
    uint32_t comm;
    int32_t peer; /* as in a record */
    int32_t tag;
    uint32_t op; /* ORK_KIND_COLL: as `arg` of a record */
};

struct ork_hub_view {
    bool any; /* a wildcard receive: any member; else a collective: all that are missing */
    uint32_t comm;
    uint16_t coll; /* enum ork_coll; ORK_COLL_NONE for MPI_Finalize */
};

struct ork_search {
    struct ork_wfg *wfg; /* searched: its results may be read */
    struct ork_term *term;
    uint32_t num_terms;
    struct ork_hub_view *hub;
    uint32_t num_hubs;
    struct ork_rank_view *rank; /* where the ranks would be; NULL: as in the detector */
};
struct ork_rank_view ork_search_rank(const struct ork_detector *d, const struct ork_search *s,
                                     uint32_t rank);

/* A send or receive that is not matched, or a probe that waits. */
struct ork_pending {
    struct ork_term term;
    uint32_t partner; /* process that it names; UINT32_MAX: any */
    uint64_t order;
    uint32_t started; /* place of the call that started it; of a persistent one, term.site is that
                       * of the call that made it */
    uint64_t bytes;   /* of a send or receive, and the type id of these */
    uint32_t type;
};
/* Pending operations that the processes marked in `of` (one entry per process) started, or that
 * name one of them, in the order in which the strict analysis reached them. Of several alike, only
 * the oldest is listed. The caller owns *pending, which is NULL if there are none. ORK_NOMEM. */
enum ork_status ork_detector_pending(const struct ork_detector *d, const bool *of,
                                     struct ork_pending **pending, uint32_t *count);

/* Persistent sends and receives of these processes that are set up but inactive, also in the run: a
 * process whose run is ahead is left out. Otherwise as ork_detector_pending(). */
enum ork_status ork_detector_unstarted(const struct ork_detector *d, const bool *of,
                                       struct ork_pending **unstarted, uint32_t *count);

/* The latest send to MPI_PROC_NULL that the process named by this receive made after the last of
 * its sends that was matched, if it has the same communicator, tag and type, and no more data. */
bool ork_detector_sent_to_none(const struct ork_detector *d, const struct ork_pending *receive,
                               struct ork_term *send);

/* Messages from one process to another with one tag: they are received in the order in which they
 * were sent (MPI-3.1 section 3.5), so those that are not matched are the latest ones. */
struct ork_stream {
    uint32_t source, destination; /* processes */
    uint32_t comm;
    int32_t tag;
    uint32_t sends, receives; /* not matched; receives: those that name source and tag */
    bool is_in_doubt;         /* it is not decided which receives took its messages */
};
/* The streams between processes marked in `of` (one entry per process) in which something is not
 * matched or in doubt. The caller owns *stream, which is NULL if there are none. ORK_NOMEM. */
enum ork_status ork_detector_streams(const struct ork_detector *d, const bool *of,
                                     struct ork_stream **stream, uint32_t *count);
/* The stream of the message that this call of `rank` sends or receives, without what is not
 * matched. False: it has none, or names a wildcard, or the communicator is unknown. */
bool ork_detector_stream_of(const struct ork_detector *d, uint32_t rank,
                            const struct ork_record *call, bool sends, struct ork_stream *stream);
/* How many collective calls `rank` made on the communicator that it calls `local`, with the one it
 * is in; 0 also if the communicator is unknown, or MPI_COMM_SELF. */
uint32_t ork_detector_coll_calls(const struct ork_detector *d, uint32_t rank, uint32_t local);

/* A message that a wildcard receive took. */
struct ork_taken {
    struct ork_term receive;
    uint32_t source; /* process */
    int32_t tag;
};
/* Message number i of the latest ones of `rank`; 0 is the latest. False if there are no more. */
enum { ORK_TAKEN_MAX = 8 };
bool ork_detector_taken(const struct ork_detector *d, uint32_t rank, uint32_t i,
                        struct ork_taken *taken);
/* How many such messages there were, with those that are forgotten; modulo 2^32. */
uint32_t ork_detector_num_taken(const struct ork_detector *d, uint32_t rank);
/* Set the latest n of them, at most ORK_TAKEN_MAX; taken[0] is the oldest. */
void ork_detector_set_taken(struct ork_detector *d, uint32_t rank, const struct ork_taken *taken,
                            uint32_t n);
/* Message number i that a matched probe of `rank` took and that the rank has not received yet.
 * False if there are no more. */
bool ork_detector_probed(const struct ork_detector *d, uint32_t rank, uint32_t i,
                         struct ork_taken *taken);

/* A lock of a window for which a rank waits: it excludes the one that the rank asks for. */
struct ork_lock_holder {
    uint32_t rank;
    struct ork_record call; /* MPI_Win_lock or MPI_Win_lock_all */
    bool is_counted;        /* the order of locks was observed: */
    uint32_t before;        /* conflicting ones that were released before this one was granted */
};
/* Number i of those for which `rank` waits, in the order in which they were requested. False if
 * there are no more. */
bool ork_detector_lock_holder(const struct ork_detector *d, uint32_t rank, uint32_t i,
                              struct ork_lock_holder *holder);

/* A call expected of a rank: receive (ORK_KIND_RECV) from a process, send (ORK_KIND_SEND) to it, or
 * call a collective (ORK_KIND_COLL). */
struct ork_wanted {
    uint8_t kind;
    uint32_t comm;
    uint32_t process;
    int32_t tag; /* a send with any: ORK_ANY_TAG */
    uint16_t coll;
};
/* The first such call that `rank` made in the run after the call in which strict semantics holds
 * it. *is_next: there is no other call between them. False: no such call is known, or the rank has
 * several threads. */
bool ork_detector_later_call(const struct ork_detector *d, uint32_t rank,
                             const struct ork_wanted *wanted, struct ork_record *call,
                             bool *is_next);

/* The number of collective calls that `rank` has made on `comm`. False: it is not a member. */
bool ork_detector_collectives(const struct ork_detector *d, uint32_t comm, uint32_t rank,
                              uint32_t *calls);

enum ork_semantics {
    ORK_STRICT,     /* standard sends may block, collectives synchronise */
    ORK_PERMISSIVE, /* standard sends are buffered, collectives wait only for the data they need, no
                     * rank leaves MPI_Finalize: a rank that is deadlocked here is deadlocked under
                     * every MPI implementation */
};

/* Build the wait-for graph of the current state and search it. The caller owns *out and frees it
 * with ork_search_destroy(). ORK_NOMEM. */
enum ork_status ork_detector_search(struct ork_detector *d, enum ork_semantics semantics,
                                    struct ork_search **out);
/* Search for calls of threads that never return, although other threads of their ranks may act.
 * Under every MPI implementation, these calls wait for ranks that will not make the call that they
 * need (the ranks have ended, are in MPI_Finalize, or wait for such ranks themselves). *out is as
 * after a search, with the graph of these calls and the ranks that they wait for; NULL: there are
 * none. ORK_NOMEM. */
enum ork_status ork_detector_search_calls(struct ork_detector *d, struct ork_search **out);
/* NULL is allowed. */
void ork_search_destroy(struct ork_search *search);

/* Relax: every deadlocked rank of `search` (strict, of the current state) that has moved leaves its
 * call. Its sends count as buffered, its collective as permissive. The same call sites are relaxed
 * automatically from then on. *passed: ranks that made progress. ORK_NOMEM. */
enum ork_status ork_detector_relax(struct ork_detector *d, const struct ork_search *search,
                                   uint32_t *passed);

/* Observe outcomes of pending receives that later records of their ranks show: the strict analysis
 * lags behind the run, and would reach these records only later. *found: outcomes. ORK_NOMEM. */
enum ork_status ork_detector_reveal(struct ork_detector *d, uint32_t *found);

/* To be called when a search found no deadlock. It acts if the strict analysis has come to rest and
 * lags behind the run: a wildcard receive took a message, or a call returned, that the analysis has
 * not reached. It takes the first of these steps that has an effect: it reveals outcomes; it
 * releases calls that the run has left and whose matches are not decided; it relaxes the senders
 * that the run shows to be buffered; it relaxes a rank that has moved. It does nothing while a
 * record to come may bring strict progress, unless the run is `over`. *passed: not 0 if something
 * has changed, so that a search is worthwhile. ORK_NOMEM. */
enum ork_status ork_detector_catch_up(struct ork_detector *d, bool over, uint32_t *passed);

/* --- alternative matches: would other matches of wildcard receives deadlock? --- */

enum ork_interleaving_scope {
    ORK_AS_OBSERVED, /* assume matches only for receives whose source was not observed */
    ORK_OTHERWISE,   /* also try other sources; then the calls of a rank are unknown once it has
                      * seen the status of another message than in the run */
    ORK_OTHERWISE_ANYHOW, /* assume that it makes the same calls nevertheless */
};

struct ork_interleaving;
/* Explore from what is known now: calls since the history began (see history/history.c), and
 * records that the strict analysis has not reached. The caller owns *out, and destroys it before
 * `d`. ORK_NOMEM. */
enum ork_status ork_interleaving_create(struct ork_detector *d, enum ork_interleaving_scope scope,
                                        struct ork_interleaving **out);
/* NULL is allowed. */
void ork_interleaving_destroy(struct ork_interleaving *f);

struct ork_interleaving_view {
    uint64_t undecided; /* wildcard receives whose source the run did not show */
    uint64_t states;    /* searched */
    uint64_t steps;     /* of the searches: see ork_interleave_statistics */
    bool complete;      /* false: the history was too long; what is missing counts as unknown */
    bool knows_all;     /* complete, and each call since it began is one that can be followed */
};
struct ork_interleaving_view ork_interleaving_view(const struct ork_interleaving *f);

/* May be called again after ORK_INTERLEAVE_STOPPED. */
enum ork_status ork_interleaving_search(struct ork_interleaving *f,
                                        const struct ork_interleave_options *options,
                                        enum ork_interleave_result *result);

/* After ORK_INTERLEAVE_DEADLOCK: the graph, and where each rank is in that deadlock. The caller
 * owns the result, which can be taken once; NULL: out of memory. */
struct ork_search *ork_interleaving_take_search(struct ork_interleaving *f);
struct ork_interleaving_decision {
    struct ork_term receive, send;
    bool differs;  /* from the run */
    bool blind;    /* the rank did not read the status of the receive */
    uint32_t took; /* rank whose message the receive took in the run; UINT32_MAX: not observed */
};
uint32_t ork_interleaving_num_decisions(const struct ork_interleaving *f);
struct ork_interleaving_decision ork_interleaving_decision(const struct ork_interleaving *f,
                                                           uint32_t i);

/* Set the maximum length, in records, of the history for the exploration of alternative matches; 0
 * (default) disables it. If not called before the first record, the history begins at the next
 * moment at which nothing is pending. */
void ork_detector_set_history(struct ork_detector *d, uint64_t records);
/* Records of the history; a full history does not grow. */
uint64_t ork_detector_history_size(const struct ork_detector *d);
bool ork_detector_is_history_full(const struct ork_detector *d);
/* Does the history have receives from MPI_ANY_SOURCE? Otherwise there is nothing to decide. */
bool ork_detector_has_wildcards(const struct ork_detector *d);
/* Did the run have such receives that the full history did not keep? */
bool ork_detector_lacks_wildcards(const struct ork_detector *d);
/* Have ranks made calls, or two calls after each other, that were not in the history before it was
 * last said to be searched? */
bool ork_detector_has_history_news(const struct ork_detector *d);
void ork_detector_history_is_searched(struct ork_detector *d);
/* Is nothing new in the latest eighth of what it has room for? Then it may be cut. To be called now
 * and then between two records. */
bool ork_detector_history_repeats(struct ork_detector *d);
/* Let it begin with the latest part in which nothing is new; only if it repeats. */
void ork_detector_cut_history(struct ork_detector *d);
/* Repetitions of all ranks follow that do not come here. If the history has receives from any
 * source, it begins again with the next record. It must have no news. */
void ork_detector_rest_history(struct ork_detector *d);
/* Records follow that are not those of the run: nothing is stored until the history is resumed,
 * and begins anew, with what is pending then. What is stored now is forgotten. `lacks_wildcards`:
 * the run had receives from any source meanwhile. */
void ork_detector_pause_history(struct ork_detector *d);
void ork_detector_resume_history(struct ork_detector *d, bool lacks_wildcards);
/* Let it begin now, with what is pending. False: records cannot tell what that is, and nothing has
 * changed. */
bool ork_detector_renew_history(struct ork_detector *d);

/* --- assumed matches: when memory runs short --- */

/* Bytes used for operations that are not matched and records that are not reached. */
uint64_t ork_detector_memory(const struct ork_detector *d);
/* Assume a match for one wildcard receive whose source was not observed: a message that it may have
 * taken. *decided: false if there is no such receive. ORK_NOMEM. */
enum ork_status ork_detector_assume_match(struct ork_detector *d, bool *decided);

#endif
