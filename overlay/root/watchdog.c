/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:hang-after: no rank makes progress, and no deadlock explains it. Without that option, a
 * word after ten minutes without progress. A rank makes progress if it writes a record (every call
 * except an unsuccessful poll does) or uses a processor outside MPI. If the activity of a rank is
 * unknown, it may make progress. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

/* Number of looks at all ranks during that time; and the greatest time between two. */
enum { LOOKS = 8 };
#define PAUSE_MAX_NS (1000 * MS)
/* RATIONALE: a longer gap between looks means that some leaf was stopped, and perhaps its ranks. */
#define GAP_NS (1000 * MS)
/* Ranks that are listed one by one. */
enum { NAMED_MAX = 8 };

static bool is_gone(const struct ork_root *root, uint32_t rank)
{
    return ork_activity_of(root->activity, rank)->has_left ||
           ork_detector_rank(root->detector, rank).status == ORK_RANK_DONE;
}

/* When the latest progress was made; 0: no rank is left. */
static uint64_t last_step(const struct ork_root *root)
{
    uint64_t last = 0;

    for (uint32_t r = 0; r < root->nprocs; r++) {
        uint64_t active = ork_activity_of(root->activity, r)->active_ns;
        if (is_gone(root, r))
            continue;
        last = root->input.change_ns > last ? root->input.change_ns : last;
        last = active > last ? active : last;
    }
    return last;
}

/* 0: nobody wants to know. */
static uint64_t limit_of(const struct ork_root *root)
{
    const struct ork_root_options *o = &root->options;

    return o->hang_after_ns != 0 ? o->hang_after_ns : o->still_after_ns;
}

static uint64_t pause_of(const struct ork_root *root)
{
    uint64_t ns = limit_of(root) / LOOKS;

    return ns < ORK_ACTIVITY_NS ? ORK_ACTIVITY_NS : ns < PAUSE_MAX_NS ? ns : PAUSE_MAX_NS;
}

/* What ranks may do so that they count as waiting: bits. */
enum {
    INSIDE = 1 << ORK_DOING_INSIDE,
    POLLS = 1 << ORK_DOING_POLLS,
    SLEEPS = 1 << ORK_DOING_SLEEPS | 1 << ORK_DOING_STARVES,
};

static bool is_waiting(const struct ork_root *root, uint32_t rank, unsigned doing)
{
    return (doing >> ork_activity_of(root->activity, rank)->doing & 1) != 0;
}

static bool is_quiet(struct ork_root *root, uint64_t at, uint64_t since, unsigned doing)
{
    uint64_t last = last_step(root);

    if (root->input.attached < root->nprocs || root->input.lost != NULL || last == 0 ||
        ork_elapsed_ns(at, root->input.change_ns) < PAUSE_MAX_NS)
        return false;
    if (ork_elapsed_ns(at, ork_activity_observed_ns(root->activity)) >= PAUSE_MAX_NS)
        ork_activity_observe(root->activity, root->snapshots, at);
    for (uint32_t r = 0; r < root->nprocs; r++) {
        if (!is_gone(root, r) && !is_waiting(root, r, doing))
            return false;
    }
    last = last_step(root); /* the look may have found that the last rank has ended */
    return last != 0 && ork_elapsed_ns(at, last) >= since;
}

bool ork_root_is_quiet(struct ork_root *root, uint64_t at, uint64_t since)
{
    return is_quiet(root, at, since, INSIDE);
}

bool ork_root_is_stalled(struct ork_root *root, uint64_t at, uint64_t since)
{
    return is_quiet(root, at, since, INSIDE | POLLS);
}

bool ork_root_is_idle(struct ork_root *root, uint64_t at, uint64_t since)
{
    return is_quiet(root, at, since, INSIDE | POLLS | SLEEPS);
}

/* ---- as text ---- */

struct row {
    uint64_t last_ns;
    struct ork_rank_row wait;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a;
    const struct row *y = b;

    if (x->last_ns != y->last_ns)
        return x->last_ns < y->last_ns ? -1 : 1;
    return (x->wait.rank > y->wait.rank) - (x->wait.rank < y->wait.rank);
}

/* Rank with the oldest latest call first. */
static enum ork_status sort_rows(const struct ork_root *root, struct ork_finding *f)
{
    struct row *row = malloc((f->num_waits + 1) * sizeof(*row));

    if (row == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < f->num_waits; i++)
        row[i] = (struct row){.last_ns = is_gone(root, f->waits[i].rank)
                                             ? UINT64_MAX
                                             : ork_root_last_ns(root, f->waits[i].rank),
                              .wait = f->waits[i]};
    qsort(row, f->num_waits, sizeof(*row), compare_rows);
    for (uint32_t i = 0; i < f->num_waits; i++)
        f->waits[i] = row[i].wait;
    free(row);
    return ORK_OK;
}

