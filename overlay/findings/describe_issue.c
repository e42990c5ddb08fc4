/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings that are no deadlock of this run, in words. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    enum ork_class class_;
    enum ork_severity severity;
    const char *message; /* NULL: made of the calls, see describe_single.c */
} issue_kind[] = {
    [ORK_ISSUE_MISMATCH] = {"collective-mismatch", ORK_CLASS_NONE, ORK_ERROR,
                            "the collective calls on a communicator do not match"},
    [ORK_ISSUE_RSEND] = {"rsend-not-ready", ORK_CLASS_NONE, ORK_ERROR, NULL},
    [ORK_ISSUE_LOST_MESSAGE] = {"lost-message", ORK_CLASS_NONE, ORK_WARNING, NULL},
    [ORK_ISSUE_LOCK_ORDER] = {"lock-order", ORK_POTENTIAL, ORK_ERROR,
                              "ranks lock windows in opposite orders: if each of them gets its "
                              "first lock, none can get its second"},
    [ORK_ISSUE_REQUEST_LEAK] = {"request-leak", ORK_CLASS_NONE, ORK_WARNING, NULL},
};

struct ork_finding ork_describe_begin_issue(enum ork_issue_kind kind)
{
    return (struct ork_finding){.class_ = issue_kind[kind].class_,
                                .severity = issue_kind[kind].severity,
                                .id = strdup(issue_kind[kind].id)};
}

static int compare_rows(const void *a, const void *b)
{
    const struct ork_rank_row *x = a;
    const struct ork_rank_row *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

void ork_describe_sort_rows(struct ork_finding *f)
{
    qsort(f->waits, f->num_waits, sizeof(*f->waits), compare_rows);
}

enum ork_status ork_describe_add_side(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_issue_side *side, struct ork_finding *f)
{
    const struct ork_record *r = &side->call;
    struct ork_where where;
    enum ork_status status = ork_call_sites_find(sites, side->rank, r->site, &where);

    for (uint32_t i = 0; i < side->num_ranks && status == ORK_OK; i++) {
        struct ork_rank_row *w = &f->waits[f->num_waits++];
        bool peered = ork_describe_has_peer(r);
        w->rank = side->ranks[i];
        w->call = strdup(ork_call_name(r->call));
        w->state = strdup("");
        w->comm = ork_phrase_comm(d, sites, side->comm);
        w->peer = peered || (r->kind == ORK_KIND_COLL && r->peer != ORK_NO_PEER)
                      ? ork_phrase_peer(r->peer)
                      : NULL;
        w->tag = peered ? ork_phrase_tag(r->tag) : NULL;
        const char *op = r->kind == ORK_KIND_COLL && r->mode != ORK_COLL_INTERCOMM_CREATE
                             ? ork_phrase_reduction(r->arg)
                             : NULL;
        w->operation = op != NULL ? strdup(op) : NULL;
        w->where = where;
        w->where.function = where.function != NULL ? strdup(where.function) : NULL;
        w->where.file = where.file != NULL ? strdup(where.file) : NULL;
        w->where.module = where.module != NULL ? strdup(where.module) : NULL;
        if (w->call == NULL || w->state == NULL || w->comm == NULL ||
            !ork_describe_add_rank(&f->ranks, w->rank))
            status = ORK_NOMEM;
    }
    ork_where_release(&where);
    return status;
}

/* "the exclusive lock of rank 0 of MPI_Win_create ... (MPI_Win_lock at a.c:12)" */
static char *lock_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t rank,
                        const struct ork_record *call, uint32_t comm)
{
    char *text = NULL;
    char *window = ork_phrase_comm(d, sites, comm);
    char *place = ork_phrase_call_at(sites, rank, call->call, call->site);
    char *target =
        call->peer == ORK_NO_PEER ? strdup("all ranks") : ork_text("rank %d", (int)call->peer);
    if (window != NULL && place != NULL && target != NULL)
        text = ork_text("the %s lock on %s of window %s (%s)",
                        call->mode == 1 ? "exclusive" : "shared", target, window, place);
    free(window);
    free(place);
    free(target);
    return text;
}

static char *order_words(const struct ork_detector *d, struct ork_call_sites *sites,
                         const struct ork_issue_side *side)
{
    char *held = lock_words(d, sites, side->rank, &side->held, side->held_comm);
    char *wanted = lock_words(d, sites, side->rank, &side->call, side->comm);
    char *text = held == NULL || wanted == NULL
                     ? NULL
                     : ork_text("Rank %u asked for %s while it held %s.", side->rank, wanted, held);

    free(held);
    free(wanted);
    return text;
}

static enum ork_status add_issue_communicators(const struct ork_detector *d,
                                               struct ork_call_sites *sites,
                                               const struct ork_issue *issue, struct ork_finding *f)
{
    struct ork_u32s seen = {0};
    enum ork_status status = ORK_OK;

    for (unsigned i = 0; i < issue->num_sides && status == ORK_OK; i++)
        status = ork_describe_add_communicator(d, sites, issue->side[i].comm, &seen, f);
    free(seen.item);
    return status;
}

enum ork_status ork_describe_issue(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_issue *issue, struct ork_finding *finding)
{
    if (ork_issue_is_single(issue))
        return ork_describe_single_issues(d, sites, &issue, 1, finding);
    struct ork_finding f = ork_describe_begin_issue(issue->kind);
    enum ork_status status = ORK_OK;
    uint32_t rows = 0;

    for (unsigned i = 0; i < issue->num_sides; i++)
        rows += issue->side[i].num_ranks;
    f.message = issue->kind == ORK_ISSUE_MISMATCH && issue->num_sides > 0
                    ? ork_describe_mismatch(d, sites, issue)
                    : strdup(issue_kind[issue->kind].message);
    f.waits = calloc(rows + 1, sizeof(*f.waits));
    if (f.id == NULL || f.message == NULL || f.waits == NULL)
        status = ORK_NOMEM;
    for (unsigned i = 0; i < issue->num_sides && status == ORK_OK; i++)
        status = ork_describe_add_side(d, sites, &issue->side[i], &f);
    ork_describe_sort_unique(&f.ranks);
    if (status == ORK_OK)
        status = ork_describe_add_groups(&f);
    if (status == ORK_OK)
        status = ork_describe_add_jobs(d, sites, &f);
    for (unsigned i = 0; i < issue->num_sides && issue->kind == ORK_ISSUE_LOCK_ORDER; i++) {
        if (status == ORK_OK)
            status = ork_describe_add_detail(&f, order_words(d, sites, &issue->side[i]));
    }
    f.summary = f.message != NULL ? strdup(f.message) : NULL;
    if (ork_describe_sentence(f.summary) == NULL)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        status = add_issue_communicators(d, sites, issue, &f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
