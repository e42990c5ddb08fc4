/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root.h"

#include "common/log.h"
#include "detector/detector.h"
#include "overlay/describe.h"
#include "overlay/judge.h"
#include "overlay/sites.h"
#include "overlay/suspect.h"
#include "overlay/trace.h"
#include "overlay/words.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS UINT64_C(1000000)

/* Least time between two searches: when all is quiet, while a candidate is watched, while records
 * stream in. */
enum { PAUSE_QUIET_MS = 2, PAUSE_WATCH_MS = 10, PAUSE_BUSY_MS = 100 };
/* A search may cost one part in so many of the time. */
enum { SEARCH_SHARE = 50 };
/* Searches in a row, each after the last has let some rank pass, before records are taken in again.
 */
enum { ROUNDS_MAX = 10000 };
enum { QUEUE_FIRST_LIMIT = 1 << 16, RANKS_MAX = 1 << 24 };
/* How long ranks that are still under way may take to join a deadlock before it is reported without
 * them. */
#define JOIN_NS (500 * MS)
/* How long the launcher may take to end a job of which a rank ended without MPI_Finalize. */
#define LAUNCHER_NS      (3000 * MS)
#define HANG_MISMATCH_NS (3000 * MS)
#define HANG_NS          (10000 * MS)

/* Records that came before the size of the job was known, or the end of a rank. */
struct early {
    struct early *next;
    uint32_t rank;
    bool is_end;
    enum ork_end end;
    size_t n;
    struct ork_record record[];
};

/* A bottom knot that was reported. */
struct told {
    uint64_t signature;
    enum ork_class class_;
};

struct ork_root {
    struct ork_root_options options;
    const struct ork_report_sink *sink;
    struct ork_down down;
    struct ork_trace *trace;
    struct early *early, **early_end;
    uint32_t nprocs;
    struct ork_detector *detector;
    struct ork_sites *sites;
    struct ork_judge *judge;
    struct ork_suspect *suspect;
    uint64_t *last_ns; /* when each rank's latest record came */
    uint64_t change_ns, next_ns, queue_limit;
    uint64_t
        stuck_ns; /* when a launcher that has not ended the job counts as asleep; 0: no reason to */
    uint64_t manifest_ns; /* when a manifest deadlock was first seen; 0: never */
    uint64_t full_waits;
    uint32_t attached, ended;
    bool interrupted, dirty, watching, hang_told;
    bool ending; /* what ends from here on was ended from outside */
    uint32_t issues_told;
    struct told *told;
    uint32_t num_told;
    double seconds_to_verdict;
    bool trace_failed;
};

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

enum ork_status ork_root_create(const struct ork_root_options *options,
                                const struct ork_report_sink *sink, struct ork_root **out)
{
    struct ork_root *root = calloc(1, sizeof(*root));
    enum ork_status status = ORK_OK;

    if (root == NULL)
        return ORK_NOMEM;
    root->options = *options;
    root->sink = sink;
    root->early_end = &root->early;
    root->queue_limit = QUEUE_FIRST_LIMIT;
    root->seconds_to_verdict = -1;
    if (options->trace != NULL)
        status = ork_trace_create(options->trace, &root->trace);
    if (status != ORK_OK) {
        ork_error("cannot write the trace %s: %s", options->trace, ork_status_text(status));
        free(root);
        return ORK_IO;
    }
    *out = root;
    return ORK_OK;
}

void ork_root_destroy(struct ork_root *root)
{
    if (root == NULL)
        return;
    while (root->early != NULL) {
        struct early *next = root->early->next;
        free(root->early);
        root->early = next;
    }
    if (ork_trace_close(root->trace) != ORK_OK)
        ork_error("the trace %s could not be written in full", root->options.trace);
    ork_detector_destroy(root->detector);
    ork_sites_destroy(root->sites);
    ork_judge_destroy(root->judge);
    ork_suspect_destroy(root->suspect);
    free(root->last_ns);
    free(root->told);
    free(root);
}

void ork_root_set_down(struct ork_root *root, const struct ork_down *down)
{
    root->down = *down;
}

/* ---- records in ---- */

static enum ork_status take(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    if (rank >= root->nprocs)
        return ORK_OK;
    root->last_ns[rank] = root->change_ns = now();
    root->dirty = true;
    enum ork_status status = ork_sites_feed(root->sites, rank, record, n);
    return status == ORK_OK ? ork_detector_feed(root->detector, rank, record, n) : status;
}

static enum ork_status take_end(struct ork_root *root, uint32_t rank, enum ork_end end)
{
    return rank < root->nprocs ? ork_detector_end(root->detector, rank, end) : ORK_OK;
}

