/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings about the datatypes of two calls: what is sent, and what is received. Those of several
 * pairs of ranks at the same places are merged. */
#include "overlay/findings/describe_near.h"

#include "bytes/datatype/basic.h"
#include "overlay/findings/phrase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool ork_issue_is_about_types(const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_TYPE_MISMATCH || issue->kind == ORK_ISSUE_TRUNCATION ||
           issue->kind == ORK_ISSUE_COUNT_MISMATCH;
}

bool ork_issue_has_same_types(struct ork_call_sites *sites, const struct ork_issue *a,
                              const struct ork_issue *b)
{
    bool yes = a->kind == b->kind && a->alike == b->alike && a->returned == b->returned &&
               a->element == b->element;
    if (a->one_of != 0 || b->one_of != 0)
        return a->kind == b->kind && a->one_of == b->one_of && a->returned == b->returned;
    for (unsigned i = 0; i < 2 && yes; i++) {
        const struct ork_issue_side *x = &a->side[i];
        const struct ork_issue_side *y = &b->side[i];
        yes = x->call.call == y->call.call && x->call.arg == y->call.arg &&
              (x->call.kind != ORK_KIND_COLL || x->call.arg2 == y->call.arg2) &&
              ork_describe_is_same_site(sites, x->rank, x->call.site, y->rank, y->call.site);
    }
    return yes;
}

/* What all of the pairs have in common. */
struct pairs {
    struct ork_writing *w;
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

static struct ork_u32s ranks_of(const struct pairs *p, unsigned side)
{
    struct ork_u32s ranks = {0};