static const char *where_words(struct ork_writing *w, const struct ork_rank_row *row)
{
    if (row->now.call != NULL)
        return ork_writing_keep(w, ork_phrase_call(row->now.call, &row->now.where));
    if (row->call[0] != '\0')
        return ork_writing_keep(w, ork_phrase_call(row->call, &row->where));
    return row->detail != NULL ? row->detail : row->state;
}

/* ", 12 unsuccessful polls", if it polls. */
static const char *polls_words(const struct ork_root *root, struct ork_writing *w, uint32_t rank)
{
    const struct ork_rank_activity *b = ork_activity_of(root->activity, rank);
    const struct ork_ended *died = ork_root_died(root, rank);
    bool is_polling = b->doing == ORK_DOING_POLLS || b->polls_mostly;
    uint64_t polls = died != NULL ? died->ending.polls : is_polling ? b->all_polls : 0;

    return polls == 0 ? "" : ork_say(w, SAYS_STALL_POLLS, NUMBER('n', polls));
}

/* "rank 2 for 12.1 s (outside MPI, ...)" */
static const char *longest_words(const struct ork_root *root, struct ork_writing *w, uint64_t at,
                                 const struct ork_rank_row *row)
{
    uint64_t last = ork_root_last_ns(root, row->rank);
    double seconds = last != 0 ? (double)ork_elapsed_ns(at, last) * 1e-9 : 0;

    return ork_say(w, SAYS_STALL_RANK, RANK('r', row->rank), TEXT('w', ork_seconds(w, seconds)),
                   TEXT('x', where_words(w, row)), TEXT('y', polls_words(root, w, row->rank)));
}

/* "Longest first: rank 2 for 12.1 s (outside MPI, ...), ..." */
static void add_longest(const struct ork_root *root, struct ork_writing *w, uint64_t at,
                        struct ork_finding *f)
{
    const char *text = "";

    for (uint32_t i = 0; i < f->num_waits && i < NAMED_MAX && !is_gone(root, f->waits[i].rank); i++)
        text = ork_join(w, text, ", ", longest_words(root, w, at, &f->waits[i]));
    if (text[0] != '\0')
        ork_writing_detail(w, f, ork_say(w, SAYS_STALL_LONGEST, TEXT('w', text)));
}

/* A sentence about the ranks that do this, if any. */
static void add_doing(const struct ork_root *root, struct ork_writing *w, enum ork_doing doing,
                      struct ork_finding *f)
{
    struct ork_u32s ranks = {0};

    for (uint32_t r = 0; r < root->nprocs; r++) {
        if (!is_gone(root, r) && ork_activity_of(root->activity, r)->doing == doing)
            ork_writing_add(w, &ranks, r);
    }
    if (ranks.count > 0)
        ork_writing_detail(
            w, f,
            ork_say(w, doing == ORK_DOING_SLEEPS ? SAYS_STALL_SLEEPING : SAYS_STALL_POLLING,
                    RANKS('r', &ranks)));
}

/* Of the knots of the strict analysis, the ranks with a thread that may still act. */
static struct ork_u32s acting_ranks(const struct ork_root *root, struct ork_writing *w,
                                    const struct ork_search *search)
{
    struct ork_u32s ranks = {0};

    for (uint32_t k = 0; k < ork_wfg_num_bottom(search->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(search->wfg, k);
        for (uint32_t i = 0; i < knot.count; i++) {
            struct ork_wfg_node node = ork_wfg_node(search->wfg, knot.node[i]);
            if (node.kind != ORK_WFG_PROCESS)
                continue;
            const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, node.process);
            if (s != NULL && s->others == ORK_OTHERS_ACT)
                ork_writing_add(w, &ranks, node.process);
        }
    }
    ork_describe_sort_unique(&ranks);
    return ranks;
}

/* Why ranks that wait for each other are not deadlocked. */
static enum ork_status add_threads(const struct ork_root *root, const struct ork_search *search,
                                   struct ork_finding *f)
{
    struct ork_writing w = {0};
    struct ork_u32s ranks = acting_ranks(root, &w, search);

    if (ranks.count > 0)
        ork_writing_detail(&w, f, ork_say(&w, SAYS_STALL_THREADS, RANKS('r', &ranks)));
    return ork_writing_release(&w);
}

enum ork_status ork_root_describe_longest(struct ork_root *root, uint64_t at, struct ork_finding *f)
{
    struct ork_writing w = {.sites = root->sites, .status = sort_rows(root, f)};

    add_longest(root, &w, at, f);
    add_doing(root, &w, ORK_DOING_SLEEPS, f);
    add_doing(root, &w, ORK_DOING_POLLS, f);
    return ork_writing_release(&w);
}

