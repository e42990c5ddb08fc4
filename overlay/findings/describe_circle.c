/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank waits for which, in a sentence that needs no theory: for each root of a deadlock, and
 * for the ranks that only wait for it. Made from the rows of the finding alone. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

enum {
    TARGETS_MAX = 4, /* number of awaited ranks that are named, unless they are one run */
    ROOTS_MAX = 3,
    CHAIN_MAX = 4,
};

/* "waits", with `n` ranks as the subject. */
static const char *wait_verb(enum describe_voice voice, uint32_t n)
{
    switch (voice) {
    case DESCRIBE_COULD:
        return "could wait";
    case DESCRIBE_WOULD:
        return "would wait";
    case DESCRIBE_IS:
        break;
    }
    return n == 1 ? "waits" : "wait";
}

/* The voice of what follows from the first statement. */
static enum describe_voice then(enum describe_voice voice)
{
    return voice == DESCRIBE_IS ? DESCRIBE_IS : DESCRIBE_WOULD;
}

/* Returns "text, between, more". Takes ownership of text and more. */
static char *append(char *text, const char *between, char *more)
{
    char *longer = text == NULL || more == NULL ? NULL
                   : text[0] == '\0'            ? strdup(more)
                                                : ork_text("%s%s%s", text, between, more);
    free(text);
    free(more);
    return longer;
}

static char *call_words(const struct ork_describe_group *g, bool anywhere)
{
    return anywhere ? strdup(g->first->call) : ork_phrase_in_call(g->first->call, &g->first->where);
}

/* ---- ranks that wait for each other ---- */

static bool is_nameable(const struct ork_u32s *set)
{
    return set->count > 0 && (set->count <= TARGETS_MAX ||
                              set->item[set->count - 1] - set->item[0] == set->count - 1);
}

static bool is_apart(const struct ork_u32s *a, const struct ork_u32s *b)
{
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->item[i] == b->item[k])
            return false;
        *(a->item[i] < b->item[k] ? &i : &k) += 1;
    }
    return true;
}

static bool is_same_set(const struct ork_u32s *a, const struct ork_u32s *b)
{
    return a->count == b->count && memcmp(a->item, b->item, a->count * sizeof(*a->item)) == 0;
}

/* The ranks that the group waits for, except those in `mentioned`. */
static char *targets_words(const struct ork_describe_group *g, const struct ork_u32s *mentioned)
{
    bool many = g->targets.count > 1;
    char *targets = NULL;

    if (mentioned != NULL && many && is_same_set(&g->targets, mentioned))
        return strdup(g->any ? "any of them" : "them");
    targets = ork_describe_ranks(g->targets.item, g->targets.count);
    char *text =
        targets == NULL ? NULL : ork_text("%s%s", g->any && many ? "any of " : "", targets);
    free(targets);
    return text;
}

/* "ranks 0-6 wait in MPI_Barrier (a.c:3) for rank 7"; after a group `before` that waits for this
 * rank: "which waits ..." */
static char *group_words(const struct ork_describe_group *g,
                         const struct ork_describe_group *before, enum describe_voice voice,
                         bool anywhere)
{
    char *who =
        before != NULL ? strdup("which") : ork_describe_ranks(g->ranks.item, g->ranks.count);
    char *targets = targets_words(g, before != NULL ? &before->ranks : NULL);
    char *call = call_words(g, anywhere);
    char *text = NULL;

    if (who != NULL && targets != NULL && call != NULL)
        text = ork_text("%s %s in %s for %s", who, wait_verb(voice, g->ranks.count), call, targets);
    free(who);
    free(targets);
    free(call);
    return text;
}

/* All of them wait for one rank, which is in another call. */
static bool is_one_odd(const struct ork_describe_group *many, const struct ork_describe_group *few)
{
    return few->ranks.count == 1 && is_same_set(&many->targets, &few->ranks) &&
           few->targets.count > 0;
}

