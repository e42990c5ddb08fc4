/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports findings, each one once. */
#include "overlay/root/root_internal.h"

#include "common/hash.h"
#include "common/text.h"
#include "common/vec.h"
#include "overlay/findings/describe.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

static uint64_t call_signature(const struct ork_root *root, const struct ork_search *s,
                               uint32_t rank)
{
    struct ork_rank_view v = ork_search_rank(root->detector, s, rank);

    return ork_hash_add(ork_hash_add(0, (uint64_t)rank << 32 | v.call.site), v.call.kind);
}

static uint64_t signature(const struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    uint64_t h = 0;

    for (uint32_t i = 0; i < k.count; i++) {
        if (k.node[i] < root->nprocs)
            h = ork_hash_add(h, call_signature(root, s, k.node[i]));
    }
    return h;
}

/* Is it (a part of) a manifest deadlock that was reported? The records that come after the report
 * may show that its ranks wait for fewer ranks than was known: for example which message a wildcard
 * receive took. */
static bool is_in_manifest(const struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    bool has_rank = false;

    for (uint32_t i = 0; i < k.count; i++) {
        uint32_t rank = k.node[i];
        if (rank >= root->nprocs)
            continue;
        has_rank = true;
        if (rank >= root->reports.num_stuck ||
            root->reports.stuck[rank] != call_signature(root, s, rank))
            return false;
    }
    return has_rank;
}

static bool note_manifest(struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct root_reports *reports = &root->reports;
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);

    if (reports->num_stuck < root->nprocs) {
        if (!ork_vec_extend(&reports->stuck, reports->num_stuck, root->nprocs,
                            sizeof(*reports->stuck)))
            return false;
        reports->num_stuck = root->nprocs;
    }
    for (uint32_t i = 0; i < k.count; i++) {
        if (k.node[i] < root->nprocs)
            reports->stuck[k.node[i]] = call_signature(root, s, k.node[i]);
    }
    return true;
}

static bool is_reported(const struct ork_root *root, uint64_t sign, enum ork_class class_)
{
    for (uint32_t i = 0; i < root->reports.count; i++) {
        if (root->reports.knot[i].signature == sign &&
            (root->reports.knot[i].class_ == class_ || class_ == ORK_INTERLEAVING))
            return true;
    }
    return false;
}

/* Have all its ranks disabled reports of potential deadlocks? */
static bool is_quiet(const struct ork_root *root, const struct ork_search *s, uint32_t knot,
                     enum ork_class class_)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    bool quiet = class_ != ORK_MANIFEST;

    for (uint32_t i = 0; i < k.count && quiet; i++) {
        if (k.node[i] < root->nprocs)
            quiet = ork_detector_rank(root->detector, k.node[i]).quiet;
    }
    return quiet;
}

static bool is_new(const struct ork_root *root, const struct ork_search *s, uint32_t knot,
                   enum ork_class class_)
{
    return !is_reported(root, signature(root, s, knot), class_) && !is_in_manifest(root, s, knot) &&
           !is_quiet(root, s, knot, class_);
}

bool ork_root_has_news(const struct ork_root *root, const struct ork_search *s, const bool *knots,
                       enum ork_class class_)
{
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        if (knots[k] && is_new(root, s, k, class_))
            return true;
    }
    return false;
}

/* Keep in `knots` (for each bottom knot) those not yet reported with this class, and remember
 * them. */
static enum ork_status keep_new(struct ork_root *root, const struct ork_search *s,
                                enum ork_class class_, bool *knots, bool *any)
{
    *any = false;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        knots[k] = knots[k] && is_new(root, s, k, class_);
        if (!knots[k])
            continue;
        uint32_t n = root->reports.count;
        if (!ork_vec_extend(&root->reports.knot, n, n + 1, sizeof(*root->reports.knot)))
            return ORK_NOMEM;
        root->reports.knot[root->reports.count++] =
            (struct reported){.signature = signature(root, s, k), .class_ = class_};
        if (class_ != ORK_INTERLEAVING && !ork_root_note_sends(root, s, k))
            return ORK_NOMEM;
        if (class_ == ORK_MANIFEST && !note_manifest(root, s, k))
            return ORK_NOMEM;
        *any = true;
    }
    return ORK_OK;
}

