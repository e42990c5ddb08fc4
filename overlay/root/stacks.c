/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding about ranks that hang is reported at once, and again with their call stacks and last
 * calls, which take a moment. The job is ended only after that. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "report/finding_kind.h"

#include <stdlib.h>
#include <string.h>

/* With more ranks, stacks of the first causes are sufficient. */
enum { STACKS_MAX = 64 };
/* What has not come by then is left out. */
#define STACKS_NS (2000 * MS)

struct root_stacks {
    struct root_stacks *next;
    struct ork_finding finding;
    struct delayed_finding *delayed; /* it is not reported yet: see delayed_policy.c */
    bool is_for_answer;              /* only its calls are wanted: see status.c */
    bool names_sleepers;             /* it is not reported yet: its headline needs the stacks */
    double seconds;                  /* in that headline */
    bool fatal;
    bool past;                /* it is about calls that the run may have left behind */
    bool names_calls;         /* it is about calls that returned: ork_root_keep_calls_about() */
    uint32_t missing, denied; /* stacks */
    struct asked_ranks asked;
    uint64_t until_ns;
    char *reason; /* of the first missing stack */
};

static struct ork_rank_row *wait_of(struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == rank)
            return &f->waits[i];
    }
    return NULL;
}

/* The rank hangs in a call; if no deadlock explains the hang, any rank that is attached. */
static bool is_worth_it(const struct ork_finding *f, const struct ork_rank_row *wait)
{
    if (wait == NULL || strcmp(wait->state, "blocked") == 0)
        return wait != NULL;
    return ork_finding_is(f, ORK_FINDING_HANG) && strcmp(wait->state, "finalized") != 0 &&
           strcmp(wait->state, "ended") != 0;
}

/* Choose the ranks whose stacks are wanted, causes first. Returns their number. */
static uint32_t choose(struct ork_finding *f, uint32_t rank[STACKS_MAX])
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count && n < STACKS_MAX; i++) {
            if (is_worth_it(f, wait_of(f, f->roots[k].item[i])))
                rank[n++] = f->roots[k].item[i];
        }
    }
    uint32_t causes = n;
    ORK_ASSERT(causes <= STACKS_MAX);
    for (uint32_t i = 0; i < f->num_waits && n < STACKS_MAX; i++) {
        bool known = !is_worth_it(f, &f->waits[i]);
        for (uint32_t k = 0; k < causes && !known; k++)
            known = rank[k] == f->waits[i].rank;
        if (!known)
            rank[n++] = f->waits[i].rank;
    }
    return n;
}

static bool is_complete(const struct root_stacks *s)
{
    bool complete = s->missing == 0;

    for (uint32_t i = 0; i < s->asked.count && complete; i++)
        complete = s->asked.item[i].answered;
    return complete;
}

static void forget(struct ork_root *root, struct root_stacks *s)
{
    struct root_stacks **link = &root->reports.stacks;

    while (*link != s) {
        ORK_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = s->next;
    ork_finding_release(&s->finding);
    free(s->asked.stream);
    free(s->reason);
    free(s);
}

/* A finding ends the job: a hang that was reported before is part of it. Else, what is reported now
 * may be a hang that nothing explains yet. */
static enum ork_status note_hang(struct ork_root *root, const struct ork_finding *f, bool fatal)
{
    static char id[] = "hang";
    struct ork_finding earlier = {.id = id, .message = root->reports.hang};

    if (fatal && earlier.message != NULL) {
        if (root->sink->superseded != NULL)
            root->sink->superseded(root->sink->context, &earlier);
        free(root->reports.hang);
        root->reports.hang = NULL;
    }
    if (fatal || root->reports.hang != NULL || !ork_finding_is(f, ORK_FINDING_HANG))
        return ORK_OK;
    root->reports.hang = strdup(f->message);
    return root->reports.hang != NULL ? ORK_OK : ORK_NOMEM;
}

/* RATIONALE: reported once without and once with the stacks, as other findings are. */
static enum ork_status report_sleepers(struct ork_root *root, struct root_stacks *s)
{
    bool is_named;
    enum ork_status status = ork_root_name_sleepers(root, s->seconds, &s->finding, &is_named);

    if (status == ORK_OK)
        status = note_hang(root, &s->finding, s->fatal);
    if (status == ORK_OK)
        root->sink->finding(root->sink->context, &s->finding, false);
    return status;
}

/* `all`: no other answer is awaited. */
static enum ork_status settle(struct root_stacks *s, bool all)
{
    if (s->names_calls && all)
        ork_root_keep_calls_about(&s->finding);
    if (s->past && all && s->asked.count > 1 && s->finding.num_last_calls < 2)
        s->finding.are_calls_gone = true;
    return ork_root_settle_last_calls(&s->finding);
}

/* Unless it has been given in the meantime. */
static void give_to_answer(struct ork_root *root, struct root_stacks *s)
{
    struct question *q = &root->question;

    if (q->stage == QUESTION_STACKS)
        ork_finding_move_calls(&s->finding, &q->answer.finding);
    q->awaits_calls = false;
}

static enum ork_status finish(struct ork_root *root, struct root_stacks *s)
{
    enum ork_status status = s->names_sleepers ? report_sleepers(root, s) : ORK_OK;

    if (s->denied > 0 && status == ORK_OK) {
        char *text = ork_text("No call stack for %u of these ranks: %s.", s->denied, s->reason);
        status = text == NULL ? ORK_NOMEM : ork_describe_add_detail(&s->finding, text);
    }
    if (status == ORK_OK)
        status = settle(s, true);
    if (s->is_for_answer)
        give_to_answer(root, s);
    else if (s->delayed != NULL)
        ork_root_fill_delayed(s->delayed, &s->finding);
    else
        root->sink->stacks(root->sink->context, &s->finding, s->fatal);
    forget(root, s);
    return status;
}

enum ork_status ork_root_ask_stack(const struct ork_root *root, uint32_t rank)
{
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_STACK, .rank = rank});
}