    for (uint32_t i = 0; i < p->n; i++)
        ork_writing_add(p->w, &ranks, p->issue[i]->side[side].rank);
    ork_describe_sort_unique(&ranks);
    return ranks;
}

/* "3 x MPI_INT", "MPI_INT as element 2 of 5", "20 bytes" */
static const char *amount_of(const struct pairs *p, unsigned side)
{
    const struct ork_issue *issue = p->issue[0];
    const struct ork_record *r = &issue->side[side].call;
    struct ork_elements e;

    if (!ork_detector_elements(p->w->d, r, issue->element, &e) || e.count == 0 ||
        ork_basic_of_id(e.type) == ORK_BASIC_NONE || ork_basic_of_id(e.type) >= ORK_BASIC_MAX)
        return ork_say(p->w, SAYS_AMOUNT_BYTES, NUMBER('n', r->bytes));
    const char *name = ork_basic_name(ork_basic_of_id(e.type));
    if (e.is_uniform)
        return is_same_amount(p, side)
                   ? ork_say(p->w, SAYS_AMOUNT_UNIFORM, NUMBER('n', e.count), TEXT('a', name))
                   : name;
    if (issue->kind == ORK_ISSUE_TYPE_MISMATCH)
        return ork_say(p->w, SAYS_AMOUNT_ELEMENT, TEXT('a', name), NUMBER('n', issue->element + 1),
                       NUMBER('m', e.count));
    return ork_say(p->w, SAYS_AMOUNT_ELEMENTS, NUMBER('n', e.count), NUMBER('m', r->bytes));
}

/* "MPI_Send at a.c:12" */
static const char *call_of(const struct pairs *p, unsigned side)
{
    const struct ork_issue_side *s = &p->issue[0]->side[side];

    return ork_call_at(p->w, s->rank, s->call.call, s->call.site);
}

static uint64_t times_of(const struct pairs *p)
{
    uint64_t times = 0;

    for (uint32_t i = 0; i < p->n; i++)
        times += p->issue[i]->repeats + 1;
    return times;
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

/* "2 x MPI_INT of rank 0 (MPI_Send at a.c:12) or 3 x MPI_INT of rank 2 (MPI_Send at a.c:14)" */
static const char *possible_of(const struct pairs *p)
{
    uint32_t named = p->n <= POSSIBLE_MAX ? p->n : POSSIBLE_MAX - 1;
    const struct ork_issue **sorted = ork_writing_alloc(p->w, p->n, sizeof(struct ork_issue *));
    const char *text = "";

    if (sorted == NULL)
        return text;
    memcpy(sorted, p->issue, p->n * sizeof(struct ork_issue *));
    qsort(sorted, p->n, sizeof(struct ork_issue *), compare_senders);
    for (uint32_t i = 0; i < named; i++) {
        const struct pairs one = {p->w, &sorted[i], 1};
        const char *message =
            ork_say(p->w, SAYS_TYPES_POSSIBLE, TEXT('x', amount_of(&one, 0)),
                    RANK('r', sorted[i]->side[0].rank), TEXT('c', call_of(&one, 0)));
        text = i == 0 ? message : ork_say(p->w, SAYS_TYPES_OR, TEXT('w', text), TEXT('x', message));
    }
    return named == p->n
               ? text
               : ork_say(p->w, SAYS_TYPES_OR_OTHERS, TEXT('w', text), NUMBER('n', p->n - named));
}

static const char *message_of(const struct pairs *p)
{
    const struct ork_record *call = &p->issue[0]->side[0].call;
    bool is_collective = call->kind == ORK_KIND_COLL;
    bool is_passed = is_collective && ork_coll_exchange(call->mode) == ORK_EXCHANGE_COMBINED;
    bool is_all = is_collective || ork_detector_compared_all(p->w->d);
    struct ork_u32s from = ranks_of(p, 0), to = ranks_of(p, 1);
    const struct ork_slot received = TEXT('y', amount_of(p, 1));
    const struct ork_slot by = TEXT('d', call_of(p, 1));
    uint64_t times = times_of(p);
    const char *often = "";

    if (p->n > 1 && p->issue[0]->one_of != 0)
        return ork_say(p->w, SAYS_TYPES_ONE_OF, RANKS('r', &to), received, by,
                       TEXT('w', possible_of(p)));
    if (times > p->n)
        often = ork_say(p->w, SAYS_TYPES_TIMES, NUMBER('j', !is_all), NUMBER('n', times),
                        NUMBER('i', is_collective));
    return ork_say(p->w, is_passed ? SAYS_TYPES_PASSED : SAYS_TYPES_SENT, RANKS('r', &from),
                   TEXT('x', amount_of(p, 0)), TEXT('c', call_of(p, 0)), RANKS('o', &to),
                   NUMBER('i', p->issue[0]->kind == ORK_ISSUE_TRUNCATION), received, by,
                   TEXT('w', often));
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

static void add_rows(const struct pairs *p, struct ork_finding *f)
{
    struct ork_u32s seen = {0};

    for (uint32_t i = 0; i < p->n; i++) {
        for (unsigned k = 0; k < 2; k++) {
            if (!has_row(f, &p->issue[i]->side[k]))
                ork_describe_add_side(p->w, &p->issue[i]->side[k], f);
        }
        ork_describe_add_communicator(p->w, p->issue[i]->side[0].comm, &seen, f);
    }
    ork_describe_sort_rows(f);
    ork_describe_sort_unique(&f->ranks);
}

enum ork_status ork_describe_type_issues(const struct ork_detector *d, struct ork_call_sites *sites,
                                         const struct ork_issue *const *issue, uint32_t n,
                                         struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    const struct pairs p = {&w, issue, n};
    struct ork_finding f = ork_describe_begin_issue(&w, issue[0]->kind, 2 * n);

    if (issue[0]->alike || issue[0]->returned)
        f.severity = ORK_WARNING;
    add_rows(&p, &f);
    ork_writing_headline(&w, &f, message_of(&p));
    ork_describe_add_jobs(&w, &f);
    if (issue[0]->alike)
        ork_writing_detail(&w, &f, ork_plain(SAYS_TYPES_ALIKE));
    if (issue[0]->returned)
        ork_writing_detail(&w, &f, ork_plain(SAYS_ERROR_RETURNED));
    return ork_writing_end(&w, &f, finding);
}
