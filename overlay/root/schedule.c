/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches when the policy asks for it, and acts on the result. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "overlay/root/interleaving.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/job_phrase.h"

#include <stdlib.h>

/* Searches in a row, each after the last has released some rank, before records are taken again. */
enum { ROUNDS_MAX = 10000 };
/* May other ranks still become part of the deadlock? */
static bool others_run(const struct ork_root *root, const struct ork_search *s)
{
    bool running = false;

    for (uint32_t r = 0; r < root->nprocs && !running; r++)
        running = !ork_wfg_is_deadlocked(s->wfg, r);
    return running;
}

/* RATIONALE: the run continues, and its records queue here meanwhile. So wait only for a finding
 * that will be reported, and only if few records are queued. */
static bool waits_for_others(struct ork_root *root, enum root_candidate kind,
                             const struct ork_search *s, const bool *knots, uint64_t at)
{
    if (kind == ROOT_CANDIDATE_POTENTIAL &&
        (!ork_root_has_news(root, s, knots, ORK_POTENTIAL) ||
         ork_detector_counts(root->detector).queued >= ROOT_QUEUE_FIRST))
        return false;
    return ork_policy_waits_for_others(&root->policy, kind, others_run(root, s), at);
}

/* The run passed it: report it, and release the ranks from the calls. But first use what later
 * records show: more ranks may be part of it. */
static enum ork_status take_potential(struct ork_root *root, const struct ork_search *s,
                                      const bool *knots, bool *again)
{
    uint32_t found, passed = 0;
    enum ork_status status = ork_detector_reveal(root->detector, &found);

    *again = found > 0;
    if (status != ORK_OK || found > 0)
        return status;
    ork_policy_forget_potential(&root->policy);
    status = ork_root_report_deadlock(root, s, knots, ORK_POTENTIAL);
    if (status == ORK_OK)
        status = ork_detector_relax(root->detector, s, &passed);
    *again = passed > 0;
    if (passed == 0)
        ork_policy_set_candidate(&root->policy, ROOT_CANDIDATE_UNDECIDED);
    return status;
}

/* No deadlock is known: does the analysis lag behind the run? */
static enum ork_status take_none(struct ork_root *root, uint64_t at, bool final, bool *again)
{
    uint32_t passed = 0;
    enum ork_status status = ORK_OK;

    if (final || ork_policy_may_catch_up(&root->policy, ork_elapsed_ns(at, root->input.change_ns),
                                         ork_detector_counts(root->detector).queued))
        status = ork_detector_catch_up(root->detector, final, &passed);
    *again = passed > 0;
    return status;
}

/* Act on a verdict. *again: the state changed, look at it once more. */
static enum ork_status take_verdict(struct ork_root *root, enum ork_verdict verdict,
                                    const struct ork_search *s, const bool *knots, uint64_t at,
                                    bool final, bool *again)
{
    ork_policy_set_candidate(&root->policy, verdict == ORK_VERDICT_WAIT ? ROOT_CANDIDATE_UNDECIDED
                                                                        : ROOT_CANDIDATE_NONE);
    switch (verdict) {
    case ORK_VERDICT_POTENTIAL:
        if (!final && waits_for_others(root, ROOT_CANDIDATE_POTENTIAL, s, knots, at))
            return ORK_OK;
        return take_potential(root, s, knots, again);
    case ORK_VERDICT_MANIFEST:
        if (!final && waits_for_others(root, ROOT_CANDIDATE_MANIFEST, s, knots, at))
            return ORK_OK;
        return ork_root_report_deadlock(root, s, knots, ORK_MANIFEST);
    case ORK_VERDICT_MOVED:
        *again = true;
        break;
    case ORK_VERDICT_NONE:
        return take_none(root, at, final, again);
    case ORK_VERDICT_WAIT:
        break;
    }
    return ORK_OK;
}

static enum ork_status classify_once(struct ork_root *root, bool final, bool *again)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *knots;
    uint64_t at = ork_root_now(root);
    enum ork_status status = ork_classifier_run(root->classifier, root->detector, root->snapshots,
                                                root->usages, at, final, &verdict, &search, &knots);

    *again = false;
    if (status != ORK_OK)
        return status;
    status = take_verdict(root, verdict, search, knots, at, final, again);
    ork_search_destroy(search);
    return status;
}

