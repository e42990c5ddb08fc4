/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/exploration_findings.h"

#include <stdlib.h>

enum ork_status ork_exploration_findings_init(struct ork_report *report,
                                              const struct ork_exploration *e)
{
    size_t count = 0;

    ork_report_init(report);
    report->command = e->command;
    report->num_command = e->num_words;
    report->complete = e->is_complete;
    report->source_root = e->source_root;
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        count += ork_outcome_is_reported(&e->outcome[i]) ? e->outcome[i].num_findings : 0;
    report->finding = calloc(count + 1, sizeof(*report->finding));
    if (report->finding == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        for (uint32_t k = 0;
             ork_outcome_is_reported(&e->outcome[i]) && k < e->outcome[i].num_findings; k++)
            report->finding[report->num_findings++] = e->outcome[i].finding[k];
    return ORK_OK;
}

void ork_exploration_findings_release(struct ork_report *report)
{
    free(report->finding);
    ork_report_init(report);
}

void ork_exploration_findings_return(const struct ork_report *report, struct ork_exploration *e)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < e->num_outcomes; i++)
        for (uint32_t k = 0;
             ork_outcome_is_reported(&e->outcome[i]) && k < e->outcome[i].num_findings; k++)
            e->outcome[i].finding[k] = report->finding[n++];
}
