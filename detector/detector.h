/* SPDX-License-Identifier: BSD-3-Clause */
/* The detector: call records of all ranks in, wait states and deadlocks out. Pure: no MPI, no I/O,
 * no clock, no threads, no globals.
 *
 * It follows each rank through its records under strict semantics: a standard send completes when
 * it is matched, a collective when every participant has entered (MPI-3.1 sections 3.4 and 5.1
 * allow both). Matching needs O(1) a send or receive, completion O(1) a request, collectives O(1) a
 * call. A deadlock found at any prefix of the ranks' records is a real strict deadlock: see
 * docs/explanation/detector.md for the invariants. */
#ifndef ORK_DETECTOR_H
#define ORK_DETECTOR_H

#include "common/status.h"
#include "interleave/interleave.h"
#include "record/group_record.h"
#include "wfg/wfg.h"

#include <stdbool.h>

struct ork_detector;

/* A detector for `nprocs` ranks of one MPI_COMM_WORLD. Processes of further jobs are numbered
 * after them; wherever a function takes or gives a rank, that number is meant. The caller owns
 * *out. ORK_NOMEM, ORK_INVALID (no ranks). */
enum ork_status ork_detector_create(uint32_t nprocs, struct ork_detector **out);
/* What a program may rely on. All zero is strict: every standard send may block, every collective
 * synchronises but MPI_Comm_free, which MPI-3.1 section 6.4.3 expects to be local in effect. */
struct ork_model {
    bool buffered;          /* standard sends of at most `eager_bytes` complete when they start */
    uint64_t eager_bytes;   /* UINT64_MAX: all of them */
    bool dataflow;          /* collectives wait only for the data they need */
    bool free_synchronises; /* MPI_Comm_free as well waits for all members */
};
/* Before the first record. */
void ork_detector_set_model(struct ork_detector *d, const struct ork_model *model);

/* One more job: processes `first` and up, with an MPI_COMM_WORLD of their own, whom records of
 * others call `name` (see ORK_KIND_JOB; 0: nobody does). `first` must be the number of processes so
 * far; a job that is there already is left as it is, and job 0 only gets its name. ORK_INVALID,
 * ORK_NOMEM. */
enum ork_status ork_detector_add_job(struct ork_detector *d, uint32_t first, uint32_t size,
                                     uint32_t name);

struct ork_job_view {
    uint32_t first, size;
    bool spawned; /* and it is known where: */
    uint32_t rank, site;
    uint16_t call;
};
uint32_t ork_detector_num_jobs(const struct ork_detector *d);
struct ork_job_view ork_detector_job(const struct ork_detector *d, uint32_t job);

/* NULL is allowed. */
void ork_detector_destroy(struct ork_detector *d);

/* The next `n` records of `rank`, in the order they were written; a record and its continuation may
 * be cut anywhere. Records are untrusted: a rank whose records make no sense is from then on one
 * about which nothing is known (see ork_detector_fault()) and the others go on. ORK_NOMEM: the
 * detector is unusable from here on and says so at every call. */
enum ork_status ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                  const struct ork_record *record, size_t n);

/* Equal in every respect to ork_detector_feed() of group_record[i].call to each rank of its spans,
 * i by i. If together they are all members of a communicator (or of several), none of them waits
 * for anything, and they make the same blocking collective call, it takes O(n + spans +
 * communicators). Any other record is fed to each rank, whatever it is. ORK_INVALID, and nothing
 * is fed: ranks that are none, spans that are empty or not in order, a rank that is named twice.
 * ORK_NOMEM. */
enum ork_status ork_detector_feed_bulk(struct ork_detector *d,
                                       const struct ork_group_record *group_record, uint32_t n);

/* How a rank's stream ended. */
enum ork_end {
    ORK_END_FINISHED, /* left MPI_Finalize, or never entered MPI_Init */
    ORK_END_EXITED,   /* ended by itself without MPI_Finalize: it will never act again */
    ORK_END_KILLED,   /* was ended in whatever it did: it counts as still being there */
    ORK_END_FAILED,   /* was ended by a call that failed: it counts as running */
};
/* After the rank's last record. */
enum ork_status ork_detector_end(struct ork_detector *d, uint32_t rank, enum ork_end how);

