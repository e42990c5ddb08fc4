/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank waits for which, in a sentence that needs no theory: for each root of a deadlock, and
 * for the ranks that only wait for it. Made from the rows of the finding alone. */
#include "overlay/findings/describe_internal.h"

#include <string.h>

enum {
    TARGETS_MAX = 4, /* number of awaited ranks that are named, unless they are one run */
    ROOTS_MAX = 3,
};

/* "waits", with `n` ranks as the subject. */
static const char *wait_verb(struct ork_writing *w, enum describe_voice voice, uint32_t n)
{
    switch (voice) {
    case DESCRIBE_COULD:
        return ork_plain(SAYS_WAIT_COULD);
    case DESCRIBE_WOULD:
        return ork_plain(SAYS_WAIT_WOULD);
    case DESCRIBE_IS:
        break;
    }
    return ork_say(w, SAYS_WAIT_IS, NUMBER('n', n));
}

/* The voice of what follows from the first statement. */
static enum describe_voice then(enum describe_voice voice)
{
    return voice == DESCRIBE_IS ? DESCRIBE_IS : DESCRIBE_WOULD;
}

static const char *call_words(struct ork_writing *w, const struct ork_describe_group *g,
                              bool anywhere)
{
    return anywhere ? g->first->call : ork_where_in(w, g->first->call, &g->first->where);
}

