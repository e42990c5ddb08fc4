/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings that are no deadlock of this run, as text. */
#include "overlay/findings/describe_internal.h"

#include <stdlib.h>

/* "the exclusive lock on rank 0 of window MPI_Win_create ... (MPI_Win_lock at a.c:12)" */
static const char *lock_words(struct ork_writing *w, uint32_t rank, const struct ork_record *call,
                              uint32_t comm)
{
    return ork_say(w, SAYS_LOCK_ORDER_LOCK, NUMBER('i', call->mode == 1),
                   NUMBER('j', call->peer == ORK_NO_PEER), RANK('o', (uint32_t)call->peer),
                   TEXT('k', ork_comm_words(w, comm)),
                   TEXT('c', ork_call_at(w, rank, call->call, call->site)));
}

static const char *order_words(struct ork_writing *w, const struct ork_issue_side *side)
{
    return ork_say(w, SAYS_LOCK_ORDER_OF, RANK('r', side->rank),
                   TEXT('w', lock_words(w, side->rank, &side->call, side->comm)),
                   TEXT('x', lock_words(w, side->rank, &side->held, side->held_comm)));
}

static const char *message_of(struct ork_writing *w, const struct ork_issue *issue)
{
    if (issue->kind == ORK_ISSUE_GRAPH)
        return ork_describe_edge(w, issue);
    if (issue->kind == ORK_ISSUE_SHIFT)
        return ork_describe_shift(w, issue);
    if (issue->kind != ORK_ISSUE_MISMATCH)
        return ork_plain(SAYS_LOCK_ORDER);
    return issue->num_sides > 0 ? ork_describe_mismatch(w, issue)
                                : ork_plain(SAYS_MISMATCH_UNKNOWN);
}

static uint32_t count_rows(const struct ork_issue *issue)
{
    uint32_t rows = 0;

    for (unsigned i = 0; i < issue->num_sides; i++)
        rows += issue->side[i].num_ranks;
    return rows;
}

static enum ork_status describe_sides(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_issue *issue, struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    struct ork_finding f = ork_describe_begin_issue(&w, issue->kind, count_rows(issue));
    struct ork_u32s seen = {0};

    ork_writing_headline(&w, &f, message_of(&w, issue));
    for (unsigned i = 0; i < issue->num_sides; i++)
        ork_describe_add_side(&w, &issue->side[i], &f);
    ork_describe_sort_unique(&f.ranks);
    ork_describe_add_groups(&w, &f);
    ork_describe_add_jobs(&w, &f);
    if (issue->kind == ORK_ISSUE_MISMATCH)
        ork_describe_add_mismatch(&w, issue, &f);
    ork_describe_add_parting(&w, issue, &f);
    if (issue->kind == ORK_ISSUE_SHIFT)
        ork_describe_add_shift(&w, issue, &f);
    if (issue->kind == ORK_ISSUE_GRAPH && issue->edges.others > 0)
        ork_writing_detail(&w, &f, ork_say(&w, SAYS_EDGES_MORE, NUMBER('n', issue->edges.others)));
    for (unsigned i = 0; i < issue->num_sides && issue->kind == ORK_ISSUE_LOCK_ORDER; i++)
        ork_writing_detail(&w, &f, order_words(&w, &issue->side[i]));
    for (unsigned i = 0; i < issue->num_sides; i++)
        ork_describe_add_communicator(&w, issue->side[i].comm, &seen, &f);
    ork_describe_sort_rows(&f);
    return ork_writing_end(&w, &f, finding);
}

static uint32_t lowest_rank(const struct ork_issue_side *side)
{
    return side->num_ranks > 0 ? side->ranks[0] : side->rank;
}

static int compare_sides(const void *a, const void *b)
{
    uint32_t x = lowest_rank(a), y = lowest_rank(b);

    return (x > y) - (x < y);
}

/* RATIONALE: the sides are in the order in which their records came; a report does not depend on
 * that. */
enum ork_status ork_describe_issue(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_issue *issue, struct ork_finding *finding)
{
    struct ork_issue sorted = *issue;

    if (ork_issue_is_single(issue))
        return ork_describe_single_issues(d, sites, &issue, 1, finding);
    /* RATIONALE: the sides are the two ends of an edge; most ranks, and the others */
    if (issue->kind == ORK_ISSUE_GRAPH || issue->kind == ORK_ISSUE_SHIFT)
        return describe_sides(d, sites, issue, finding);
    sorted.side = malloc((issue->num_sides + (size_t)1) * sizeof(*sorted.side));
    if (sorted.side == NULL)
        return ORK_NOMEM;
    for (unsigned i = 0; i < issue->num_sides; i++)
        sorted.side[i] = issue->side[i];
    qsort(sorted.side, sorted.num_sides, sizeof(*sorted.side), compare_sides);
    enum ork_status status = describe_sides(d, sites, &sorted, finding);
    free(sorted.side);
    return status;
}
