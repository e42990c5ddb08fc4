/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that hang in a call that is wrong: its data do not fit together, its request does not exist
 * any more, or nothing is at the address of its buffer. Such an error is certain, but not that the
 * call will never return: a library may still transfer other data, for minutes, and no record shows
 * that. So the job is ended only if
 *  - each rank is inside a call, and waits in, or for, calls that such an error keeps from
 *    returning;
 *  - and nothing has moved for a minute in which each rank could look for messages: it used its
 *    processor inside the call, looked often enough, or slept there. Other time in which it
 *    waited for a processor, or was stopped, does not count. */
#include "overlay/root/root_internal.h"

#include "common/hash.h"
#include "common/vec.h"
#include "overlay/root/pace.h"
#include "overlay/findings/describe.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>

#define LOOK_NS (1000 * MS)
/* What a rank did since the latest look counts for at most that long. */
#define GAP_NS (2000 * MS)

struct vigil {
    bool is_stuck;
    uint64_t head, words; /* at the latest look */
    struct ork_pace pace;
    uint64_t attended_ns; /* since the latest movement of any rank */
};

struct root_stuck {
    uint64_t looked_ns;
    uint64_t since_ns; /* nothing has moved since then; 0: some rank may go on */
    struct vigil *vigil;
    uint32_t nprocs;
};

void ork_root_forget_stuck(struct ork_root *root)
{
    if (root->stuck != NULL)
        free(root->stuck->vigil);
    free(root->stuck);
    root->stuck = NULL;
}

bool ork_root_is_stuck(const struct ork_root *root)
{
    return root->stuck != NULL && root->stuck->since_ns != 0;
}

/* ---- calls that are wrong ---- */

/* RATIONALE: calls of different collectives, or with different roots, are looked at elsewhere. */
static bool keeps_call(const struct ork_issue *issue)
{
    switch (issue->kind) {
    case ORK_ISSUE_TYPE_MISMATCH:
        return !issue->withdrawn && issue->num_sides == 2 &&
               issue->side[0].call.bytes != issue->side[1].call.bytes;
    case ORK_ISSUE_TRUNCATION:
    case ORK_ISSUE_COUNT_MISMATCH:
        return !issue->withdrawn;
    case ORK_ISSUE_MISMATCH:
    case ORK_ISSUE_RSEND:
    case ORK_ISSUE_LOST_MESSAGE:
    case ORK_ISSUE_LOCK_ORDER:
    case ORK_ISSUE_REQUEST_LEAK:
    case ORK_ISSUE_GRAPH:
    case ORK_ISSUE_SHIFT:
        break;
    }
    return false;
}

static bool is_at_any_issue(const struct ork_root *root, uint32_t rank)
{
    for (uint32_t i = 0; i < ork_detector_num_issues(root->detector); i++) {
        if (keeps_call(ork_detector_issue(root->detector, i)) &&
            ork_detector_is_at_issue(root->detector, rank, i))
            return true;
    }
    return false;
}

/* Is it in a call in which it found a mistake? In a call that does not block, it publishes that; of
 * others, the record is the latest one. */
static bool is_in_mistake(const struct ork_root *root, const struct ork_snapshot *now,
                          uint32_t rank)
{
    struct ork_record newest = ork_detector_run(root->detector, rank).newest;

    return ork_usages_keep(root->usages, rank, now->wrong != 0 ? NULL : &newest);
}

static bool is_stuck(const struct ork_root *root, uint32_t rank)
{
    const struct ork_snapshot *now = ork_snapshots_of(root->snapshots, 0, rank);

    return now != NULL && (is_in_mistake(root, now, rank) || is_at_any_issue(root, rank));
}

/* ---- looks ---- */

static bool reserve(struct root_stuck *s, uint32_t nprocs)
{
    if (!ork_vec_extend(&s->vigil, s->nprocs, nprocs, sizeof(*s->vigil)))
        return false;
    s->nprocs = nprocs;
    return true;
}

