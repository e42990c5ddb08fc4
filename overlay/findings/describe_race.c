/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive or probe from any source that could have taken another message. */
#include "overlay/findings/describe_race.h"

#include "overlay/findings/describe_internal.h"
#include "record/calls.h"

#include <stdlib.h>

/* What the ranks did at the place together. */
struct sum {
    uint64_t times, raced;
    struct ork_u32s sources; /* ascending */
    bool has_more_sources;
};

static struct sum add_up(struct ork_writing *w, const struct ork_race *const *race, uint32_t n)
{
    struct sum sum = {0};

    for (uint32_t i = 0; i < n; i++) {
        sum.times += race[i]->times;
        sum.raced += race[i]->raced;
        sum.has_more_sources |= race[i]->has_more_sources;
        for (uint32_t s = 0; s < race[i]->sources; s++)
            ork_writing_add(w, &sum.sources, race[i]->source[s]);
    }
    ork_describe_sort_unique(&sum.sources);
    return sum;
}

/* "the MPI_Recv at farm.c:40 of rank 0 could have taken another message 1,198 of 1,200 times, from
 * ranks 1-7"; without the times if there was one. */
static const char *message_of(struct ork_writing *w, const struct ork_race *first,
                              const struct ork_u32s *ranks, const struct sum *sum)
{
    return ork_say(w, SAYS_RACE, TEXT('c', ork_call_at(w, first->rank, first->call, first->site)),
                   RANKS('r', ranks), NUMBER('i', first->is_probe), COUNT('m', sum->raced),
                   COUNT('n', sum->times < 2 ? 0 : sum->times), RANKS('o', &sum->sources),
                   NUMBER('j', sum->has_more_sources));
}

/* "the message of rank 2 with tag 7 (MPI_Send at farm.c:62)" */
static const char *message_words(struct ork_writing *w, const struct ork_race_message *m)
{
    return ork_say(w, SAYS_RACE_MESSAGE, RANK('r', m->sender), NUMBER('t', m->tag),
                   TEXT('c', ork_call_at(w, m->sender, m->call, m->site)));
}

static void add_details(struct ork_writing *w, const struct ork_race *race, struct ork_finding *f)
{
    ork_writing_detail(w, f,
                       ork_say(w, SAYS_RACE_EXAMPLE, RANK('r', race->rank),
                               NUMBER('i', race->is_probe),
                               TEXT('w', message_words(w, &race->took)),
                               TEXT('x', message_words(w, &race->other))));
    ork_writing_detail(
        w, f,
        ork_say(w, SAYS_RACE_WHY, RANK('r', race->other.sender), NUMBER('i', race->is_probe)));
    ork_writing_detail(w, f, ork_plain(SAYS_RACE_EXPLORE));
}

/* The example, as a match that differs from that of the run. */
static void add_decision(struct ork_writing *w, const struct ork_race *race, struct ork_finding *f)
{
    struct ork_match_decision *d = f->decision = calloc(1, sizeof(*d));

    if (!ork_writing_check(w, d != NULL ? ORK_OK : ORK_NOMEM))
        return;
    f->num_decisions = 1;
    *d = (struct ork_match_decision){.differs = true, .took = race->took.sender};
    d->receive.rank = race->rank;
    d->receive.call = ork_writing_give(w, ork_call_name(race->call));
    d->send.rank = race->other.sender;
    d->send.call = ork_writing_give(w, ork_call_name(race->other.call));
    ork_writing_check(w, ork_call_sites_find(w->sites, race->rank, race->site, &d->receive.where));
    ork_writing_check(
        w, ork_call_sites_find(w->sites, race->other.sender, race->other.site, &d->send.where));
}

enum ork_status ork_describe_race(struct ork_call_sites *sites, const struct ork_race *const *race,
                                  uint32_t n, struct ork_finding *finding)
{
    struct ork_writing w = {.sites = sites};
    struct ork_finding f = ork_writing_begin(&w, "message-race", ORK_NOTE, n);
    struct sum sum = add_up(&w, race, n);

    for (uint32_t i = 0; i < n && w.status == ORK_OK; i++) {
        if (i == 0 || race[i]->rank != race[i - 1]->rank)
            ork_writing_row(&w, &f, race[i]->rank, ork_call_name(race[i]->call), race[i]->site);
    }
    ork_writing_headline(&w, &f, message_of(&w, race[0], &f.ranks, &sum));
    add_details(&w, race[0], &f);
    add_decision(&w, race[0], &f);
    return ork_writing_end(&w, &f, finding);
}
