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
    [ORK_ISSUE_SHIFT] = {"collective-shift", ORK_CLASS_NONE, ORK_WARNING},
};

struct ork_finding ork_describe_begin_issue(struct ork_writing *w, enum ork_issue_kind kind,
                                            uint32_t rows)
{
    struct ork_finding f =
        ork_writing_begin(w, issue_kind[kind].id, issue_kind[kind].severity, rows);

    f.class_ = issue_kind[kind].class_;
    return f;
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

void ork_describe_add_side(struct ork_writing *w, const struct ork_issue_side *side,
                           struct ork_finding *f)
{
    const struct ork_record *r = &side->call;
    bool is_peered = ork_record_has(r, ORK_HAS_PEER), is_coll = r->kind == ORK_KIND_COLL;
    const char *op =
        is_coll && r->mode != ORK_COLL_INTERCOMM_CREATE ? ork_phrase_reduction(r->arg) : NULL;
    struct ork_rank_row place = {0};

    ork_writing_check(w, ork_call_sites_fill(w->sites, side->rank, r->site, &place));
    for (uint32_t i = 0; i < side->num_ranks && w->status == ORK_OK; i++) {
        struct ork_rank_row row = {.rank = side->ranks[i],
                                   .call = ork_writing_give(w, ork_call_name(r->call)),
                                   .state = ork_writing_give(w, "")};
        if (side->comm != ORK_COMM_UNKNOWN)
            row.comm = ork_writing_give(w, ork_comm_words(w, side->comm));
        if (is_peered || (is_coll && r->peer != ORK_NO_PEER))
            row.peer = ork_writing_pass(w, ork_phrase_peer(r->peer));
        if (is_peered)
            row.tag = ork_writing_pass(w, ork_phrase_tag(r->tag));
        if (op != NULL)
            row.operation = ork_writing_give(w, op);
        ork_writing_check(w, ork_rank_row_copy_place(&row, &place) ? ORK_OK : ORK_NOMEM);
        ork_writing_add_row(w, f, &row);
    }
    ork_rank_row_release(&place);
}