/* *f is the caller's. `names_sleepers`: does its headline say who sleeps? */
static enum ork_status describe(struct ork_root *root, uint64_t at, double seconds,
                                struct ork_finding *f, bool *names_sleepers)
{
    struct ork_search *search;
    struct ork_writing w = {0};
    char *text =
        ork_writing_end_text(&w, ork_say(&w, SAYS_STALL, TEXT('w', ork_seconds(&w, seconds)),
                                         NUMBER('i', root->reports.count == 0)));

    if (text == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status == ORK_OK) {
        status =
            ork_describe_state(root->detector, root->sites, search, root->nprocs, "hang", text, f);
        if (status != ORK_OK)
            ork_search_destroy(search);
    }
    free(text);
    if (status != ORK_OK)
        return status;
    f->severity = ORK_WARNING;
    status = add_threads(root, search, f);
    ork_search_destroy(search);
    if (status == ORK_OK)
        status = ork_root_describe_activity(root, f);
    if (status == ORK_OK && root->reports.count == 0)
        status = ork_root_name_sleepers(root, seconds, f, names_sleepers);
    if (status == ORK_OK)
        status = ork_root_describe_longest(root, at, f);
    if (status != ORK_OK)
        ork_finding_release(f);
    return status;
}

static enum ork_status report(struct ork_root *root, uint64_t at, uint64_t since)
{
    const double seconds = (double)ork_elapsed_ns(at, since) * 1e-9;
    const bool fatal = root->options.hang_is_fatal;
    struct ork_finding f;
    bool names_sleepers = false;
    enum ork_status status = describe(root, at, seconds, &f, &names_sleepers);

    if (status != ORK_OK)
        return status;
    ork_policy_take(&root->policy, ROOT_HANG_IS_REPORTED);
    if (fatal)
        ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
    return names_sleepers ? ork_root_report_sleepers(root, &f, fatal, seconds)
                          : ork_root_report_hanging(root, &f, fatal);
}

/* RATIONALE: a solver or a checkpoint may need such a time. So it is no finding yet, and withdrawn
 * when some rank makes progress. */
static void say_still(struct ork_root *root, uint64_t at, uint64_t since)
{
    if (root->look.still_ns != 0 || root->sink->still == NULL)
        return;
    root->look.still_ns = last_step(root);
    root->sink->still(root->sink->context, (double)ork_elapsed_ns(at, since) * 1e-9);
}

static void withdraw_still(struct ork_root *root)
{
    uint64_t last = root->look.still_ns != 0 ? last_step(root) : 0;

    if (last <= root->look.still_ns)
        return;
    root->look.still_ns = 0;
    root->sink->still(root->sink->context, 0);
}

enum ork_status ork_root_report_still(struct ork_root *root, uint64_t at)
{
    withdraw_still(root);
    if (root->look.still_ns == 0 || root->reports.count > 0)
        return ORK_OK;
    const double seconds = (double)ork_elapsed_ns(at, root->look.still_ns) * 1e-9;
    struct ork_finding f;
    bool names_sleepers;
    enum ork_status status = describe(root, at, seconds, &f, &names_sleepers);
    return status == ORK_OK ? ork_root_report_hanging(root, &f, false) : status;
}

/* Look at the ranks, unless somebody has just done so; false: not possible now. */
static bool look(struct ork_root *root, uint64_t at)
{
    if (ork_elapsed_ns(at, ork_activity_observed_ns(root->activity)) >= pause_of(root) &&
        !ork_activity_observe(root->activity, root->snapshots, at))
        return false;
    uint64_t looked = ork_activity_observed_ns(root->activity);
    if (ork_elapsed_ns(looked, root->look.looked_ns) > pause_of(root) + GAP_NS)
        root->look.watched_ns = at;
    root->look.looked_ns = looked;
    return true;
}

enum ork_status ork_root_watch(struct ork_root *root, uint64_t at)
{
    withdraw_still(root);
    if (limit_of(root) == 0 || !ork_policy_may_report_hang(&root->policy) ||
        root->input.attached < root->nprocs || root->input.lost != NULL)
        return ORK_OK;
    if (ork_elapsed_ns(at, root->input.change_ns) < pause_of(root) || !look(root, at))
        return ORK_OK;
    uint64_t since = last_step(root);
    if (since != 0 && since < root->look.watched_ns)
        since = root->look.watched_ns;
    uint64_t after = limit_of(root) + (ork_policy_is_watching(&root->policy) ? ROOT_VERDICT_NS : 0);
    if (since == 0 || ork_elapsed_ns(at, since) < after)
        return ORK_OK;
    bool caught_up;
    enum ork_status status = ork_root_catch_up(root, &caught_up);
    if (status != ORK_OK || caught_up)
        return status;
    if (root->options.hang_after_ns != 0)
        return report(root, at, since);
    say_still(root, at, since);
    return ORK_OK;
}
