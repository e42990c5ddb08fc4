/* SPDX-License-Identifier: BSD-3-Clause */
/* What the detector found of collective calls and is not reported: what follows from another
 * mistake, as crossed ones, of which the second mismatch follows from the first, and those of two
 * threads at the same time; and calls out of step that the program may want. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"

static bool has_common_rank(const struct ork_issue_side *a, const struct ork_issue_side *b)
{
    uint32_t i = 0, k = 0;

    while (i < a->num_ranks && k < b->num_ranks && a->ranks[i] != b->ranks[k]) {
        if (a->ranks[i] < b->ranks[k])
            i++;
        else
            k++;
    }
    return i < a->num_ranks && k < b->num_ranks;
}

static bool is_one_call(const struct ork_record *a, const struct ork_record *b)
{
    const unsigned how = ORK_F_NONBLOCKING | ORK_F_PERSISTENT;

    return a->call == b->call && a->peer == b->peer && a->arg == b->arg &&
           ((a->flags ^ b->flags) & how) == 0;
}

/* Did other ranks make each call of `later` in the place of `earlier`? RATIONALE: calls that differ
 * in other arguments are no two calls that can have changed places. */
static bool are_crossed(const struct ork_issue *earlier, const struct ork_issue *later)
{
    if (earlier->num_sides != later->num_sides ||
        is_one_call(&later->side[0].call, &later->side[1].call))
        return false;
    for (unsigned i = 0; i < later->num_sides; i++) {
        unsigned k = 0;
        while (k < earlier->num_sides &&
               (!is_one_call(&earlier->side[k].call, &later->side[i].call) ||
                has_common_rank(&earlier->side[k], &later->side[i])))
            k++;
        if (k == earlier->num_sides)
            return false;
    }
    return true;
}

/* RATIONALE: ranks that start two operations in opposite orders differ in two places of the order
 * of the communicator, by one mistake. */
bool ork_root_is_second_crossed(const struct ork_root *root, uint32_t i)
{
    const struct ork_issue *later = ork_detector_issue(root->detector, i);

    if (later->kind != ORK_ISSUE_MISMATCH)
        return false;
    for (uint32_t k = i; k > 0; k--) {
        const struct ork_issue *earlier = ork_detector_issue(root->detector, k - 1);
        if (earlier->kind == ORK_ISSUE_MISMATCH && !earlier->withdrawn &&
            earlier->side[0].comm == later->side[0].comm)
            return are_crossed(earlier, later);
    }
    return false;
}

bool ork_root_is_doubtful_shift(const struct ork_root *root, const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_SHIFT && !ork_issue_is_sure_shift(root->sites, issue);
}

/* RATIONALE: the order of two calls that threads of a rank make at the same time is not defined
 * (MPI-3.1 section 12.4.3), so they cannot fit to those of other ranks; that is the mistake. */
bool ork_root_is_by_threads(const struct ork_root *root, uint32_t i)
{
    const struct ork_issue *issue = ork_detector_issue(root->detector, i);

    for (unsigned k = 0; k < issue->num_sides && issue->kind == ORK_ISSUE_MISMATCH; k++) {
        if (ork_usages_are_concurrent(root->usages, issue->side[k].rank, &issue->side[k].call))
            return true;
    }
    return false;
}