/* Each of the two groups waits for ranks of the other. */
static bool are_opposite(const struct describe_groups *g)
{
    const struct ork_describe_group *a = &g->item[0], *b = &g->item[1];

    if (g->count != 2 || g->more)
        return false;
    if (is_one_odd(a, b) || is_one_odd(b, a))
        return true;
    return is_nameable(&a->targets) && is_nameable(&b->targets) &&
           is_apart(&a->ranks, &a->targets) && is_apart(&b->ranks, &b->targets);
}

static char *opposite_words(const struct describe_groups *g, enum describe_voice voice,
                            bool anywhere)
{
    bool turned = g->item[0].ranks.count == 1 && g->item[1].ranks.count > 1;
    const struct ork_describe_group *many = &g->item[turned], *few = &g->item[!turned];
    bool which = is_one_odd(many, few);
    char *one = group_words(many, NULL, voice, anywhere);
    char *two = group_words(few, which ? many : NULL, then(voice), anywhere);

    return append(one, which ? ", " : ", and ", two);
}

/* "in MPI_Recv (a.c:9)"; ": rank 0 in MPI_Recv (a.c:9), ranks 1 and 2 in MPI_Send (a.c:12)" */
static char *each_other_words(const struct ork_u32s *root, const struct describe_groups *g,
                              enum describe_voice voice, bool anywhere)
{
    char *who = ork_describe_ranks(root->item, root->count);
    char *text =
        who == NULL ? NULL : ork_text("%s %s for each other", who, wait_verb(voice, root->count));

    free(who);
    for (uint32_t k = 0; k < g->count && !g->more && text != NULL; k++) {
        char *ranks = ork_describe_ranks(g->item[k].ranks.item, g->item[k].ranks.count);
        char *call = call_words(&g->item[k], anywhere);
        char *more = NULL;
        if (ranks != NULL && call != NULL)
            more = g->count == 1 ? ork_text("in %s", call) : ork_text("%s in %s", ranks, call);
        free(ranks);
        free(call);
        text = append(text, g->count == 1 ? " " : k == 0 ? ": " : ", ", more);
    }
    return text;
}

/* ---- rings ---- */

static bool find_in(const struct ork_u32s *set, uint32_t rank, uint32_t *at)
{
    const uint32_t *found =
        bsearch(&rank, set->item, set->count, sizeof(rank), ork_describe_compare_ranks);

    if (found != NULL)
        *at = (uint32_t)(found - set->item);
    return found != NULL;
}

/* If each waits for one rank of the root at the same distance in the root, that distance; else
 * 0. */
static uint32_t step_of(const struct ork_finding *f, const struct ork_u32s *root)
{
    uint32_t step = 0, at;

    for (uint32_t i = 0; i < root->count; i++) {
        const struct ork_rank_row *w = ork_describe_row(f, root->item[i]);
        if (w == NULL || w->waits_for.count != 1 || !find_in(root, w->waits_for.item[0], &at))
            return 0;
        uint32_t own = (at + root->count - i) % root->count;
        if (i > 0 && own != step)
            return 0;
        step = own;
    }
    return step;
}

static char *ring_words(const struct ork_finding *f, const struct ork_u32s *root,
                        const struct describe_groups *g, enum describe_voice voice)
{
    uint32_t step = step_of(f, root), last = root->count - 1;
    bool up = step == 1;

    if (root->count < 3 || g->count != 1 || g->more || (step != 1 && step != last))
        return strdup("");
    char *who = ork_describe_ranks(root->item, root->count);
    char *call = call_words(&g->item[0], false);
    char *text = NULL;
    if (who != NULL && call != NULL)
        text = ork_text("each of %s %s in %s for the rank %s it (rank %u for rank %u)", who,
                        wait_verb(voice, 1), call, up ? "after" : "before",
                        root->item[up ? last : 0], root->item[up ? 0 : last]);
    free(who);
    free(call);
    return text;
}

