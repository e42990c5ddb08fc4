/* SPDX-License-Identifier: BSD-3-Clause */
/* Mismatched collective calls, in a sentence: what differs, where, at which ranks. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "record/agreed.h"
#include "record/reductions.h"

#include <stdlib.h>

enum { SIDES_MAX = 4 };

/* NULL: the call is no reduction. */
static const char *reduction_name(uint32_t number)
{
    return number == ORK_REDUCTION_USER_DEFINED ? ork_plain(SAYS_OPERATION_OF_USER)
                                                : ork_phrase_reduction(number);
}

/* How two calls of the same function differ. */
enum difference {
    DIFFER_CALL,
    DIFFER_ROOT,
    DIFFER_ROOT_OF_GROUPS,
    DIFFER_OPERATION,
    DIFFER_ARGUMENT, /* and further ones: value 0, 1, ... of record/agreed.h */
};

static bool is_argument(enum difference differ)
{
    return differ >= DIFFER_ARGUMENT;
}

static const struct ork_agreed_argument *argument_of(const struct ork_issue *issue,
                                                     enum difference differ)
{
    return ork_agreed_argument(issue->side[0].call.mode, (unsigned)differ - DIFFER_ARGUMENT);
}

/* The first argument that must be the same and is not; ORK_AGREED_MAX: none. */
static unsigned unequal_argument(const struct ork_issue *issue)
{
    unsigned least = ORK_AGREED_MAX;

    for (unsigned i = 0; i < issue->num_sides; i++) {
        for (unsigned k = 0; k < i; k++) {
            unsigned found = ork_agreed_difference(&issue->side[i].call, &issue->side[k].call);
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
    if (argument < ORK_AGREED_MAX)
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

static const char *argument_words(struct ork_writing *w, const struct ork_record *r,
                                  enum difference differ, bool is_other)
{
    if (is_argument(differ))
        return ork_describe_agreed(w, r, (unsigned)differ - DIFFER_ARGUMENT, is_other);
    if (differ == DIFFER_OPERATION)
        return reduction_name(r->arg);
    const char *peer = r->peer == ORK_NO_PEER ? ork_plain(SAYS_NONE)
                                              : ork_writing_keep(w, ork_phrase_peer(r->peer));
    if (differ == DIFFER_ROOT_OF_GROUPS)
        return r->peer < 0 ? peer : ork_say(w, SAYS_ROOT_OF_OTHER_GROUP, TEXT('a', peer));
    return ork_say(w, SAYS_ROOT, TEXT('a', peer));
}

/* "ranks 0-6 call MPI_Bcast (a.c:40)", "root 0 at ranks 0-6 (a.c:40)" */
static const char *side_words(struct ork_writing *w, const struct ork_issue_side *side,
                              enum difference differ, bool is_other)
{
    const struct ork_slot place = TEXT('p', ork_place_in(w, side->rank, side->call.site));
    const struct ork_u32s ranks = {.item = side->ranks, .count = side->num_ranks};

    if (differ == DIFFER_CALL)
        return ork_say(w, SAYS_MISMATCH_CALL, RANKS('r', &ranks),
                       TEXT('c', ork_call_name(side->call.call)), place);
    return ork_say(w, SAYS_MISMATCH_ARGUMENT,
                   TEXT('a', argument_words(w, &side->call, differ, is_other)), RANKS('r', &ranks),
                   place);
}

/* Those of most ranks first. */
static const char *sides_words(struct ork_writing *w, const struct ork_issue *issue,
                               enum difference differ)
{
    const struct ork_issue_side **sorted =
        ork_writing_alloc(w, issue->num_sides, sizeof(struct ork_issue_side *));
    const char *text = "";

    if (sorted == NULL)
        return text;
    for (unsigned i = 0; i < issue->num_sides; i++)
        sorted[i] = &issue->side[i];
    qsort(sorted, issue->num_sides, sizeof(struct ork_issue_side *), compare_sides);
    for (unsigned i = 0; i < issue->num_sides && i < SIDES_MAX; i++) {
        const char *side = side_words(w, sorted[i], differ, i > 0);
        text = i == 1 && differ == DIFFER_CALL
                   ? ork_say(w, SAYS_BUT, TEXT('w', text), TEXT('x', side))
                   : ork_join(w, text, ", ", side);
    }
    if (issue->num_sides > SIDES_MAX)
        text =
            ork_say(w, SAYS_AND_MORE, TEXT('w', text), NUMBER('n', issue->num_sides - SIDES_MAX));
    return text;
}

const char *ork_describe_mismatch(struct ork_writing *w, const struct ork_issue *issue)
{
    enum difference differ = difference_of(w->d, issue);
    const struct ork_slot comm = TEXT('k', ork_comm_words(w, issue->side[0].comm));
    const struct ork_slot call = TEXT('c', ork_call_name(issue->side[0].call.call));
    const struct ork_slot sides = TEXT('w', sides_words(w, issue, differ));

    if (differ == DIFFER_CALL)
        return ork_say(w, SAYS_MISMATCH_CALLS, comm, sides);
    if (is_argument(differ))
        return ork_say(w, SAYS_MISMATCH_VALUES, TEXT('a', argument_of(issue, differ)->name), call,
                       comm, sides);
    return ork_say(w,
                   differ == DIFFER_ROOT             ? SAYS_MISMATCH_ROOTS
                   : differ == DIFFER_ROOT_OF_GROUPS ? SAYS_MISMATCH_GROUPS
                                                     : SAYS_MISMATCH_OPERATIONS,
                   call, comm, sides);
}

/* "rank 0 of MPI_Comm_split of MPI_COMM_WORLD is rank 2." for each root whose number there is
 * another one. */
static void add_roots(struct ork_writing *w, const struct ork_issue *issue, struct ork_finding *f)
{
    uint32_t comm = issue->side[0].comm;

    for (unsigned i = 0; i < issue->num_sides && i < SIDES_MAX; i++) {
        int32_t root = issue->side[i].call.peer;
        uint32_t rank =
            root >= 0 ? ork_detector_comm_member(w->d, comm, (uint32_t)root) : UINT32_MAX;
        if (rank != UINT32_MAX && rank != (uint32_t)root)
            ork_writing_detail(w, f,
                               ork_say(w, SAYS_MISMATCH_ROOT, NUMBER('n', root),
                                       TEXT('k', ork_comm_words(w, comm)), RANK('r', rank)));
    }
}

static bool is_of_group(unsigned coll)
{
    return coll == ORK_COLL_COMM_CREATE || coll == ORK_COLL_INTERCOMM_CREATE ||
           coll == ORK_COLL_INTERCOMM_MERGE;
}

void ork_describe_add_mismatch(struct ork_writing *w, const struct ork_issue *issue,
                               struct ork_finding *f)
{
    enum difference differ = difference_of(w->d, issue);

    if (differ == DIFFER_ROOT)
        add_roots(w, issue, f);
    if (differ == DIFFER_ROOT_OF_GROUPS)
        ork_writing_detail(w, f, ork_plain(SAYS_MISMATCH_RULE_GROUPS));
    if (is_argument(differ))
        ork_writing_detail(w, f,
                           ork_say(w, SAYS_MISMATCH_RULE,
                                   NUMBER('i', is_of_group(issue->side[0].call.mode)),
                                   TEXT('a', argument_of(issue, differ)->name),
                                   TEXT('s', argument_of(issue, differ)->section)));
}