static void measure(struct ork_root *root, const struct ork_finding *f, uint64_t at)
{
    uint64_t last = 0;

    if (f->class_ != ORK_MANIFEST || root->reports.seconds_to_verdict >= 0)
        return;
    for (uint32_t i = 0; i < f->ranks.count; i++) {
        uint64_t came = ork_root_last_ns(root, f->ranks.item[i]);
        if (came > last)
            last = came;
    }
    root->reports.seconds_to_verdict = (double)ork_elapsed_ns(at, last) * 1e-9;
}

/* Describe it, with the present state of the ranks. RATIONALE: a potential deadlock is about calls
 * that returned; the present state of the run is irrelevant to it. */
static enum ork_status describe_now(struct ork_root *root, const struct ork_deadlock *dl,
                                    struct ork_finding *finding)
{
    enum ork_status status = ork_describe_deadlock(root->detector, root->sites, dl, finding);

    if (status != ORK_OK || dl->class_ == ORK_POTENTIAL)
        return status;
    status = ork_root_describe_now(root, finding);
    if (status != ORK_OK)
        ork_finding_release(finding);
    return status;
}

/* RATIONALE: a call that failed has sent and received nothing, so other ranks may wait for it. */
static enum ork_status add_failed_call(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status =
        ork_usages_report(root->usages, root->sites, root->sink, ork_root_now(root), true);
    const char *failed = ork_usages_failed(root->usages);

    if (status != ORK_OK || failed == NULL)
        return status;
    return ork_describe_add_detail(
        f, ork_text("The cause may be an earlier call that failed: %s.", failed));
}

static enum ork_status report_manifest(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = add_failed_call(root, f);

    ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
    return status == ORK_OK ? ork_root_report_hanging(root, f, true) : status;
}

enum ork_status ork_root_report_deadlock(struct ork_root *root, const struct ork_search *s,
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
        struct ork_deadlock dl = {.search = s,
                                  .root = fresh,
                                  .class_ = class_,
                                  .nprocs = root->nprocs,
                                  .unsure = ork_busy_wait_unsure(root->busy_wait)};
        status = describe_now(root, &dl, &finding);
        if (status == ORK_OK) {
            measure(root, &finding, ork_root_now(root));
            if (class_ == ORK_MANIFEST)
                status = report_manifest(root, &finding);
            else if (class_ == ORK_POTENTIAL)
                status = ork_root_report_potential(root, &finding);
            else
                status = ork_root_report_calls(root, &finding, false);
            ork_finding_release(&finding);
        }
    }
    free(fresh);
    return status;
}

enum ork_status ork_root_report_foreseen(struct ork_root *root,
                                         const struct ork_interleaving *interleaving,
                                         enum ork_interleaving_scope scope,
                                         const struct ork_search *s, bool hangs)
{
    uint32_t n = ork_wfg_num_bottom(s->wfg);
    bool *knots = malloc(n * sizeof(*knots));
    struct ork_finding finding;
    bool any;

    if (knots == NULL)
        return ORK_NOMEM;
    memset(knots, 1, n * sizeof(*knots));
    enum ork_status status = keep_new(root, s, ORK_INTERLEAVING, knots, &any);
    if (status == ORK_OK && any) {
        const struct ork_deadlock dl = {.search = s,
                                        .root = knots,
                                        .class_ = ORK_INTERLEAVING,
                                        .nprocs = root->nprocs,
                                        .interleaving = interleaving,
                                        .scope = scope,
                                        .hangs = hangs};
        status = ork_describe_deadlock(root->detector, root->sites, &dl, &finding);
        if (status == ORK_OK) {
            if (hangs)
                ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
            if (hangs)
                status = ork_root_report_hanging(root, &finding, true);
            else
                status = ork_root_report_with_calls(root, &finding, &(struct ork_u32s){0});
            ork_finding_release(&finding);
        }
    }
    free(knots);
    return status;
}

/* ---- a replay ---- */