/* The ranks of a small root in the order in which they wait for each other; false: not a single
 * cycle. */
static bool find_chain(const struct ork_finding *f, const struct ork_u32s *root,
                       const struct ork_rank_row *row[CHAIN_MAX])
{
    uint32_t rank = root->item[0], at;

    if (root->count < 3 || root->count > CHAIN_MAX)
        return false;
    for (uint32_t i = 0; i < root->count; i++) {
        row[i] = ork_describe_row(f, rank);
        if (row[i] == NULL || row[i]->call[0] == '\0' || row[i]->waits_for.count != 1)
            return false;
        for (uint32_t k = 0; k < i; k++) {
            if (row[k] == row[i])
                return false;
        }
        rank = row[i]->waits_for.item[0];
        if (!find_in(root, rank, &at))
            return false;
    }
    return rank == root->item[0];
}

/* "rank 0 waits in A for rank 1, which waits in B for rank 2, which waits in C for rank 0" */
static char *chain_words(const struct ork_finding *f, const struct ork_u32s *root,
                         enum describe_voice voice)
{
    const struct ork_rank_row *row[CHAIN_MAX];
    char *text = strdup("");

    if (!find_chain(f, root, row))
        return text;
    for (uint32_t i = 0; i < root->count && text != NULL; i++) {
        char *who = i == 0 ? ork_text("rank %u", row[i]->rank) : strdup("which");
        char *call = ork_phrase_in_call(row[i]->call, &row[i]->where);
        char *more = NULL;
        if (who != NULL && call != NULL)
            more =
                ork_text("%s %s in %s for rank %u", who, wait_verb(i == 0 ? voice : then(voice), 1),
                         call, row[i]->waits_for.item[0]);
        free(who);
        free(call);
        text = append(text, ", ", more);
    }
    return text;
}

/* ---- one root ---- */

static char *single_words(const struct ork_rank_row *w, enum describe_voice voice)
{
    char *call = ork_phrase_in_call(w->call, &w->where);
    char *text = NULL;

    if (call == NULL)
        return NULL;
    if (w->is_or && w->waits_for.count == 0)
        text = ork_text("rank %u %s in %s for a message that no rank can send", w->rank,
                        wait_verb(voice, 1), call);
    else
        text = ork_text("rank %u %s in %s for itself", w->rank, wait_verb(voice, 1), call);
    free(call);
    return text;
}

static bool is_text(const char *text)
{
    return text == NULL || text[0] != '\0';
}

/* For two ranks or more: the first of these forms that fits. */
static char *several_words(const struct ork_finding *f, const struct ork_u32s *root,
                           enum describe_voice voice)
{
    struct describe_groups here, anywhere;
    char *text = NULL;

    if (!ork_describe_group(f, root, false, &here))
        return NULL;
    if (!ork_describe_group(f, root, true, &anywhere))
        goto out;
    text = ring_words(f, root, &here, voice);
    if (!is_text(text)) {
        free(text);
        text = chain_words(f, root, voice);
    }
    if (!is_text(text)) {
        bool by_call = here.more;
        const struct describe_groups *g = by_call ? &anywhere : &here;
        free(text);
        text = root->count > 2 && are_opposite(g) ? opposite_words(g, voice, by_call)
                                                  : each_other_words(root, g, voice, by_call);
    }
    ork_describe_release_groups(&anywhere);
out:
    ork_describe_release_groups(&here);
    return text;
}

static bool is_end(const struct ork_rank_row *w)
{
    return w != NULL && w->call[0] == '\0';
}

static bool is_root_an_end(const struct ork_finding *f, uint32_t k)
{
    return f->roots[k].count == 1 && is_end(ork_describe_row(f, f->roots[k].item[0]));
}

static char *root_words(const struct ork_finding *f, uint32_t k, enum describe_voice voice)
{
    const struct ork_u32s *root = &f->roots[k];
    const struct ork_rank_row *w = root->count == 1 ? ork_describe_row(f, root->item[0]) : NULL;

    return w != NULL ? single_words(w, voice) : several_words(f, root, voice);
}

