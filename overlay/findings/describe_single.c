/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings about a call of one rank: a ready send, a message, a request. Those of several ranks at
 * one place are merged. */
#include "overlay/findings/describe_near.h"

bool ork_issue_is_single(const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_RSEND || issue->kind == ORK_ISSUE_LOST_MESSAGE ||
           issue->kind == ORK_ISSUE_REQUEST_LEAK;
}

static enum ork_status is_same_place(struct ork_call_sites *sites, const struct ork_issue_side *x,
                                     const struct ork_issue_side *y, bool *yes)
{
    uint32_t there = 0, here = 0;

    *yes = false;
    if (x->call.call != y->call.call)
        return ORK_OK;
    enum ork_status status = ork_call_sites_number(sites, x->rank, x->call.site, &there);
    if (status == ORK_OK)
        status = ork_call_sites_number(sites, y->rank, y->call.site, &here);
    *yes = status == ORK_OK && there == here;
    return status;
}

enum ork_status ork_issue_is_alike(struct ork_call_sites *sites, const struct ork_issue *a,
                                   const struct ork_issue *b, bool *yes)
{
    enum ork_status status = ORK_OK;

    *yes = false;
    if (ork_issue_is_about_types(a)) {
        *yes = ork_issue_has_same_types(sites, a, b);
        return ORK_OK;
    }
    if (a->kind != b->kind || !ork_issue_is_single(a) || a->num_sides != b->num_sides)
        return ORK_OK;
    *yes = true;
    for (unsigned i = 0; i < a->num_sides && *yes && status == ORK_OK; i++)
        status = is_same_place(sites, &a->side[i], &b->side[i], yes);
    return status;
}

/* How often a rank did it: minimum and maximum. */
struct times {
    uint64_t least, most;
};

static struct times times_of(const struct ork_issue *const *issue, uint32_t n)
{
    struct times t = {.least = UINT64_MAX};

    for (uint32_t i = 0; i < n; i++) {
        uint64_t times = issue[i]->repeats + 1;
        t.least = times < t.least ? times : t.least;
        t.most = times > t.most ? times : t.most;
    }
    return t;
}

/* ", 3 each", ", 1 to 5 each", ", 3 of them", or nothing. */
static const char *times_words(struct ork_writing *w, struct times t, bool is_one_rank)
{
    if (t.most == 1)
        return "";
    if (t.least == t.most)
        return ork_say(w, SAYS_SINGLE_TIMES, NUMBER('n', t.most), NUMBER('i', is_one_rank));
    return ork_say(w, SAYS_SINGLE_TIMES_RANGE, NUMBER('n', t.least), NUMBER('m', t.most));
}

/* "MPI_Irecv at leak.c:9", or "made at one of: MPI_Isend at leak.c:9, MPI_Isend at leak.c:12" */
static const char *calls_words(struct ork_writing *w, const struct ork_issue *issue)
{
    const char *text = "";

    for (unsigned i = 0; i < issue->num_sides; i++) {
        const struct ork_issue_side *side = &issue->side[i];
        const char *call = ork_call_at(w, side->rank, side->call.call, side->call.site);
        text = i == 0 ? call : ork_say(w, SAYS_CALLS_LISTED, TEXT('w', text), TEXT('x', call));
    }
    return issue->num_sides > 1 ? ork_say(w, SAYS_MADE_AT_ONE_OF, TEXT('w', text)) : text;
}

/* "ranks 0-63 neither completed nor freed requests before MPI_Finalize (MPI_Irecv at leak.c:9), 3
 * each" */
static const char *message_of(struct ork_writing *w, const struct ork_issue *const *issue,
                              uint32_t n, const struct ork_u32s *ranks)
{
    const struct ork_issue_side *side = &issue[0]->side[0];
    struct times t = times_of(issue, n);
    bool is_one = n == 1 && t.most == 1;
    const struct ork_slot who = RANKS('r', ranks);
    const struct ork_slot one = NUMBER('i', is_one);
    const struct ork_slot call = TEXT('c', calls_words(w, issue[0]));
    const struct ork_slot times = TEXT('w', times_words(w, t, n == 1));

    if (issue[0]->kind == ORK_ISSUE_LOST_MESSAGE && is_one && side->call.peer >= 0)
        return ork_say(w, SAYS_SENT_TO_RANK, who, RANK('o', (uint32_t)side->call.peer),
                       NUMBER('t', side->call.tag), call, times);
    if (issue[0]->kind == ORK_ISSUE_RSEND)
        return ork_say(w, is_one ? SAYS_READY_SEND : SAYS_READY_SENDS, who, call, times);
    return ork_say(w,
                   issue[0]->kind == ORK_ISSUE_LOST_MESSAGE ? SAYS_SENT_TO_NONE : SAYS_REQUEST_LEAK,
                   who, one, call, times);
}

static void add_rows(struct ork_writing *w, const struct ork_issue *const *issue, uint32_t n,
                     struct ork_finding *f)
{
    struct ork_u32s seen = {0};

    for (uint32_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < issue[i]->num_sides; k++)
            ork_describe_add_side(w, &issue[i]->side[k], f);
    }
    for (uint32_t i = 0; i < n; i++)
        ork_describe_add_communicator(w, issue[i]->side[0].comm, &seen, f);
    ork_describe_sort_rows(f);
    ork_describe_sort_unique(&f->ranks);
}

/* The handle of a request that leaked was overwritten. */
static const char *overwriting_words(struct ork_writing *w, const struct ork_issue *issue)
{
    if (issue->overwriting.call == 0)
        return "";
    return ork_say(w, SAYS_REQUEST_OVERWRITTEN,
                   TEXT('c', ork_call_at(w, issue->side[0].rank, issue->overwriting.call,
                                         issue->overwriting.site)));
}

/* RATIONALE: with default integers of 8 bytes, an array of requests in Fortran has a 0 after each
 * request, which is the null request of Open MPI. So some requests are never waited for. */
static const char *half_null_words(struct ork_writing *w, const struct ork_issue *issue)
{
    uint32_t rank = issue->side[0].rank;
    struct ork_record wait;

    if (!ork_detector_half_null(w->d, rank, &wait) ||
        !ork_call_sites_copies(w->sites, rank, wait.site))
        return "";
    return ork_say(w, SAYS_REQUEST_HALF_NULL, TEXT('c', ork_call_in(w, rank, wait.call, wait.site)),
                   RANK('r', rank));
}

enum ork_status ork_describe_single_issues(const struct ork_detector *d,
                                           struct ork_call_sites *sites,
                                           const struct ork_issue *const *issue, uint32_t n,
                                           struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    /* RATIONALE: each rank has as many calls, see ork_issue_is_alike() */
    struct ork_finding f = ork_describe_begin_issue(&w, issue[0]->kind, n * issue[0]->num_sides);

    add_rows(&w, issue, n, &f);
    ork_writing_headline(&w, &f, message_of(&w, issue, n, &f.ranks));
    ork_describe_add_jobs(&w, &f);
    ork_writing_detail(&w, &f, overwriting_words(&w, issue[0]));
    if (issue[0]->kind == ORK_ISSUE_REQUEST_LEAK)
        ork_writing_detail(&w, &f, half_null_words(&w, issue[0]));
    if (issue[0]->kind == ORK_ISSUE_LOST_MESSAGE)
        ork_describe_add_unmatched(&w, &issue[0]->side[0], &f);
    return ork_writing_end(&w, &f, finding);
}