static enum ork_status start(struct ork_root *root, uint32_t nprocs)
{
    enum ork_status status;

    root->nprocs = nprocs;
    root->last_ns = calloc(nprocs, sizeof(*root->last_ns));
    if (root->last_ns == NULL)
        return ORK_NOMEM;
    if ((status = ork_detector_create(nprocs, &root->detector)) != ORK_OK ||
        (status = ork_sites_create(nprocs, &root->sites)) != ORK_OK ||
        (status = ork_judge_create(nprocs, &root->judge)) != ORK_OK ||
        (status = ork_suspect_create(nprocs, &root->suspect)) != ORK_OK)
        return status;
    ork_detector_set_model(root->detector, &root->options.model);
    for (struct early *e = root->early; e != NULL && status == ORK_OK; e = e->next)
        status = e->is_end ? take_end(root, e->rank, e->end) : take(root, e->rank, e->record, e->n);
    return status;
}

static struct early *add_early(struct ork_root *root, uint32_t rank, size_t n)
{
    struct early *e = calloc(1, sizeof(*e) + n * sizeof(e->record[0]));

    if (e == NULL)
        return NULL;
    e->rank = rank;
    e->n = n;
    *root->early_end = e;
    root->early_end = &e->next;
    return e;
}

/* RATIONALE: untrusted like every record, but the size of all that follows. */
static bool is_init(uint32_t rank, const struct ork_record *record)
{
    return record->kind == ORK_KIND_INIT && record->arg2 > rank && record->arg2 < RANKS_MAX &&
           record->peer == (int32_t)rank;
}

static enum ork_status keep_early(struct ork_root *root, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    struct early *e = add_early(root, rank, n);

    if (e == NULL)
        return ORK_NOMEM;
    memcpy(e->record, record, n * sizeof(*record));
    for (size_t i = 0; i < n; i++) {
        if (is_init(rank, &record[i]))
            return start(root, record[i].arg2);
    }
    return ORK_OK;
}

static enum ork_status keep_early_end(struct ork_root *root, uint32_t rank, enum ork_end end)
{
    struct early *e = add_early(root, rank, 0);

    if (e == NULL)
        return ORK_NOMEM;
    e->is_end = true;
    e->end = end;
    return ORK_OK;
}

static enum ork_status on_attach(void *context, const struct ork_attached *attached)
{
    struct ork_root *root = context;

    (void)attached;
    root->attached++;
    return ORK_OK;
}

static enum ork_status on_batch(void *context, uint32_t rank, const struct ork_record *record,
                                size_t n)
{
    struct ork_root *root = context;

    if (root->trace != NULL && ork_trace_records(root->trace, rank, record, n) != ORK_OK)
        root->trace_failed = true;
    return root->detector == NULL ? keep_early(root, rank, record, n) : take(root, rank, record, n);
}

static enum ork_end end_of(const struct ork_root *root, enum ork_death how)
{
    if (how == ORK_DEATH_FINISHED)
        return ORK_END_FINISHED;
    /* inside a call it was the launcher, MPI's error handler or a crash: the call was never over */
    if (root->ending || how == ORK_DEATH_INSIDE)
        return ORK_END_KILLED;
    if (root->detector != NULL && ork_detector_aborted(root->detector))
        return ORK_END_KILLED;
    return ORK_END_EXITED;
}

static enum ork_status on_end(void *context, uint32_t rank, enum ork_death how, uint64_t full_waits)
{
    struct ork_root *root = context;
    enum ork_end end = end_of(root, how);

    root->ended++;
    root->full_waits += full_waits;
    root->dirty = true;
    root->change_ns = now();
    if (root->trace != NULL && ork_trace_end(root->trace, rank, (uint8_t)end) != ORK_OK)
        root->trace_failed = true;
    return root->detector == NULL ? keep_early_end(root, rank, end) : take_end(root, rank, end);
}

static size_t credit(void *context)
{
    (void)context; /* queued records are kept here: nothing is held back */
    return SIZE_MAX;
}

struct ork_up ork_root_up(struct ork_root *root)
{
    return (struct ork_up){
        .context = root, .attach = on_attach, .batch = on_batch, .end = on_end, .credit = credit};
}

/* ---- findings out ---- */

static uint64_t signature(const struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < k.count; i++) {
        if (k.node[i] >= root->nprocs)
            continue;
        struct ork_rank_view v = ork_detector_rank(root->detector, k.node[i]);
        h = (h ^ ((uint64_t)k.node[i] << 32 | v.call.site)) * UINT64_C(0x100000001b3);
        h = (h ^ v.call.kind) * UINT64_C(0x100000001b3);
    }
    return h;
}

