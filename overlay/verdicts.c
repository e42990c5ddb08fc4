/* SPDX-License-Identifier: BSD-3-Clause */
/* When to search, and what follows from the result. */
#include "overlay/root_internal.h"

#include "overlay/describe_internal.h"
#include "overlay/foresee.h"
#include "overlay/jobs.h"

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
#define JOIN_NS          (500 * MS)
#define HANG_MISMATCH_NS (3000 * MS)
#define HANG_NS          (10000 * MS)
/* All ranks are looked at no more often; the longer nothing has moved, the less often. */
#define HANG_LOOK_NS  (50 * MS)
#define HANG_LOOK_MAX (1000 * MS)

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
    return running && at - *since < JOIN_NS;
}

/* The run goes on, and what it does waits here meanwhile: only for what is told, and not if it is
 * much. */
static bool may_potential_be_joined(struct ork_root *root, const struct ork_search *s,
                                    const bool *knots, uint64_t at)
{
    return root_is_news(root, s, knots, ORK_POTENTIAL) &&
           ork_detector_counts(root->detector).queued < QUEUE_FIRST_LIMIT &&
           may_be_joined(root, s, &root->potential_ns, at);
}

/* One search and what follows from it. *again: the state changed, look at it once more. */
static enum ork_status judge_once(struct ork_root *root, bool final, bool *again)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *knots;
    uint32_t passed = 0;
    uint64_t at = root_now();
    enum ork_status status = ork_judge_state(root->judge, root->detector, root->census, at, final,
                                             &verdict, &search, &knots);

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
        status = root_tell_deadlock(root, search, knots, ORK_POTENTIAL);
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
        status = root_tell_deadlock(root, search, knots, ORK_MANIFEST);
        break;
    case ORK_VERDICT_MOVED:
        *again = true;
        break;
    case ORK_VERDICT_NONE:
        status = ork_detector_follow(root->detector, final, &passed);
        *again = passed > 0;
        break;
    case ORK_VERDICT_WAIT:
        break;
    }
    ork_search_destroy(search);
    return status;
}

static enum ork_status judge(struct ork_root *root, bool final)
{
    uint64_t begin = root_now();
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
    uint64_t end = root_now();
    root->next_ns = end + (end - begin) * SEARCH_SHARE;
    return status;
}

static bool has_left(const struct ork_root *root, uint32_t rank)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, rank);

    return v.status == ORK_RANK_DONE && v.end == ORK_END_FINISHED;
}

static bool is_all_inside(const struct ork_root *root)
{
    uint32_t left = 0;

    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *snapshot = ork_census_of(root->census, 0, r);
        if (has_left(root, r)) {
            left++;
            continue;
        }
        if (snapshot == NULL || !ork_census_is_current(root->census, snapshot, r) ||
            snapshot->threads == 0)
            return false;
        for (uint32_t t = 0; t < snapshot->threads; t++) {
            if ((snapshot->word[t] & 0xff) != ORK_STATE_BLOCKED)
                return false;
        }
    }
    return left < root->nprocs;
}

static uint64_t look_again_after(uint64_t quiet_ns)
{
    uint64_t ns = quiet_ns / 10;

    return ns < HANG_LOOK_NS ? HANG_LOOK_NS : ns < HANG_LOOK_MAX ? ns : HANG_LOOK_MAX;
}

bool root_is_hanging(struct ork_root *root, uint64_t at, uint64_t since)
{
    if (root->attached < root->nprocs || at - root->change_ns < since)
        return false;
    if (root->hang_ns > root->change_ns &&
        at - root->hang_ns < look_again_after(at - root->change_ns))
        return root->is_hanging;
    if (!ork_census_is_fresh(root->census, 1, at))
        return false;
    root->hang_ns = at;
    root->is_hanging = is_all_inside(root);
    return root->is_hanging;
}

/* Nothing but polling, or threads that wait for threads, and no way out of it. */
static enum ork_status look_for_suspects(struct ork_root *root, uint64_t at)
{
    struct ork_search *search;
    bool polls;
    enum ork_status status =
        ork_suspect_look(root->suspect, root->detector, root->census, at, &search, &polls);

