/* SPDX-License-Identifier: BSD-3-Clause */
/* The history of a run: what of it is searched for deadlocks of other matches, when, and for how
 * long. While new calls come, it grows. Once everything in it repeats, what is new was searched or
 * waits to be, and only its latest repetitions are kept. So each choice is tried that is the first
 * of its kind, and those at the end.
 *
 * Invariant: what is searched is a function of the records. RATIONALE: steps are counted, so that
 * the verdict does not depend on the machine or its load; time can only turn an answer into "not
 * searched". */
#include "common/assert.h"
#include "overlay/root/interleaving.h"

#include <stdlib.h>

/* Time of one search in between (--must:probe continuous). */
#define SLICE_NS (50 * MS)
/* Steps of the end of the run, and those of all parts during the run. */
#define END_STEPS UINT64_C(20000000)
/* The first search of a part; each further one has twice as many, because it begins again. */
#define SLICE_STEPS UINT64_C(1000000)
/* Processor time of a part during the run, and time of the end; that may also take this part of the
 * run. */
#define END_NS   (500 * MS)
#define END_PART 50
/* --must:probe thorough: no limit of steps. */
#define THOROUGH_NS (60000 * MS)
/* All processors are in use: time until the next look. */
#define BUSY_NS (10 * MS)
/* Records between two tries to let the history begin anew. */
enum { RETRY_RECORDS = 1 << 12 };
/* Records between two looks at the history: a small part of what makes it repeat. */
enum { LOOK_RECORDS = 1 << 11 };
/* Records of history before it is searched during the run (--must:probe continuous). */
enum { HISTORY_WORTH = 1 << 10 };

static bool is_thorough(const struct ork_root *root)
{
    return root->options.probing == ORK_PROBING_THOROUGH;
}

static bool is_searched(const struct ork_root *root)
{
    return root->options.deadlocks && root->options.probing >= ORK_PROBING_END &&
           !ork_policy_is_ending(&root->policy) && !root->history.is_found;
}

/* ---- a part ---- */

void ork_root_forget_history(struct ork_root *root)
{
    struct root_history *h = &root->history;

    ork_interleaving_destroy(h->part);
    ork_interleaving_destroy(h->part_anyhow);
    h->part = h->part_anyhow = NULL;
    h->slice = h->steps = h->ns = 0;
}

static enum ork_status begin_part(struct ork_root *root)
{
    struct root_history *h = &root->history;

    ORK_ASSERT(h->part == NULL);
    h->slice = SLICE_STEPS;
    ork_detector_history_is_searched(root->detector);
    enum ork_status status = ork_interleaving_create(root->detector, ORK_OTHERWISE, &h->part);
    if (status == ORK_OK && is_thorough(root))
        status = ork_interleaving_create(root->detector, ORK_OTHERWISE_ANYHOW, &h->part_anyhow);
    return status;
}

/* Its search is over. */
static enum ork_status take_result(struct ork_root *root, enum ork_interleave_result result)
{
    struct root_history *h = &root->history;
    enum ork_interleaving_scope scope =
        is_thorough(root) && h->part_anyhow == NULL ? ORK_OTHERWISE_ANYHOW : ORK_OTHERWISE;
    enum ork_status status = ORK_OK;

    if (result == ORK_INTERLEAVE_SAFE && h->part_anyhow != NULL) {
        ork_interleaving_destroy(h->part);
        h->part = h->part_anyhow;
        h->part_anyhow = NULL;
        h->slice = SLICE_STEPS;
        h->steps = 0;
        return ORK_OK;
    }
    h->is_partial |= result == ORK_INTERLEAVE_STOPPED;
    h->is_found = result == ORK_INTERLEAVE_DEADLOCK;
    if (h->is_found)
        status = ork_root_report_matches(root, h->part, scope, false);
    ork_root_forget_history(root);
    return status;
}

static enum ork_status search_part(struct ork_root *root, const struct root_limits *limits,
                                   enum ork_interleave_result *result)
{
    struct root_history *h = &root->history;
    enum ork_status status = ork_root_search_matches(root, h->part, limits, result);
    uint64_t made = ork_interleaving_view(h->part).steps - h->steps;

    h->steps += made;
    h->all_steps += made;
    return status;
}

/* Search on, a slice. RATIONALE: the slices are the same on every machine, whenever they come. */
static enum ork_status go_on(struct ork_root *root)
{
    struct root_history *h = &root->history;
    uint64_t most = is_thorough(root) ? UINT64_MAX : END_STEPS;
    uint64_t limit_ns = is_thorough(root) ? THOROUGH_NS : END_NS;
    uint64_t left = most - (h->steps < most ? h->steps : most);
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;
    enum ork_status status = ORK_OK;

    if (left > 0 && h->ns < limit_ns) {
        uint64_t begin = ork_root_processor(root);
        const struct root_limits limits = {.steps = h->slice < left ? h->slice : left,
                                           .ns = limit_ns - h->ns,
                                           .is_processor = true};
        status = search_part(root, &limits, &result);
        h->slice *= 2;
        h->ns += ork_root_processor(root) - begin;
        if (status == ORK_OK && result == ORK_INTERLEAVE_STOPPED && h->steps < most &&
            h->ns < limit_ns)
            return ORK_OK;
    }
    return status == ORK_OK ? take_result(root, result) : status;
}