/* Once told as manifest a knot is not told as potential any more. */
static bool is_told(const struct ork_root *root, uint64_t sign, enum ork_class class_)
{
    for (uint32_t i = 0; i < root->num_told; i++) {
        if (root->told[i].signature == sign &&
            (root->told[i].class_ == class_ || root->told[i].class_ == ORK_MANIFEST))
            return true;
    }
    return false;
}

/* Leave in `knots` (for each bottom knot) those not yet reported with this class, and remember
 * them. */
static enum ork_status keep_new(struct ork_root *root, const struct ork_search *s,
                                enum ork_class class_, bool *knots, bool *any)
{
    *any = false;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        uint64_t sign = signature(root, s, k);
        knots[k] = knots[k] && !is_told(root, sign, class_);
        if (!knots[k])
            continue;
        struct told *bigger = realloc(root->told, (root->num_told + 1) * sizeof(*bigger));
        if (bigger == NULL)
            return ORK_NOMEM;
        root->told = bigger;
        root->told[root->num_told++] = (struct told){.signature = sign, .class_ = class_};
        *any = true;
    }
    return ORK_OK;
}

static void measure(struct ork_root *root, const struct ork_finding *f, uint64_t at)
{
    uint64_t last = 0;

    if (f->class_ != ORK_MANIFEST || root->seconds_to_verdict >= 0)
        return;
    for (uint32_t i = 0; i < f->ranks.count; i++) {
        if (root->last_ns[f->ranks.item[i]] > last)
            last = root->last_ns[f->ranks.item[i]];
    }
    root->seconds_to_verdict = at > last ? (double)(at - last) * 1e-9 : 0;
}

/* Is a rank that has ended among the causes? Then the launcher ends the job, in its own way. */
static bool is_end_a_root(const struct ork_root *root, const struct ork_finding *f)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count; i++) {
            if (ork_detector_rank(root->detector, f->roots[k].item[i]).status == ORK_RANK_DONE)
                return true;
        }
    }
    return false;
}

static enum ork_status tell_deadlock(struct ork_root *root, const struct ork_search *s,
                                     const bool *knots, enum ork_class class_)
{
    uint32_t n = ork_wfg_num_bottom(s->wfg);
    bool *fresh = malloc(n * sizeof(*fresh));
    struct ork_finding finding;
    bool any;

    if (fresh == NULL)
        return ORK_NOMEM;
    memcpy(fresh, knots, n * sizeof(*fresh));
    enum ork_status status = keep_new(root, s, class_, fresh, &any);
    if (status == ORK_OK && any) {
        struct ork_deadlock dl = {
            .search = s, .root = fresh, .class_ = class_, .nprocs = root->nprocs};
        status = ork_describe_deadlock(root->detector, root->sites, &dl, &finding);
        if (status == ORK_OK) {
            measure(root, &finding, now());
            bool fatal = class_ == ORK_MANIFEST && !is_end_a_root(root, &finding);
            if (class_ == ORK_MANIFEST && !fatal)
                root->stuck_ns = now() + LAUNCHER_NS;
            root->ending |= class_ == ORK_MANIFEST;
            root->sink->finding(root->sink->context, &finding, fatal);
            ork_finding_release(&finding);
        }
    }
    free(fresh);
    return status;
}

static enum ork_status tell_issues(struct ork_root *root, bool fatal)
{
    for (; root->issues_told < ork_detector_num_issues(root->detector); root->issues_told++) {
        const struct ork_issue *issue = ork_detector_issue(root->detector, root->issues_told);
        struct ork_finding finding;
        enum ork_status status = ork_describe_issue(root->detector, root->sites, issue, &finding);
        if (status != ORK_OK)
            return status;
        root->sink->finding(root->sink->context, &finding, fatal && finding.severity == ORK_ERROR);
        ork_finding_release(&finding);
    }
    return ORK_OK;
}

/* ---- when and how to search ---- */

/* Are there ranks that may yet become part of it? A report that names them all is worth a moment.
 */
static bool may_be_joined(struct ork_root *root, const struct ork_search *s, uint64_t at)
{
    bool running = false;

    if (root->manifest_ns == 0)
        root->manifest_ns = at;
    for (uint32_t r = 0; r < root->nprocs && !running; r++)
        running = !ork_wfg_is_deadlocked(s->wfg, r);
    return running && at - root->manifest_ns < JOIN_NS;
}