    if (status != ORK_OK || search == NULL)
        return status;
    uint32_t n = ork_wfg_num_bottom(search->wfg);
    bool *knots = malloc((n + 1) * sizeof(*knots));
    if (knots != NULL) {
        for (uint32_t k = 0; k < n; k++)
            knots[k] = true;
        status = root_tell_deadlock(root, search, knots, polls ? ORK_SUSPECTED : ORK_MANIFEST);
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
        root_is_hanging(root, at, HANG_MISMATCH_NS))
        return root_tell_issues(root, true);
    if (root->options.hang_after_ns != 0)
        return ORK_OK;
    if (root->hang_told || root->num_told > 0 || !root_is_hanging(root, at, HANG_NS))
        return ORK_OK;
    root->hang_told = true;
    char *words = ork_jobs_hang_words(root->detector, root->nprocs);
    enum ork_status status = words == NULL
                                 ? ORK_NOMEM
                                 : ork_describe_state(root->detector, root->sites, NULL,
                                                      root->nprocs, "hang", words, &finding);
    free(words);
    if (status != ORK_OK)
        return status;
    char *detail = root_hang_detail(root);
    if (detail != NULL && (status = describe_add_detail(&finding, detail)) != ORK_OK)
        return status;
    return root_tell_hanging(root, &finding, false);
}

enum ork_status ork_root_step(struct ork_root *root)
{
    bool moved = root->moved;
    enum ork_status told = root_tell_stacks(root, false);

    root->moved = false;
    root->taken_ns = 0;
    root_mark_step();
    if (told == ORK_OK)
        told = root_answer(root, root_now());
    if (told != ORK_OK)
        return told;
    if (root->detector == NULL || root->interrupted || ork_detector_aborted(root->detector))
        return ORK_OK;
    uint64_t at = root_now();
    if (root->stuck_ns != 0 && at > root->stuck_ns && root->ended < root->attached) {
        root->stuck_ns = 0;
        root->sink->stuck(root->sink->context);
    }
    if (!moved) {
        enum ork_status status = root->options.deadlocks ? root_foresee_hang(root, at) : ORK_OK;
        if (status == ORK_OK)
            status = look_for_hang(root, at);
        if (status == ORK_OK && root->options.deadlocks)
            status = look_for_suspects(root, at);
        if (status == ORK_OK)
            status = root_watch(root, at);
        if (status != ORK_OK)
            return status;
    }
    enum ork_status short_of = root_check_memory(root);
    if (short_of != ORK_OK)
        return short_of;
    if (!root->options.deadlocks || !(root->dirty || root->watching) || at < root->next_ns)
        return ORK_OK;
    uint64_t queued = ork_detector_counts(root->detector).queued;
    if (queued < root->queue_limit && moved && at - root->next_ns < PAUSE_BUSY_MS * MS)
        return ORK_OK;
    enum ork_status status = judge(root, false);
    if (status == ORK_OK)
        status = root_foresee_history(root);
    queued = ork_detector_counts(root->detector).queued;
    root->queue_limit = queued * 2 > QUEUE_FIRST_LIMIT ? queued * 2 : QUEUE_FIRST_LIMIT;
    uint64_t next = root_now() + (root->dirty ? PAUSE_QUIET_MS : PAUSE_WATCH_MS) * MS;
    if (next > root->next_ns)
        root->next_ns = next;
    return status;
}

enum ork_status ork_root_interrupt(struct ork_root *root)
{
    struct ork_finding finding;
    enum ork_status status = root_tell_stacks(root, true);

    bool again = root->interrupted;
    root->interrupted = root->ending = true;
    if (root->detector == NULL)
        return ORK_OK;
    if (status == ORK_OK && root->options.deadlocks && !again &&
        !ork_detector_aborted(root->detector))
        status = judge(root, false);
    if (status == ORK_OK)
        status = ork_describe_state(root->detector, root->sites, NULL, root->nprocs, "state",
                                    "where the ranks were when the run was stopped", &finding);
    if (status != ORK_OK)
        return status;
    root->sink->state(root->sink->context, &finding);
    ork_finding_release(&finding);
    return ORK_OK;
}

enum ork_status ork_root_finish(struct ork_root *root)
{
    enum ork_status status = root_tell_stacks(root, true);

    if (root->detector == NULL)
        return status;
    root->down.stack = NULL; /* nobody is there any more */
    if (status == ORK_OK && root->options.deadlocks && !root->interrupted &&
        !ork_detector_aborted(root->detector))
        status = judge(root, true);
    if (status == ORK_OK && root->options.deadlocks && !root->interrupted &&
        !ork_detector_aborted(root->detector))
        status = root_foresee_end(root);
    if (status == ORK_OK)
        status = root_tell_issues(root, false);
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
