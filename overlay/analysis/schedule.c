/* SPDX-License-Identifier: BSD-3-Clause */
/* When to search, and what follows from the result. */
#include "overlay/analysis/root_internal.h"

#include "overlay/analysis/interleaving.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/job_phrase.h"

#include <stdlib.h>

/* Least time between two searches: when all is quiet, while a candidate is watched, while records
 * stream in. */
enum { PAUSE_QUIET_MS = 2, PAUSE_WATCH_MS = 10, PAUSE_BUSY_MS = 100 };
/* A search may cost one part in so many of the time. */
enum { SEARCH_SHARE = 50 };
/* Searches in a row, each after the last has let some rank pass, before records are taken in again.
 */
enum { ROUNDS_MAX = 10000 };
/* How long ranks that are still under way may take to join a deadlock before it is reported without
 * them. */
#define JOIN_NS (500 * MS)
#define HANG_NS (10000 * MS)
/* The same while it is not certain whether they can go on: what is told is a deadlock, mostly. */
#define HANG_UNSURE_NS (60000 * MS)
/* All ranks are looked at no more often; the longer nothing has moved, the less often. */

/* Are there ranks that may yet become part of it? A report that names them all is worth a moment.
 * *since: when it was first seen, or 0. */
static bool may_be_joined(const struct ork_root *root, const struct ork_search *s, uint64_t *since,
                          uint64_t at)
{
    bool running = false;

    if (root->interrupted)
        return false;
    if (*since == 0)
        *since = at;
    for (uint32_t r = 0; r < root->nprocs && !running; r++)
        running = !ork_wfg_is_deadlocked(s->wfg, r);
    return running && ork_elapsed_ns(at, *since) < JOIN_NS;
}

/* The run goes on, and what it does waits here meanwhile: only for what is told, and not if it is
 * much. */
static bool may_potential_be_joined(struct ork_root *root, const struct ork_search *s,
                                    const bool *knots, uint64_t at)
{
    return ork_root_is_news(root, s, knots, ORK_POTENTIAL) &&
           ork_detector_counts(root->detector).queued < QUEUE_FIRST_LIMIT &&
           may_be_joined(root, s, &root->potential_ns, at);
}

/* One search and what follows from it. *again: the state changed, look at it once more. */
static enum ork_status classify_once(struct ork_root *root, bool final, bool *again)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *knots;
    uint32_t passed = 0;
    uint64_t at = ork_root_now(root);
    enum ork_status status = ork_classifier_run(root->classifier, root->detector, root->snapshots,
                                                at, final, &verdict, &search, &knots);

    *again = false;
    root->watching = verdict == ORK_VERDICT_WAIT;
    if (status != ORK_OK)
        return status;
    switch (verdict) {
    case ORK_VERDICT_POTENTIAL:
        if (!final && may_potential_be_joined(root, search, knots, at)) {
            root->watching = true;
            break;
        }
        root->potential_ns = 0;
        status = ork_root_report_deadlock(root, search, knots, ORK_POTENTIAL);
        if (status == ORK_OK)
            status = ork_detector_relax(root->detector, search, &passed);
        *again = passed > 0;
        root->watching = passed == 0;
        break;
    case ORK_VERDICT_MANIFEST:
        if (!final && may_be_joined(root, search, &root->manifest_ns, at)) {
            root->watching = true;
            break;
        }
        status = ork_root_report_deadlock(root, search, knots, ORK_MANIFEST);
        break;
    case ORK_VERDICT_MOVED:
        *again = true;
        break;
    case ORK_VERDICT_NONE:
        status = ork_detector_catch_up(root->detector, final, &passed);
        *again = passed > 0;
        break;
    case ORK_VERDICT_WAIT:
        break;
    }
    ork_search_destroy(search);
    return status;
}

static enum ork_status classify(struct ork_root *root, bool final)
{
    uint64_t begin = ork_root_now(root);
    enum ork_status status = ORK_OK;
    bool again = true, busy = false;

    root->dirty = false;
    for (unsigned i = 0; again && i < ROUNDS_MAX && status == ORK_OK; i++)
        status = classify_once(root, final, &again);
    root->watching |= again;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        busy |= ork_detector_is_busy(root->detector, r);
        ork_detector_set_busy(root->detector, r, false);
    }
    root->threads_may_stop = busy;
    uint64_t end = ork_root_now(root);
    root->next_ns = end + (end - begin) * SEARCH_SHARE;
    return status;
}

