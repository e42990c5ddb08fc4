/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/exploration.h"

#include <stdlib.h>

static void release_strings(char **string, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(string[i]);
    free(string);
}

static void release_site(struct ork_choice_site *site)
{
    free(site->call);
    free(site->place);
}

static void release_choice(struct ork_forced_choice *choice)
{
    release_site(&choice->site);
    free(choice->outcome);
    free(choice->instead);
}

void ork_match_end_release(struct ork_match_end *end)
{
    free(end->call);
    ork_where_release(&end->where);
    *end = (struct ork_match_end){0};
}

void ork_switched_choice_release(struct ork_switched_choice *switched)
{
    ork_match_end_release(&switched->receive);
    ork_match_end_release(&switched->took);
    ork_match_end_release(&switched->first_took);
    free(switched->outcome);
    free(switched->instead);
    *switched = (struct ork_switched_choice){0};
}

static void release_outcome(struct ork_outcome *outcome)
{
    free(outcome->message);
    free(outcome->folder);
    free(outcome->order);
    free(outcome->replay);
    for (uint32_t i = 0; i < outcome->num_findings; i++)
        ork_finding_release(&outcome->finding[i]);
    free(outcome->finding);
    for (uint32_t i = 0; i < outcome->num_forced; i++)
        release_choice(&outcome->forced[i]);
    free(outcome->forced);
    for (uint32_t i = 0; i < outcome->num_switched; i++)
        ork_switched_choice_release(&outcome->switched[i]);
    free(outcome->switched);
    free(outcome->not_sought);
    release_strings(outcome->difference, outcome->num_differences);
}

void ork_exploration_release(struct ork_exploration *e)
{
    release_strings(e->command, e->num_words);
    free(e->source_root);
    free(e->resume);
    free(e->bounds.symmetric);
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        release_outcome(&e->outcome[i]);
    free(e->outcome);
    for (uint32_t i = 0; i < e->num_sites; i++) {
        release_site(&e->site[i].site);
        free(e->site[i].ranks.item);
    }
    free(e->site);
    for (uint64_t i = 0; i < e->num_runs; i++)
        release_choice(&e->run[i].change);
    free(e->run);
    release_strings(e->note, e->num_notes);
    *e = (struct ork_exploration){0};
}
