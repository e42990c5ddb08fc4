/* SPDX-License-Identifier: BSD-3-Clause */
/* The matches that lead to a foreseen deadlock, as text. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECISIONS_MAX = 6 };

static enum ork_status fill_end(struct ork_call_sites *sites, const struct ork_term *t,
                                struct ork_match_end *end)
{
    end->rank = t->rank;
    end->call = strdup(ork_call_name(t->call));
    return end->call == NULL ? ORK_NOMEM
                             : ork_call_sites_find(sites, t->rank, t->site, &end->where);
}

static char *decision_words(const struct ork_match_decision *d)
{
    char *receive = ork_phrase_call(d->receive.call, &d->receive.where);
    char *send = ork_phrase_call(d->send.call, &d->send.where);
    char took[64] = "";
    char *text = NULL;

    if (d->differs)
        snprintf(took, sizeof(took), "; in this run it took one from rank %u", d->took);
    if (receive != NULL && send != NULL)
        text = ork_text("This happens if the %s of rank %u takes the message from rank %u (%s)%s.",
                        receive, d->receive.rank, d->send.rank, send, took);
    free(receive);
    free(send);
    return text;
}

/* Matches that the run made anyway are not worth mentioning. */
static bool is_worth_showing(const struct ork_match_decision *d)
{
    return d->differs || d->took == UINT32_MAX;
}

static const char *certainty(const struct ork_deadlock *dl)
{
    if (dl->scope == ORK_AS_OBSERVED)
        return "The job hangs. The tool cannot observe the sources of these receives; these "
               "matches explain the hang.";
    if (dl->scope == ORK_OTHERWISE)
        return "In this run the messages arrived in another order. The program does not read the "
               "status of these receives. If its calls depend on the data received, this may not "
               "be a deadlock.";
    return "In this run the messages arrived in another order. The tool assumes that a rank makes "
           "the same calls with either message; the program could read the status.";
}

enum ork_status ork_describe_find_decisions(struct ork_call_sites *sites,
                                            const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_interleaving *interleaving = dl->interleaving;
    uint32_t n = ork_interleaving_num_decisions(interleaving);
    enum ork_status status = ORK_OK;

    f->decision = calloc(n + (size_t)1, sizeof(*f->decision));
    if (f->decision == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++) {
        struct ork_interleaving_decision c = ork_interleaving_decision(interleaving, i);
        struct ork_match_decision *d = &f->decision[f->num_decisions++];
        d->differs = c.differs;
        d->took = c.took;
        status = fill_end(sites, &c.receive, &d->receive);
        if (status == ORK_OK)
            status = fill_end(sites, &c.send, &d->send);
    }
    return status;
}

enum ork_status ork_describe_add_decisions(const struct ork_deadlock *dl, struct ork_finding *f)
{
    uint32_t mentioned = 0, left = 0;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_decisions && status == ORK_OK; i++) {
        if (!is_worth_showing(&f->decision[i]))
            continue;
        if (mentioned++ < DECISIONS_MAX)
            status = ork_describe_add_detail(f, decision_words(&f->decision[i]));
        else
            left++;
    }
    if (status == ORK_OK && left > 0)
        status = ork_describe_add_detail(
            f, ork_text("It also depends on %u more receive%s.", left, left == 1 ? "" : "s"));
    return status == ORK_OK ? ork_describe_add_detail(f, ork_text("%s", certainty(dl))) : status;
}
