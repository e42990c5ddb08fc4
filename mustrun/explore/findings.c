/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/findings.h"

#include "common/text.h"
#include "report/finding_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: a hang is a warning, because a run that goes on may still end; but here it ended the
 * run. */
bool ork_job_finding_counts(const struct ork_finding *f)
{
    return (f->severity == ORK_ERROR && !ork_finding_is(f, ORK_FINDING_REPLAY_DIVERGENCE)) ||
           ork_finding_is(f, ORK_FINDING_HANG);
}

enum ork_outcome_kind ork_job_finding_kind(const struct ork_finding *f)
{
    if (ork_finding_is(f, ORK_FINDING_DEADLOCK))
        return ORK_OUTCOME_DEADLOCK;
    if (ork_finding_is(f, ORK_FINDING_HANG))
        return ORK_OUTCOME_HANG;
    if (f->end.as == ORK_AS_SIGNAL)
        return ORK_OUTCOME_SIGNAL;
    return ork_finding_is(f, ORK_FINDING_ABNORMAL_END) ? ORK_OUTCOME_EXIT : ORK_OUTCOME_FINDING;
}

/* ---- keys ---- */

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort lines, and write each once. They may be NULL: out of memory. */
static bool put_lines(FILE *out, char **line, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (line[i] == NULL)
            return false;
    }
    if (count > 0)
        qsort(line, count, sizeof(*line), compare_lines);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(line[i], line[i - 1]) != 0)
            fputs(line[i], out);
    }
    return true;
}

static void free_lines(char **line, uint32_t count)
{
    for (uint32_t i = 0; line != NULL && i < count; i++)
        free(line[i]);
    free(line);
}

static char *line_of(const struct ork_finding *f, const struct ork_rank_row *row)
{
    return ork_text("%s %d %s %s:%" PRIu32 " %s+%" PRIx64 "\n", f->id, (int)f->class_, row->call,
                    row->where.file != NULL ? row->where.file : "", row->where.line,
                    row->where.file == NULL && row->where.module != NULL ? row->where.module : "",
                    row->where.file == NULL ? row->where.offset : 0);
}

/* The lines as one text, each once. Takes over the lines. NULL: out of memory. */
static char *text_of(const char *head, char **line, uint32_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = line != NULL ? open_memstream(&text, &size) : NULL;
    bool done = out != NULL;

    if (done)
        fputs(head, out);
    done = done && put_lines(out, line, count);
    if (out != NULL && fclose(out) != 0)
        done = false;
    free_lines(line, count);
    if (done)
        return text;
    free(text);
    return NULL;
}

char *ork_job_finding_key(const struct ork_finding *f)
{
    char **line = calloc(f->num_waits + (size_t)1, sizeof(*line));
    char head[200];

    snprintf(head, sizeof(head), "%.100s %d %d %d\n", f->id, (int)f->class_, (int)f->end.as,
             f->end.value);
    for (uint32_t i = 0; line != NULL && i < f->num_waits; i++)
        line[i] = line_of(f, &f->waits[i]);
    return text_of(head, line, line != NULL ? f->num_waits : 0);
}

/* ---- of other severities ---- */

/* RATIONALE: these say what the tool or the user did, not what the program did wrong. */
static bool is_of_program(const struct ork_finding *f)
{
    return f->severity != ORK_ERROR && !ork_job_finding_counts(f) &&
           !ork_finding_is(f, ORK_FINDING_REPLAY_DIVERGENCE) &&
           !ork_finding_is(f, ORK_FINDING_STATE) && !ork_finding_is(f, ORK_FINDING_STATUS);
}

static bool is_same(const struct ork_finding *a, const struct ork_finding *b)
{
    if (strcmp(a->id, b->id) != 0)
        return false;
    char *x = ork_job_finding_key(a), *y = ork_job_finding_key(b);
    bool same = x == NULL || y == NULL || strcmp(x, y) == 0;

    free(x);
    free(y);
    return same;
}

bool ork_job_finding_is_other(const struct ork_finding *f, const struct ork_report *first)
{
    if (!is_of_program(f))
        return false;
    for (uint32_t i = 0; i < first->num_findings; i++) {
        if (is_same(f, &first->finding[i]))
            return false;
    }
    return true;
}

enum ork_status ork_job_others_find(const struct ork_report *report, const struct ork_report *first,
                                    struct ork_job_others *others)
{
    char **line = calloc(report->num_findings + (size_t)1, sizeof(*line));
    uint32_t count = 0;

    *others = (struct ork_job_others){.worst = NULL};
    for (uint32_t i = 0; line != NULL && i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        if (!ork_job_finding_is_other(f, first))
            continue;
        line[count++] = ork_job_finding_key(f);
        if (others->worst == NULL || f->severity < others->worst->severity)
            others->worst = f;
    }
    if (line != NULL && count == 0) {
        free(line);
        return ORK_OK;
    }
    others->key = text_of("", line, count);
    return others->key != NULL ? ORK_OK : ORK_NOMEM;
}
