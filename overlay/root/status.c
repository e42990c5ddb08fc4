/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to a status request during the run. Two looks at all ranks show what the ranks outside
 * MPI do; the stacks of a few of them show where. */
#include "overlay/root/root_internal.h"
#include "overlay/findings/describe.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between the two looks. */
#define LOOK_NS (2 * ORK_ACTIVITY_NS)
/* What has not come by then is left out. */
#define PATIENCE_NS (2000 * MS)
/* RATIONALE: a stack stops the thread for a moment: not worth it right after an MPI call. */
#define STACK_AGE_NS (1000 * MS)

static void begin(struct ork_root *root)
{
    struct question *q = &root->question;

    if (q->stage != QUESTION_NONE)
        return;
    q->stage = QUESTION_ASKED;
    q->since_ns = ork_root_now(root);
}

void ork_root_ask(struct ork_root *root)
{
    root->question.is_requested = true;
    begin(root);
}

void ork_root_ask_for_stopped(struct ork_root *root)
{
    begin(root);
}

static void forget_answer(struct question *q)
{
    ork_finding_release(&q->answer.finding);
    free(q->answer.progress);
    q->answer = (struct ork_answer){.num_progress = 0};
    q->count = q->next = 0;
    q->is_waiting = false;
    q->awaits_calls = false;
    q->is_requested = false;
    q->stage = QUESTION_NONE;
}

void ork_root_forget_question(struct ork_root *root)
{
    forget_answer(&root->question);
    free(root->question.reported);
    root->question.reported = NULL;
    root->question.reported_ranks = 0;
}

/* ---- progress ---- */

static uint64_t age_of(const struct ork_root *root, uint32_t rank, uint64_t at)
{
    uint64_t last = ork_root_last_ns(root, rank);

    return last != 0 ? ork_elapsed_ns(at, last) : 0;
}

static uint64_t reported_of(const struct question *q, uint32_t rank)
{
    return rank < q->reported_ranks ? q->reported[rank] : 0;
}

/* The next answer counts calls from here. */
static enum ork_status remember(struct ork_root *root)
{
    struct question *q = &root->question;
    uint64_t *reported = realloc(q->reported, (root->nprocs + 1) * sizeof(*reported));

    if (reported == NULL)
        return ORK_NOMEM;
    q->reported = reported;
    q->reported_ranks = root->nprocs;
    for (uint32_t r = 0; r < root->nprocs; r++)
        reported[r] = ork_activity_calls(root->activity, r);
    q->reported_ns = ork_root_now(root);
    return ORK_OK;
}

static enum ork_status fill_progress(struct ork_root *root, uint64_t at)
{
    struct question *q = &root->question;
    struct ork_answer *a = &q->answer;

    a->progress = calloc(root->nprocs + 1, sizeof(*a->progress));
    if (a->progress == NULL)
        return ORK_NOMEM;
    a->num_progress = root->nprocs;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_rank_activity *b = ork_activity_of(root->activity, r);
        uint64_t calls = ork_activity_calls(root->activity, r);

        a->progress[r] = (struct ork_rank_progress){.rank = r,
                                                    .seconds = (double)age_of(root, r, at) * 1e-9,
                                                    .calls = calls,
                                                    .more = calls - reported_of(q, r),
                                                    .polls = b->all_polls,
                                                    .processors = b->processors};
    }
    return ORK_OK;
}

static char *message(const struct ork_root *root, uint64_t at)
{
    const struct question *q = &root->question;
    unsigned long long calls = 0, more = 0;
    char *held = ork_root_pause_words(root, at), *text;

    if (root->detector == NULL || held == NULL) {
        free(held);
        return root->detector == NULL ? strdup("no rank has called MPI_Init yet") : NULL;
    }
    for (uint32_t r = 0; r < root->nprocs; r++) {
        calls += ork_activity_calls(root->activity, r);
        more += ork_activity_calls(root->activity, r) - reported_of(q, r);
    }
    if (q->reported_ns == 0)
        text = ork_text("%u rank%s%s, %llu calls so far", root->nprocs,
                        root->nprocs == 1 ? "" : "s", held, calls);
    else
        text = ork_text(
            "%u rank%s%s, %llu calls so far, %llu of them since the last answer %.1f s ago",
            root->nprocs, root->nprocs == 1 ? "" : "s", held, calls, more,
            (double)ork_elapsed_ns(at, q->reported_ns) * 1e-9);
    free(held);
    return text;
}

/* ---- which stacks ---- */

