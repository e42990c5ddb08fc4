/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings out: each once. */
#include "overlay/root_internal.h"

#include "overlay/describe.h"

#include <stdlib.h>
#include <string.h>

/* How long the launcher may take to end a job of which a rank ended without MPI_Finalize. */
#define LAUNCHER_NS (3000 * MS)

static uint64_t signature(const struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < k.count; i++) {
        if (k.node[i] >= root->nprocs)
            continue;
        struct ork_rank_view v = ork_search_rank(root->detector, s, k.node[i]);
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
            (root->told[i].class_ == class_ || root->told[i].class_ == ORK_MANIFEST ||
             class_ == ORK_INTERLEAVING))
            return true;
    }
    return false;
}

/* Do all its ranks want no reports of what goes well in this run? */
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
    return !is_told(root, signature(root, s, knot), class_) && !is_quiet(root, s, knot, class_);
}

bool root_is_news(const struct ork_root *root, const struct ork_search *s, const bool *knots,
                  enum ork_class class_)
{
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        if (knots[k] && is_new(root, s, k, class_))
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
        knots[k] = knots[k] && is_new(root, s, k, class_);
        if (!knots[k])
            continue;
        struct told *bigger = realloc(root->told, (root->num_told + 1) * sizeof(*bigger));
        if (bigger == NULL)
            return ORK_NOMEM;
        root->told = bigger;
        root->told[root->num_told++] =
            (struct told){.signature = signature(root, s, k), .class_ = class_};
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
        uint64_t came = root_last_ns(root, f->ranks.item[i]);
        if (came > last)
            last = came;
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

enum ork_status root_tell_deadlock(struct ork_root *root, const struct ork_search *s,
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
            measure(root, &finding, root_now());
            bool fatal = class_ == ORK_MANIFEST && !is_end_a_root(root, &finding);
            if (class_ == ORK_MANIFEST && !fatal)
                root->stuck_ns = root_now() + LAUNCHER_NS;
            root->ending |= class_ == ORK_MANIFEST;
            if (class_ == ORK_MANIFEST)
                status = root_tell_hanging(root, &finding, fatal);
            else
                root->sink->finding(root->sink->context, &finding, fatal);
            ork_finding_release(&finding);
        }
    }
    free(fresh);
    return status;
}

enum ork_status root_tell_foreseen(struct ork_root *root, const struct ork_foresight *foresight,
                                   enum ork_foresight_scope scope, const struct ork_search *s,
                                   bool hangs)
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
                                        .foresight = foresight,
                                        .scope = scope};
        status = ork_describe_deadlock(root->detector, root->sites, &dl, &finding);
        if (status == ORK_OK) {
            root->ending |= hangs;
            if (hangs)
                status = root_tell_hanging(root, &finding, true);
            else
                root->sink->finding(root->sink->context, &finding, false);
            ork_finding_release(&finding);
        }
    }
    free(knots);
    return status;
}

enum ork_status root_tell_issues(struct ork_root *root, bool fatal)
{
    for (; root->issues_told < ork_detector_num_issues(root->detector); root->issues_told++) {
        const struct ork_issue *issue = ork_detector_issue(root->detector, root->issues_told);
        struct ork_finding finding;
        if (issue->quiet && !fatal)
            continue;
        enum ork_status status = ork_describe_issue(root->detector, root->sites, issue, &finding);
        if (status != ORK_OK)
            return status;
        if (fatal)
            status = root_tell_hanging(root, &finding, finding.severity == ORK_ERROR);
        else
            root->sink->finding(root->sink->context, &finding, false);
        ork_finding_release(&finding);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}
