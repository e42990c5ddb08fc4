/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of the tool: feeds the records of all ranks to the detector, decides when to search and
 * how to classify the result, and reports findings. */
#ifndef ORK_OVERLAY_ROOT_ROOT_H
#define ORK_OVERLAY_ROOT_ROOT_H

#include "common/clock.h"
#include "detector/detector.h"
#include "order/file/stop.h"
#include "overlay/stream/link.h"
#include "report/protocol.h"

struct ork_root;

/* When alternative matches are searched for deadlocks; each level includes those above. */
enum ork_probing {
    ORK_PROBING_OFF,
    ORK_PROBING_HANG, /* no rank makes progress, and no deadlock explains it */
    ORK_PROBING_END,  /* the run is over */
    ORK_PROBING_CONTINUOUS,
    ORK_PROBING_THOROUGH, /* also assume that ranks make the same calls whatever they receive */
};

/* --must:rma: are one-sided accesses compared? */
enum ork_rma {
    ORK_RMA_AUTO, /* if the program makes a window soon */
    ORK_RMA_OFF,
    ORK_RMA_ON,
};

struct ork_root_options {
    bool deadlocks; /* search for deadlocks (--must:nodl: no) */
    enum ork_probing probing;
    bool fold;            /* --must:fold on */
    uint64_t queue_limit; /* bytes for unmatched calls (--must:queue-limit); 0: none */
    struct ork_model model;
    const char *trace;                   /* file to write every record to, or NULL */
    const char *record;                  /* file of the order of the run, or NULL */
    bool order_is_wanted;                /* the user asked for an order: --must:record, a replay */
    const char *program;                 /* file name of the program, for that file */
    const struct ork_order_file *replay; /* the recording that the run repeats; NULL: none */
    struct ork_stop stop;     /* where it holds all ranks (--must:stop-at); choice 0: nowhere */
    bool is_deterministic;    /* --must:deterministic */
    const char *alternatives; /* file to write what the run could have done otherwise; NULL: none */
    bool races;               /* --must:races on */
    enum ork_rma rma;
    const char *timestamps;   /* file of the events of one-sided communication; NULL: none */
    bool divergence_is_fatal; /* --must:on divergence=abort */
    uint64_t hang_after_ns;   /* --must:hang-after; 0: never */
    bool hang_is_fatal;       /* --must:on hang=abort */
    uint64_t still_after_ns;  /* without hang_after_ns: say so after this time without progress;
                                 0: never */
    bool stops_at_deadlock;   /* --must:on deadlock=stop: somebody may ask for the processes */
    const struct ork_clock *clock;    /* outlives the root; NULL: the machine's */
    bool (*has_idle_processor)(void); /* can the tool compute beside the ranks? NULL: always */
};

/* The answer to a status request: a row and the progress of each rank. */
struct ork_answer {
    struct ork_finding finding; /* id "status" */
    struct ork_rank_progress *progress;
    uint32_t num_progress;
};

/* Receives findings: `context` is the first argument of each. A finding stays the caller's. */
struct ork_report_sink {
    void *context;
    void (*finding)(void *context, const struct ork_finding *finding, bool fatal);
    /* A finding that was reported with the message `earlier` has got more ranks, or counts. */
    void (*changed)(void *context, const struct ork_finding *finding, const char *earlier);
    /* An earlier finding is part of the next one; may be NULL. */
    void (*superseded)(void *context, const struct ork_finding *finding);
    void (*state)(void *context, const struct ork_finding *finding);
    /* The same finding as before, with the call stacks of its ranks. */
    void (*stacks)(void *context, const struct ork_finding *finding, bool fatal);
    /* Some rank died, and the launcher has not ended the ranks that wait for it, as it should. */
    void (*stuck)(void *context);
    void (*answer)(void *context, const struct ork_answer *answer);
    /* `rates`: the calls of the ranks in the latest seconds, if they are known; else nothing. */
    void (*figures)(void *context, const struct ork_run_figures *figures,
                    const struct ork_finding *rates);
    /* The ranks are held: what mustrun shows of it. */
    void (*held)(void *context, const struct ork_paused *held);
    /* No rank has made progress for so many seconds; 0: some rank has, after all. May be NULL. */
    void (*still)(void *context, double seconds);
};