/* It does not wait, as far as is known, and has not called MPI for a while. */
static bool is_worth_a_stack(const struct ork_root *root, uint32_t rank, uint64_t at)
{
    const struct ork_rank_activity *b = ork_activity_of(root->activity, rank);
    struct ork_rank_view v = ork_detector_rank(root->detector, rank);

    if (v.status == ORK_RANK_DONE || ork_root_died(root, rank) != NULL ||
        age_of(root, rank, at) < STACK_AGE_NS)
        return false;
    return b->doing == ORK_DOING_COMPUTES || b->doing == ORK_DOING_STARVES ||
           b->doing == ORK_DOING_SLEEPS ||
           (b->doing == ORK_DOING_INSIDE && (v.status == ORK_RANK_RUNNING || v.moved));
}

/* Longest without an MPI call first. */
static void choose(struct ork_root *root, uint64_t at)
{
    struct question *q = &root->question;
    const uint32_t room = sizeof(q->rank) / sizeof(q->rank[0]);

    for (uint32_t r = 0; r < root->nprocs && !root->ranks_are_gone; r++) {
        if (!is_worth_a_stack(root, r, at))
            continue;
        uint32_t i = q->count < room ? q->count++ : room;
        for (; i > 0 && age_of(root, q->rank[i - 1], at) < age_of(root, r, at); i--) {
            if (i < room)
                q->rank[i] = q->rank[i - 1];
        }
        if (i < room)
            q->rank[i] = r;
    }
}

/* RATIONALE: there is no stack of a rank that the signal which stops the run has just ended. Its
 * end comes soon. */
enum ork_status ork_root_answer_take_stack(struct ork_root *root, const struct ork_rank_row *wait)
{
    struct question *q = &root->question;

    if (q->stage != QUESTION_STACKS || !q->is_waiting || q->rank[q->next - 1] != wait->rank)
        return ORK_OK;
    if (wait->num_stack == 0 && root->stopped.is_pending && ork_root_died(root, wait->rank) == NULL)
        return ORK_OK;
    q->is_waiting = false;
    struct ork_finding *f = &q->answer.finding;
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == wait->rank && f->waits[i].num_stack == 0 && wait->num_stack > 0)
            return ork_rank_row_copy_stack(&f->waits[i], wait) ? ORK_OK : ORK_NOMEM;
    }
    return ORK_OK;
}

/* RATIONALE: one at a time, so that a leaf that has much to read (lines of a large program) serves
 * its ranks in between. */
static enum ork_status ask_next(struct ork_root *root)
{
    struct question *q = &root->question;

    if (q->is_waiting || q->next == q->count)
        return ORK_OK;
    q->is_waiting = true;
    q->next++;
    return ork_root_ask_stack(root, q->rank[q->next - 1]);
}

/* ---- from request to answer ---- */

/* RATIONALE: a rank in a matched call that uses a processor, or waits for one, may wait for data
 * from a rank that was stopped. */
static bool is_busy_wait(const struct ork_root *root, uint32_t rank)
{
    const struct ork_rank_activity *b = ork_activity_of(root->activity, rank);

    return b->doing != ORK_DOING_INSIDE || (ork_rank_activity_is_idle(b) && !b->is_runnable &&
                                            !ork_detector_rank(root->detector, rank).moved);
}

/* Mark the ranks whose stacks are taken as the cause, if other ranks wait for them. */
static enum ork_status add_cause(struct ork_root *root, uint64_t at)
{
    const struct question *q = &root->question;
    uint32_t rank[sizeof(q->rank) / sizeof(q->rank[0])];
    uint32_t n = 0;
    uint64_t age = UINT64_MAX;

    for (uint32_t i = 0; i < q->count; i++) {
        if (!is_busy_wait(root, q->rank[i]))
            continue;
        rank[n++] = q->rank[i];
        age = age_of(root, q->rank[i], at);
    }
    if (n == 0 || n == root->nprocs || ork_root_is_paused(root))
        return ORK_OK;
    qsort(rank, n, sizeof(*rank), ork_describe_compare_ranks);
    char *who = ork_phrase_ranks(rank, n);
    char *text = who == NULL ? NULL
                             : ork_text("%s %s for no other rank, and %s made no MPI call for "
                                        "%.1f s",
                                        who, n == 1 ? "waits" : "wait", n == 1 ? "has" : "have",
                                        (double)age * 1e-9);
    free(who);
    return text == NULL ? ORK_NOMEM : ork_describe_add_detail(&root->question.answer.finding, text);
}

