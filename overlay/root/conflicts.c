/* SPDX-License-Identifier: BSD-3-Clause */
/* Conflicts of one-sided accesses, and accesses outside of windows: docs/explanation/one-sided.md.
 */
#include "overlay/root/root_internal.h"

#include "common/log.h"
#include "common/text.h"
#include "common/vec.h"
#include "windows/onesided/onesided.h"
#include "overlay/root/timestamps.h"
#include "overlay/findings/describe.h"
#include "overlay/findings/describe_conflict.h"
#include "record/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FINDINGS_MAX = 20, RECORDS_WITHOUT_WINDOW = 1 << 17 };

struct root_conflicts {
    struct ork_onesided *onesided;
    uint32_t nprocs;  /* of the first job: the processes of others are not followed */
    bool is_forced;   /* however late the first window is made: --must:rma on, or an exploration */
    uint64_t records; /* taken before the first window */
    bool has_window;  /* it has come */
    bool is_late;     /* it came after RECORDS_WITHOUT_WINDOW */
    uint32_t left;    /* findings that were not reported */
    const char *path; /* --must:timestamps; NULL: none */
    struct ork_timestamps *timestamps;
    bool has_no_timestamps; /* the file could not be written */
};

/* A conflict, or an access outside of a window, with its places. */
struct placed {
    const void *what;                    /* struct ork_conflict, struct ork_outside */
    const struct ork_touched *access[2]; /* the second one NULL: there is one */
    struct ork_where where[2];
    bool is_taken; /* it is part of a finding */
};

struct placed_list {
    const struct ork_root *root;
    struct placed *item;
    uint32_t count, room;
    enum ork_status status;
};

/* RATIONALE: the run goes on without the file. */
static enum ork_status open_timestamps(struct root_conflicts *c)
{
    enum ork_status status = ork_timestamps_create(c->path, c->nprocs, &c->timestamps);

    if (status == ORK_OK)
        return ork_onesided_listen(c->onesided, ork_timestamps_listener(c->timestamps));
    if (status == ORK_NOMEM)
        return status;
    ork_error("cannot write the timestamps %s: %s", c->path,
              status == ORK_IO ? strerror(errno) : ork_status_text(status));
    c->has_no_timestamps = true;
    return ORK_OK;
}

/* RATIONALE: a branch that depends on one element may be the end of a wait in other runs; one that
 * depends on many is not. */
static bool may_wait(void *context, uint32_t rank, uint32_t site, bool is_element)
{
    enum ork_load_use use = ork_call_sites_load_use(context, rank, site);

    return use == ORK_LOAD_REPEATS || (use == ORK_LOAD_DECIDES && is_element);
}

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    const struct ork_root_options *options = &root->options;
    struct root_conflicts *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return ORK_NOMEM;
    root->conflicts = c;
    c->nprocs = nprocs;
    c->is_forced =
        options->rma == ORK_RMA_ON || options->timestamps != NULL || options->alternatives != NULL;
    c->path = options->timestamps;
    enum ork_status status = ork_onesided_create(nprocs, &c->onesided);
    if (status == ORK_OK)
        ork_onesided_ask(c->onesided, may_wait, root->sites);
    if (status == ORK_OK && ork_root_wants_order(options))
        status = ork_onesided_follow_racing(c->onesided);
    return status == ORK_OK && c->path != NULL ? open_timestamps(c) : status;
}

static void destroy(struct ork_root *root)
{
    struct root_conflicts *c = root->conflicts;

    if (c == NULL)
        return;
    ork_onesided_destroy(c->onesided);
    ork_timestamps_destroy(c->timestamps);
    free(c);
}

struct ork_onesided *ork_root_onesided(const struct ork_root *root)
{
    return root->conflicts != NULL ? root->conflicts->onesided : NULL;
}

/* RATIONALE: timestamps name every event. */
static enum ork_need need(const struct ork_root *root)
{
    if (ork_root_onesided(root) == NULL)
        return ORK_NEED_CHANGES;
    return root->conflicts->path != NULL ? ORK_NEED_ALL : ORK_NEED_RANKS;
}

/* RATIONALE: messages and calls order accesses to windows, and there are none before the first
 * window. Until then, iterations of all ranks may be missing: afterwards, each message still meets
 * its receive, and each collective call the others of it. */
static bool write_state(const struct ork_root *root, size_t limit, struct ork_words *state)
{
    const struct root_conflicts *c = root->conflicts;

    return c->onesided == NULL || !c->has_window || ork_onesided_state(c->onesided, limit, state);
}

/* ---- records ---- */

static bool makes_window(const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (record[i].kind == ORK_KIND_WIN_MEMORY)
            return true;
    }
    return false;
}

/* RATIONALE: to follow all messages costs as much as the detector. Most programs have no windows,
 * and the others make one soon. */