static uint64_t words_of(const struct ork_snapshot *now)
{
    uint64_t sum = ork_hash_add(now->threads, now->wrong);

    for (uint32_t t = 0; t < now->threads; t++)
        sum = ork_hash_add(sum, now->word[t]);
    return sum;
}

/* RATIONALE: a rank that waits for a processor most of the time, but got it often, looks for
 * messages more seldom. */
static uint64_t attended_ns(const struct ork_pace *last, const struct ork_snapshot *now,
                            uint64_t ns)
{
    const struct ork_pace pace = ork_pace_of(now);
    uint64_t used = pace.inside_ns > last->inside_ns ? pace.inside_ns - last->inside_ns : 0;
    uint64_t slept = now->sleeps ? ork_pace_attended(last, now, ns) : 0;
    uint64_t looked = ork_pace_looks(last, &pace) * ns / ORK_PACE_LOOKS;
    uint64_t most = used > slept ? used : slept;

    most = most > looked ? most : looked;
    return most < ns ? most : ns;
}

/* Look at one rank, `ns` after the latest look. True: it has moved since. */
static bool look_at(const struct ork_root *root, struct vigil *v, uint32_t rank, uint64_t ns)
{
    const struct ork_snapshot *now = ork_snapshots_of(root->snapshots, 0, rank);
    const struct vigil last = *v;
    uint64_t step = ns < GAP_NS ? ns : GAP_NS;

    if (now == NULL) { /* it has ended */
        *v = (struct vigil){.head = UINT64_MAX};
        return last.head != UINT64_MAX;
    }
    *v = (struct vigil){.is_stuck = is_stuck(root, rank),
                        .head = now->head,
                        .words = words_of(now),
                        .pace = ork_pace_of(now),
                        .attended_ns = last.attended_ns};
    v->attended_ns += now->is_halted ? 0 : attended_ns(&last.pace, now, step);
    return last.head != v->head || last.words != v->words || last.is_stuck != v->is_stuck;
}

/* Has every rank had the time, and is any of them in a call that is wrong? */
static bool look(struct ork_root *root, uint64_t at)
{
    struct root_stuck *s = root->stuck;
    uint64_t ns = ork_elapsed_ns(at, s->looked_ns);
    bool any_moved = false, any_stuck = false, enough = true;

    for (uint32_t r = 0; r < s->nprocs; r++)
        any_moved |= look_at(root, &s->vigil[r], r, ns);
    for (uint32_t r = 0; r < s->nprocs; r++) {
        struct vigil *v = &s->vigil[r];
        if (any_moved || s->since_ns == 0)
            v->attended_ns = 0;
        any_stuck |= v->is_stuck;
        enough &= v->head == UINT64_MAX || v->attended_ns >= ROOT_STUCK_NS;
    }
    if (!any_stuck || any_moved)
        s->since_ns = 0;
    if (any_stuck && s->since_ns == 0)
        s->since_ns = at;
    return any_stuck && enough;
}

/* ---- does every rank wait in or for these calls? ---- */

static enum ork_status search(struct ork_root *root, struct ork_search **out)
{
    for (uint32_t r = 0; r < root->nprocs; r++)
        ork_detector_set_stuck(root->detector, r, root->stuck->vigil[r].is_stuck);
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, out);
    for (uint32_t r = 0; r < root->nprocs; r++)
        ork_detector_set_stuck(root->detector, r, false);
    return status;
}

static bool do_all_wait(const struct ork_root *root, const struct ork_search *s)
{
    for (uint32_t r = 0; r < root->nprocs; r++) {
        struct ork_rank_view v = ork_detector_rank(root->detector, r);
        if (root->stuck->vigil[r].is_stuck || v.status == ORK_RANK_DONE)
            continue;
        if (!ork_wfg_is_deadlocked(s->wfg, r) || v.moved)
            return false;
    }
    return true;
}

/* ---- report ---- */