/* The same with what tells the group from the others. */
static const char *call_apart_words(struct ork_writing *w, const struct describe_groups *groups,
                                    const struct ork_describe_group *g, bool anywhere)
{
    const char *apart = "";

    for (uint32_t k = 0; k < groups->count && !anywhere && apart[0] == '\0'; k++) {
        if (&groups->item[k] != g)
            apart = ork_describe_apart(w, g->first, groups->item[k].first);
    }
    return ork_join(w, call_words(w, g, anywhere), "", apart);
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

/* The ranks that the group waits for, except those in `mentioned`. */
static const char *targets_words(struct ork_writing *w, const struct ork_describe_group *g,
                                 const struct ork_u32s *mentioned)
{
    bool many = g->targets.count > 1;

    if (mentioned != NULL && many && ork_describe_is_same_set(&g->targets, mentioned))
        return ork_say(w, SAYS_CIRCLE_THEM, NUMBER('i', g->any));
    return ork_say(w, SAYS_CIRCLE_TARGETS, NUMBER('i', g->any && many), RANKS('o', &g->targets));
}

/* "ranks 0-6 wait in MPI_Barrier (a.c:3) for rank 7"; after a group `before` that waits for this
 * rank: "which waits ..." */
static const char *group_words(struct ork_writing *w, const struct describe_groups *groups,
                               const struct ork_describe_group *g,
                               const struct ork_describe_group *before, enum describe_voice voice,
                               bool anywhere)
{
    const struct ork_slot verb = TEXT('v', wait_verb(w, voice, g->ranks.count));
    const struct ork_slot call = TEXT('c', call_apart_words(w, groups, g, anywhere));

    if (before != NULL)
        return ork_say(w, SAYS_CIRCLE_WHICH, verb, call,
                       TEXT('x', targets_words(w, g, &before->ranks)));
    return ork_say(w, SAYS_CIRCLE_GROUP, RANKS('r', &g->ranks), verb, call,
                   TEXT('x', targets_words(w, g, NULL)));
}

/* All of them wait for one rank, which is in another call. */
static bool is_one_odd(const struct ork_describe_group *many, const struct ork_describe_group *few)
{
    return few->ranks.count == 1 && ork_describe_is_same_set(&many->targets, &few->ranks) &&
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

static const char *opposite_words(struct ork_writing *w, const struct describe_groups *g,
                                  enum describe_voice voice, bool anywhere)
{
    bool turned = g->item[0].ranks.count == 1 && g->item[1].ranks.count > 1;
    const struct ork_describe_group *many = &g->item[turned], *few = &g->item[!turned];
    bool which = is_one_odd(many, few);
    const char *one = group_words(w, g, many, NULL, voice, anywhere);
    const char *two = group_words(w, g, few, which ? many : NULL, then(voice), anywhere);

    return which ? ork_join(w, one, ", ", two)
                 : ork_say(w, SAYS_CIRCLE_AND, TEXT('w', one), TEXT('x', two));
}

/* The ranks of a group by their communicators; more than one group only if all are named. */
static struct describe_groups split_by_comm(struct ork_writing *w, const struct ork_finding *f,
                                            const struct ork_describe_group *g)
{
    struct describe_groups parts = {0};

    for (uint32_t i = 0; i < g->ranks.count; i++) {
        const struct ork_rank_row *row = ork_describe_row(f, g->ranks.item[i]);
        uint32_t k = 0;
        while (k < parts.count && !ork_describe_is_same_comm(parts.item[k].first, row))
            k++;
        if (k == DESCRIBE_GROUPS_MAX || row->comm == NULL)
            return (struct describe_groups){.count = 1, .item = {*g}};
        if (k == parts.count)
            parts.item[parts.count++].first = row;
        ork_writing_add(w, &parts.item[k].ranks, row->rank);
    }
    return parts;
}

/* "... in MPI_Recv (a.c:9)"; "...: rank 0 in MPI_Recv (a.c:9), ranks 1 and 2 in MPI_Send (a.c:12)"
 */
static const char *each_other_words(struct ork_writing *w, const struct ork_finding *f,
                                    const struct ork_u32s *root, const struct describe_groups *all,
                                    enum describe_voice voice, bool anywhere)
{
    bool is_one = all->count == 1 && !all->more && !anywhere;
    const struct describe_groups parts =
        is_one ? split_by_comm(w, f, &all->item[0]) : (struct describe_groups){0};
    const struct describe_groups *g = is_one ? &parts : all;
    const char *text = ork_say(w, SAYS_CIRCLE_EACH_OTHER, RANKS('r', root),
                               TEXT('v', wait_verb(w, voice, root->count)));

    if (g->count == 1 && !g->more)
        return ork_say(w, SAYS_CIRCLE_ALL_IN, TEXT('w', text),
                       TEXT('c', call_words(w, &g->item[0], anywhere)));
    for (uint32_t k = 0; k < g->count && !g->more; k++)
        text = ork_join(w, text, k == 0 ? ": " : ", ",
                        ork_say(w, SAYS_CIRCLE_RANKS_IN, RANKS('r', &g->item[k].ranks),
                                TEXT('c', call_apart_words(w, g, &g->item[k], anywhere))));
    return text;
}

/* ---- rings ---- */

/* "": it is none. */
static const char *ring_words(struct ork_writing *w, const struct ork_finding *f,
                              const struct ork_u32s *root, const struct describe_groups *g,
                              enum describe_voice voice)
{
    uint32_t step = ork_describe_step(f, root), last = root->count - 1;
    bool up = step == 1;

    if (root->count < 3 || g->count != 1 || g->more || (step != 1 && step != last))
        return "";
    return ork_say(w, SAYS_CIRCLE_RING, RANKS('r', root), TEXT('v', wait_verb(w, voice, 1)),
                   TEXT('c', call_words(w, &g->item[0], false)), NUMBER('i', up),
                   RANK('o', root->item[up ? last : 0]), RANK('x', root->item[up ? 0 : last]));
}

/* "rank 0 waits in A for rank 1, which waits in B for rank 2, which waits in C for rank 0"; "": it
 * is none. */
static const char *chain_words(struct ork_writing *w, const struct ork_finding *f,
                               const struct ork_u32s *root, enum describe_voice voice)
{
    const struct ork_rank_row *row[DESCRIBE_CHAIN_MAX];
    const char *text = "";

    if (!ork_describe_chain(f, root, row))
        return text;
    for (uint32_t i = 0; i < root->count; i++) {
        const struct ork_slot verb = TEXT('v', wait_verb(w, i == 0 ? voice : then(voice), 1));
        const struct ork_slot call = TEXT('c', ork_where_in(w, row[i]->call, &row[i]->where));
        const struct ork_slot next = RANK('x', row[i]->waits_for.item[0]);
        text = i == 0 ? ork_say(w, SAYS_CIRCLE_GROUP, RANK('r', row[i]->rank), verb, call, next)
                      : ork_join(w, text, ", ", ork_say(w, SAYS_CIRCLE_WHICH, verb, call, next));
    }
    return text;
}

/* ---- one root ---- */

static bool is_in_vain(const struct ork_rank_row *row)
{
    return row->is_or && row->waits_for.count == 0;
}

static bool is_end(const struct ork_rank_row *w)
{
    return w != NULL && w->call[0] == '\0';
}

/* The row of the rank that is root number `k` alone, and has not ended; NULL: none. */
static const struct ork_rank_row *row_alone(const struct ork_finding *f, uint32_t k)
{
    const struct ork_rank_row *row =
        f->roots[k].count == 1 ? ork_describe_row(f, f->roots[k].item[0]) : NULL;

    return is_end(row) ? NULL : row;
}

static bool is_alike_alone(const struct ork_rank_row *a, const struct ork_rank_row *b)
{
    return a != NULL && b != NULL && is_in_vain(a) == is_in_vain(b) &&
           strcmp(a->call, b->call) == 0 && ork_describe_is_same_where(&a->where, &b->where);
}

/* "": together with an earlier root, it is described already. */
static const char *single_words(struct ork_writing *w, const struct ork_finding *f, uint32_t k,
                                enum describe_voice voice)
{
    const struct ork_rank_row *row = row_alone(f, k);
    struct ork_u32s ranks = {0};

    for (uint32_t i = 0; i < f->num_roots; i++) {
        if (!is_alike_alone(row, row_alone(f, i)))
            continue;
        if (i < k)
            return "";
        ork_writing_add(w, &ranks, row_alone(f, i)->rank);
    }
    ork_describe_sort_unique(&ranks);
    const struct ork_slot verb = TEXT('v', wait_verb(w, voice, 1));
    const struct ork_slot call = TEXT('c', ork_where_in(w, row->call, &row->where));
    if (ranks.count > 1)
        return ork_say(w, SAYS_CIRCLE_EACH_ITSELF, RANKS('r', &ranks), verb, call,
                       NUMBER('i', is_in_vain(row)));
    return ork_say(w, is_in_vain(row) ? SAYS_CIRCLE_NO_SENDER : SAYS_CIRCLE_ITSELF,
                   RANK('r', row->rank), verb, call);
}

/* For two ranks or more: the first of these forms that fits. */
static const char *several_words(struct ork_writing *w, const struct ork_finding *f,
                                 const struct ork_u32s *root, enum describe_voice voice)
{
    struct describe_groups here = ork_describe_group(w, f, root, false);
    const char *text = ring_words(w, f, root, &here, voice);

    if (text[0] == '\0')
        text = chain_words(w, f, root, voice);
    if (text[0] != '\0')
        return text;
    bool by_call = here.more;
    struct describe_groups g = by_call ? ork_describe_group(w, f, root, true) : here;
    return root->count > 2 && are_opposite(&g) ? opposite_words(w, &g, voice, by_call)
                                               : each_other_words(w, f, root, &g, voice, by_call);
}

static bool is_root_an_end(const struct ork_finding *f, uint32_t k)
{
    return f->roots[k].count == 1 && is_end(ork_describe_row(f, f->roots[k].item[0]));
}

static const char *root_words(struct ork_writing *w, const struct ork_finding *f, uint32_t k,
                              enum describe_voice voice)
{
    return row_alone(f, k) != NULL ? single_words(w, f, k, voice)
                                   : several_words(w, f, &f->roots[k], voice);
}

/* ---- ranks that have ended, and ranks that wait for them ---- */

/* Roots that ended in the same way as root number `k`. */
static struct ork_u32s find_ends(struct ork_writing *w, const struct ork_finding *f, uint32_t k)
{
    const char *how = ork_describe_row(f, f->roots[k].item[0])->state;
    struct ork_u32s ends = {0};

    for (uint32_t i = 0; i < f->num_roots; i++) {
        if (!is_root_an_end(f, i))
            continue;
        const struct ork_rank_row *other = ork_describe_row(f, f->roots[i].item[0]);
        if (strcmp(other->state, how) == 0)
            ork_writing_add(w, &ends, other->rank);
    }
    ork_describe_sort_unique(&ends);
    return ends;
}

static struct ork_u32s find_waiters(struct ork_writing *w, const struct ork_finding *f,
                                    const struct ork_u32s *ends)
{
    struct ork_u32s waiters = {0};

    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        if (row->call[0] != '\0' && !is_apart(&row->waits_for, ends))
            ork_writing_add(w, &waiters, row->rank);
    }
    ork_describe_sort_unique(&waiters);
    return waiters;
}

static bool is_within(const struct ork_u32s *a, const struct ork_u32s *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (!ork_describe_has_rank(b, a->item[i]))
            return false;
    }
    return true;
}