/* Nothing but polling, or threads that wait for what is not known, and no way out of it in MPI; or
 * calls that never return. */
static enum ork_status report_suspicion(struct ork_root *root, const struct ork_suspicion *found)
{
    uint32_t n = ork_wfg_num_bottom(found->search->wfg);
    bool *knots = malloc((n + 1) * sizeof(*knots));

    if (knots == NULL)
        return ORK_NOMEM;
    for (uint32_t k = 0; k < n; k++)
        knots[k] = true;
    enum ork_status status = ORK_OK;
    if (found->is_certain)
        status = ork_root_report_deadlock(root, found->search, knots, ORK_MANIFEST);
    else if (ork_busy_wait_news(root->busy_wait, root->detector, found->search, knots))
        status = ork_root_report_deadlock(root, found->search, knots, ORK_SUSPECTED);
    free(knots);
    return status;
}

static enum ork_status look_for_busy_waits(struct ork_root *root, uint64_t at)
{
    struct ork_suspicion found;
    enum ork_status status =
        ork_busy_wait_observe(root->busy_wait, root->detector, root->snapshots, at, &found);

    root->dirty |= found.rests;
    if (status != ORK_OK || found.search == NULL)
        return status;
    status = report_suspicion(root, &found);
    ork_search_destroy(found.search);
    ork_busy_wait_forget(root->busy_wait, root->detector);
    return status;
}

/* Every rank is in a call: those whose call lacks nothing are shown there, too. */
static enum ork_status describe_hang(struct ork_root *root, bool unsure,
                                     struct ork_finding *finding)
{
    struct ork_search *search = NULL;
    char *words;
    enum ork_status status = ork_root_leaving_words(root, &words);

    if (status != ORK_OK)
        return status;
    if (words == NULL)
        words = ork_job_phrase_hang(root->detector, root->nprocs, unsure);
    status = words == NULL ? ORK_NOMEM : ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status == ORK_OK)
        status = ork_describe_state(root->detector, root->sites, search, root->nprocs, "hang",
                                    words, finding);
    ork_search_destroy(search);
    free(words);
    if (status == ORK_OK && (status = ork_root_describe_activity(root, finding)) != ORK_OK)
        ork_finding_release(finding);
    return status;
}

static enum ork_status look_for_hang(struct ork_root *root, uint64_t at)
{
    struct ork_finding finding;
    bool unsure = root->watching || ork_root_is_mismatch_open(root);
    uint64_t ns = unsure ? HANG_UNSURE_NS : HANG_NS;

    if (root->options.hang_after_ns != 0 || root->ending)
        return ORK_OK;
    if (root->hang_reported || root->num_reported > 0 ||
        !(ork_root_is_quiet(root, at, ns) ||
          (ork_root_is_hanging(root, at, ns) &&
           ork_activity_observe(root->activity, root->snapshots, at))))
        return ORK_OK;
    bool caught_up;
    enum ork_status status = ork_root_catch_up(root, &caught_up);
    if (status != ORK_OK || caught_up)
        return status;
    root->hang_reported = true;
    status = describe_hang(root, unsure, &finding);
    if (status != ORK_OK)
        return status;
    char *detail = ork_root_hang_detail(root);
    if (detail != NULL && (status = ork_describe_add_detail(&finding, detail)) != ORK_OK)
        return status;
    return ork_root_report_hanging(root, &finding, false);
}

/* RATIONALE: to ask again and again whether threads have stopped costs all ranks a look at their
 * threads. What comes in while there is nothing to ask is looked at soon: a library may let a rank
 * out of MPI_Finalize within 50 ms. */
static unsigned pause_of(const struct ork_root *root)
{
    if (root->dirty)
        return PAUSE_QUIET_MS;
    return root->threads_may_stop && !root->watching ? PAUSE_BUSY_MS : PAUSE_WATCH_MS;
}

enum ork_status ork_root_step(struct ork_root *root)
{
    bool moved = root->moved;
    enum ork_status reported = ork_root_report_stacks(root, false);

