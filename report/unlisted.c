/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/unlisted.h"

#include "common/assert.h"
#include "common/text.h"
#include "common/vec.h"
#include "report/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ork_unlisted *find(struct ork_report *report, const struct ork_finding *finding)
{
    for (uint32_t i = 0; i < report->num_unlisted; i++) {
        struct ork_unlisted *u = &report->unlisted[i];
        if (u->class_ == finding->class_ && strcmp(u->id, finding->id) == 0)
            return u;
    }
    return NULL;
}

enum ork_status ork_unlisted_add(struct ork_report *report, const struct ork_finding *finding)
{
    struct ork_unlisted *u = find(report, finding);
    size_t n = report->num_unlisted;

    if (u == NULL) {
        char *id = strdup(finding->id);
        if (id == NULL || !ork_vec_extend(&report->unlisted, n, n + 1, sizeof(*u))) {
            free(id);
            return ORK_NOMEM;
        }
        u = &report->unlisted[report->num_unlisted++];
        *u = (struct ork_unlisted){.id = id, .class_ = finding->class_};
    }
    u->count[finding->severity]++;
    return ORK_OK;
}

void ork_unlisted_remove(struct ork_report *report, const struct ork_finding *finding,
                         enum ork_severity severity)
{
    struct ork_unlisted *u = find(report, finding);

    ORK_ASSERT(u != NULL && u->count[severity] > 0);
    u->count[severity]--;
}

void ork_unlisted_release(struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_unlisted; i++)
        free(report->unlisted[i].id);
    free(report->unlisted);
}

uint64_t ork_report_count(const struct ork_report *report, enum ork_severity severity)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < report->num_findings; i++)
        count += report->finding[i].severity == severity;
    for (uint32_t i = 0; i < report->num_unlisted; i++)
        count += report->unlisted[i].count[severity];
    return count;
}

uint64_t ork_report_total(const struct ork_report *report)
{
    return ork_report_count(report, ORK_ERROR) + ork_report_count(report, ORK_WARNING) +
           ork_report_count(report, ORK_NOTE);
}

uint64_t ork_report_repeats(const struct ork_report *report)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < report->num_findings; i++)
        count += report->finding[i].repeats;
    return count;
}

char *ork_unlisted_sentence(const struct ork_unlisted *u)
{
    uint64_t count = u->count[ORK_ERROR] + u->count[ORK_WARNING] + u->count[ORK_NOTE];
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    fprintf(out, "the report lists the first %u findings of a kind: ", ORK_LISTED_MAX);
    ork_put_count(out, count);
    fprintf(out, " more of kind %s %s printed when %s came, and %s only counted", u->id,
            count == 1 ? "was" : "were", count == 1 ? "it" : "they", count == 1 ? "is" : "are");
    return ork_text_close(&stream);
}