/* ---- ranks that have ended, and ranks that wait for them ---- */

static const char *end_words(const struct ork_rank_row *w, bool many)
{
    if (strcmp(w->state, "finalized") == 0)
        return many ? "have left MPI_Finalize" : "has left MPI_Finalize";
    return many ? "have ended without MPI_Finalize" : "has ended without MPI_Finalize";
}

/* Roots that ended in the same way as root number `k`. */
static bool collect_ends(const struct ork_finding *f, uint32_t k, struct ork_u32s *ends)
{
    const struct ork_rank_row *w = ork_describe_row(f, f->roots[k].item[0]);

    for (uint32_t i = 0; i < f->num_roots; i++) {
        if (!is_root_an_end(f, i))
            continue;
        const struct ork_rank_row *other = ork_describe_row(f, f->roots[i].item[0]);
        if (strcmp(other->state, w->state) == 0 && !ork_describe_add_rank(ends, other->rank))
            return false;
    }
    ork_describe_sort_unique(ends);
    return true;
}

static bool collect_waiters(const struct ork_finding *f, const struct ork_u32s *ends,
                            struct ork_u32s *waiters)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        if (w->call[0] != '\0' && !is_apart(&w->waits_for, ends) &&
            !ork_describe_add_rank(waiters, w->rank))
            return false;
    }
    ork_describe_sort_unique(waiters);
    return true;
}

static bool is_within(const struct ork_u32s *a, const struct ork_u32s *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (!ork_describe_has_rank(b, a->item[i]))
            return false;
    }
    return true;
}

static char *ends_words(const struct ork_finding *f, const struct ork_u32s *ends,
                        const struct ork_u32s *waiters, enum describe_voice voice)
{
    const char *have = end_words(ork_describe_row(f, ends->item[0]), ends->count > 1);
    char *which = ork_describe_ranks(ends->item, ends->count);
    char *who = ork_describe_ranks(waiters->item, waiters->count);
    struct describe_groups g = {0};
    char *call = NULL, *text = NULL;

    if (which == NULL || who == NULL || !ork_describe_group(f, waiters, false, &g))
        goto out;
    bool alike = g.count == 1 && !g.more && (!g.item[0].any || is_within(&g.item[0].targets, ends));
    call = alike ? call_words(&g.item[0], false) : strdup("");
    if (call != NULL && alike)
        text = ork_text("%s %s in %s for %s%s, which %s", who, wait_verb(voice, waiters->count),
                        call, g.item[0].any && ends->count > 1 ? "any of " : "", which, have);
    else if (call != NULL)
        text = ork_text("%s %s, and %s %s for %s", which, have, who,
                        wait_verb(voice, waiters->count), ends->count == 1 ? "it" : "them");
out:
    free(call);
    free(which);
    free(who);
    ork_describe_release_groups(&g);
    return text;
}

/* Adds the subjects of the sentence to *mentioned. */
static char *end_root_words(const struct ork_finding *f, uint32_t k, enum describe_voice voice,
                            struct ork_u32s *mentioned)
{
    struct ork_u32s ends = {0}, waiters = {0};
    char *text = NULL;

    if (!collect_ends(f, k, &ends) || !collect_waiters(f, &ends, &waiters))
        goto out;
    if (ends.item[0] != f->roots[k].item[0]) /* already described */
        text = strdup("");
    else
        text = ends_words(f, &ends, &waiters, voice);
    for (uint32_t i = 0; i < waiters.count && text != NULL; i++) {
        if (!ork_describe_add_rank(mentioned, waiters.item[i])) {
            free(text);
            text = NULL;
        }
    }
out:
    free(ends.item);
    free(waiters.item);
    return text;
}

/* ---- the whole sentence ---- */

