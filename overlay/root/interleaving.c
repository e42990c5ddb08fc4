/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploring alternative matches while nothing moves or memory is short: what is explored, when, and
 * for how long. */
#include "overlay/root/interleaving.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>

/* Search time in one step of the root, so that records are taken in between; it grows from step to
 * step, because each step restarts at the root of the search. */
#define SLICE_NS (50 * MS)
/* In total. */
#define HANG_BUDGET_NS (10000 * MS)
/* A hang is searched after this time without progress, and after the ranks could report sources. */
#define HANG_AFTER_NS (1000 * MS)
#define ASK_AFTER_NS  (500 * MS)
/* RATIONALE: it explains a hang but does not prove it, and then the job is ended. A long message
 * may take its time. */
#define REPORT_AFTER_NS (10000 * MS)

struct deadline {
    struct ork_root *root;
    uint64_t at;
    bool is_processor; /* of the processor time of the tool */
};

static uint64_t now(struct ork_root *root, bool is_processor)
{
    return is_processor ? ork_root_processor(root) : ork_root_now(root);
}

static bool is_expired(void *context)
{
    const struct deadline *d = context;

    return now(d->root, d->is_processor) > d->at;
}

enum ork_status ork_root_search_matches(struct ork_root *root, struct ork_interleaving *f,
                                        const struct root_limits *limits,
                                        enum ork_interleave_result *result)
{
    struct deadline deadline = {.root = root,
                                .at = now(root, limits->is_processor) + limits->ns,
                                .is_processor = limits->is_processor};
    const struct ork_interleave_options options = {
        .max_steps = limits->steps, .expired = is_expired, .context = &deadline};

    return ork_interleaving_search(f, &options, result);
}

/* Does it take a choice, or is it what the run itself does? */
static bool is_choice(const struct ork_interleaving *f)
{
    for (uint32_t i = 0; i < ork_interleaving_num_decisions(f); i++) {
        struct ork_interleaving_decision d = ork_interleaving_decision(f, i);
        if (d.differs || d.took == UINT32_MAX)
            return true;
    }
    return false;
}

enum ork_status ork_root_report_matches(struct ork_root *root, struct ork_interleaving *f,
                                        enum ork_interleaving_scope scope, bool hangs)
{
    if (!is_choice(f))
        return ORK_OK;
    struct ork_search *s = ork_interleaving_take_search(f);
    if (s == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_root_report_foreseen(root, f, scope, s, hangs);
    ork_search_destroy(s);
    return status;
}

/* ---- a hang ---- */

void ork_root_forget_hang(struct ork_root *root)
{
    ork_interleaving_destroy(root->hang.interleaving);
    root->hang = (struct hang){.result = ORK_INTERLEAVE_STOPPED, .budget_ns = HANG_BUDGET_NS};
}

static enum ork_status ask_all(struct ork_root *root)
{
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_ASK});
}

/* Does some way of matching deadlock, by what is known now? */
static enum ork_status explore_once(struct ork_root *root)
{
    struct ork_interleaving *f;
    enum ork_interleave_result result = ORK_INTERLEAVE_SAFE;
    enum ork_status status = ork_interleaving_create(root->detector, ORK_AS_OBSERVED, &f);

    if (status != ORK_OK)
        return status;
    if (ork_interleaving_view(f).undecided > 0)
        status = ork_root_search_matches(root, f, &(struct root_limits){.ns = SLICE_NS}, &result);
    if (status == ORK_OK && result == ORK_INTERLEAVE_DEADLOCK)
        status = ork_root_report_matches(root, f, ORK_AS_OBSERVED, false);
    ork_interleaving_destroy(f);
    return status;
}

/* When the budget is used up, the search pauses as long as it took and continues with twice the
 * budget; it remembers what it searched. */
static bool is_used_up(struct hang *h, uint64_t at)
{
    if (h->used_ns < h->budget_ns)
        return false;
    if (h->pause_ns == 0)
        h->pause_ns = at + h->budget_ns;
    if (at < h->pause_ns)
        return true;
    h->budget_ns *= 2;
    h->pause_ns = 0;
    return false;
}

enum ork_status ork_root_explore_hang(struct ork_root *root, uint64_t at)
{
    struct hang *h = &root->hang;
    enum ork_status status = ORK_OK;

