/* SPDX-License-Identifier: BSD-3-Clause */
/* Mismatched collective calls, in a sentence: what differs, where, at which ranks. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "record/equal.h"
#include "record/reductions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES_MAX = 4 };

/* NULL: the call is no reduction. */
static const char *reduction_name(uint32_t number)
{
    return number == ORK_REDUCTION_USER_DEFINED ? "a user-defined operation"
                                                : ork_phrase_reduction(number);
}

/* How two calls of the same function differ. */
enum difference {
    DIFFER_CALL,
    DIFFER_ROOT,
    DIFFER_ROOT_OF_GROUPS,
    DIFFER_OPERATION,
    DIFFER_ARGUMENT, /* and further ones: value 0, 1, ... of record/equal.h */
};

static bool is_argument(enum difference differ)
{
    return differ >= DIFFER_ARGUMENT;
}

static const struct ork_equal_argument *argument_of(const struct ork_issue *issue,
                                                    enum difference differ)
{
    return ork_equal_argument(issue->side[0].call.mode, (unsigned)differ - DIFFER_ARGUMENT);
}

/* The first argument that must be the same and is not; ORK_EQUAL_MAX: none. */
static unsigned unequal_argument(const struct ork_issue *issue)
{
    unsigned least = ORK_EQUAL_MAX;

    for (unsigned i = 0; i < issue->num_sides; i++) {
        for (unsigned k = 0; k < i; k++) {
            unsigned found = ork_equal_difference(&issue->side[i].call, &issue->side[k].call);
            least = found < least ? found : least;
        }
    }
    return least;
}

static enum difference difference_of(const struct ork_detector *d, const struct ork_issue *issue)
{
    const struct ork_record *first = &issue->side[0].call;
    enum difference differ = DIFFER_OPERATION;

    for (unsigned i = 1; i < issue->num_sides; i++) {
        const struct ork_record *r = &issue->side[i].call;
        if (r->call != first->call)
            return DIFFER_CALL;
        if (r->peer != first->peer)
            differ = DIFFER_ROOT;
    }
    unsigned argument = unequal_argument(issue);
    if (argument < ORK_EQUAL_MAX)
        return (enum difference)(DIFFER_ARGUMENT + argument);
    if (first->peer != ORK_NO_PEER && ork_detector_comm(d, issue->side[0].comm).inter)
        return DIFFER_ROOT_OF_GROUPS;
    for (unsigned i = 0; i < issue->num_sides; i++) {
        if (differ == DIFFER_OPERATION && reduction_name(issue->side[i].call.arg) == NULL)
            return DIFFER_CALL;
    }
    return differ;
}

static int compare_sides(const void *a, const void *b)
{
    const struct ork_issue_side *x = *(const struct ork_issue_side *const *)a;
    const struct ork_issue_side *y = *(const struct ork_issue_side *const *)b;

    if (x->num_ranks != y->num_ranks)
        return x->num_ranks > y->num_ranks ? -1 : 1;
    return ork_describe_compare_ranks(x->ranks, y->ranks);
}

/* Most ranks first. How many; 0: out of memory. */
static unsigned sort_sides(const struct ork_issue *issue, const struct ork_issue_side ***sorted)
{
    *sorted = malloc(issue->num_sides * sizeof(**sorted));
    if (*sorted == NULL)
        return 0;
    for (unsigned i = 0; i < issue->num_sides; i++)
        (*sorted)[i] = &issue->side[i];
    qsort(*sorted, issue->num_sides, sizeof(**sorted), compare_sides);
    return issue->num_sides < SIDES_MAX ? issue->num_sides : SIDES_MAX;
}

static char *argument_words(const struct ork_record *r, enum difference differ, bool is_other)
{
    char *peer = NULL, *text = NULL;

    if (is_argument(differ))
        return ork_describe_equal(r, (unsigned)differ - DIFFER_ARGUMENT, is_other);
    if (differ == DIFFER_OPERATION)
        return strdup(reduction_name(r->arg));
    peer = r->peer == ORK_NO_PEER ? strdup("none") : ork_phrase_peer(r->peer);
    if (peer != NULL && differ == DIFFER_ROOT_OF_GROUPS && r->peer >= 0)
        text = ork_text("rank %s of the other group", peer);
    else if (peer != NULL)
        text = ork_text("%s%s", differ == DIFFER_ROOT ? "root " : "", peer);
    free(peer);
    return text;
}