/* Forget which ranks were kept out of a deadlock because a thread of theirs may act. The next
 * search checks them again. True: some were. */
static bool forget_busy(struct ork_root *root)
{
    bool any = false;

    for (uint32_t r = 0; r < root->nprocs; r++) {
        any |= ork_detector_is_busy(root->detector, r);
        ork_detector_set_busy(root->detector, r, false);
    }
    return any;
}

static enum ork_status classify(struct ork_root *root, bool final)
{
    uint64_t begin = ork_root_now(root);
    enum ork_status status = ORK_OK;
    bool again = true, busy;

    root->policy.is_dirty = false;
    for (unsigned i = 0; again && i < ROUNDS_MAX && status == ORK_OK; i++)
        status = classify_once(root, final, &again);
    busy = forget_busy(root);
    if (again)
        ork_policy_set_candidate(&root->policy, ROOT_CANDIDATE_UNDECIDED);
    if (busy && root->policy.candidate == ROOT_CANDIDATE_NONE)
        ork_policy_set_candidate(&root->policy, ROOT_CANDIDATE_THREADS);
    ork_policy_count_search(&root->policy, begin, ork_root_now(root));
    return status;
}

/* Report a suspicion: ranks only poll, or threads wait for something unknown, without a way out in
 * MPI; or calls never return. */
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

    root->policy.is_dirty |= found.rests;
    if (status != ORK_OK || found.search == NULL)
        return status;
    status = report_suspicion(root, &found);
    ork_search_destroy(found.search);
    ork_busy_wait_forget(root->busy_wait, root->detector);
    return status;
}

/* Every rank is in a call: also show ranks there whose call is matched. */
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

/* Has a deadlock been reported in which ranks wait now? */
static bool is_deadlocked(const struct ork_root *root)
{
    for (uint32_t i = 0; i < root->reports.count; i++) {
        enum ork_class class_ = root->reports.knot[i].class_;
        if (class_ == ORK_MANIFEST || class_ == ORK_SUSPECTED)
            return true;
    }
    return false;
}

/* RATIONALE: a rank of a replay may wait for a message that only the recorded run had. It is not
 * known which one does, so all leave the recording if they wait for it; the others ignore this. A
 * rank that has diverged may wait by polls. */
static enum ork_status release_replay(struct ork_root *root, uint64_t at)
{
    if (root->options.replay == NULL || is_deadlocked(root) ||
        root->released_ns == root->input.change_ns ||
        !(ork_root_is_quiet(root, at, ROOT_RELEASE_NS) ||
          (root->has_diverged && ork_root_is_stalled(root, at, ROOT_RELEASE_NS)) ||
          ork_root_is_hanging(root, at, ROOT_RELEASE_NS) || ork_root_waits_in_vain(root, at)))
        return ORK_OK;
    root->released_ns = root->input.change_ns;
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_RELEASE});
}

static enum ork_status look_for_hang(struct ork_root *root, uint64_t at)
{
    struct ork_finding finding;
    bool stuck = ork_root_is_stuck(root); /* that will be a better report */
    bool unsure = stuck || ork_policy_is_watching(&root->policy) || ork_root_is_mismatch_open(root);
    uint64_t ns = stuck    ? ROOT_STUCK_NS + ROOT_HANG_UNSURE_NS
                  : unsure ? ROOT_HANG_UNSURE_NS
                           : ROOT_HANG_NS;

    if (root->options.hang_after_ns != 0 || !ork_policy_may_report_hang(&root->policy) ||
        ork_elapsed_ns(at, root->input.change_ns) < ROOT_STILL_NS)
        return ORK_OK;
    bool have_looked = ork_root_have_all_looked(root) ||
                       ork_elapsed_ns(at, root->input.change_ns) >= ns + ROOT_HANG_UNSURE_NS;
    if (root->reports.count > 0 || !have_looked ||
        !(ork_root_is_quiet(root, at, ns) ||
          (ork_root_is_hanging(root, at, ns) &&
           ork_activity_observe(root->activity, root->snapshots, at))))
        return ORK_OK;
    bool caught_up;
    enum ork_status status = ork_root_catch_up(root, &caught_up);
    if (status != ORK_OK || caught_up)
        return status;
    ork_policy_take(&root->policy, ROOT_HANG_IS_REPORTED);
    status = describe_hang(root, unsure, &finding);
    if (status != ORK_OK)
        return status;
    char *detail = ork_root_hang_detail(root);
    if (detail != NULL && (status = ork_describe_add_detail(&finding, detail)) != ORK_OK)
        return status;
    if (root->options.replay != NULL &&
        (status = ork_describe_add_detail(
             &finding,
             strdup("This run repeats a recorded order: a wildcard receive may wait for the "
                    "message that it took then. If that message does not come, program, "
                    "input or environment are not those of the recording."))) != ORK_OK)
        return status;
    return ork_root_report_hanging(root, &finding, false);
}