    if (h->change_ns != root->input.change_ns) {
        ork_root_forget_hang(root);
        h->change_ns = root->input.change_ns;
    }
    if (root->options.probing == ORK_PROBING_OFF || ork_policy_is_ending(&root->policy) ||
        h->stage == HANG_OVER)
        return ORK_OK;
    if (h->stage == HANG_NEW && ork_root_is_hanging(root, at, ASK_AFTER_NS)) {
        h->stage = HANG_ASKED;
        status = ask_all(root);
    }
    if (status != ORK_OK || !ork_root_is_hanging(root, at, HANG_AFTER_NS))
        return status;
    if (h->interleaving == NULL)
        status = ork_interleaving_create(root->detector, ORK_AS_OBSERVED, &h->interleaving);
    if (status != ORK_OK)
        return status;
    if (h->result == ORK_INTERLEAVE_STOPPED && !is_used_up(h, at)) {
        uint64_t begin = ork_root_now(root);
        status = ork_root_search_matches(root, h->interleaving,
                                         &(struct root_limits){.ns = SLICE_NS + h->used_ns / 2},
                                         &h->result);
        h->used_ns += ork_root_now(root) - begin;
    }
    if (status != ORK_OK)
        return status;
    if (ork_interleaving_view(h->interleaving).undecided == 0 || h->result == ORK_INTERLEAVE_SAFE) {
        h->stage = HANG_OVER;
        return ORK_OK;
    }
    if (h->result != ORK_INTERLEAVE_DEADLOCK || !ork_root_is_hanging(root, at, REPORT_AFTER_NS))
        return ORK_OK;
    h->stage = HANG_OVER;
    return ork_root_report_matches(root, h->interleaving, ORK_AS_OBSERVED, true);
}

char *ork_root_hang_detail(const struct ork_root *root)
{
    const struct hang *h = &root->hang;
    struct ork_interleaving_view view = h->interleaving == NULL
                                            ? (struct ork_interleaving_view){0}
                                            : ork_interleaving_view(h->interleaving);

    if (view.undecided == 0)
        return NULL;
    unsigned long long n = (unsigned long long)view.undecided;
    if (h->result == ORK_INTERLEAVE_SAFE && view.complete)
        return ork_text("The sources of %llu wildcard receive%s are unknown. The tool searched all "
                        "possible matches (%llu states); none of them deadlocks.",
                        n, n == 1 ? "" : "s", (unsigned long long)view.states);
    return ork_text(
        "The sources of %llu wildcard receive%s are unknown. The tool could not search all "
        "possible matches. With --must:poll it sees the sources of completed receives.",
        n, n == 1 ? "" : "s");
}

/* ---- memory ---- */

/* Time for ranks to report sources before matches are assumed. */
#define ANSWER_NS (20 * MS)

static bool is_short(const struct ork_root *root)
{
    return ork_detector_memory(root->detector) > root->options.queue_limit;
}

/* Assume matches until a tenth of the limit is free again. If there is nothing to assume, the
 * strict analysis follows the run. */
static enum ork_status make_room(struct ork_root *root)
{
    uint64_t enough = root->options.queue_limit - root->options.queue_limit / 10;
    enum ork_status status = ORK_OK;
    uint32_t passed = 1;

    root->short_of.is_probed |=
        !root->options.deadlocks || root->options.probing == ORK_PROBING_OFF;
    while (status == ORK_OK && passed > 0 && ork_detector_memory(root->detector) > enough) {
        bool decided = false;
        passed = 0;
        if (!root->short_of.is_probed)
            status = explore_once(root);
        root->short_of.is_probed = true;
        if (status == ORK_OK)
            status = ork_detector_assume_match(root->detector, &decided);
        if (status == ORK_OK && !decided)
            status = ork_detector_catch_up(root->detector, true, &passed);
        passed += decided;
    }
    return status;
}

enum ork_status ork_root_check_memory(struct ork_root *root)
{
    if (root->options.queue_limit == 0 || !is_short(root)) {
        root->short_of.since_ns = 0;
        return ORK_OK;
    }
    if (root->short_of.since_ns == 0) {
        root->short_of.since_ns = ork_root_now(root);
        root->short_of.is_probed = false;
        return ask_all(root);
    }
    /* records keep arriving: stay within a tenth above the limit */
    bool is_urgent = ork_detector_memory(root->detector) >
                     root->options.queue_limit + root->options.queue_limit / 20;
    if (!is_urgent && ork_root_now(root) - root->short_of.since_ns < ANSWER_NS)
        return ORK_OK;
    return make_room(root);
}
