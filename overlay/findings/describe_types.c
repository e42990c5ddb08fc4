/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings about the datatypes of two calls: what is sent, and what is received. Those of several
 * pairs of ranks at the same places are merged. */
#include "overlay/findings/describe_near.h"

#include "bytes/datatype/basic.h"
#include "overlay/findings/phrase.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ork_issue_is_about_types(const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_TYPE_MISMATCH || issue->kind == ORK_ISSUE_TRUNCATION ||
           issue->kind == ORK_ISSUE_COUNT_MISMATCH;
}

enum ork_status ork_issue_has_same_types(struct ork_call_sites *sites, const struct ork_issue *a,
                                         const struct ork_issue *b, bool *yes)
{
    enum ork_status status = ORK_OK;

    *yes = a->kind == b->kind && a->alike == b->alike && a->returned == b->returned &&
           a->element == b->element;
    if (a->one_of != 0 || b->one_of != 0) {
        *yes = a->kind == b->kind && a->one_of == b->one_of && a->returned == b->returned;
        return ORK_OK;
    }
    for (unsigned i = 0; i < 2 && *yes; i++) {
        const struct ork_issue_side *x = &a->side[i];
        const struct ork_issue_side *y = &b->side[i];
        *yes = x->call.call == y->call.call && x->call.arg == y->call.arg &&
               (x->call.kind != ORK_KIND_COLL || x->call.arg2 == y->call.arg2) &&
               ork_describe_is_same_site(sites, x->rank, x->call.site, y->rank, y->call.site);
    }
    return status;
}

/* What all of the pairs have in common. */
struct pairs {
    const struct ork_detector *d;
    struct ork_call_sites *sites;
    const struct ork_issue *const *issue;
    uint32_t n;
};

static bool is_same_amount(const struct pairs *p, unsigned side)
{
    for (uint32_t i = 1; i < p->n; i++) {
        if (p->issue[i]->side[side].call.bytes != p->issue[0]->side[side].call.bytes)
            return false;
    }
    return true;
}

/* "ranks 0-2" */
static char *ranks_of(const struct pairs *p, unsigned side)
{
    struct ork_u32s ranks = {0};
    char *text = NULL;
    bool done = true;

    for (uint32_t i = 0; i < p->n && done; i++)
        done = ork_describe_add_rank(&ranks, p->issue[i]->side[side].rank);
    if (done) {
        ork_describe_sort_unique(&ranks);
        text = ork_describe_ranks(ranks.item, ranks.count);
    }
    free(ranks.item);
    return text;
}

static bool is_of_one_rank(const struct pairs *p, unsigned side)
{
    for (uint32_t i = 1; i < p->n; i++) {
        if (p->issue[i]->side[side].rank != p->issue[0]->side[side].rank)
            return false;
    }
    return true;
}

/* "3 x MPI_INT", "MPI_INT as element 2 of 5", "20 bytes" */
static char *amount_of(const struct pairs *p, unsigned side)
{
    const struct ork_issue *issue = p->issue[0];
    const struct ork_record *r = &issue->side[side].call;
    struct ork_elements e;

    if (!ork_detector_elements(p->d, r, issue->element, &e))
        return ork_text("%" PRIu64 " byte%s", r->bytes, r->bytes == 1 ? "" : "s");
    const char *name = ork_basic_name(ork_basic_of_id(e.type));
    bool is_mismatch = issue->kind == ORK_ISSUE_TYPE_MISMATCH;
    if (e.is_uniform && is_same_amount(p, side))
        return ork_text("%" PRIu64 " x %s", e.count, name);
    if (e.is_uniform)
        return strdup(name);
    if (is_mismatch)
        return ork_text("%s as element %" PRIu64 " of %" PRIu64, name, issue->element + 1, e.count);
    return ork_text("%" PRIu64 " elements (%" PRIu64 " bytes)", e.count, r->bytes);
}

