/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/suppress.h"

#include "report/causes.h"
#include "report/ranks.h"
#include "report/suppress_internal.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fits(const char *pattern, const char *name)
{
    return pattern == NULL || (name != NULL && fnmatch(pattern, name, 0) == 0);
}

/* A pattern without a slash is compared with the last component of a path. */
static bool fits_file(const char *pattern, const char *path)
{
    const char *slash = strchr(pattern, '/') == NULL ? strrchr(path, '/') : NULL;

    return fnmatch(pattern, slash != NULL ? slash + 1 : path, 0) == 0;
}

static bool fits_place(const struct line *line, const struct ork_where *where)
{
    char text[4096];

    if (line->file == NULL)
        return true;
    if (line->number != 0 && line->number != where->line)
        return false;
    if (where->file != NULL)
        return fits_file(line->file, where->file);
    return ork_suppress_address(where, text, sizeof(text)) && fits_file(line->file, text);
}

bool ork_suppress_address(const struct ork_where *where, char *text, size_t size)
{
    return where->module != NULL &&
           snprintf(text, size, "%s+0x%" PRIx64, where->module, where->offset) < (int)size;
}

static bool fits_finding(const struct line *line, const struct ork_finding *f)
{
    return strcmp(line->id, f->id) == 0 && (!line->has_class || line->class_ == f->class_);
}

/* `row` is NULL if only the rank is known: then only a line without a place fits. */
static bool fits_row(const struct line *line, const struct ork_rank_row *row)
{
    if (line->function == NULL && line->file == NULL && line->comm == NULL)
        return true;
    return row != NULL && fits(line->function, row->where.function) &&
           fits_place(line, &row->where) && fits(line->comm, row->comm);
}

/* All matching lines are marked, not only the first: each of them suppresses the finding. */
static bool is_known(struct ork_suppress *s, const struct ork_finding *f,
                     const struct ork_rank_row *row)
{
    bool known = false;

    for (struct line *line = s->first; line != NULL; line = line->next) {
        if (!fits_finding(line, f) || !fits_row(line, row))
            continue;
        line->fits = true;
        known = true;
    }
    return known;
}

/* Is every row of a cause known, and every cause without a row? */
static bool is_all_known(struct ork_suppress *s, const struct ork_finding *f, const uint32_t *cause,
                         uint32_t count)
{
    bool *has_row = calloc((size_t)count + 1, sizeof(*has_row));
    bool known = has_row != NULL;

    for (uint32_t i = 0; i < f->num_waits && known; i++) {
        const uint32_t *at =
            bsearch(&f->waits[i].rank, cause, count, sizeof(*cause), ork_rank_compare);
        if (at == NULL)
            continue;
        has_row[at - cause] = true;
        known = is_known(s, f, &f->waits[i]);
    }
    for (uint32_t i = 0; i < count && known; i++)
        known = has_row[i] || is_known(s, f, NULL);
    free(has_row);
    return known && (count > 0 || is_known(s, f, NULL));
}

static void clear_fits(struct ork_suppress *s, bool used)
{
    for (struct line *line = s->first; line != NULL; line = line->next) {
        line->used |= used && line->fits;
        line->fits = false;
    }
}

bool ork_suppress_matches(struct ork_suppress *s, const struct ork_finding *f)
{
    uint32_t count = 0;
    uint32_t *cause = s != NULL ? ork_finding_causes(f, &count) : NULL;
    bool known = cause != NULL && is_all_known(s, f, cause, count);

    free(cause);
    if (s != NULL)
        clear_fits(s, known);
    return known;
}

enum { UNUSED_NAMED = 8 }; /* lines that the sentence lists */

/* " (since 2026-11-30: we wait for version 3)" */
static void put_remark(FILE *out, const struct line *line)
{
    if (line->since == NULL && line->reason == NULL)
        return;
    fprintf(out, " (%s%s%s", line->since != NULL ? "since " : "",
            line->since != NULL ? line->since : "",
            line->since != NULL && line->reason != NULL ? ": " : "");
    for (const char *c = line->reason != NULL ? line->reason : ""; *c != '\0'; c++) {
        c += *c == '\\' && c[1] != '\0';
        fputc(*c, out);
    }
    fputc(')', out);
}

static void put_unused(FILE *out, const struct ork_suppress *s, unsigned unused)
{
    unsigned named = 0;

    for (const struct line *line = s->first; line != NULL; line = line->next) {
        if (line->used || named == UNUSED_NAMED)
            continue;
        fprintf(out, "%s%u", named++ > 0 ? ", " : unused > 1 ? "s " : " ", line->source_line);
        put_remark(out, line);
    }
    if (unused > named)
        fputs(", ...", out);
}

enum ork_status ork_suppress_unused(const struct ork_suppress *s, char **sentence)
{
    unsigned lines = 0, unused = 0;
    size_t size = 0;

    *sentence = NULL;
    for (const struct line *line = s != NULL ? s->first : NULL; line != NULL; line = line->next) {
        lines++;
        unused += !line->used;
    }
    if (unused == 0)
        return ORK_OK;
    FILE *out = open_memstream(sentence, &size);
    if (out == NULL)
        return ORK_NOMEM;
    fprintf(out, "%u of %u suppression%s matched no finding: line", unused, lines,
            lines > 1 ? "s" : "");
    put_unused(out, s, unused);
    fprintf(out, " of %s", s->name);
    return fclose(out) == 0 ? ORK_OK : ORK_NOMEM;
}

void ork_suppress_destroy(struct ork_suppress *s)
{
    if (s == NULL)
        return;
    while (s->first != NULL) {
        struct line *next = s->first->next;
        free(s->first->text);
        free(s->first);
        s->first = next;
    }
    free(s->name);
    free(s);
}
