/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings that are no deadlock of this run, as text. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

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

static char *message_of(const struct ork_detector *d, struct ork_call_sites *sites,
                        const struct ork_issue *issue)
{
    if (issue->kind == ORK_ISSUE_GRAPH)
        return ork_describe_edge(sites, issue);
    if (issue->kind != ORK_ISSUE_MISMATCH)
        return strdup("ranks lock windows in opposite orders: if each of them gets its first lock, "
                      "none can get its second");
    return issue->num_sides > 0 ? ork_describe_mismatch(d, sites, issue)
                                : strdup("the collective calls on a communicator do not match");
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

static enum ork_status describe_sides(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_issue *issue, struct ork_finding *finding)
{
    struct ork_finding f = ork_describe_begin_issue(issue->kind);
    enum ork_status status = ORK_OK;
    uint32_t rows = 0;

    for (unsigned i = 0; i < issue->num_sides; i++)
        rows += issue->side[i].num_ranks;
    f.message = message_of(d, sites, issue);
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
    if (status == ORK_OK && issue->kind == ORK_ISSUE_MISMATCH)
        status = ork_describe_add_detail(&f, ork_describe_mismatch_rule(d, issue));
    if (status == ORK_OK && issue->kind == ORK_ISSUE_GRAPH && issue->edges.others > 0)
        status = ork_describe_add_detail(&f, ork_describe_other_edges(issue));
    for (unsigned i = 0; i < issue->num_sides && issue->kind == ORK_ISSUE_LOCK_ORDER; i++) {
        if (status == ORK_OK)
            status = ork_describe_add_detail(&f, order_words(d, sites, &issue->side[i]));
    }
    f.summary = f.message != NULL ? strdup(f.message) : NULL;
    if (ork_describe_sentence(f.summary) == NULL)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        status = add_issue_communicators(d, sites, issue, &f);
    ork_describe_sort_rows(&f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
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
    if (issue->kind == ORK_ISSUE_GRAPH) /* its sides are the two ends of an edge */
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