static char *words(const struct ork_root *root, uint64_t at)
{
    struct ork_u32s ranks = {0};
    bool ok = true;

    for (uint32_t r = 0; r < root->nprocs; r++)
        ok = ok && (!root->stuck->vigil[r].is_stuck || ork_describe_add_rank(&ranks, r));
    char *who = ok ? ork_phrase_ranks(ranks.item, ranks.count) : NULL;
    uint32_t others = root->nprocs - ranks.count;
    uint64_t ns = ork_elapsed_ns(at, root->stuck->since_ns);
    char *text =
        who == NULL
            ? NULL
            : ork_text("the job hangs because of an error: %s %s%s, and no rank has moved for "
                       "%.0f s",
                       who,
                       ranks.count == 1 ? "is in a call that is wrong"
                                        : "are in calls that are wrong",
                       others == 0   ? ""
                       : others == 1 ? ", the other rank waits for that"
                                     : ", the other ranks wait for that",
                       (double)ns * 1e-9);
    free(who);
    free(ranks.item);
    return text;
}

static enum ork_status describe(struct ork_root *root, uint64_t at, struct ork_finding *f)
{
    struct ork_search *now = NULL;
    char *text = words(root, at);
    enum ork_status status =
        text == NULL ? ORK_NOMEM : ork_detector_search(root->detector, ORK_STRICT, &now);

    if (status == ORK_OK)
        status =
            ork_describe_state(root->detector, root->sites, now, root->nprocs, "hang", text, f);
    ork_search_destroy(now);
    free(text);
    if (status == ORK_OK && (status = ork_root_describe_activity(root, f)) != ORK_OK)
        ork_finding_release(f);
    return status;
}

/* The errors themselves come first. */
static enum ork_status report(struct ork_root *root, uint64_t at)
{
    struct ork_finding f;
    enum ork_status status =
        ork_usages_report(root->usages, root->sites, root->sink, ork_root_now(root), true);

    if (status == ORK_OK)
        status = ork_root_report_issues(root, false);
    if (status == ORK_OK)
        status = describe(root, at, &f);
    if (status != ORK_OK)
        return status;
    f.severity = ORK_WARNING;
    if (ork_policy_may_report_hang(&root->policy))
        ork_policy_take(&root->policy, ROOT_HANG_IS_REPORTED);
    ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
    return ork_root_report_hanging(root, &f, true);
}

/* Is there an error that may keep a call from returning? */
static bool is_any_wrong(const struct ork_root *root)
{
    for (uint32_t i = 0; i < ork_detector_num_issues(root->detector); i++) {
        if (keeps_call(ork_detector_issue(root->detector, i)))
            return true;
    }
    return ork_usages_keep_any(root->usages);
}

static bool is_time_up(struct ork_root *root, uint64_t at)
{
    struct root_stuck *s = root->stuck;

    if (root->input.attached < root->nprocs || root->input.lost != NULL ||
        !ork_root_is_all_inside(root) || !is_any_wrong(root)) {
        s->since_ns = 0;
        return false;
    }
    return look(root, at);
}

static enum ork_status look_for_end(struct ork_root *root, uint64_t at)
{
    struct ork_search *found;
    bool caught_up;
    enum ork_status status = ork_root_catch_up(root, &caught_up);

    if (status == ORK_OK && !caught_up)
        status = search(root, &found);
    if (status != ORK_OK || caught_up)
        return status;
    if (do_all_wait(root, found))
        status = report(root, at);
    ork_search_destroy(found);
    return status;
}

enum ork_status ork_root_look_for_stuck(struct ork_root *root, uint64_t at)
{
    struct root_stuck *s = root->stuck;

    if (s == NULL && (s = root->stuck = calloc(1, sizeof(*s))) == NULL)
        return ORK_NOMEM;
    if (ork_policy_is_ending(&root->policy) || ork_elapsed_ns(at, s->looked_ns) < LOOK_NS ||
        !ork_snapshots_is_fresh(root->snapshots, 1, at))
        return ORK_OK;
    if (!reserve(s, root->nprocs))
        return ORK_NOMEM;
    bool is_up = is_time_up(root, at);
    s->looked_ns = at;
    return is_up ? look_for_end(root, at) : ORK_OK;
}