static enum ork_status describe(struct ork_root *root, uint64_t at)
{
    struct question *q = &root->question;
    struct ork_search *search = NULL;
    char *text = message(root, at);
    enum ork_status status = text == NULL ? ORK_NOMEM : ORK_OK;

    if (status == ORK_OK && root->detector != NULL)
        status = ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status == ORK_OK)
        status = ork_describe_state(root->detector, root->sites, search, root->nprocs, "status",
                                    text, &q->answer.finding);
    ork_search_destroy(search);
    free(text);
    if (status == ORK_OK)
        status = ork_root_describe_activity(root, &q->answer.finding);
    if (status == ORK_OK)
        status = ork_root_describe_rates(root, &q->answer.finding);
    if (status == ORK_OK)
        status = add_cause(root, at);
    if (status == ORK_OK)
        status = fill_progress(root, at);
    return status;
}

static enum ork_status report(struct ork_root *root)
{
    struct question *q = &root->question;
    enum ork_status status = ORK_OK;

    if (q->is_requested && root->sink->answer != NULL)
        root->sink->answer(root->sink->context, &q->answer);
    if (root->stopped.is_pending)
        status = ork_root_complete_stopped(root, &q->answer.finding);
    forget_answer(q);
    return status == ORK_OK ? remember(root) : status;
}

/* No rank is outside MPI: one look is enough. */
static bool is_all_clear(const struct ork_root *root)
{
    for (uint32_t r = 0; r < root->nprocs; r++) {
        struct ork_rank_view v = ork_detector_rank(root->detector, r);
        bool waits = v.status != ORK_RANK_RUNNING && !v.moved &&
                     ork_activity_of(root->activity, r)->doing == ORK_DOING_INSIDE;
        if (v.status != ORK_RANK_DONE && !waits)
            return false;
    }
    return true;
}

/* Has a look that began at `since` or later been made, or would it be useless to wait for one? */
static bool has_looked(struct ork_root *root, uint64_t since, uint64_t at)
{
    if (ork_elapsed_ns(at, root->question.since_ns) > PATIENCE_NS)
        return true;
    if (ork_activity_observed_ns(root->activity) >= since)
        return true;
    return at >= since && ork_activity_observe(root->activity, root->snapshots, at);
}

static enum ork_status look(struct ork_root *root, uint64_t at)
{
    struct question *q = &root->question;

    if (root->detector == NULL) {
        enum ork_status status = describe(root, at);
        return status == ORK_OK ? report(root) : status;
    }
    if (q->stage == QUESTION_ASKED) {
        if (!has_looked(root, q->since_ns, at))
            return ORK_OK;
        q->stage = QUESTION_LOOKED;
    }
    if (!is_all_clear(root) && !has_looked(root, q->since_ns + LOOK_NS, at))
        return ORK_OK;
    q->stage = QUESTION_STACKS;
    q->since_ns = at;
    choose(root, at);
    enum ork_status status = describe(root, at);
    return status == ORK_OK && !root->ranks_are_gone ? ork_root_ask_for_answer(root) : status;
}

enum ork_status ork_root_answer_now(struct ork_root *root, uint64_t at)
{
    enum ork_status status = ORK_OK;

    if (root->question.stage == QUESTION_NONE)
        return ORK_OK;
    if (root->question.stage != QUESTION_STACKS)
        status = describe(root, at);
    return status == ORK_OK ? report(root) : status;
}

enum ork_status ork_root_answer(struct ork_root *root, uint64_t at)
{
    struct question *q = &root->question;
    enum ork_status status = ORK_OK;

    if (root->stopped.is_pending && ork_root_have_all_ended(root))
        return ork_root_answer_now(root, at);
    if (q->stage == QUESTION_ASKED || q->stage == QUESTION_LOOKED)
        status = look(root, at);
    if (q->stage != QUESTION_STACKS || status != ORK_OK)
        return status;
    if (q->is_waiting && ork_root_died(root, q->rank[q->next - 1]) != NULL)
        q->is_waiting = false;
    status = ask_next(root); /* may be answered at once */
    bool has_all = !q->is_waiting && q->next == q->count && !q->awaits_calls;
    bool is_ready = has_all || at > q->since_ns + PATIENCE_NS;
    if (status == ORK_OK && is_ready && !ork_root_awaits_ends(root, at))
        status = report(root);
    return status;
}

/* ---- figures ---- */