    root->moved = false;
    root->taken_ns = 0;
    ork_root_mark_step(root);
    if (reported == ORK_OK)
        reported = ork_root_report_held(root, ork_root_now(root), false);
    if (reported == ORK_OK)
        reported = ork_root_answer(root, ork_root_now(root));
    if (reported == ORK_OK)
        reported = ork_root_report_ends(root, false);
    if (reported != ORK_OK)
        return reported;
    if (root->detector == NULL || root->interrupted)
        return ORK_OK;
    uint64_t at = ork_root_now(root);
    if (root->stuck_ns != 0 && at > root->stuck_ns && root->ended < root->attached) {
        root->stuck_ns = 0;
        root->sink->stuck(root->sink->context);
    }
    enum ork_status mismatch = ork_root_look_for_mismatch(root, at);
    if (mismatch != ORK_OK)
        return mismatch;
    if (!moved) {
        enum ork_status stuck = ork_root_check_stuck(root, at);
        if (stuck != ORK_OK)
            return stuck;
        enum ork_status status = root->options.deadlocks ? ork_root_foresee_hang(root, at) : ORK_OK;
        if (status == ORK_OK)
            status = look_for_hang(root, at);
        if (status == ORK_OK && root->options.deadlocks)
            status = look_for_busy_waits(root, at);
        if (status == ORK_OK)
            status = ork_root_watch(root, at);
        if (status != ORK_OK)
            return status;
    }
    enum ork_status short_of = ork_root_check_memory(root);
    if (short_of != ORK_OK)
        return short_of;
    if (!root->options.deadlocks || !(root->dirty || root->watching || root->threads_may_stop) ||
        at < root->next_ns)
        return ORK_OK;
    uint64_t queued = ork_detector_counts(root->detector).queued;
    if (queued < root->queue_limit && moved &&
        ork_elapsed_ns(at, root->next_ns) < PAUSE_BUSY_MS * MS)
        return ORK_OK;
    enum ork_status status = classify(root, false);
    if (status == ORK_OK)
        status = ork_root_foresee_history(root);
    queued = ork_detector_counts(root->detector).queued;
    root->queue_limit = queued * 2 > QUEUE_FIRST_LIMIT ? queued * 2 : QUEUE_FIRST_LIMIT;
    uint64_t next = ork_root_now(root) + pause_of(root) * MS;
    if (next > root->next_ns)
        root->next_ns = next;
    return status;
}

enum ork_status ork_root_interrupt(struct ork_root *root)
{
    struct ork_finding finding;
    enum ork_status status = ork_root_report_stacks(root, true);

    bool again = root->interrupted;
    root->interrupted = root->ending = true;
    if (root->detector == NULL)
        return ORK_OK;
    if (status == ORK_OK && root->options.deadlocks && !again)
        status = classify(root, false);
    if (status == ORK_OK)
        status = ork_root_report_held(root, ork_root_now(root), true);
    if (status == ORK_OK)
        status = ork_describe_state(root->detector, root->sites, NULL, root->nprocs, "state",
                                    "where the ranks were when the run was stopped", &finding);
    if (status != ORK_OK)
        return status;
    if ((status = ork_root_describe_places(root, &finding)) != ORK_OK) {
        ork_finding_release(&finding);
        return status;
    }
    root->sink->state(root->sink->context, &finding);
    ork_finding_release(&finding);
    return ORK_OK;
}

/* RATIONALE: who was ended while a thread of his could still act was in no deadlock that is
 * certain; and what was supposed of threads is not seen any more. */
static void leave_threads_open(struct ork_root *root)
{
    ork_busy_wait_forget(root->busy_wait, root->detector);
    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *last = ork_snapshots_last(root->snapshots, r);
        if (last != NULL && last->others != ORK_OTHERS_NONE)
            ork_detector_set_busy(root->detector, r, true);
    }
}

enum ork_status ork_root_finish(struct ork_root *root)
{
    enum ork_status status = ork_root_report_stacks(root, true);

    root->ranks_are_gone = true;
    if (status == ORK_OK)
        status = ork_root_report_ends(root, true);
    if (root->detector == NULL)
        return status;
    leave_threads_open(root);
    if (status == ORK_OK && root->options.deadlocks && !root->interrupted)
        status = classify(root, true);
    if (status == ORK_OK)
        status = ork_root_report_held(root, ork_root_now(root), true);
    if (status == ORK_OK && root->options.deadlocks && !root->interrupted)
        status = ork_root_foresee_end(root);
    if (status == ORK_OK)
        status = ork_root_report_issues(root, false);
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