/* Nothing that `rank` does from now on will be known: it may do anything. */
enum ork_status ork_detector_lose(struct ork_detector *d, uint32_t rank);

/* The call in which `thread` of `rank` was last seen has returned, although no further record says
 * so. */
enum ork_status ork_detector_returned(struct ork_detector *d, uint32_t rank, uint32_t thread);

/* While `busy`, some thread of `rank` that has not called MPI may yet do so: whatever its known
 * threads wait for, the rank may act. */
enum ork_status ork_detector_set_busy(struct ork_detector *d, uint32_t rank, bool busy);
bool ork_detector_is_busy(const struct ork_detector *d, uint32_t rank);

/* The threads of `rank` in `threads` (bit i: thread i) that are in no call wait for other threads
 * of the rank, or have ended: only the others count, if some of these are in a call. Nothing in the
 * records says so, and nothing ends it but another such call: what follows from it is to be checked
 * against the run. */
enum ork_status ork_detector_set_resting(struct ork_detector *d, uint32_t rank, uint64_t threads);
uint64_t ork_detector_resting(const struct ork_detector *d, uint32_t rank);
/* Does strict semantics hold `thread` of `rank` inside a call? */
bool ork_detector_is_inside(const struct ork_detector *d, uint32_t rank, uint32_t thread);

/* While the overlay sees `rank` do nothing but poll: it counts as waiting for one of its active
 * requests (POLL_REQUESTS), or for anybody (POLL_ANYTHING: it probes). A deadlock that needs such a
 * rank is only suspected. `poll` is the latest poll, as if it had found something; only its call,
 * site, peer, tag and communicator count, which is how ork_detector_rank() shows it. NULL: none. */
enum ork_polling { ORK_POLL_NONE, ORK_POLL_REQUESTS, ORK_POLL_ANYTHING };
enum ork_status ork_detector_set_polling(struct ork_detector *d, uint32_t rank,
                                         enum ork_polling polling, const struct ork_record *poll);

/* Why the records of `rank` make no sense (static storage); NULL: they do. */
const char *ork_detector_fault(const struct ork_detector *d, uint32_t rank);

struct ork_counts {
    uint64_t records, calls, messages, collectives, searches;
    uint64_t at_once; /* collectives of which all members came in one ork_detector_feed_bulk() */
    uint64_t assumed; /* matches that were decided: see ork_detector_assume_match() */
    uint64_t
        queued; /* records that wait after calls which may not return yet under strict semantics */
};
struct ork_counts ork_detector_counts(const struct ork_detector *d);

/* --- where a rank is --- */

enum ork_rank_status {
    ORK_RANK_RUNNING, /* its last call is complete: it may do anything next */
    ORK_RANK_BLOCKED, /* in a call that nothing known can complete */
    ORK_RANK_STALLED, /* in a call that something known may complete; which is not decided */
    ORK_RANK_UNKNOWN, /* in a call that is not analysed, or its records were corrupt */
    ORK_RANK_POLLING, /* see ork_detector_set_polling() */
    ORK_RANK_DONE,    /* ended, or left MPI_Finalize */
};

struct ork_rank_view {
    enum ork_rank_status status;
    enum ork_end end;       /* of a DONE rank */
    struct ork_record call; /* the call it is in; kind ORK_KIND_CONT: none yet */
    uint32_t comm;          /* communicator number of that call (see ork_detector_comm()) */
    bool moved; /* the run went past this call: only buffering or a permissive collective made it
                   return */
    bool cancelled; /* waits for a send that it cancelled: such a wait is to return (MPI-3.1 3.8.4)
                     */
    bool assumed;   /* depends on a match that was assumed, not observed */
    bool unsure;    /* the call may still fail, and then waits for nobody */
    bool quiet;     /* MPI_Pcontrol(0): it wants no reports of what goes well */
    bool depends_on_buffering; /* what it did since rests on such a return */
    uint32_t unknown_handles; /* of a Wait: handles of no request that is known, a generalized one's
                         or one that was freed */
};
/* Bytes that the calls which `rank` is in and its active requests send or receive, as far as the
 * records show: matched or not, for what is matched may be under way. */
