/* SPDX-License-Identifier: BSD-3-Clause */
/* The headline of a deadlock: the one sentence that leads to the cause. A near miss explains most,
 * then the match on which a foreseen deadlock depends, then which rank waits for which. */
#include "overlay/findings/describe_internal.h"

#include "common/text.h"

#include <ctype.h>
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
    bool is_weak = !n->is_certain &&
                   (strcmp(n->differs, "destination") == 0 || strcmp(n->differs, "source") == 0);
    const struct ork_u32s *root = root_of(f, n->waits.rank);

    if (root == NULL)
        root = root_of(f, n->pending.rank);
    if (root == NULL)
        return is_end_a_root(f);
    return !is_weak || root->count <= 2;
}

static const char *miss_words(struct ork_writing *w, const struct ork_near_miss *n)
{
    size_t length = strlen(n->message);
    size_t kept = length > 0 && n->message[length - 1] == '.' ? length - 1 : length;
    char *text = ork_text("%.*s", (int)kept, n->message);

    if (text != NULL && strncmp(text, "Rank", 4) == 0)
        text[0] = (char)tolower((unsigned char)text[0]);
    return ork_writing_keep(w, text);
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

/* "if rank 1's MPI_Recv (a.c:3) took a message from rank 2, ..." */
static const char *foreseen_words(struct ork_writing *w, const struct ork_finding *f,
                                  const struct ork_match_decision *d, uint32_t others)
{
    return ork_say(w, SAYS_FORESEEN, RANK('r', d->receive.rank),
                   TEXT('c', ork_where_in(w, d->receive.call, &d->receive.where)),
                   RANK('o', d->send.rank), NUMBER('i', others > 1),
                   TEXT('w', ork_describe_circle(w, f, DESCRIBE_WOULD)));
}

/* The waits of a potential deadlock are not facts in this run; those of a foreseen need not be. */
static enum describe_voice voice_of(const struct ork_finding *f)
{
    bool may_be = f->class_ == ORK_POTENTIAL || f->class_ == ORK_INTERLEAVING;

    return may_be ? DESCRIBE_COULD : DESCRIBE_IS;
}

const char *ork_describe_headline(struct ork_writing *w, const struct ork_finding *f)
{
    uint32_t others;
    const struct ork_near_miss *miss = leading_miss(f);
    const struct ork_match_decision *other = first_other(f, &others);

    if (other != NULL)
        return foreseen_words(w, f, other, others);
    return miss != NULL ? miss_words(w, miss) : ork_describe_circle(w, f, voice_of(f));
}

void ork_describe_add_headline(struct ork_writing *w, struct ork_finding *f)
{
    uint32_t others;

    ork_writing_headline(w, f, ork_describe_headline(w, f));
    if (leading_miss(f) == NULL || first_other(f, &others) != NULL)
        return;
    /* besides a near miss, which rank waits for which */
    ork_writing_detail(
        w, f, ork_say(w, SAYS_SENTENCE, TEXT('w', ork_describe_circle(w, f, voice_of(f)))));
}