static enum ork_status finish_part(struct ork_root *root)
{
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && root->history.part != NULL)
        status = go_on(root);
    return status;
}

/* ---- in each step ---- */

/* The new calls of the history become a part that is to be searched. *good: they have. */
static enum ork_status take_news(struct ork_root *root, bool *good)
{
    struct root_history *h = &root->history;
    enum ork_status status = finish_part(root);

    *good = is_thorough(root) || h->all_steps < END_STEPS;
    if (status != ORK_OK || h->is_found)
        return status;
    h->is_partial |= !*good;
    return *good ? begin_part(root) : ORK_OK;
}

/* Full, and something in it was new: let it begin anew, unless too much was searched already. */
static enum ork_status begin_anew(struct ork_root *root)
{
    struct root_history *h = &root->history;
    uint64_t records = ork_detector_counts(root->detector).records;
    bool good = true;
    enum ork_status status = ORK_OK;

    if (records < h->retry_at || !ork_detector_has_wildcards(root->detector))
        return ORK_OK;
    if (ork_detector_has_history_news(root->detector)) {
        h->is_partial = true; /* what follows the latest choices is not known */
        status = take_news(root, &good);
    }
    h->retry_at = records + RETRY_RECORDS;
    if (status == ORK_OK && good && ork_detector_renew_history(root->detector))
        h->searched_size = h->retry_at = 0;
    return status;
}

/* RATIONALE: a search may use a processor for half a second, and ranks that share it would be
 * slower by as much. At the end of the run they need none. */
static bool has_idle_processor(struct ork_root *root)
{
    struct root_history *h = &root->history;
    uint64_t now = ork_root_now(root);

    if (root->options.has_idle_processor == NULL)
        return true;
    if (now < h->busy_until_ns)
        return false;
    if (root->options.has_idle_processor())
        return true;
    h->busy_until_ns = now + BUSY_NS;
    return false;
}

enum ork_status ork_root_follow_history(struct ork_root *root, bool is_idle)
{
    struct ork_detector *d = root->detector;
    enum ork_status status = ORK_OK;
    bool good;

    root->history.seen_size = ork_detector_history_size(d);
    if (!is_searched(root))
        return ORK_OK;
    if (is_idle && root->history.part != NULL && has_idle_processor(root))
        status = go_on(root);
    if (status != ORK_OK)
        return status;
    if (ork_detector_is_history_full(d))
        return begin_anew(root);
    if (!ork_detector_history_repeats(d))
        return ORK_OK;
    if (ork_detector_has_history_news(d))
        status = take_news(root, &good);
    ork_detector_history_is_searched(d);
    ork_detector_cut_history(d);
    root->history.seen_size = root->history.searched_size = ork_detector_history_size(d);
    return status;
}

enum ork_status ork_root_follow_records(struct ork_root *root)
{
    struct root_history *h = &root->history;
    uint64_t size = ork_detector_history_size(root->detector);

    if (size < h->seen_size) /* it began anew */
        h->seen_size = size;
    return size - h->seen_size < LOOK_RECORDS ? ORK_OK : ork_root_follow_history(root, false);
}

/* ---- the end, and in between ---- */

static uint64_t end_ns(struct ork_root *root)
{
    uint64_t part = (ork_root_now(root) - root->time.begun_ns) / END_PART;

    return is_thorough(root) ? THOROUGH_NS : part > END_NS ? part : END_NS;
}

/* The latest calls. */
static enum ork_status search_end(struct ork_root *root, uint64_t until)
{
    struct root_history *h = &root->history;
    enum ork_status status = begin_part(root);

    while (status == ORK_OK && h->part != NULL) {
        enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;
        uint64_t now = ork_root_now(root);
        const struct root_limits limits = {.steps = is_thorough(root) ? 0 : END_STEPS,
                                           .ns = until - now};
        if (now < until)
            status = search_part(root, &limits, &result);
        if (status == ORK_OK)
            status = take_result(root, result);
    }
    return status;
}

enum ork_status ork_root_explore_end(struct ork_root *root)
{
    uint64_t until = ork_root_now(root) + end_ns(root);
    enum ork_status status = ORK_OK;

    if (is_searched(root))
        status = finish_part(root);
    if (status == ORK_OK && is_searched(root) && ork_detector_has_wildcards(root->detector))
        status = search_end(root, until);
    root->history.is_partial |= ork_detector_lacks_wildcards(root->detector);
    return status;
}

static enum ork_status search_now(struct ork_root *root)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_SAFE;
    struct ork_interleaving *f;
    enum ork_status status = ork_interleaving_create(root->detector, ORK_OTHERWISE, &f);

    if (status != ORK_OK)
        return status;
    status = ork_root_search_matches(root, f, &(struct root_limits){.ns = SLICE_NS}, &result);
    if (status == ORK_OK && result == ORK_INTERLEAVE_DEADLOCK)
        status = ork_root_report_matches(root, f, ORK_OTHERWISE, false);
    ork_interleaving_destroy(f);
    return status;
}

enum ork_status ork_root_explore_history(struct ork_root *root)
{
    uint64_t size = ork_detector_history_size(root->detector);

    if (root->options.probing < ORK_PROBING_CONTINUOUS || size < HISTORY_WORTH ||
        size < 2 * root->history.searched_size || !ork_detector_has_wildcards(root->detector))
        return ORK_OK;
    root->history.searched_size = size;
    return search_now(root);
}