static const char *ends_words(struct ork_writing *w, const struct ork_finding *f,
                              const struct ork_u32s *ends, const struct ork_u32s *waiters,
                              enum describe_voice voice)
{
    bool has_left = strcmp(ork_describe_row(f, ends->item[0])->state, "finalized") == 0;
    struct describe_groups g = ork_describe_group(w, f, waiters, false);
    const struct ork_slot which = RANKS('o', ends);
    const struct ork_slot who = RANKS('r', waiters);
    const struct ork_slot verb = TEXT('v', wait_verb(w, voice, waiters->count));
    const struct ork_slot have = TEXT(
        'w', ork_say(w, has_left ? SAYS_HAS_LEFT_FINALIZE : SAYS_CIRCLE_ENDED, RANKS('r', ends)));

    if (g.count == 1 && !g.more && (!g.item[0].any || is_within(&g.item[0].targets, ends)))
        return ork_say(w, SAYS_CIRCLE_END, who, verb, TEXT('c', call_words(w, &g.item[0], false)),
                       NUMBER('i', g.item[0].any && ends->count > 1), which, have);
    return ork_say(w, SAYS_CIRCLE_ENDS, which, have, who, verb);
}

/* Adds the subjects of the sentence to *mentioned. "": it is described already. */
static const char *end_root_words(struct ork_writing *w, const struct ork_finding *f, uint32_t k,
                                  enum describe_voice voice, struct ork_u32s *mentioned)
{
    struct ork_u32s ends = find_ends(w, f, k), waiters = find_waiters(w, f, &ends);