static void give_up(struct root_conflicts *c)
{
    ork_onesided_destroy(c->onesided);
    c->onesided = NULL;
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_conflicts *c = root->conflicts;

    if (!c->has_window) {
        c->records += n;
        c->has_window = makes_window(record, n);
        if (!c->is_forced && c->records > RECORDS_WITHOUT_WINDOW)
            give_up(c);
    }
    if (c->onesided != NULL)
        return ork_onesided_feed(c->onesided, rank, record, n);
    c->is_late |= c->has_window;
    return ORK_OK;
}

static enum ork_status end(struct ork_root *root, uint32_t rank, enum ork_causal_end how)
{
    struct ork_onesided *o = root->conflicts->onesided;

    (void)how;
    return o != NULL ? ork_onesided_end(o, rank) : ORK_OK;
}

/* ---- places ---- */

static void add(struct placed_list *list, const void *what, const struct ork_touched *first,
                const struct ork_touched *second)
{
    const struct ork_root *root = list->root;

    if (ork_detector_rank(root->detector, first->rank).quiet)
        return;
    if (!ork_vec_reserve(&list->item, &list->room, list->count + 1, sizeof(*list->item))) {
        list->status = ORK_NOMEM;
        return;
    }
    struct placed *p = &list->item[list->count++];
    *p = (struct placed){.what = what, .access = {first, second}};
    for (unsigned i = 0; i < 2 && p->access[i] != NULL && list->status == ORK_OK; i++)
        list->status =
            ork_call_sites_find(root->sites, p->access[i]->rank, p->access[i]->site, &p->where[i]);
}

static bool add_conflict(void *context, const struct ork_conflict *c)
{
    struct placed_list *list = context;

    add(list, c, &c->first, &c->second);
    return list->status == ORK_OK;
}

/* RATIONALE: a rank checks accesses to its own memory itself, before the call. */
static bool add_outside(void *context, const struct ork_outside *o)
{
    struct placed_list *list = context;

    if (o->access.rank != o->target || o->is_dynamic)
        add(list, o, &o->access, NULL);
    return list->status == ORK_OK;
}

static void release(struct placed_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        ork_where_release(&list->item[i].where[0]);
        ork_where_release(&list->item[i].where[1]);
    }
    free(list->item);
}

/* Access x of a and access y of b: are they the same call of the program? */
static bool is_same_access(const struct placed *a, unsigned x, const struct placed *b, unsigned y)
{
    return ork_describe_is_same_where(&a->where[x], &b->where[y]) &&
           a->access[x]->call == b->access[y]->call && a->access[x]->touch == b->access[y]->touch;
}

static bool is_same_place(const struct placed *a, const struct placed *b)
{
    if (a->access[1] == NULL)
        return is_same_access(a, 0, b, 0);
    const struct ork_conflict *x = a->what, *y = b->what;
    bool of_one_rank = a->access[0]->rank == a->access[1]->rank;
    if (x->kind != y->kind)
        return false;
    if (of_one_rank != (b->access[0]->rank == b->access[1]->rank))
        return false;
    return (is_same_access(a, 0, b, 0) && is_same_access(a, 1, b, 1)) ||
           (is_same_access(a, 0, b, 1) && is_same_access(a, 1, b, 0));
}

/* ---- how the run ended ---- */

/* Did this access make the library end the run? */
static bool is_fatal_for(const struct ork_outside *o, const struct ork_ended *end)
{
    return (o->access.rank != o->target || o->is_dynamic) && o->access.rank == end->rank &&
           !o->is_failed && end->ending.kind == ORK_NOTE_ERROR &&
           strcmp(ork_call_name(o->access.call), end->ending.call) == 0 &&
           end->ending.last.site == o->access.site;
}

struct fatal_search {
    const struct ork_ended *end;
    uint32_t seen;
    bool is_found;
};

static bool look_at_outside(void *context, const struct ork_outside *o)
{
    struct fatal_search *s = context;

    s->seen++;
    s->is_found |= is_fatal_for(o, s->end);
    return true;
}

bool ork_root_is_cause_outside(const struct ork_root *root, const struct ork_ended *end)
{
    struct fatal_search s = {.end = end};
    struct ork_onesided *o = ork_root_onesided(root);

    if (o == NULL)
        return false;
    if (root->input.ended == root->input.attached && ork_onesided_judge(o) != ORK_OK)
        return false;
    ork_onesided_outside(o, look_at_outside, &s);
    return s.is_found && s.seen <= FINDINGS_MAX; /* so it will be reported */
}

/* Add how the run ended, if it ended because of one of them. */
static enum ork_status add_end(struct ork_root *root, const void *const *what, uint32_t n,
                               struct ork_finding *f)
{
    for (uint32_t i = 0; i < n && root->reports.end != NULL; i++) {
        if (is_fatal_for(what[i], &root->abnormal.ends.ended[0])) {
            char *sentence = root->reports.end;
            root->reports.end = NULL;
            return ork_describe_add_detail(f, sentence);
        }
    }
    return ORK_OK;
}

/* ---- the report ---- */

/* What describes a list of conflicts, or of accesses. */
typedef enum ork_status describe(struct ork_call_sites *sites, const void *const *what, uint32_t n,
                                 struct ork_finding *finding);

