/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive or probe from any source that could have taken another message. */
#include "overlay/findings/describe_race.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the ranks did at the place together. */
struct sum {
    uint64_t times, raced;
    struct ork_u32s sources; /* ascending */
    bool has_more_sources;
};

/* False: out of memory. */
static bool add_up(const struct ork_race *const *race, uint32_t n, struct sum *sum)
{
    *sum = (struct sum){0};
    for (uint32_t i = 0; i < n; i++) {
        sum->times += race[i]->times;
        sum->raced += race[i]->raced;
        sum->has_more_sources |= race[i]->has_more_sources;
        for (uint32_t s = 0; s < race[i]->sources; s++) {
            if (!ork_describe_add_rank(&sum->sources, race[i]->source[s]))
                return false;
        }
    }
    ork_describe_sort_unique(&sum->sources);
    return true;
}

/* " 1,198 of 1,200 times", or nothing if there was one time. */
static void write_times(FILE *out, const struct sum *sum)
{
    if (sum->times < 2)
        return;
    fputc(' ', out);
    ork_put_count(out, sum->raced);
    fputs(" of ", out);
    ork_put_count(out, sum->times);
    fputs(" times", out);
}

/* "the MPI_Recv at farm.c:40 of rank 0 could have taken another message 1,198 of 1,200 times, from
 * ranks 1-7" */
static char *message_of(struct ork_call_sites *sites, const struct ork_race *first,
                        const struct ork_u32s *ranks, const struct sum *sum)
{
    char *call = ork_phrase_call_at(sites, first->rank, first->call, first->site);
    char *who = ork_describe_ranks(ranks->item, ranks->count);
    char *sources = ork_describe_ranks(sum->sources.item, sum->sources.count);
    char *text = NULL;
    size_t size;
    FILE *out =
        call != NULL && who != NULL && sources != NULL ? open_memstream(&text, &size) : NULL;

    if (out != NULL) {
        fprintf(out, "the %s of %s could have %s another message", call, who,
                first->is_probe ? "found" : "taken");
        write_times(out, sum);
        fprintf(out, ", from %s%s", sources, sum->has_more_sources ? " and others" : "");
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(call);
    free(who);
    free(sources);
    return text;
}

/* "the message of rank 2 with tag 7 (MPI_Send at farm.c:62)" */
static char *message_words(struct ork_call_sites *sites, const struct ork_race_message *m)
{
    char *call = ork_phrase_call_at(sites, m->sender, m->call, m->site);
    char *text = call == NULL ? NULL
                              : ork_text("the message of rank %u with tag %d (%s)", m->sender,
                                         (int)m->tag, call);

    free(call);
    return text;
}

static char *example_words(struct ork_call_sites *sites, const struct ork_race *race)
{
    char *took = message_words(sites, &race->took);
    char *other = message_words(sites, &race->other);
    char *text = took == NULL || other == NULL
                     ? NULL
                     : ork_text("For example, rank %u %s %s, and could have %s %s.", race->rank,
                                race->is_probe ? "found" : "took", took,
                                race->is_probe ? "found" : "taken", other);

    free(took);
    free(other);
    return text;
}

static enum ork_status add_details(struct ork_call_sites *sites, const struct ork_race *race,
                                   struct ork_finding *f)
{
    enum ork_status status = ork_describe_add_detail(f, example_words(sites, race));

    if (status == ORK_OK)
        status = ork_describe_add_detail(
            f, ork_text("Before rank %u sent that other message, it waited for nothing that "
                        "depends on this %s, so either of the two can be there first.",
                        race->other.sender, race->is_probe ? "probe" : "receive"));
    return status == ORK_OK
               ? ork_describe_add_detail(
                     f, strdup("mustrun --must:explore runs the program in its other orders, too, "
                               "and shows whether one of them ends in another way."))
               : status;
}

static enum ork_status add_row(struct ork_call_sites *sites, const struct ork_race *race,
                               struct ork_finding *f)
{
    if (f->num_waits > 0 && f->waits[f->num_waits - 1].rank == race->rank)
        return ORK_OK;

    struct ork_rank_row *w = &f->waits[f->num_waits++];
    w->rank = race->rank;
    w->call = strdup(ork_call_name(race->call));
    w->state = strdup("");
    if (w->call == NULL || w->state == NULL || !ork_describe_add_rank(&f->ranks, race->rank))
        return ORK_NOMEM;
    return ork_call_sites_fill(sites, race->rank, race->site, w);
}

static enum ork_status fill(struct ork_call_sites *sites, const struct ork_race *const *race,
                            uint32_t n, const struct sum *sum, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    f->waits = calloc(n, sizeof(*f->waits));
    if (f->id == NULL || f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = add_row(sites, race[i], f);
    if (status != ORK_OK)
        return status;
    f->message = message_of(sites, race[0], &f->ranks, sum);
    f->summary = f->message == NULL ? NULL : ork_describe_sentence(strdup(f->message));
    return f->summary == NULL ? ORK_NOMEM : add_details(sites, race[0], f);
}

enum ork_status ork_describe_race(struct ork_call_sites *sites, const struct ork_race *const *race,
                                  uint32_t n, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_NOTE, .id = strdup("message-race")};
    struct sum sum;
    enum ork_status status = add_up(race, n, &sum) ? fill(sites, race, n, &sum, &f) : ORK_NOMEM;

    free(sum.sources.item);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