/* "ranks 0-6 call MPI_Bcast (a.c:40)", "root 0 at ranks 0-6 (a.c:40)" */
static char *side_words(struct ork_call_sites *sites, const struct ork_issue_side *side,
                        enum difference differ, bool is_other)
{
    char *who = ork_describe_ranks(side->ranks, side->num_ranks);
    char *place = ork_phrase_in_call_at(sites, side->rank, "", side->call.site);
    char *argument = argument_words(&side->call, differ, is_other);
    char *text = NULL;

    if (who != NULL && place != NULL && argument != NULL && differ == DIFFER_CALL)
        text = ork_text("%s %s %s%s", who, side->num_ranks == 1 ? "calls" : "call",
                        ork_call_name(side->call.call), place);
    else if (who != NULL && place != NULL && argument != NULL)
        text = ork_text("%s at %s%s", argument, who, place);
    free(who);
    free(place);
    free(argument);
    return text;
}

static void put_sides(FILE *out, struct ork_call_sites *sites, const struct ork_issue *issue,
                      enum difference differ, bool *failed)
{
    const struct ork_issue_side **sorted;
    unsigned n = sort_sides(issue, &sorted);

    *failed = n == 0;
    for (unsigned i = 0; i < n && !*failed; i++) {
        char *side = side_words(sites, sorted[i], differ, i > 0);
        *failed = side == NULL;
        fprintf(out, "%s%s",
                i == 0                            ? ""
                : i == 1 && differ == DIFFER_CALL ? ", but "
                                                  : ", ",
                side != NULL ? side : "");
        free(side);
    }
    if (issue->num_sides > n)
        fprintf(out, ", and %u more", issue->num_sides - n);
    free(sorted);
}

char *ork_describe_mismatch(const struct ork_detector *d, struct ork_call_sites *sites,
                            const struct ork_issue *issue)
{
    enum difference differ = difference_of(d, issue);
    char *comm = ork_phrase_comm(d, sites, issue->side[0].comm);
    char *text = NULL;
    size_t size;
    FILE *out = comm == NULL ? NULL : open_memstream(&text, &size);
    bool failed;

    if (out == NULL) {
        free(comm);
        return NULL;
    }
    if (differ == DIFFER_CALL)
        fprintf(out, "the collective calls on %s do not match: ", comm);
    else if (differ == DIFFER_ROOT_OF_GROUPS)
        fprintf(out, "the roots that ranks pass to %s on %s do not fit together: ",
                ork_call_name(issue->side[0].call.call), comm);
    else if (is_argument(differ))
        fprintf(out,
                "ranks pass different values of %s to %s on %s: ", argument_of(issue, differ)->name,
                ork_call_name(issue->side[0].call.call), comm);
    else
        fprintf(out, "ranks pass different %s to %s on %s: ",
                differ == DIFFER_ROOT ? "roots" : "operations",
                ork_call_name(issue->side[0].call.call), comm);
    put_sides(out, sites, issue, differ, &failed);
    free(comm);
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static bool is_of_group(unsigned coll)
{
    return coll == ORK_COLL_COMM_CREATE || coll == ORK_COLL_INTERCOMM_CREATE ||
           coll == ORK_COLL_INTERCOMM_MERGE;
}

char *ork_describe_mismatch_rule(const struct ork_detector *d, const struct ork_issue *issue)
{
    enum difference differ = difference_of(d, issue);

    if (is_argument(differ))
        return ork_text("All ranks%s must pass the same %s (MPI-3.1 section %s).",
                        is_of_group(issue->side[0].call.mode) ? " of a group" : "",
                        argument_of(issue, differ)->name, argument_of(issue, differ)->section);
    return strdup(differ == DIFFER_ROOT_OF_GROUPS
                      ? "On an intercommunicator, the root passes MPI_ROOT, the other ranks of its "
                        "group pass MPI_PROC_NULL, and the ranks of the other group pass the rank "
                        "of the root (MPI-3.1 section 5.2.3)."
                      : "");
}