/* Report the divergences from the recording among these records. */
static enum ork_status report_divergence(struct ork_root *root, uint32_t rank,
                                         const struct ork_record *record, size_t n)
{
    bool is_fatal = root->options.divergence_is_fatal;
    enum ork_status status = ORK_OK;

    for (size_t i = 0; i < n && status == ORK_OK; i++) {
        struct ork_finding finding;
        if (record[i].kind != ORK_KIND_DIVERGED || record[i].count != 0)
            continue;
        status =
            ork_describe_divergence(root->sites, root->options.replay, rank, &record[i], &finding);
        if (status != ORK_OK)
            return status;
        root->has_diverged = true;
        if (is_fatal)
            ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
        root->sink->finding(root->sink->context, &finding, is_fatal);
        ork_finding_release(&finding);
    }
    return status;
}

static enum ork_status compare(struct ork_root *root, struct ork_report *report)
{
    return ork_recording_compare(root->recording, root->options.replay, report);
}

const struct ork_follower ork_follow_replay = {.feed = report_divergence, .summary = compare};

/* ---- issues ---- */

/* Is it about calls of several ranks, so that their last calls show something? */
static bool is_between_ranks(enum ork_issue_kind kind)
{
    return kind != ORK_ISSUE_REQUEST_LEAK && kind != ORK_ISSUE_LOCK_ORDER;
}

static enum ork_status report_issue(struct ork_root *root, const struct ork_issue *const *alike,
                                    uint32_t n, struct ork_finding *finding, bool fatal)
{
    struct shown_ranks shown = ork_root_shown_ranks(root, alike, n, finding);
    enum ork_status status = ORK_OK;

    if (fatal)
        status = ork_root_report_hanging(root, finding, finding->severity == ORK_ERROR);
    else if (is_between_ranks(alike[0]->kind))
        status =
            ork_root_report_with_calls(root, finding, &(struct ork_u32s){shown.item, shown.count});
    else
        root->sink->finding(root->sink->context, finding, false);
    ork_finding_release(finding);
    return status;
}

/* Move those in `issue` that are like the first one out of it (leaving NULL). */
static enum ork_status take_alike(struct ork_root *root, const struct ork_issue **issue, uint32_t n,
                                  const struct ork_issue **alike, uint32_t *num_alike)
{
    enum ork_status status = ORK_OK;

    alike[0] = issue[0];
    *num_alike = 1;
    for (uint32_t i = 1; i < n && status == ORK_OK; i++) {
        bool yes = false;
        if (issue[i] != NULL)
            status = ork_issue_is_alike(root->sites, alike[0], issue[i], &yes);
        if (!yes)
            continue;
        alike[(*num_alike)++] = issue[i];
        issue[i] = NULL;
    }
    return status;
}

static bool is_side_of(const struct ork_issue_side *side, uint32_t rank)
{
    for (uint32_t i = 0; i < side->num_ranks; i++) {
        if (side->ranks[i] == rank)
            return true;
    }
    return false;
}

static bool is_truncation(const struct ork_ended *end)
{
    return end->ending.kind == ORK_NOTE_ERROR && end->ending.value == ORK_ERR_TRUNCATE;
}

/* Did the rank end in the same collective call because a message was too long? RATIONALE: in a
 * broadcast, a rank passes on what it has, and a third one may find that it is too long. */
static bool is_truncated_in(const struct ork_root *root, const struct ork_issue_side *side,
                            const struct ork_ended *end)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, end->rank);

    return is_truncation(end) && v.call.kind == ORK_KIND_COLL && v.call.mode == side->call.mode &&
           v.comm == side->comm;
}

/* Is the message, besides its wrong type, too long for its receive, which ended for that? */
static bool is_also_longer(const struct ork_issue *issue, const struct ork_ended *end)
{
    const struct ork_record *sent = &issue->side[0].call, *room = &issue->side[1].call;

    return issue->kind == ORK_ISSUE_TYPE_MISMATCH && !issue->alike && room->kind == ORK_KIND_RECV &&
           sent->bytes > room->bytes && is_truncation(end);
}

/* Did this rank's part of the issue make the library end the run? RATIONALE: in a reduction, the
 * library may find the other length at any of the two. */
