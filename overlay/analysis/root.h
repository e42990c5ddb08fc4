/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of the tool: records of all ranks into the detector, the decision when to search and
 * what a result is worth, findings out. */
#ifndef ORK_OVERLAY_ANALYSIS_ROOT_H
#define ORK_OVERLAY_ANALYSIS_ROOT_H

#include "common/clock.h"
#include "detector/detector.h"
#include "overlay/stream/link.h"
#include "report/protocol.h"

struct ork_root;

/* When other matches of wildcard receives are searched for deadlocks; each includes those above. */
enum ork_probing {
    ORK_PROBING_OFF,
    ORK_PROBING_HANG, /* nothing moves, and no deadlock explains it */
    ORK_PROBING_END,  /* the run is over */
    ORK_PROBING_CONTINUOUS,
    ORK_PROBING_THOROUGH, /* also suppose that ranks make the same calls whatever they receive */
};

struct ork_root_options {
    bool deadlocks; /* search for deadlocks (--must:nodl: no) */
    enum ork_probing probing;
    uint64_t queue_limit; /* bytes of what waits in the detector (--must:queue-limit); 0: none */
    struct ork_model model;
    const char *trace;      /* file to write every record to, or NULL */
    uint64_t hang_after_ns; /* nobody gets on for so long: a hang (--must:hang-after); 0: never */
    bool hang_is_fatal;     /* --must:on-hang abort */
    const struct ork_clock *clock; /* outlives the root; NULL: the machine's */
};

/* The answer to whoever asks where the ranks are: a row and a progress of each. */
struct ork_answer {
    struct ork_finding finding; /* id "status" */
    struct ork_rank_progress *progress;
    uint32_t num_progress;
};

/* Where findings go: `context` is the first argument of each. A finding stays the caller's. */
struct ork_report_sink {
    void *context;
    void (*finding)(void *context, const struct ork_finding *finding, bool fatal);
    /* A finding that was told is part of the one that is told next; may be NULL. */
    void (*superseded)(void *context, const struct ork_finding *finding);
    void (*state)(void *context, const struct ork_finding *finding);
    /* The same finding as before, with the call stacks of its ranks. */
    void (*stacks)(void *context, const struct ork_finding *finding, bool fatal);
    /* Some rank died; the launcher should have ended the others, which wait for it, and has not. */
    void (*stuck)(void *context);
    void (*answer)(void *context, const struct ork_answer *answer);
    void (*figures)(void *context, const struct ork_run_figures *figures);
};

/* `down` and `sink` must outlive the root. ORK_NOMEM, ORK_IO (the trace; logged). */
enum ork_status ork_root_create(const struct ork_root_options *options,
                                const struct ork_report_sink *sink, struct ork_root **out);
void ork_root_destroy(struct ork_root *root);

/* The root as the upper side of a link. */
struct ork_up ork_root_up(struct ork_root *root);
/* `leaves`: how many answer a collect. Once, before anything comes up. ORK_NOMEM. */
enum ork_status ork_root_set_down(struct ork_root *root, const struct ork_down *down,
                                  uint32_t leaves);
/* Leaves have gone, which had these ranks: nothing more is known of them. `who` says it in words
 * ("tool process 3 on node7"). ORK_NOMEM. */
enum ork_status ork_root_lose(struct ork_root *root, const char *who, uint32_t leaves,
                              const uint32_t *rank, uint32_t num_ranks);

/* Batches of tool processes that had to wait, for the report. */
void ork_root_add_waits(struct ork_root *root, uint64_t count);

/* Search if there is reason to. Statuses: ORK_NOMEM. */
enum ork_status ork_root_step(struct ork_root *root);
/* All ranks that came have gone. */
bool ork_root_is_over(const struct ork_root *root);
/* For how many nanoseconds nothing has come of any rank. */
uint64_t ork_root_quiet_ns(struct ork_root *root);

/* The user stops the run: say where everybody is. What ends from here on was ended from outside. */
enum ork_status ork_root_interrupt(struct ork_root *root);

/* The user asks where everybody is; the run goes on. One answer comes soon, however often it is
 * asked until then: looking at running ranks takes a moment. */
void ork_root_ask(struct ork_root *root);

/* Tell the figures of this moment. ORK_NOMEM. */
enum ork_status ork_root_figures(struct ork_root *root);

/* The application's launcher has ended: its exit status, or 128 + the number of the signal that a
 * rank was ended by, if it says so; negative: a signal ended the launcher itself. */
void ork_root_set_launcher(struct ork_root *root, int status);

/* Every rank is gone: the last search, the findings that only the end shows. */
enum ork_status ork_root_finish(struct ork_root *root);

/* Fill statistics, notes, ranks, complete of *report (initialised by the caller). */
enum ork_status ork_root_summary(struct ork_root *root, struct ork_report *report);

#endif