static bool is_waiting(const struct ork_root *root, uint32_t rank)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, rank);

    return v.status != ORK_RANK_RUNNING && v.status != ORK_RANK_DONE && !v.moved &&
           v.call.kind != ORK_KIND_CONT;
}

/* Mark the nodes that waiting ranks wait for, also through other nodes. false: out of memory. */
static bool mark_awaited(const struct ork_root *root, const struct ork_search *s, bool *mark)
{
    uint32_t *stack = malloc((ork_wfg_num_nodes(s->wfg) + (size_t)1) * sizeof(*stack));
    uint32_t depth = 0;

    for (uint32_t r = 0; r < root->nprocs && stack != NULL; r++) {
        if (is_waiting(root, r))
            stack[depth++] = r;
    }
    while (depth > 0) {
        uint32_t from = stack[--depth];
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, from); i++) {
            uint32_t to = ork_wfg_arc(s->wfg, from, i).to;
            bool is_process = ork_wfg_node(s->wfg, to).kind == ORK_WFG_PROCESS;
            if (!mark[to] && !is_process)
                stack[depth++] = to;
            mark[to] = true;
        }
    }
    free(stack);
    return stack != NULL;
}

/* The rank outside MPI that others wait for and that has been there longest, if for some time.
 * UINT32_MAX: none. */
static enum ork_status find_culprit(struct ork_root *root, uint64_t at, uint32_t *culprit)
{
    struct ork_search *s;
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, &s);
    uint64_t longest = STACK_AGE_NS;

    *culprit = UINT32_MAX;
    if (status != ORK_OK)
        return status;
    bool *mark = calloc(ork_wfg_num_nodes(s->wfg) + (size_t)1, sizeof(*mark));
    if (mark == NULL || !mark_awaited(root, s, mark))
        status = ORK_NOMEM;
    for (uint32_t r = 0; r < root->nprocs && status == ORK_OK; r++) {
        bool is_running = ork_detector_rank(root->detector, r).status == ORK_RANK_RUNNING;
        if (!mark[r] || !is_running || age_of(root, r, at) <= longest)
            continue;
        longest = age_of(root, r, at);
        *culprit = r;
    }
    free(mark);
    ork_search_destroy(s);
    return status;
}

/* The waiting ranks: how many, and which one has waited longest. */
static void find_waiting(const struct ork_root *root, uint64_t at, struct ork_run_figures *f)
{
    uint64_t longest = 0;

    for (uint32_t r = 0; r < root->nprocs; r++) {
        if (!is_waiting(root, r))
            continue;
        f->waiting++;
        if (age_of(root, r, at) <= longest)
            continue;
        longest = age_of(root, r, at);
        f->is_blocked = true;
        f->rank = r;
    }
}

static enum ork_status say_figures(struct ork_root *root, const struct ork_run_figures *figures)
{
    struct ork_finding rates = {0};
    enum ork_status status = ork_root_describe_rates(root, &rates);

    if (status == ORK_OK && root->sink->figures != NULL)
        root->sink->figures(root->sink->context, figures, &rates);
    ork_finding_release(&rates);
    return status;
}

enum ork_status ork_root_figures(struct ork_root *root)
{
    struct ork_run_figures f = {.ranks = root->nprocs};
    uint64_t at = ork_root_now(root);
    uint32_t culprit = UINT32_MAX;
    enum ork_status status = ork_root_unfold(root);

    if (status != ORK_OK)
        return status;
    if (root->detector != NULL) {
        struct ork_counts counts = ork_detector_counts(root->detector);
        f.messages = counts.messages;
        f.collectives = counts.collectives;
        f.queued = counts.queued;
    }
    for (uint32_t r = 0; r < root->nprocs; r++)
        f.calls += ork_activity_calls(root->activity, r);
    find_waiting(root, at, &f);
    if (f.is_blocked && find_culprit(root, at, &culprit) != ORK_OK)
        return ORK_NOMEM;
    f.is_outside = culprit != UINT32_MAX;
    f.rank = f.is_outside ? culprit : f.rank;
    if (f.is_blocked) {
        struct ork_rank_view v = ork_detector_rank(root->detector, f.rank);
        f.seconds = (double)age_of(root, f.rank, at) * 1e-9;
        char *call = ork_phrase_call_at(root->sites, f.rank, v.call.call, v.call.site);
        if (call == NULL)
            return ORK_NOMEM;
        snprintf(f.call, sizeof(f.call), "%s", call);
        free(call);
    }
    return say_figures(root, &f);
}