/* " (MPI_Send at a.c:12)" */
static char *place_of(const struct pairs *p, unsigned side)
{
    const struct ork_issue_side *s = &p->issue[0]->side[side];
    char *call = ork_phrase_call_at(p->sites, s->rank, s->call.call, s->call.site);
    char *text = call != NULL ? ork_text(" (%s)", call) : NULL;

    free(call);
    return text;
}

struct words {
    char *who[2], *what[2], *where[2];
};

static void words_release(struct words *w)
{
    for (unsigned i = 0; i < 2; i++) {
        free(w->who[i]);
        free(w->what[i]);
        free(w->where[i]);
    }
}

static bool words_of(const struct pairs *p, struct words *w)
{
    bool done = true;

    for (unsigned i = 0; i < 2; i++) {
        w->who[i] = ranks_of(p, i);
        w->what[i] = amount_of(p, i);
        w->where[i] = place_of(p, i);
        done = done && w->who[i] != NULL && w->what[i] != NULL && w->where[i] != NULL;
    }
    return done;
}

static uint64_t times_of(const struct pairs *p)
{
    uint64_t times = 0;

    for (uint32_t i = 0; i < p->n; i++)
        times += p->issue[i]->repeats + 1;
    return times;
}

static const char *verb_of(const struct pairs *p, unsigned side, bool is_passed)
{
    bool is_one = is_of_one_rank(p, side);

    if (is_passed)
        return is_one ? "passes" : "pass";
    if (side == 0)
        return is_one ? "sends" : "send";
    return is_one ? "receives" : "receive";
}

/* ---- one of several messages ---- */

/* The text names so many. */
enum { POSSIBLE_MAX = 4 };

static int compare_senders(const void *a, const void *b)
{
    const struct ork_issue_side *x = &(*(const struct ork_issue *const *)a)->side[0];
    const struct ork_issue_side *y = &(*(const struct ork_issue *const *)b)->side[0];

    if (x->rank != y->rank)
        return x->rank > y->rank ? 1 : -1;
    return (x->call.bytes > y->call.bytes) - (x->call.bytes < y->call.bytes);
}

/* " or 2 x MPI_INT of rank 0 (MPI_Send at a.c:12)" */
static bool write_possible(FILE *out, const struct pairs *one, bool is_first)
{
    struct words w = {0};
    bool done = words_of(one, &w);

    if (done)
        fprintf(out, "%s%s of %s%s", is_first ? "" : " or ", w.what[0], w.who[0], w.where[0]);
    words_release(&w);
    return done;
}

static bool write_all_possible(FILE *out, const struct pairs *p, const struct ork_issue **sorted)
{
    uint32_t named = p->n <= POSSIBLE_MAX ? p->n : POSSIBLE_MAX - 1;
    bool done = true;

    memcpy(sorted, p->issue, p->n * sizeof(struct ork_issue *));
    qsort(sorted, p->n, sizeof(struct ork_issue *), compare_senders);
    for (uint32_t i = 0; i < named && done; i++)
        done = write_possible(out, &(struct pairs){p->d, p->sites, &sorted[i], 1}, i == 0);
    if (named < p->n)
        fprintf(out, " or one of %" PRIu32 " others", p->n - named);
    return done;
}

/* "2 x MPI_INT of rank 0 (MPI_Send at a.c:12) or 3 x MPI_INT of rank 2 (MPI_Send at a.c:14)" */
static char *possible_of(const struct pairs *p)
{
    const struct ork_issue **sorted = calloc(p->n, sizeof(struct ork_issue *));
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool done = sorted != NULL && out != NULL && write_all_possible(out, p, sorted);

    if (out != NULL && fclose(out) != 0)
        done = false;
    free(sorted);
    if (done)
        return text;
    free(text);
    return NULL;
}

static char *message_of_one_of(const struct pairs *p)
{
    struct words w = {0};
    char *possible = possible_of(p);
    char *text = NULL;

    if (possible != NULL && words_of(p, &w))
        text = ork_text("%s receives at most %s%s, but took a longer message: %s", w.who[1],
                        w.what[1], w.where[1], possible);
    words_release(&w);
    free(possible);
    return text;
}