uint64_t ork_detector_volume(const struct ork_detector *d, uint32_t rank);
/* Of the first thread that is in a call, else of the first. */
struct ork_rank_view ork_detector_rank(const struct ork_detector *d, uint32_t rank);
/* A call that another thread of the rank is in than the one that ork_detector_rank() shows. */
struct ork_thread_call {
    struct ork_record call;
    uint32_t comm; /* as in struct ork_rank_view */
};
/* Number i of them; false: there are no more. */
bool ork_detector_thread_call(const struct ork_detector *d, uint32_t rank, uint32_t i,
                              struct ork_thread_call *call);

/* The run in the thread that ork_detector_rank() shows. */
struct ork_run_view {
    bool is_ahead;            /* strict semantics holds the thread in a call that returned */
    bool ended;               /* the process has */
    struct ork_record newest; /* call; kind ORK_KIND_CONT: none */
};
struct ork_run_view ork_detector_run(const struct ork_detector *d, uint32_t rank);
/* The first call of the rank that was let pass (see ork_detector_relax()) although strict semantics
 * would hold the rank in it; NULL: there was none. */
const struct ork_record *ork_detector_passed(const struct ork_detector *d, uint32_t rank);

/* Records of `rank` that wait after the call in which strict semantics holds it, MODULE, SITE and
 * JOB records not counted. UINT64_MAX: it has several threads. */
uint64_t ork_detector_queued(const struct ork_detector *d, uint32_t rank);

/* --- communicators, by number: 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF of every rank --- */

struct ork_comm_view {
    const char *name;      /* MPI_Comm_set_name, or NULL */
    enum ork_coll made_by; /* ORK_COLL_NONE for the predefined ones */
    uint32_t parent;
    int32_t color;       /* of MPI_Comm_split */
    uint32_t rank, site; /* a rank that made it, and its call site there */
    uint32_t size;
    bool inter;
    uint32_t world_of; /* MPI_COMM_WORLD of this job; UINT32_MAX: of none */
    bool is_parent;    /* what MPI_Comm_get_parent returns; the parents have not yet told more */
};
struct ork_comm_view ork_detector_comm(const struct ork_detector *d, uint32_t comm);
/* The number of the communicator that `rank` itself calls `local` where strict semantics has it;
 * UINT32_MAX: none. */
uint32_t ork_detector_comm_of(const struct ork_detector *d, uint32_t rank, uint32_t local);
/* The process that is number i of its size (of an intercommunicator: of both groups); UINT32_MAX:
 * there is none, or everybody has its own (MPI_COMM_SELF). */
uint32_t ork_detector_comm_member(const struct ork_detector *d, uint32_t comm, uint32_t i);

/* --- search --- */

/* What a graph label stands for; label n of the graph is term[n - 1]. */
struct ork_term {
    uint32_t rank;
    uint32_t index; /* in the array of requests; UINT32_MAX: not of an array */
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
    struct ork_wfg *wfg; /* searched: results may be read */
    struct ork_term *term;
    uint32_t num_terms;
    struct ork_hub_view *hub;
    uint32_t num_hubs;
    struct ork_rank_view *rank; /* where the ranks would be; NULL: where the detector has them */
};
struct ork_rank_view ork_search_rank(const struct ork_detector *d, const struct ork_search *s,
                                     uint32_t rank);

/* A send or receive that is not matched, or a probe that waits. */
struct ork_pending {
    struct ork_term term;
    uint32_t partner; /* process that it names; UINT32_MAX: any */
    uint64_t order;
};
/* Those that the processes marked in `of` (an entry for each) started or that name one of them, in
 * the order in which strict semantics reached them; of many alike only the oldest. *pending is the
 * caller's, NULL for none. ORK_NOMEM. */
enum ork_status ork_detector_pending(const struct ork_detector *d, const bool *of,
                                     struct ork_pending **pending, uint32_t *count);

/* Persistent sends and receives of these processes that are set up and not active, in the run
 * either: those of a process that is further on are left out. As ork_detector_pending(). */
enum ork_status ork_detector_unstarted(const struct ork_detector *d, const bool *of,
                                       struct ork_pending **unstarted, uint32_t *count);