/* Report what waited for an answer, or for time to pass. */
static enum ork_status report_ready(struct ork_root *root)
{
    enum ork_status status = ORK_OK;

    if (!ork_root_is_paused(root))
        status = ork_root_report_delayed(root, ork_root_now(root), false);
    if (status == ORK_OK)
        status = ork_root_answer(root, ork_root_now(root));
    return status == ORK_OK ? ork_root_report_ends(root, false) : status;
}

/* RATIONALE: ranks that are held make no progress, whatever the program does. Only a rank that died
 * counts. */
static enum ork_status look_while_paused(struct ork_root *root, uint64_t at, bool has_moved)
{
    enum ork_status status = ork_root_report_pause(root, at);

    return status == ORK_OK && !has_moved ? ork_root_check_awaited(root, at) : status;
}

/* The strict analysis may catch up now, which takes a search. */
static void search_when_still(struct ork_root *root, uint64_t at)
{
    if (root->still_ns == root->input.change_ns ||
        ork_elapsed_ns(at, root->input.change_ns) < ROOT_STILL_NS)
        return;
    root->still_ns = root->input.change_ns;
    root->policy.is_dirty = true;
}

/* Nothing has come since the latest step. */
static enum ork_status look_while_still(struct ork_root *root, uint64_t at)
{
    enum ork_status status = ork_root_check_awaited(root, at);

    search_when_still(root, at);
    if (status == ORK_OK && root->options.deadlocks)
        status = ork_root_explore_hang(root, at);
    if (status == ORK_OK)
        status = is_deadlocked(root) ? ORK_OK : ork_root_expire_polls(root, at);
    if (status == ORK_OK)
        status = release_replay(root, at);
    if (status == ORK_OK)
        status = ork_root_look_for_stuck(root, at);
    if (status == ORK_OK)
        status = look_for_hang(root, at);
    if (status == ORK_OK && root->options.deadlocks)
        status = look_for_busy_waits(root, at);
    return status == ORK_OK ? ork_root_watch(root, at) : status;
}

static enum ork_status search_if_due(struct ork_root *root, uint64_t at, bool has_moved)
{
    uint64_t queued = ork_detector_counts(root->detector).queued;

    if (!root->options.deadlocks || !ork_policy_is_search_due(&root->policy, at, has_moved, queued))
        return ORK_OK;
    if (ork_root_keeps_back(root) && ork_elapsed_ns(at, root->policy.next_ns) < ROOT_PAUSE_BUSY_NS)
        return ORK_OK;
    enum ork_status status = ork_root_unfold(root);
    if (status == ORK_OK)
        status = classify(root, false);
    if (status == ORK_OK)
        status = ork_root_explore_history(root);
    ork_policy_schedule(&root->policy, ork_root_now(root),
                        ork_detector_counts(root->detector).queued);
    return status;
}

/* Report the ranks whose records were seen to be invalid since the latest call. */
static enum ork_status report_faults(struct ork_root *root)
{
    uint32_t rank;

    while ((rank = ork_detector_next_faulty(root->detector, root->reports.faulty)) != UINT32_MAX) {
        ORK_ASSERT(rank < root->nprocs);
        struct ork_finding finding;
        enum ork_status status =
            ork_describe_fault(rank, ork_detector_fault(root->detector, rank), &finding);
        if (status != ORK_OK)
            return status;
        root->sink->finding(root->sink->context, &finding, false);
        ork_finding_release(&finding);
        root->reports.faulty = rank;
    }
    return ORK_OK;
}

enum ork_status ork_root_step(struct ork_root *root)
{
    bool has_moved = root->input.has_moved, is_steady = false;
    enum ork_status status = ork_root_report_stacks(root, false);