    for (uint32_t i = 0; i < waiters.count; i++)
        ork_writing_add(w, mentioned, waiters.item[i]);
    return ends.count == 0 || ends.item[0] != f->roots[k].item[0]
               ? ""
               : ends_words(w, f, &ends, &waiters, voice);
}

/* ---- the whole sentence ---- */

/* Ranks that only wait: those neither in a root nor mentioned. */
static struct ork_u32s find_others(struct ork_writing *w, const struct ork_finding *f,
                                   const struct ork_u32s *mentioned)
{
    struct ork_u32s others = {0};

    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        bool known = row->call[0] == '\0' || ork_describe_has_rank(mentioned, row->rank);
        for (uint32_t k = 0; k < f->num_roots && !known; k++)
            known = ork_describe_has_rank(&f->roots[k], row->rank);
        if (!known)
            ork_writing_add(w, &others, row->rank);
    }
    ork_describe_sort_unique(&others);
    return others;
}

static const char *others_words(struct ork_writing *w, const struct ork_finding *f,
                                const struct ork_u32s *others, bool one, enum describe_voice voice)
{
    struct describe_groups g = ork_describe_group(w, f, others, false);

    return ork_say(w, SAYS_CIRCLE_OTHERS, RANKS('r', others),
                   TEXT('v', wait_verb(w, voice, others->count)), NUMBER('i', one),
                   TEXT('c', g.count == 1 && !g.more ? call_words(w, &g.item[0], false) : ""));
}

/* A collective: the ranks in it wait for the ranks elsewhere, which are all in one other call. Then
 * it does not matter which of them are the root. "": not this case. */
static const char *split_words(struct ork_writing *w, const struct ork_finding *f,
                               enum describe_voice voice)
{
    if (f->num_roots != 1 || f->ranks.count < 3 || f->ranks.count != f->num_waits)
        return "";
    struct describe_groups g = ork_describe_group(w, f, NULL, false);
    bool by_call = g.more || g.count != 2;
    if (by_call)
        g = ork_describe_group(w, f, NULL, true);
    const struct ork_describe_group *many =
        &g.item[g.count > 1 && g.item[0].ranks.count < g.item[1].ranks.count];
    return are_opposite(&g) && many->first->tag == NULL && many->ranks.count > 1
               ? opposite_words(w, &g, voice, by_call)
               : "";
}

static const char *roots_words(struct ork_writing *w, const struct ork_finding *f,
                               enum describe_voice voice, struct ork_u32s *mentioned)
{
    const char *text = "";
    uint32_t reported = 0, left = 0;

    for (uint32_t k = 0; k < f->num_roots; k++) {
        const char *more = is_root_an_end(f, k)
                               ? end_root_words(w, f, k, voice, mentioned)
                               : root_words(w, f, k, reported == 0 ? voice : then(voice));
        if (more[0] == '\0')
            continue;
        if (reported == ROOTS_MAX) {
            left++;
            continue;
        }
        reported++;
        text = ork_join(w, text, "; ", more);
    }
    if (left > 0)
        text = ork_join(w, text, "; ",
                        ork_say(w, SAYS_CIRCLE_MORE, NUMBER('n', left),
                                TEXT('v', wait_verb(w, then(voice), 2))));
    return text;
}

const char *ork_describe_circle(struct ork_writing *w, const struct ork_finding *f,
                                enum describe_voice voice)
{
    struct ork_u32s mentioned = {0};
    const char *text = split_words(w, f, voice);

    if (text[0] != '\0')
        return text;
    text = roots_words(w, f, voice, &mentioned);
    ork_describe_sort_unique(&mentioned);
    struct ork_u32s others = find_others(w, f, &mentioned);
    bool one = f->num_roots == 1 && f->roots[0].count == 1 && mentioned.count == 0;
    if (others.count > 0)
        text = ork_join(w, text, "; ", others_words(w, f, &others, one, then(voice)));
    return text;
}