static enum ork_status ask_calls(struct ork_root *root, struct root_stacks *s, bool past)
{
    enum ork_status status = ork_root_ask_last_calls(root, &s->finding, &s->asked, past);

    return status == ORK_OK ? settle(s, is_complete(s)) : status;
}

/* Is the finding told before its calls and stacks have come? */
static bool is_told_now(const struct root_stacks *s)
{
    return !s->is_for_answer && s->delayed == NULL && !s->names_sleepers;
}

/* The last calls come first: they may come at once, and then the finding is reported only once. */
static enum ork_status report(struct ork_root *root, struct root_stacks *s, bool past,
                              const uint32_t *stack, uint32_t num_stacks)
{
    s->past = past;
    enum ork_status status = ask_calls(root, s, past);

    s->missing = num_stacks;
    bool is_last = is_complete(s) || (root->ranks_are_gone && (s->fatal || !is_told_now(s)));
    if (s->names_sleepers && is_last && status == ORK_OK)
        status = note_hang(root, &s->finding, s->fatal);
    if (is_last && s->is_for_answer)
        give_to_answer(root, s);
    else if (is_last && s->delayed != NULL)
        ork_root_fill_delayed(s->delayed, &s->finding);
    else if (is_told_now(s) || (is_last && s->names_sleepers))
        root->sink->finding(root->sink->context, &s->finding, s->fatal && is_last);
    if (is_last)
        forget(root, s);
    for (uint32_t i = 0; i < num_stacks && status == ORK_OK; i++)
        status = ork_root_ask_stack(root, stack[i]);
    return status;
}

/* Takes ownership of *finding. */
static struct root_stacks *begin(struct ork_root *root, struct ork_finding *finding, bool fatal)
{
    struct root_stacks *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    *s = (struct root_stacks){.next = root->reports.stacks,
                              .finding = *finding,
                              .fatal = fatal,
                              .until_ns = ork_root_now(root) + STACKS_NS};
    *finding = (struct ork_finding){0};
    root->reports.stacks = s;
    return s;
}

enum ork_status ork_root_report_hanging(struct ork_root *root, struct ork_finding *finding,
                                        bool fatal)
{
    uint32_t rank[STACKS_MAX];
    uint32_t n = root->ranks_are_gone ? 0 : choose(finding, rank);
    struct root_stacks *s;

    if (finding->severity == ORK_ERROR)
        ork_root_supersede_delayed(root, finding);
    enum ork_status status = note_hang(root, finding, fatal);
    if (status == ORK_OK)
        status = ork_root_describe_rates(root, finding);
    if (status != ORK_OK)
        return status;
    s = begin(root, finding, fatal);
    return s == NULL ? ORK_NOMEM : report(root, s, false, rank, n);
}

enum ork_status ork_root_report_sleepers(struct ork_root *root, struct ork_finding *finding,
                                         bool fatal, double seconds)
{
    uint32_t rank[STACKS_MAX];
    uint32_t n = root->ranks_are_gone ? 0 : choose(finding, rank);
    enum ork_status status = ork_root_describe_rates(root, finding);
    struct root_stacks *s = status == ORK_OK ? begin(root, finding, fatal) : NULL;

    if (s == NULL)
        return ORK_NOMEM;
    s->names_sleepers = true;
    s->seconds = seconds;
    return report(root, s, false, rank, n);
}

enum ork_status ork_root_add_stacks(struct ork_root *root, struct ork_finding *finding, bool fatal)
{
    uint32_t rank[STACKS_MAX];
    uint32_t n = root->ranks_are_gone ? 0 : choose(finding, rank);
    struct root_stacks *s = begin(root, finding, fatal);
    enum ork_status status = s == NULL ? ORK_NOMEM : ask_calls(root, s, false);

    if (status != ORK_OK)
        return status;
    s->missing = n;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = ork_root_ask_stack(root, rank[i]);
    return status;
}