/* A message that a receive with a wildcard took. */
struct ork_taken {
    struct ork_term receive;
    uint32_t source; /* process */
    int32_t tag;
};
/* Number i of the last few of `rank`, the latest is 0. False: there are no more. */
bool ork_detector_taken(const struct ork_detector *d, uint32_t rank, uint32_t i,
                        struct ork_taken *taken);
/* Number i of the messages that a matched probe of `rank` took and that it has not received. False:
 * there are no more. */
bool ork_detector_probed(const struct ork_detector *d, uint32_t rank, uint32_t i,
                         struct ork_taken *taken);

/* What a rank is to do: receive (ORK_KIND_RECV) from a process, send (ORK_KIND_SEND) to it, or call
 * a collective (ORK_KIND_COLL). */
struct ork_wanted {
    uint8_t kind;
    uint32_t comm;
    uint32_t process;
    int32_t tag; /* a send with any: ORK_ANY_TAG */
    uint16_t coll;
};
/* The first such call that `rank` made in the run after the one in which strict semantics holds
 * it. *is_next: there is none between. False: it made none that is known, or has several threads.
 */
bool ork_detector_later_call(const struct ork_detector *d, uint32_t rank,
                             const struct ork_wanted *wanted, struct ork_record *call,
                             bool *is_next);

/* How many collective calls `rank` has made on `comm`. False: it is no member. */
bool ork_detector_collectives(const struct ork_detector *d, uint32_t comm, uint32_t rank,
                              uint32_t *calls);

enum ork_semantics {
    ORK_STRICT,     /* standard sends may block, collectives synchronise */
    ORK_PERMISSIVE, /* standard sends are buffered, collectives wait for the data they need only,
                     * nobody leaves MPI_Finalize:   who is deadlocked here is deadlocked under
                     * every implementation */
};

/* Build the wait-for graph of the present state and search it. *out is the caller's:
 * ork_search_destroy(). ORK_NOMEM. */
enum ork_status ork_detector_search(struct ork_detector *d, enum ork_semantics semantics,
                                    struct ork_search **out);
/* Calls of threads that never return, although other threads of their ranks may act: those that are
 * in them wait, under every implementation, for ranks that make no such call any more (they ended,
 * are in MPI_Finalize, or wait for such ranks themselves). *out is as after a search, the graph of
 * these calls and of the ranks that they wait for; NULL: there are none. ORK_NOMEM. */
enum ork_status ork_detector_search_calls(struct ork_detector *d, struct ork_search **out);
/* NULL is allowed. */
void ork_search_destroy(struct ork_search *search);

/* Let every deadlocked rank of `search` (strict, of this very state) that has moved pass its call:
 * its sends count as buffered, its collective as permissive. The same call sites pass by themselves
 * from then on. *passed: ranks that went on. ORK_NOMEM. */
enum ork_status ork_detector_relax(struct ork_detector *d, const struct ork_search *search,
                                   uint32_t *passed);

/* Strict semantics is at rest, lags behind the run, and is in no deadlock: a wildcard receive took
 * a message, or a call returned, that it does not have yet. Let those senders pass that the run
 * shows to be buffered, else every rank that has moved. Call it when a search found nothing.
 * Nothing happens while some record that is still to come may bring strict progress, unless the run
 * is `over`. *passed: ranks that went on. ORK_NOMEM. */
enum ork_status ork_detector_catch_up(struct ork_detector *d, bool over, uint32_t *passed);

/* --- alternative matches: would other matches of wildcard receives deadlock? --- */

enum ork_interleaving_scope {
    ORK_AS_OBSERVED, /* assume matches only for receives whose source was not observed */
    ORK_OTHERWISE,   /* also try other sources than the observed ones; after a call whose status the
                      * program   looked at, nothing is known of a rank that got another message */
    ORK_OTHERWISE_ANYHOW, /* suppose that it makes the same calls all the same */
};

struct ork_interleaving;
/* From what is known now: calls since the history began (see history/history.c), and what has not
 * been reached by strict semantics. The caller owns *out, and destroys it before `d`. ORK_NOMEM. */
enum ork_status ork_interleaving_create(struct ork_detector *d, enum ork_interleaving_scope scope,
                                        struct ork_interleaving **out);
/* NULL is allowed. */
void ork_interleaving_destroy(struct ork_interleaving *f);