    if (root->ranks_are_gone)
        return status;
    root->input.has_moved = false;
    ork_root_mark_step(root);
    if (status == ORK_OK)
        status = ork_root_fold_step(root, &is_steady);
    root->input.taken_ns = 0;
    if (status == ORK_OK)
        status = report_ready(root);
    if (status == ORK_OK && root->detector != NULL)
        status =
            ork_recording_step(root->recording, ork_root_now(root), root->sites, root->detector);
    if (status == ORK_OK && root->detector != NULL)
        status = report_faults(root);
    if (status != ORK_OK || root->detector == NULL || root->policy.state == ROOT_INTERRUPTED)
        return status;
    uint64_t at = ork_root_now(root);
    ork_call_rates_note(root->rates, root->activity, at);
    status = ork_usages_report(root->usages, root->sites, root->sink, at, false);
    ork_root_check_launcher(root, at);
    if (status == ORK_OK)
        status = ork_root_report_returned(root, at, false);
    if (status != ORK_OK)
        return status;
    if (ork_root_is_paused(root))
        return look_while_paused(root, at, has_moved);
    status = ork_root_decide(root, at);
    if (status == ORK_OK)
        status = ork_root_look_for_mismatch(root, at);
    if (status == ORK_OK && !has_moved && !ork_root_keeps_back(root))
        status = look_while_still(root, at);
    if (status == ORK_OK)
        status = ork_root_check_memory(root);
    if (status == ORK_OK)
        status = ork_root_follow_history(root, !has_moved);
    if (is_steady) /* no rank is deadlocked */
        root->policy.is_dirty = false;
    return status == ORK_OK ? search_if_due(root, at, has_moved) : status;
}

enum ork_status ork_root_interrupt(struct ork_root *root)
{
    enum ork_status status = ork_root_unfold(root);

    if (status == ORK_OK)
        status = ork_root_report_stacks(root, true);
    bool again = root->policy.state == ROOT_INTERRUPTED;
    ork_policy_take(&root->policy, ROOT_USER_INTERRUPTS);
    if (root->detector == NULL)
        return ORK_OK;
    if (status == ORK_OK && root->options.deadlocks && !again && !ork_root_is_paused(root))
        status = classify(root, false);
    if (status == ORK_OK)
        status = ork_root_report_delayed(root, ork_root_now(root), true);
    if (status == ORK_OK && !again)
        status = ork_root_report_still(root, ork_root_now(root));
    if (status == ORK_OK)
        status = ork_root_report_stopped(root);
    ork_root_ask_for_stopped(root);
    return status;
}

/* RATIONALE: a rank that was ended while one of its threads could still act was in no certain
 * deadlock, and its threads cannot be observed any more. */
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
    enum ork_status status = ork_root_fold_stop(root);

    if (status == ORK_OK)
        status = ork_root_report_stacks(root, true);
    bool searches = root->options.deadlocks && root->policy.state != ROOT_INTERRUPTED;

    root->ranks_are_gone = true;
    if (status == ORK_OK && root->stopped.is_pending)
        status = ork_root_answer_now(root, ork_root_now(root));
    if (status == ORK_OK)
        status = ork_root_report_ends(root, true);
    if (root->detector == NULL)
        return status;
    if (status == ORK_OK)
        status = ork_recording_finish(root->recording, root->sites, root->detector,
                                      root->input.ended == root->input.attached &&
                                          root->input.lost == NULL);
    if (status == ORK_OK)
        status = ork_followers_finish(root);
    leave_threads_open(root);
    if (status == ORK_OK && searches)
        status = classify(root, true);
    if (status == ORK_OK)
        status = ork_root_report_delayed(root, ork_root_now(root), true);
    if (status == ORK_OK && searches)
        status = ork_root_explore_end(root);
    if (status == ORK_OK)
        status = ork_root_report_returned(root, ork_root_now(root), true);
    if (status == ORK_OK)
        status = ork_root_report_issues(root, false);
    if (status == ORK_OK)
        status = ork_usages_report(root->usages, root->sites, root->sink, ork_root_now(root), true);
    if (status == ORK_OK)
        status = ork_followers_report(root);
    return status == ORK_OK ? report_faults(root) : status;
}
