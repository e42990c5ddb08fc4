/* SPDX-License-Identifier: BSD-3-Clause */
/* The first sentence of a deadlock, for a reader who knows no theory: who waits for whom. Made of
 * the rows of the finding alone. */
#include "overlay/describe_internal.h"

#include "overlay/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    TARGETS_MAX = 4, /* ranks named as what others wait for, unless they are one run */
    RUNS_MAX = 6,    /* of ranks in a sentence */
    ROOTS_MAX = 3,
};

char *describe_ranks(const uint32_t *rank, uint32_t count)
{
    uint32_t runs = 0, end = 0;

    for (uint32_t i = 0; i < count && runs <= RUNS_MAX; i++) {
        runs += i == 0 || rank[i] != rank[i - 1] + 1;
        end = runs < 4 ? i + 1 : end;
    }
    if (runs <= RUNS_MAX)
        return ork_words_ranks(rank, count);
    char *some = ork_words_ranks(rank, end);
    char *text = some == NULL ? NULL : ork_words("%s and others (%u in all)", some, count);
    free(some);
    return text;
}

/* Ranks that are in the same call, and whom they wait for. */
struct party {
    const struct ork_wait *wait; /* of the first */
    struct ork_u32s ranks, targets;
    bool any; /* of the targets */
};

static void release_party(struct party *p)
{
    free(p->ranks.item);
    free(p->targets.item);
}

static bool join_party(struct party *p, const struct ork_wait *w)
{
    p->any |= w->is_or;
    if (!describe_add_rank(&p->ranks, w->rank))
        return false;
    for (uint32_t i = 0; i < w->waits_for.count; i++) {
        if (!describe_add_rank(&p->targets, w->waits_for.item[i]))
            return false;
    }
    return true;
}

/* The one or two parties of a root; 3: more than that. false: out of memory. */
static bool split(const struct ork_finding *f, const struct ork_u32s *root, struct party party[2],
                  unsigned *n)
{
    *n = 0;
    for (uint32_t i = 0; i < root->count && *n < 3; i++) {
        const struct ork_wait *w = describe_row(f, root->item[i]);
        unsigned k = 0;
        if (w == NULL)
            continue;
        while (k < *n && strcmp(party[k].wait->call, w->call) != 0)
            k++;
        if (k == *n)
            ++*n;
        if (k < 2 && party[k].wait == NULL)
            party[k].wait = w;
        if (k < 2 && !join_party(&party[k], w))
            return false;
    }
    for (unsigned k = 0; k < 2; k++)
        describe_sort_unique(&party[k].targets);
    return true;
}

static bool is_short(const struct ork_u32s *set)
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

/* "ranks 0-6 wait in MPI_Barrier for rank 7"; `who` NULL: "which waits ..." */
static char *party_words(const struct party *p, bool which)
{
    char *who = which ? strdup("which") : describe_ranks(p->ranks.item, p->ranks.count);
    char *whom = describe_ranks(p->targets.item, p->targets.count);
    char *text = NULL;

    if (who != NULL && whom != NULL)
        text = ork_words("%s %s in %s for %s%s", who, p->ranks.count == 1 ? "waits" : "wait",
                         p->wait->call, p->any && p->targets.count > 1 ? "any of " : "", whom);
    free(who);
    free(whom);
    return text;
}

static bool are_opposite(const struct party party[2])
{
    return is_short(&party[0].targets) && is_short(&party[1].targets) &&
           is_apart(&party[0].ranks, &party[0].targets) &&
           is_apart(&party[1].ranks, &party[1].targets);
}

static char *two_parties(const struct party party[2])
{
    bool turned = party[0].ranks.count == 1 && party[1].ranks.count > 1;
    const struct party *many = &party[turned], *few = &party[!turned];
    bool which = few->ranks.count == 1 && many->targets.count == 1;
    char *one = party_words(many, false);
    char *two = party_words(few, which);
    char *text =
        one == NULL || two == NULL ? NULL : ork_words("%s%s%s", one, which ? ", " : "; ", two);

    free(one);
    free(two);
    return text;
}

static char *single_words(const struct ork_wait *w, const char *who)
{
    if (w != NULL && w->call[0] == '\0')
        return ork_words(strcmp(w->state, "finalized") == 0 ? "%s has left MPI_Finalize"
                                                            : "%s has ended without MPI_Finalize",
                         who);
    if (w != NULL && w->is_or)
        return ork_words("%s waits in %s for what nobody can send", who, w->call);
    return ork_words("%s waits for itself", who);
}