/* One search and what follows from it. *again: the state changed, look at it once more. */
static enum ork_status judge_once(struct ork_root *root, bool final, bool *again)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *knots;
    uint32_t passed = 0;
    uint64_t at = now();
    enum ork_status status = ork_judge_state(root->judge, root->detector, &root->down, at, final,
                                             &verdict, &search, &knots);

    *again = false;
    root->watching = verdict == ORK_VERDICT_WAIT;
    if (status != ORK_OK)
        return status;
    switch (verdict) {
    case ORK_VERDICT_POTENTIAL:
        status = tell_deadlock(root, search, knots, ORK_POTENTIAL);
        if (status == ORK_OK)
            status = ork_detector_relax(root->detector, search, &passed);
        *again = passed > 0;
        root->watching = passed == 0;
        break;
    case ORK_VERDICT_MANIFEST:
        if (!final && may_be_joined(root, search, at)) {
            root->watching = true;
            break;
        }
        status = tell_deadlock(root, search, knots, ORK_MANIFEST);
        break;
    case ORK_VERDICT_MOVED:
        *again = true;
        break;
    case ORK_VERDICT_NONE:
    case ORK_VERDICT_WAIT:
        break;
    }
    ork_search_destroy(search);
    return status;
}

static enum ork_status judge(struct ork_root *root, bool final)
{
    uint64_t begin = now();
    enum ork_status status = ORK_OK;
    bool again = true;

    bool busy = false;

    root->dirty = false;
    for (unsigned i = 0; again && i < ROUNDS_MAX && status == ORK_OK; i++)
        status = judge_once(root, final, &again);
    root->watching |= again;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        busy |= ork_detector_is_busy(root->detector, r);
        ork_detector_set_busy(root->detector, r, false);
    }
    root->watching |= busy; /* its threads may yet stop */
    uint64_t end = now();
    root->next_ns = end + (end - begin) * SEARCH_SHARE;
    return status;
}

/* Every rank is inside a call, and has been for long. */
static bool is_hanging(struct ork_root *root, uint64_t at, uint64_t since)
{
    if (root->attached < root->nprocs || root->ended > 0 || at - root->change_ns < since)
        return false;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        struct ork_snapshot snapshot;
        if (root->down.collect(root->down.context, r, &snapshot) != ORK_OK ||
            snapshot.head != snapshot.taken || snapshot.threads == 0)
            return false;
        for (uint32_t t = 0; t < snapshot.threads; t++) {
            if ((snapshot.word[t] & 0xff) != ORK_STATE_BLOCKED)
                return false;
        }
    }
    return true;
}

/* Nothing but polling, and no way out of it. */
static enum ork_status look_for_polling(struct ork_root *root, uint64_t at)
{
    struct ork_search *search;
    enum ork_status status =
        ork_suspect_look(root->suspect, root->detector, &root->down, at, &search);

    if (status != ORK_OK || search == NULL)
        return status;
    uint32_t n = ork_wfg_num_bottom(search->wfg);
    bool *knots = malloc((n + 1) * sizeof(*knots));
    if (knots != NULL) {
        for (uint32_t k = 0; k < n; k++)
            knots[k] = true;
        status = tell_deadlock(root, search, knots, ORK_SUSPECTED);
    } else {
        status = ORK_NOMEM;
    }
    free(knots);
    ork_search_destroy(search);
    ork_suspect_forget(root->suspect, root->detector);
    return status;
}

static enum ork_status look_for_hang(struct ork_root *root, uint64_t at)
{
    struct ork_finding finding;

    if (root->issues_told < ork_detector_num_issues(root->detector) &&
        is_hanging(root, at, HANG_MISMATCH_NS))
        return tell_issues(root, true);
    if (root->hang_told || root->num_told > 0 || !is_hanging(root, at, HANG_NS))
        return ORK_OK;
    root->hang_told = true;
    enum ork_status status = ork_describe_state(
        root->detector, root->sites, root->nprocs, "hang",
        "every rank has been inside an MPI call for 10 seconds, and no deadlock explains it",
        &finding);
    if (status != ORK_OK)
        return status;
    root->sink->finding(root->sink->context, &finding, false);
    ork_finding_release(&finding);
    return ORK_OK;
}

