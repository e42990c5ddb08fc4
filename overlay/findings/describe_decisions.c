/* SPDX-License-Identifier: BSD-3-Clause */
/* The matches that lead to a foreseen deadlock, as text. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>

enum { DECISIONS_MAX = 6 };

static const char *decision_words(struct ork_writing *w, const struct ork_match_decision *d)
{
    const char *receive = ork_writing_keep(w, ork_phrase_call(d->receive.call, &d->receive.where));
    const char *send = ork_writing_keep(w, ork_phrase_call(d->send.call, &d->send.where));

    return ork_say(w, SAYS_DECISION, TEXT('c', receive), RANK('r', d->receive.rank),
                   RANK('o', d->send.rank), TEXT('d', send), NUMBER('i', d->differs),
                   RANK('x', d->took));
}

/* Matches that the run made anyway are not worth mentioning. */
static bool is_worth_showing(const struct ork_match_decision *d)
{
    return d->differs || d->took == UINT32_MAX;
}

static enum ork_says certainty(const struct ork_deadlock *dl)
{
    if (dl->scope == ORK_AS_OBSERVED)
        return dl->hangs ? SAYS_DECISION_HANGS : SAYS_DECISION_MEMORY;
    return dl->scope == ORK_OTHERWISE ? SAYS_DECISION_NO_STATUS : SAYS_DECISION_STATUS;
}

void ork_describe_find_decisions(struct ork_writing *w, const struct ork_deadlock *dl,
                                 struct ork_finding *f)
{
    uint32_t n = ork_interleaving_num_decisions(dl->interleaving);

    f->decision = calloc(n + (size_t)1, sizeof(*f->decision));
    if (!ork_writing_check(w, f->decision != NULL ? ORK_OK : ORK_NOMEM))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct ork_interleaving_decision c = ork_interleaving_decision(dl->interleaving, i);
        f->decision[f->num_decisions++] =
            (struct ork_match_decision){.differs = c.differs,
                                        .took = c.took,
                                        .receive = ork_describe_match_end(w, &c.receive),
                                        .send = ork_describe_match_end(w, &c.send)};
    }
}

void ork_describe_add_decisions(struct ork_writing *w, const struct ork_deadlock *dl,
                                struct ork_finding *f)
{
    uint32_t mentioned = 0;

    for (uint32_t i = 0; i < f->num_decisions; i++) {
        if (is_worth_showing(&f->decision[i]) && mentioned++ < DECISIONS_MAX)
            ork_writing_detail(w, f, decision_words(w, &f->decision[i]));
    }
    if (mentioned > DECISIONS_MAX)
        ork_writing_detail(w, f,
                           ork_say(w, SAYS_DECISIONS_MORE, NUMBER('n', mentioned - DECISIONS_MAX)));
    ork_writing_detail(w, f, ork_plain(certainty(dl)));
}