struct ork_interleaving_view {
    uint64_t undecided; /* wildcard receives without a source from the run */
    uint64_t states;    /* searched */
    bool complete;      /* false: the history was too long, what is missing counts as unknown */
};
struct ork_interleaving_view ork_interleaving_view(const struct ork_interleaving *f);

/* May be called again after ORK_INTERLEAVE_STOPPED. */
enum ork_status ork_interleaving_search(struct ork_interleaving *f,
                                        const struct ork_interleave_options *options,
                                        enum ork_interleave_result *result);

/* After ORK_INTERLEAVE_DEADLOCK: the graph and where each rank is then (the caller's, once; NULL:
 * out of memory), and which decisions lead there, in order. */
struct ork_search *ork_interleaving_take_search(struct ork_interleaving *f);
struct ork_interleaving_decision {
    struct ork_term receive, send;
    bool differs;  /* from the run */
    bool blind;    /* the rank did not look at the status of the receive */
    uint32_t took; /* rank whose message the run's receive took; UINT32_MAX: not observed */
};
uint32_t ork_interleaving_num_decisions(const struct ork_interleaving *f);
struct ork_interleaving_decision ork_interleaving_decision(const struct ork_interleaving *f,
                                                           uint32_t i);

/* Keep up to so many records for the exploration of alternative matches, from now on; 0, and at
 * first: none. Before the first record, or nothing is kept until the next moment at which nothing
 * is pending. */
void ork_detector_set_history(struct ork_detector *d, uint64_t records);
/* Records of the history; once it is full it grows no longer. */
uint64_t ork_detector_history_size(const struct ork_detector *d);
bool ork_detector_is_history_full(const struct ork_detector *d);
/* Does it have receives from any source? Else there is nothing to decide. */
bool ork_detector_has_wildcards(const struct ork_detector *d);
/* Did the run have some for which there was no room? */
bool ork_detector_lacks_wildcards(const struct ork_detector *d);
/* Forget it: it begins anew at the next moment at which nothing is pending. */
void ork_detector_drop_history(struct ork_detector *d);

/* --- deciding: when memory runs short --- */

/* Bytes of what waits to be matched or reached. */
uint64_t ork_detector_memory(const struct ork_detector *d);
/* Assume a match for one wildcard receive whose source was not observed: a message that it may have
 * taken. *decided: false if there is none. ORK_NOMEM. */
enum ork_status ork_detector_assume_match(struct ork_detector *d, bool *decided);

/* --- errors other than deadlocks, in the order they were found --- */

enum ork_issue_kind {
    ORK_ISSUE_MISMATCH, /* ranks call different collectives, or with another root or operation, in
                         * the same place of a communicator's order */
    ORK_ISSUE_RSEND,    /* a ready send whose receive was not posted before it */
    ORK_ISSUE_LOST_MESSAGE, /* a message nobody received before MPI_Finalize */
    ORK_ISSUE_LOCK_ORDER,   /* processes lock windows in opposite orders: each side asked for its
                             * lock while it held the one that the next side asks for */
    ORK_ISSUE_REQUEST_LEAK, /* a request neither completed nor freed before MPI_Finalize */
};

/* One side of an issue: a call, and the ranks that made it there. */
struct ork_issue_side {
    struct ork_record call;
    uint32_t comm;
    uint32_t rank;   /* one of them, to which call.site belongs */
    uint32_t *ranks; /* ascending */
    uint32_t num_ranks;
    struct ork_record held; /* LOCK_ORDER: the call that got the lock it held, and its window */
    uint32_t held_comm;
};

struct ork_issue {
    enum ork_issue_kind kind;
    struct ork_issue_side *side;
    unsigned num_sides;
    bool quiet;       /* one of its ranks wants no reports */
    bool unsure;      /* MISMATCH: rests on calls that may still fail, and then were not made */
    bool withdrawn;   /* MISMATCH: some of the calls failed. It never was */
    uint64_t repeats; /* further ones of the same kind, rank and call site */
};

uint32_t ork_detector_num_issues(const struct ork_detector *d);
/* Owned by the detector, until the next call that is not const. Mismatches may still gain ranks. */
const struct ork_issue *ork_detector_issue(const struct ork_detector *d, uint32_t i);

#endif
