/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of an issue: one for each call that is part of it. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    enum ork_class class_;
    enum ork_severity severity;
} issue_kind[] = {
    [ORK_ISSUE_MISMATCH] = {"collective-mismatch", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_RSEND] = {"rsend-not-ready", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_LOST_MESSAGE] = {"lost-message", ORK_CLASS_NONE, ORK_WARNING},
    [ORK_ISSUE_LOCK_ORDER] = {"lock-order", ORK_POTENTIAL, ORK_ERROR},
    [ORK_ISSUE_TYPE_MISMATCH] = {"type-mismatch", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_TRUNCATION] = {"truncation", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_COUNT_MISMATCH] = {"count-mismatch", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_GRAPH] = {"graph-mismatch", ORK_CLASS_NONE, ORK_ERROR},
    [ORK_ISSUE_REQUEST_LEAK] = {"request-leak", ORK_CLASS_NONE, ORK_WARNING},
};

struct ork_finding ork_describe_begin_issue(enum ork_issue_kind kind)
{
    return (struct ork_finding){.class_ = issue_kind[kind].class_,
                                .severity = issue_kind[kind].severity,
                                .id = strdup(issue_kind[kind].id)};
}

/* Of one rank, by place. */
static int compare_rows(const void *a, const void *b)
{
    const struct ork_rank_row *x = a;
    const struct ork_rank_row *y = b;

    if (x->rank != y->rank)
        return x->rank > y->rank ? 1 : -1;
    if (x->where.file != NULL && y->where.file != NULL) {
        int files = strcmp(x->where.file, y->where.file);
        if (files != 0 || x->where.line != y->where.line)
            return files != 0 ? files : x->where.line > y->where.line ? 1 : -1;
    }
    return strcmp(x->call, y->call);
}

void ork_describe_sort_rows(struct ork_finding *f)
{
    qsort(f->waits, f->num_waits, sizeof(*f->waits), compare_rows);
}

enum ork_status ork_describe_add_side(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_issue_side *side, struct ork_finding *f)
{
    const struct ork_record *r = &side->call;
    struct ork_rank_row place = {0};
    enum ork_status status = ork_call_sites_fill(sites, side->rank, r->site, &place);

    for (uint32_t i = 0; i < side->num_ranks && status == ORK_OK; i++) {
        struct ork_rank_row *w = &f->waits[f->num_waits++];
        bool peered = ork_record_has(r, ORK_HAS_PEER);
        bool has_comm = side->comm != ORK_COMM_UNKNOWN;
        w->rank = side->ranks[i];
        w->call = strdup(ork_call_name(r->call));
        w->state = strdup("");
        w->comm = has_comm ? ork_phrase_comm(d, sites, side->comm) : NULL;
        w->peer = peered || (r->kind == ORK_KIND_COLL && r->peer != ORK_NO_PEER)
                      ? ork_phrase_peer(r->peer)
                      : NULL;
        w->tag = peered ? ork_phrase_tag(r->tag) : NULL;
        const char *op = r->kind == ORK_KIND_COLL && r->mode != ORK_COLL_INTERCOMM_CREATE
                             ? ork_phrase_reduction(r->arg)
                             : NULL;
        w->operation = op != NULL ? strdup(op) : NULL;
        if (!ork_rank_row_copy_place(w, &place) || w->call == NULL || w->state == NULL ||
            (has_comm && w->comm == NULL) || !ork_describe_add_rank(&f->ranks, w->rank))
            status = ORK_NOMEM;
    }
    ork_rank_row_release(&place);
    return status;
}