static char *message_of(const struct pairs *p)
{
    if (p->n > 1 && p->issue[0]->one_of != 0)
        return message_of_one_of(p);

    const struct ork_record *call = &p->issue[0]->side[0].call;
    bool is_passed =
        call->kind == ORK_KIND_COLL && ork_coll_exchange(call->mode) == ORK_EXCHANGE_COMBINED;
    bool is_too_long = p->issue[0]->kind == ORK_ISSUE_TRUNCATION;
    uint64_t times = times_of(p);
    struct words w = {0};
    char *text = NULL;
    bool is_collective = call->kind == ORK_KIND_COLL;
    bool is_all = is_collective || ork_detector_compared_all(p->d);
    char often[48] = "";

    if (times > p->n)
        snprintf(often, sizeof(often), ", %s%" PRIu64 " %s", is_all ? "" : "at least ", times,
                 is_collective ? "times" : "messages");
    if (words_of(p, &w))
        text = ork_text("%s %s %s%s, but %s %s %s%s%s%s", w.who[0], verb_of(p, 0, is_passed),
                        w.what[0], w.where[0], w.who[1], verb_of(p, 1, is_passed),
                        is_too_long ? "at most " : "", w.what[1], w.where[1], often);
    words_release(&w);
    return text;
}

/* Has the rank a row for this collective call already? */
static bool has_row(const struct ork_finding *f, const struct ork_issue_side *side)
{
    for (uint32_t i = 0; i < f->num_waits && side->call.kind == ORK_KIND_COLL; i++) {
        if (f->waits[i].rank == side->rank)
            return true;
    }
    return false;
}

static enum ork_status add_rows(const struct pairs *p, struct ork_finding *f)
{
    struct ork_u32s seen = {0};
    enum ork_status status = ORK_OK;

    f->waits = calloc(2 * (size_t)p->n + 1, sizeof(*f->waits));
    if (f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < p->n && status == ORK_OK; i++) {
        for (unsigned k = 0; k < 2 && status == ORK_OK; k++) {
            if (!has_row(f, &p->issue[i]->side[k]))
                status = ork_describe_add_side(p->d, p->sites, &p->issue[i]->side[k], f);
        }
        if (status == ORK_OK)
            status =
                ork_describe_add_communicator(p->d, p->sites, p->issue[i]->side[0].comm, &seen, f);
    }
    free(seen.item);
    ork_describe_sort_rows(f);
    ork_describe_sort_unique(&f->ranks);
    return status;
}

static enum ork_status add_details(const struct pairs *p, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    if (p->issue[0]->alike)
        status = ork_describe_add_detail(
            f, strdup("Both datatypes represent their values in the same way on this machine, so "
                      "the data arrive unchanged here; MPI does not guarantee it."));
    if (status == ORK_OK && p->issue[0]->returned)
        status = ork_describe_add_detail(f, strdup("The error was returned to the application."));
    return status;
}

enum ork_status ork_describe_type_issues(const struct ork_detector *d, struct ork_call_sites *sites,
                                         const struct ork_issue *const *issue, uint32_t n,
                                         struct ork_finding *finding)
{
    const struct pairs p = {d, sites, issue, n};
    struct ork_finding f = ork_describe_begin_issue(issue[0]->kind);
    enum ork_status status = f.id == NULL ? ORK_NOMEM : add_rows(&p, &f);

    if (issue[0]->alike || issue[0]->returned)
        f.severity = ORK_WARNING;
    if (status == ORK_OK) {
        f.message = message_of(&p);
        f.summary = f.message == NULL ? NULL : ork_describe_sentence(strdup(f.message));
        status = f.summary == NULL ? ORK_NOMEM : ork_describe_add_jobs(d, sites, &f);
    }
    if (status == ORK_OK)
        status = add_details(&p, &f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