/* Ranks that only wait: those neither in a root nor mentioned. */
static bool find_others(const struct ork_finding *f, const struct ork_u32s *mentioned,
                        struct ork_u32s *others)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        bool known = w->call[0] == '\0' || ork_describe_has_rank(mentioned, w->rank);
        for (uint32_t k = 0; k < f->num_roots && !known; k++)
            known = ork_describe_has_rank(&f->roots[k], w->rank);
        if (!known && !ork_describe_add_rank(others, w->rank))
            return false;
    }
    ork_describe_sort_unique(others);
    return true;
}

static char *others_words(const struct ork_finding *f, const struct ork_u32s *others, bool one,
                          enum describe_voice voice)
{
    struct describe_groups g;
    char *who = ork_describe_ranks(others->item, others->count);
    char *text = NULL;

    if (who == NULL || !ork_describe_group(f, others, false, &g)) {
        free(who);
        return NULL;
    }
    char *call = g.count == 1 && !g.more ? call_words(&g.item[0], false) : strdup("");
    if (call != NULL)
        text = ork_text("%s %s for %s%s%s", who, wait_verb(voice, others->count),
                        one ? "it" : "them", call[0] != '\0' ? " in " : "", call);
    free(call);
    free(who);
    ork_describe_release_groups(&g);
    return text;
}

/* A collective: the ranks in it wait for the ranks elsewhere, which are all in one other call. Then
 * it does not matter which of them are the root. "": not this case. */
static char *split_words(const struct ork_finding *f, enum describe_voice voice)
{
    struct describe_groups here, anywhere;
    char *text = NULL;

    if (f->num_roots != 1 || f->ranks.count < 3 || f->ranks.count != f->num_waits)
        return strdup("");
    if (!ork_describe_group(f, NULL, false, &here))
        return NULL;
    if (!ork_describe_group(f, NULL, true, &anywhere))
        goto out;
    bool by_call = here.more || here.count != 2;
    const struct describe_groups *g = by_call ? &anywhere : &here;
    const struct ork_describe_group *many =
        &g->item[g->count > 1 && g->item[0].ranks.count < g->item[1].ranks.count];
    text = are_opposite(g) && many->first->tag == NULL && many->ranks.count > 1
               ? opposite_words(g, voice, by_call)
               : strdup("");
    ork_describe_release_groups(&anywhere);
out:
    ork_describe_release_groups(&here);
    return text;
}

static char *roots_words(const struct ork_finding *f, enum describe_voice voice,
                         struct ork_u32s *mentioned)
{
    char *text = strdup("");
    uint32_t reported = 0, left = 0;

    for (uint32_t k = 0; k < f->num_roots && text != NULL; k++) {
        if (reported == ROOTS_MAX) {
            left++;
            continue;
        }
        char *more = is_root_an_end(f, k) ? end_root_words(f, k, voice, mentioned)
                                          : root_words(f, k, reported == 0 ? voice : then(voice));
        reported += more != NULL && more[0] != '\0';
        text = more != NULL && more[0] == '\0' ? (free(more), text) : append(text, "; ", more);
    }
    if (left > 0)
        text = append(text, "; ",
                      ork_text("in %u more group%s, ranks %s for each other", left,
                               left == 1 ? "" : "s", wait_verb(then(voice), 2)));
    return text;
}

char *ork_describe_circle(const struct ork_finding *f, enum describe_voice voice)
{
    struct ork_u32s mentioned = {0}, others = {0};
    char *text = split_words(f, voice);

    if (is_text(text))
        return text;
    free(text);
    text = roots_words(f, voice, &mentioned);
    ork_describe_sort_unique(&mentioned);
    if (text != NULL && find_others(f, &mentioned, &others)) {
        bool one = f->num_roots == 1 && f->roots[0].count == 1 && mentioned.count == 0;
        if (others.count > 0)
            text = append(text, "; ", others_words(f, &others, one, then(voice)));
    } else {
        free(text);
        text = NULL;
    }
    free(mentioned.item);
    free(others.item);
    return text;
}