enum ork_status ork_root_step(struct ork_root *root, bool moved)
{
    if (root->detector == NULL || root->interrupted || ork_detector_aborted(root->detector))
        return ORK_OK;
    uint64_t at = now();
    if (root->stuck_ns != 0 && at > root->stuck_ns && root->ended < root->attached) {
        root->stuck_ns = 0;
        root->sink->stuck(root->sink->context);
    }
    if (!moved) {
        enum ork_status status = look_for_hang(root, at);
        if (status == ORK_OK && root->options.deadlocks)
            status = look_for_polling(root, at);
        if (status != ORK_OK)
            return status;
    }
    if (!root->options.deadlocks || !(root->dirty || root->watching) || at < root->next_ns)
        return ORK_OK;
    uint64_t queued = ork_detector_counts(root->detector).queued;
    if (queued < root->queue_limit && moved && at - root->next_ns < PAUSE_BUSY_MS * MS)
        return ORK_OK;
    enum ork_status status = judge(root, false);
    queued = ork_detector_counts(root->detector).queued;
    root->queue_limit = queued * 2 > QUEUE_FIRST_LIMIT ? queued * 2 : QUEUE_FIRST_LIMIT;
    uint64_t next = now() + (root->dirty ? PAUSE_QUIET_MS : PAUSE_WATCH_MS) * MS;
    if (next > root->next_ns)
        root->next_ns = next;
    return status;
}

enum ork_status ork_root_interrupt(struct ork_root *root)
{
    struct ork_finding finding;
    enum ork_status status = ORK_OK;

    if (root->detector == NULL) {
        root->interrupted = root->ending = true;
        return ORK_OK;
    }
    if (root->options.deadlocks && !root->interrupted && !ork_detector_aborted(root->detector))
        status = judge(root, false);
    root->interrupted = root->ending = true;
    if (status == ORK_OK)
        status = ork_describe_state(root->detector, root->sites, root->nprocs, "state",
                                    "where the ranks were when the run was stopped", &finding);
    if (status != ORK_OK)
        return status;
    root->sink->state(root->sink->context, &finding);
    ork_finding_release(&finding);
    return ORK_OK;
}

enum ork_status ork_root_finish(struct ork_root *root)
{
    enum ork_status status = ORK_OK;

    if (root->detector == NULL)
        return ORK_OK;
    if (root->options.deadlocks && !root->interrupted && !ork_detector_aborted(root->detector))
        status = judge(root, true);
    if (status == ORK_OK)
        status = tell_issues(root, false);
    for (uint32_t r = 0; r < root->nprocs && status == ORK_OK; r++) {
        const char *fault = ork_detector_fault(root->detector, r);
        struct ork_finding finding;
        if (fault == NULL)
            continue;
        status = ork_describe_fault(r, fault, &finding);
        if (status == ORK_OK) {
            root->sink->finding(root->sink->context, &finding, false);
            ork_finding_release(&finding);
        }
    }
    return status;
}

/* ---- summary ---- */

static enum ork_status add_note(struct ork_report *report, char *note)
{
    enum ork_status status = note == NULL ? ORK_NOMEM : ork_report_add_note(report, note);

    free(note);
    return status;
}

static enum ork_status add_opaque_notes(struct ork_root *root, struct ork_report *report)
{
    for (unsigned call = 0; call < ORK_CALL_MAX; call++) {
        uint64_t n = ork_detector_opaque_calls(root->detector, call);
        if (n == 0)
            continue;
        enum ork_status status = add_note(
            report, ork_words("%llu call%s of %s %s not analysed", (unsigned long long)n,
                              n == 1 ? "" : "s", ork_call_name(call), n == 1 ? "was" : "were"));
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

enum ork_status ork_root_summary(struct ork_root *root, struct ork_report *report)
{
    enum ork_status status = ORK_OK;

    report->ranks = root->nprocs;
    report->statistics.seconds_to_verdict = root->seconds_to_verdict;
    report->statistics.full_waits = root->full_waits;
    report->statistics.tool_ranks = 1;
    if (root->detector == NULL)
        return ORK_OK;
    struct ork_counts counts = ork_detector_counts(root->detector);
    report->statistics.calls = counts.calls;
    report->statistics.records = counts.records;
    report->statistics.messages = counts.messages;
    report->statistics.collectives = counts.collectives;
    report->statistics.searches = counts.searches;
    if (root->attached < root->nprocs) {
        report->complete = false;
        status = add_note(report, ork_words("%u of %u ranks were not observed",
                                            root->nprocs - root->attached, root->nprocs));
    }
    if (status == ORK_OK && root->trace_failed)
        status = ork_report_add_note(report, "the trace could not be written in full");
    for (uint32_t r = 0; r < root->nprocs; r++)
        report->complete &= ork_detector_fault(root->detector, r) == NULL;
    return status == ORK_OK ? add_opaque_notes(root, report) : status;
}
