/* SPDX-License-Identifier: BSD-3-Clause */
/* The headline of a deadlock: the one sentence that leads to the cause. A near miss explains most,
 * then the match on which a foreseen deadlock depends, then which rank waits for which. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_end_a_root(const struct ork_finding *f)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        const struct ork_rank_row *w =
            f->roots[k].count == 1 ? ork_describe_row(f, f->roots[k].item[0]) : NULL;
        if (w != NULL && w->call[0] == '\0')
            return true;
    }
    return false;
}

static const struct ork_u32s *root_of(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        if (ork_describe_has_rank(&f->roots[k], rank))
            return &f->roots[k];
    }
    return NULL;
}

/* RATIONALE: in a cycle of three ranks some send and some receive always differ in destination or
 * source. This is a mistake only if no other rank is between the two. */
static bool is_cause(const struct ork_finding *f, const struct ork_near_miss *n)
{
    bool is_weak = strcmp(n->differs, "destination") == 0 || strcmp(n->differs, "source") == 0;
    const struct ork_u32s *root = root_of(f, n->waits.rank);

    if (root == NULL)
        root = root_of(f, n->pending.rank);
    if (root == NULL)
        return is_end_a_root(f);
    return !is_weak || root->count <= 2;
}

static char *miss_words(const struct ork_near_miss *n)
{
    size_t length = strlen(n->message);
    size_t kept = length > 0 && n->message[length - 1] == '.' ? length - 1 : length;
    char *text = ork_text("%.*s", (int)kept, n->message);

    if (text != NULL && strncmp(text, "Rank", 4) == 0)
        text[0] = (char)tolower((unsigned char)text[0]);
    return text;
}

/* The near miss for the headline; NULL: none. */
static const struct ork_near_miss *leading_miss(const struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_near_misses; i++) {
        if (is_cause(f, &f->near_miss[i]))
            return &f->near_miss[i];
    }
    return NULL;
}

/* ---- matches that the run did not make ---- */

static const struct ork_match_decision *first_other(const struct ork_finding *f, uint32_t *others)
{
    const struct ork_match_decision *first = NULL;

    *others = 0;
    for (uint32_t i = 0; i < f->num_decisions; i++) {
        if (!f->decision[i].differs)
            continue;
        first = first == NULL ? &f->decision[i] : first;
        ++*others;
    }
    return first;
}

/* "if rank 1's MPI_Recv (a.c:3) took a message of rank 2" */
static char *condition_words(const struct ork_match_decision *d, uint32_t others)
{
    char *call = ork_phrase_in_call(d->receive.call, &d->receive.where);
    char *text = NULL;

    if (call != NULL)
        text = ork_text("if rank %u's %s took a message from rank %u%s", d->receive.rank, call,
                        d->send.rank,
                        others > 1 ? ", and other receives took the messages listed below" : "");
    free(call);
    return text;
}

static char *foreseen_words(const struct ork_finding *f, const struct ork_match_decision *d,
                            uint32_t others)
{
    char *condition = condition_words(d, others);
    char *circle = ork_describe_circle(f, DESCRIBE_WOULD);
    char *text = NULL;

    if (condition != NULL && circle != NULL)
        text = ork_text("%s, %s", condition, circle);
    free(condition);
    free(circle);
    return text;
}

/* The waits of a potential deadlock are not facts in this run; those of a foreseen need not be. */
static enum describe_voice voice_of(const struct ork_finding *f)
{
    bool may_be = f->class_ == ORK_POTENTIAL || f->class_ == ORK_INTERLEAVING;

    return may_be ? DESCRIBE_COULD : DESCRIBE_IS;
}

char *ork_describe_headline(const struct ork_finding *f)
{
    uint32_t others;
    const struct ork_near_miss *miss = leading_miss(f);
    const struct ork_match_decision *other = first_other(f, &others);

    if (other != NULL)
        return foreseen_words(f, other, others);
    return miss != NULL ? miss_words(miss) : ork_describe_circle(f, voice_of(f));
}

/* Besides a near miss, describe which rank waits for which. */
static enum ork_status add_circle(struct ork_finding *f)
{
    char *circle = ork_describe_sentence(ork_describe_circle(f, voice_of(f)));
    char *text = circle == NULL ? NULL : ork_text("%s.", circle);

    free(circle);
    return ork_describe_add_detail(f, text);
}

enum ork_status ork_describe_add_headline(struct ork_finding *f)
{
    uint32_t others;

    f->message = ork_describe_headline(f);
    if (f->message == NULL)
        return ORK_NOMEM;
    f->summary = ork_describe_sentence(strdup(f->message));
    if (f->summary == NULL)
        return ORK_NOMEM;
    if (leading_miss(f) != NULL && first_other(f, &others) == NULL)
        return add_circle(f);
    return ORK_OK;
}