enum ork_status ork_root_report_calls(struct ork_root *root, struct ork_finding *finding, bool past)
{
    struct root_stacks *s = begin(root, finding, false);

    return s == NULL ? ORK_NOMEM : report(root, s, past, NULL, 0);
}

/* RATIONALE: to read the calls of several ranks takes a moment, and so many pictures are enough. */
enum { WITH_CALLS_MAX = 20 };

static enum ork_status report_with(struct ork_root *root, struct ork_finding *finding,
                                   const struct ork_u32s *ranks, bool names_calls)
{
    if (root->reports.with_calls++ >= WITH_CALLS_MAX) {
        root->sink->finding(root->sink->context, finding, false);
        return ORK_OK;
    }
    struct root_stacks *s = begin(root, finding, false);
    if (s == NULL)
        return ORK_NOMEM;
    s->names_calls = names_calls;
    for (uint32_t i = 0; i < ranks->count; i++)
        ork_root_choose_asked(&s->asked, ranks->item[i]);
    return report(root, s, false, NULL, 0);
}

enum ork_status ork_root_report_with_calls(struct ork_root *root, struct ork_finding *finding,
                                           const struct ork_u32s *ranks)
{
    return report_with(root, finding, ranks, true);
}

enum ork_status ork_root_report_with_latest(struct ork_root *root, struct ork_finding *finding,
                                            const struct ork_u32s *ranks)
{
    return report_with(root, finding, ranks, false);
}

enum ork_status ork_root_collect_for_answer(struct ork_root *root, struct ork_finding *finding)
{
    struct root_stacks *s = begin(root, finding, false);

    if (s == NULL)
        return ORK_NOMEM;
    s->is_for_answer = true;
    for (uint32_t i = 0; i < s->finding.ranks.count; i++)
        ork_root_choose_asked(&s->asked, s->finding.ranks.item[i]);
    return report(root, s, false, NULL, 0);
}

enum ork_status ork_root_collect_delayed(struct ork_root *root, struct ork_finding *finding,
                                         struct delayed_finding *delayed)
{
    struct root_stacks *s = begin(root, finding, false);

    if (s == NULL)
        return ORK_NOMEM;
    s->delayed = delayed;
    return report(root, s, true, NULL, 0);
}

enum ork_status ork_root_fill_all_delayed(struct ork_root *root)
{
    enum ork_status status = ORK_OK;
    struct root_stacks *next;

    for (struct root_stacks *s = root->reports.stacks; s != NULL && status == ORK_OK; s = next) {
        next = s->next;
        if (s->delayed != NULL)
            status = finish(root, s);
    }
    return status;
}

/* The open request for this rank; NULL: none. */
static struct asked *find_asked(struct root_stacks *s, uint32_t rank)
{
    for (uint32_t i = 0; i < s->asked.count; i++) {
        if (s->asked.item[i].rank == rank && !s->asked.item[i].answered)
            return &s->asked.item[i];
    }
    return NULL;
}

/* Answers come in the order of the requests: this one is to the oldest, the last in the list. */
enum ork_status ork_root_take_latest(struct ork_root *root, const struct ork_latest *latest)
{
    struct root_stacks *of = NULL;

    for (struct root_stacks *s = root->reports.stacks; s != NULL; s = s->next) {
        if (find_asked(s, latest->rank) != NULL)
            of = s;
    }
    if (of == NULL)
        return ORK_OK;
    struct asked *asked = find_asked(of, latest->rank);
    asked->answered = true;
    return ork_root_add_last_calls(root, &of->finding, &of->asked, asked, latest);
}

static bool take(struct root_stacks *s, const struct ork_rank_row *wait, const char *reason)
{
    struct ork_rank_row *to = wait_of(&s->finding, wait->rank);

    if (to == NULL || to->num_stack > 0 || s->missing == 0)
        return true;
    s->missing--;
    if (reason[0] == '\0')
        return ork_rank_row_copy_stack(to, wait);
    if (s->denied++ == 0)
        s->reason = strdup(reason);
    return s->reason != NULL;
}

enum ork_status ork_root_take_stack(struct ork_root *root, const struct ork_rank_row *wait,
                                    const char *reason)
{
    for (struct root_stacks *s = root->reports.stacks; s != NULL; s = s->next) {
        if (!take(s, wait, reason))
            return ORK_NOMEM;
    }
    return ORK_OK;
}

enum ork_status ork_root_report_stacks(struct ork_root *root, bool all)
{
    enum ork_status status = ORK_OK;
    struct root_stacks *next;

    for (struct root_stacks *s = root->reports.stacks; s != NULL && status == ORK_OK; s = next) {
        next = s->next;
        if (all || is_complete(s) || ork_root_now(root) > s->until_ns)
            status = finish(root, s);
    }
    return status;
}

bool ork_root_awaits_calls(const struct ork_root *root)
{
    return root->reports.stacks != NULL;
}

void ork_root_forget_stacks(struct ork_root *root)
{
    while (root->reports.stacks != NULL)
        forget(root, root->reports.stacks);
}