/* A root of the deadlock. */
static char *root_words(const struct ork_finding *f, const struct ork_u32s *root)
{
    struct party party[2] = {0};
    unsigned n;
    char *who = describe_ranks(root->item, root->count);
    char *text = NULL;

    if (who == NULL || root->count == 0 || !split(f, root, party, &n))
        goto out;
    if (root->count == 1)
        text = single_words(describe_row(f, root->item[0]), who);
    else if (n == 2 && root->count > 2 && are_opposite(party))
        text = two_parties(party);
    else if (n == 1)
        text = ork_words("%s wait for each other, %s in %s", who, root->count == 2 ? "both" : "all",
                         party[0].wait->call);
    else
        text = ork_words("%s wait for each other", who);
out:
    release_party(&party[0]);
    release_party(&party[1]);
    free(who);
    return text;
}

static bool is_in(const struct ork_u32s *set, uint32_t rank)
{
    return set->count > 0 &&
           bsearch(&rank, set->item, set->count, sizeof(rank), describe_compare_ranks) != NULL;
}

static bool is_in_root(const struct ork_finding *f, uint32_t rank)
{
    bool in = false;

    for (uint32_t k = 0; k < f->num_roots && !in; k++)
        in = is_in(&f->roots[k], rank);
    return in;
}

/* Those that only wait: who they are, and for whom. */
static bool find_others(const struct ork_finding *f, struct party *p)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_wait *w = &f->waits[i];
        if (!is_in_root(f, w->rank) && w->call[0] != '\0' && !join_party(p, w))
            return false;
    }
    describe_sort_unique(&p->targets);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->targets.count; i++) { /* but each other */
        if (!is_in(&p->ranks, p->targets.item[i]))
            p->targets.item[n++] = p->targets.item[i];
    }
    p->targets.count = n;
    return true;
}

static char *others_words(const struct ork_finding *f, const struct party *p)
{
    bool one_root = f->num_roots == 1 && f->roots[0].count == 1;
    bool all = f->num_roots == 1 && f->roots[0].count == p->targets.count;
    char *who = describe_ranks(p->ranks.item, p->ranks.count);
    char *whom = one_root ? strdup("it")
                 : all || !is_short(&p->targets)
                     ? strdup("them")
                     : describe_ranks(p->targets.item, p->targets.count);
    char *text = NULL;

    if (who != NULL && whom != NULL)
        text = ork_words("%s %s for %s", who, p->ranks.count == 1 ? "waits" : "wait", whom);
    free(who);
    free(whom);
    return text;
}

/* *text; more. Both are taken over. */
static char *append(char *text, char *more)
{
    char *longer = text == NULL || more == NULL ? NULL
                   : text[0] == '\0'            ? strdup(more)
                                                : ork_words("%s; %s", text, more);
    free(text);
    free(more);
    return longer;
}

char *describe_sentence(char *text)
{
    if (text != NULL)
        text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

/* A collective: who is in it waits for who is elsewhere, in one other call. */
static bool is_split_by_collective(const struct party party[2])
{
    const struct party *many = &party[party[0].ranks.count < party[1].ranks.count];

    return many->wait->tag == NULL && many->ranks.count > 1 && are_opposite(party);
}

/* Everybody is in a collective or in the other call: then it does not matter which of them are the
 * root. *text stays NULL if it is not so. false: out of memory. */
static bool whole_words(const struct ork_finding *f, char **text)
{
    struct party party[2] = {0};
    unsigned n = 0;
    bool known = true;

    if (f->num_roots == 1 && f->ranks.count > 2 && f->ranks.count == f->num_waits)
        known = split(f, &f->ranks, party, &n);
    if (known && n == 2 && is_split_by_collective(party)) {
        *text = two_parties(party);
        known = *text != NULL;
    }
    release_party(&party[0]);
    release_party(&party[1]);
    return known;
}

enum ork_status describe_add_summary(struct ork_finding *f)
{
    struct party others = {0};

    if (!whole_words(f, &f->summary))
        return ORK_NOMEM;
    if (describe_sentence(f->summary) != NULL)
        return ORK_OK;
    char *text = strdup("");
    for (uint32_t k = 0; k < f->num_roots && k < ROOTS_MAX; k++)
        text = append(text, root_words(f, &f->roots[k]));
    if (f->num_roots > ROOTS_MAX)
        text = append(text, ork_words("so do %u more groups of ranks", f->num_roots - ROOTS_MAX));
    bool known = find_others(f, &others);
    if (known && others.ranks.count > 0)
        text = append(text, others_words(f, &others));
    release_party(&others);
    if (!known) {
        free(text);
        return ORK_NOMEM;
    }
    f->summary = describe_sentence(text);
    return text == NULL ? ORK_NOMEM : ORK_OK;
}