/* `down` and `sink` must outlive the root. ORK_NOMEM, ORK_IO (the trace; logged). */
enum ork_status ork_root_create(const struct ork_root_options *options,
                                const struct ork_report_sink *sink, struct ork_root **out);
void ork_root_destroy(struct ork_root *root);

/* The root as the upper side of a link. */
struct ork_up ork_root_up(struct ork_root *root);
/* `leaves`: how many leaves answer a collect. Once, before any event arrives. ORK_NOMEM. */
enum ork_status ork_root_set_down(struct ork_root *root, const struct ork_down *down,
                                  uint32_t leaves);
/* The leaves of these ranks were lost, and their ranks are unobserved from now on. `who` names them
 * ("tool process 3 on node7"). ORK_NOMEM. */
enum ork_status ork_root_lose(struct ork_root *root, const char *who, uint32_t leaves,
                              const uint32_t *rank, uint32_t num_ranks);

/* The rank goes on unrecorded after the records that came. ORK_NOMEM. */
enum ork_status ork_root_cut(struct ork_root *root, uint32_t rank);

/* The process of a rank that has attached. `host` is copied. ORK_NOMEM. */
enum ork_status ork_root_note_process(struct ork_root *root, uint32_t rank, uint32_t pid,
                                      const char *host);
/* The user lets the held ranks go on. Does nothing if none are held. */
enum ork_status ork_root_let_go_on(struct ork_root *root);

/* Why processes that used MPI could not be observed: a sentence without an end, "" if there are
 * none. The caller's; NULL: out of memory. */
char *ork_root_unseen_reason(const struct ork_root *root);
/* Are calls of some ranks missing because of the tool itself? */
bool ork_root_has_lost(const struct ork_root *root);

/* Batches of tool processes that had to wait, for the report. */
void ork_root_add_waits(struct ork_root *root, uint64_t count);

/* Search if it is due. Statuses: ORK_NOMEM. */
enum ork_status ork_root_step(struct ork_root *root);
/* All ranks that attached have ended. */
bool ork_root_is_over(const struct ork_root *root);
/* Does the tool still see a rank that has attached? */
bool ork_root_has_ranks(const struct ork_root *root);
/* Nanoseconds since the latest event of any rank. */
uint64_t ork_root_quiet_ns(struct ork_root *root);

/* A deterministic run: how soon the next step should follow, because ranks wait for decisions; 0:
 * as in any run. */
uint64_t ork_root_awaited_ns(const struct ork_root *root);

/* The user stops the run: report where each rank is. Later ends were caused from outside. */
enum ork_status ork_root_interrupt(struct ork_root *root);

/* The user asks where each rank is; the run continues. Requests until the next answer share that
 * answer: looking at running ranks takes a moment. */
void ork_root_ask(struct ork_root *root);

/* Report the process of each rank: what mustrun shows of a deadlocked job. ORK_NOMEM. */
enum ork_status ork_root_tell_processes(struct ork_root *root);

/* Report the present figures. ORK_NOMEM. */
enum ork_status ork_root_figures(struct ork_root *root);

/* So many processes live that the application's launcher has started, as far as it is known. If
 * they are all ranks in MPI_Init, and fewer than the job has, they wait for ever. ORK_NOMEM. */
enum ork_status ork_root_take_living(struct ork_root *root, uint32_t living);

/* The application's launcher has ended: its exit status, or 128 + the number of the signal that
 * ended a rank, if the launcher reports it; negative: a signal ended the launcher itself. */
void ork_root_set_launcher(struct ork_root *root, int status);

/* All ranks have ended: the last search, and the findings that only the end shows. Afterwards a
 * step only takes what it still awaits. */
enum ork_status ork_root_finish(struct ork_root *root);
/* Do other tool processes still have to answer with the last calls of ranks? Not for long. */
bool ork_root_awaits_calls(const struct ork_root *root);

/* Has the order of the run been written to a file? After ork_root_finish(). */
bool ork_root_has_order(const struct ork_root *root);

/* Fill statistics, notes, ranks, complete of *report (initialised by the caller). */
enum ork_status ork_root_summary(struct ork_root *root, struct ork_report *report);

#endif