static enum ork_status describe_conflicts(struct ork_call_sites *sites, const void *const *what,
                                          uint32_t n, struct ork_finding *finding)
{
    return ork_describe_conflict(sites, (const struct ork_conflict *const *)what, n, finding);
}

static enum ork_status describe_outsides(struct ork_call_sites *sites, const void *const *what,
                                         uint32_t n, struct ork_finding *finding)
{
    return ork_describe_outside(sites, (const struct ork_outside *const *)what, n, finding);
}

/* With the last calls of the ranks that the message names, and of the owner of the memory. */
static enum ork_status report_conflict(struct ork_root *root, const struct ork_conflict *c,
                                       struct ork_finding *finding)
{
    uint32_t ranks[] = {c->first.rank, c->second.rank, c->target};

    return ork_root_report_with_calls(root, finding, &(struct ork_u32s){ranks, 3});
}

/* All that are at the places of `first`. `what`: room for them. */
static enum ork_status report_place(struct ork_root *root, struct placed_list *list, uint32_t first,
                                    const void **what, describe *words)
{
    struct ork_finding finding;
    uint32_t n = 0;

    for (uint32_t i = first; i < list->count; i++) {
        struct placed *p = &list->item[i];
        if (p->is_taken || !is_same_place(&list->item[first], p))
            continue;
        p->is_taken = true;
        what[n++] = p->what;
    }
    enum ork_status status = words(root->sites, what, n, &finding);
    if (status != ORK_OK)
        return status;
    if (words == describe_outsides) {
        status = add_end(root, what, n, &finding);
        root->sink->finding(root->sink->context, &finding, false);
    } else {
        status = report_conflict(root, what[0], &finding);
    }
    ork_finding_release(&finding);
    return status;
}

static enum ork_status report_list(struct ork_root *root, struct placed_list *list, describe *words)
{
    const void **what = calloc(list->count + 1, sizeof(*what));
    uint32_t reported = 0;

    if (what == NULL)
        list->status = ORK_NOMEM;
    for (uint32_t i = 0; i < list->count && list->status == ORK_OK; i++) {
        if (list->item[i].is_taken)
            continue;
        if (reported++ < FINDINGS_MAX)
            list->status = report_place(root, list, i, what, words);
        else
            root->conflicts->left++;
    }
    free(what);
    release(list);
    return list->status;
}

static enum ork_status close_timestamps(struct ork_root *root)
{
    struct root_conflicts *c = root->conflicts;

    if (c->timestamps == NULL)
        return ORK_OK;
    const char *lost = ork_onesided_unfollowed(c->onesided);
    enum ork_status status = ork_timestamps_finish(c->timestamps, root->sites, lost);
    ork_timestamps_destroy(c->timestamps);
    c->timestamps = NULL;
    c->has_no_timestamps = status == ORK_IO;
    return status == ORK_IO ? ORK_OK : status;
}

static enum ork_status report_conflicts(struct ork_root *root)
{
    struct placed_list conflicts = {.root = root}, outside = {.root = root};

    struct ork_onesided *o = ork_root_onesided(root);

    if (o == NULL)
        return ORK_OK;
    enum ork_status status = close_timestamps(root);
    if (status == ORK_OK)
        status = ork_onesided_conflicts(o, add_conflict, &conflicts);
    if (status == ORK_OK)
        status = ork_onesided_judge(o);
    if (status == ORK_OK)
        ork_onesided_outside(o, add_outside, &outside);
    if (conflicts.status == ORK_OK)
        conflicts.status = status;
    status = report_list(root, &conflicts, describe_conflicts);
    return status == ORK_OK ? report_list(root, &outside, describe_outsides) : status;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    const struct root_conflicts *c = root->conflicts;
    const char *lost = c->onesided != NULL && ork_onesided_has_windows(c->onesided)
                           ? ork_onesided_lost(c->onesided)
                           : NULL;
    enum ork_status status = ORK_OK;

    if (c->is_late)
        status = ork_report_take_note(
            report, strdup("one-sided accesses were not compared, because the first "
                           "window was made late (--must:rma on compares them)"));
    if (status == ORK_OK && lost != NULL)
        status = ork_report_take_note(
            report, ork_text("some one-sided accesses were not compared: %s", lost));
    if (status == ORK_OK && c->has_no_timestamps)
        status =
            ork_report_take_note(report, strdup("the timestamps are incomplete: they could not be "
                                                "written"));
    if (status == ORK_OK && c->left > 0)
        status =
            ork_report_take_note(report, ork_text("%u more pair%s of calls conflict at a window",
                                                  c->left, c->left == 1 ? "" : "s"));
    return status;
}

const struct ork_follower ork_follow_conflicts = {.is_of_first_job = true,
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .feed = feed,
                                                  .end = end,
                                                  .need = need,
                                                  .state = write_state,
                                                  .report = report_conflicts,
                                                  .summary = summary};