static bool is_fatal_for(const struct ork_root *root, const struct ork_issue *issue,
                         const struct ork_ended *end)
{
    if (issue->withdrawn || issue->returned || issue->num_sides != 2 ||
        end->ending.kind != ORK_NOTE_ERROR)
        return false;
    if (issue->kind == ORK_ISSUE_TRUNCATION || is_also_longer(issue, end))
        return issue->side[1].rank == end->rank;
    return issue->kind == ORK_ISSUE_COUNT_MISMATCH &&
           (is_side_of(&issue->side[0], end->rank) || is_side_of(&issue->side[1], end->rank) ||
            is_truncated_in(root, &issue->side[1], end)) &&
           strcmp(ork_call_name(issue->side[1].call.call), end->ending.call) == 0;
}

bool ork_root_is_cause_an_issue(const struct ork_root *root, const struct ork_ended *end)
{
    uint32_t n = root->detector != NULL ? ork_detector_num_issues(root->detector) : 0;

    for (uint32_t i = root->reports.issues; i < n; i++) {
        if (is_fatal_for(root, ork_detector_issue(root->detector, i), end))
            return true;
    }
    return false;
}

enum ork_status ork_root_set_end(struct ork_root *root, const char *sentence)
{
    free(root->reports.end);
    root->reports.end = ork_text("%s.", sentence);
    return root->reports.end == NULL ? ORK_NOMEM : ORK_OK;
}

/* Add how the run ended, if it ended because of one of them. */
static enum ork_status add_end(struct ork_root *root, const struct ork_issue **alike, uint32_t n,
                               struct ork_finding *f)
{
    for (uint32_t i = 0; i < n && root->reports.end != NULL; i++) {
        if (is_fatal_for(root, alike[i], &root->abnormal.ends.ended[0])) {
            char *sentence = root->reports.end;
            root->reports.end = NULL;
            return ork_describe_add_detail(f, sentence);
        }
    }
    return ORK_OK;
}

static enum ork_status report_all(struct ork_root *root, const struct ork_issue **issue, uint32_t n,
                                  const struct ork_issue **alike, bool fatal)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < n && status == ORK_OK; i++) {
        struct ork_finding finding;
        uint32_t num_alike;
        if (issue[i] == NULL || (issue[i]->quiet && !fatal))
            continue;
        status = take_alike(root, issue + i, n - i, alike, &num_alike);
        if (status == ORK_OK && ork_issue_is_single(alike[0]))
            status =
                ork_describe_single_issues(root->detector, root->sites, alike, num_alike, &finding);
        else if (status == ORK_OK && ork_issue_is_about_types(alike[0]))
            status =
                ork_describe_type_issues(root->detector, root->sites, alike, num_alike, &finding);
        else if (status == ORK_OK)
            status = ork_describe_issue(root->detector, root->sites, alike[0], &finding);
        if (status == ORK_OK)
            status = add_end(root, alike, num_alike, &finding);
        if (status == ORK_OK)
            status = report_issue(root, alike, num_alike, &finding, fatal);
    }
    return status;
}

bool ork_root_is_issue_reported(const struct ork_root *root, uint32_t issue)
{
    return issue < root->reports.num_early && root->reports.is_early[issue];
}

enum ork_status ork_root_mark_issue(struct ork_root *root, uint32_t issue)
{
    if (!ork_vec_reserve(&root->reports.is_early, &root->reports.num_early, issue + 1,
                         sizeof(*root->reports.is_early)))
        return ORK_NOMEM;
    root->reports.is_early[issue] = true;
    return ORK_OK;
}

enum ork_status ork_root_report_issues(struct ork_root *root, bool fatal)
{
    uint32_t first = root->reports.issues;
    uint32_t n = ork_detector_num_issues(root->detector) - first;
    const struct ork_issue **issue = calloc(2 * (size_t)n + 1, sizeof(*issue));

    if (issue == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        const struct ork_issue *one = ork_detector_issue(root->detector, first + i);
        bool is_told =
            ork_root_is_issue_reported(root, first + i) || ork_root_is_lost_told(root, one) ||
            ork_root_is_second_crossed(root, first + i) || ork_root_is_doubtful_shift(root, one) ||
            (!fatal && ork_root_is_by_threads(root, first + i));
        issue[i] = one->withdrawn || is_told ? NULL : one;
    }
    root->reports.issues += n;
    enum ork_status status = report_all(root, issue, n, issue + n, fatal);
    free(issue);
    return status;
}
