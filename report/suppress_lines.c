/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/causes.h"
#include "report/enum_names.h"
#include "common/text.h"
#include "report/ranks.h"
#include "report/suppress.h"
#include "report/suppress_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A name as a pattern that fits nothing else; false: it cannot be written in a line. */
static bool put_pattern(FILE *out, const char *name)
{
    bool quoted = strpbrk(name, " \t\r\"#") != NULL;

    if (name[0] == '\0' || strchr(name, '\n') != NULL)
        return false;
    if (quoted)
        fputc('"', out);
    for (; *name != '\0'; name++) {
        if (strchr("*?[]\\\"", *name) != NULL)
            fputc('\\', out);
        fputc(*name, out);
    }
    return true;
}

static void put_end(FILE *out, const char *name)
{
    if (strpbrk(name, " \t\r\"#") != NULL)
        fputc('"', out);
}

static bool put_part(FILE *out, const char *key, const char *name)
{
    if (name == NULL)
        return true;
    fprintf(out, " %s ", key);
    bool put = put_pattern(out, name);
    put_end(out, name);
    return put;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool put_place(FILE *out, const struct ork_where *where)
{
    char address[4096];
    const char *file = where->file;

    if (file == NULL && !ork_suppress_address(where, address, sizeof(address)))
        return true;
    file = last_part(file != NULL ? file : address);
    fputs(" at ", out);
    bool put = put_pattern(out, file);
    if (where->file != NULL && where->line != 0)
        fprintf(out, ":%" PRIu32, where->line);
    else if (strchr(file, ':') != NULL) /* would be parsed as FILE:LINE */
        put = false;
    put_end(out, file);
    return put;
}

/* Without newline; NULL: no line can name it, or out of memory (*failed). */
static char *line_of(const struct ork_finding *f, const struct ork_rank_row *row, bool *failed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool has_place = row != NULL && (row->where.function != NULL || row->where.file != NULL ||
                                     row->where.module != NULL);

    if (out == NULL) {
        *failed = true;
        return NULL;
    }
    fputs(f->id, out);
    if (ork_class_word(f->class_) != NULL)
        fprintf(out, ":%s", ork_class_word(f->class_));
    bool put = has_place && put_part(out, "in", row->where.function) &&
               put_place(out, &row->where) && put_part(out, "comm", row->comm);
    if (fclose(out) != 0)
        *failed = true;
    if (put && !*failed)
        return text;
    free(text);
    return NULL;
}

struct lines {
    char **item;
    uint32_t count;
};

static bool has_line(const struct lines *lines, const char *line)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->item[i], line) == 0)
            return true;
    }
    return false;
}

/* Takes ownership of `line`. */
static bool add_line(struct lines *lines, char *line)
{
    char **bigger =
        has_line(lines, line) ? NULL : realloc(lines->item, (lines->count + 1) * sizeof(*bigger));

    if (bigger == NULL) {
        bool known = has_line(lines, line);
        free(line);
        return known;
    }
    lines->item = bigger;
    lines->item[lines->count++] = line;
    return true;
}

/* Lines for all rows of causes; *nameless gets the ranks that no line can name. */
static bool collect(const struct ork_finding *f, const uint32_t *cause, uint32_t count,
                    struct lines *lines, uint32_t *nameless, uint32_t *num_nameless)
{
    bool failed = false;

    for (uint32_t i = 0; i < count && !failed; i++) {
        bool has_row = false, named = true;
        for (uint32_t k = 0; k < f->num_waits && !failed; k++) {
            if (f->waits[k].rank != cause[i])
                continue;
            has_row = true;
            char *line = line_of(f, &f->waits[k], &failed);
            if (line != NULL)
                failed = !add_line(lines, line);
            else
                named = false;
        }
        if (!has_row || !named)
            nameless[(*num_nameless)++] = cause[i];
    }
    return !failed;
}

/* Since when, and why, a finding is suppressed; NULL: it is not said. */
struct remark {
    const char *since, *reason;
};

/* In one line: control characters become blanks. */
static void put_remark(FILE *out, const struct remark *remark)
{
    if (remark->since != NULL && remark->since[0] != '\0')
        fprintf(out, " since %s", remark->since);
    if (remark->reason == NULL || remark->reason[0] == '\0')
        return;
    fputs(" because \"", out);
    for (const char *c = remark->reason; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        fputc((unsigned char)*c < 0x20 ? ' ' : *c, out);
    }
    fputc('"', out);
}

static char *write_out(const char *id, const struct lines *lines, const struct remark *remark,
                       const uint32_t *nameless, uint32_t num_nameless)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    for (uint32_t i = 0; i < lines->count; i++) {
        fputs(lines->item[i], out);
        put_remark(out, remark);
        fputc('\n', out);
    }
    if (num_nameless > 0) {
        fputs("# No line can name the place of rank ", out);
        ork_put_ranks(out, nameless, num_nameless, 8);
        fprintf(out, ". A line \"%s\" alone would suppress every finding of that id.\n", id);
    }
    return ork_text_close(&stream);
}

void ork_suppress_today(char date[ORK_SUPPRESS_DATE])
{
    time_t now = time(NULL);
    struct tm tm;

    if (localtime_r(&now, &tm) == NULL || strftime(date, ORK_SUPPRESS_DATE, "%Y-%m-%d", &tm) == 0)
        date[0] = '\0';
}

char *ork_suppress_lines(const struct ork_finding *f, const char *since, const char *reason)
{
    uint32_t count = 0, num_nameless = 0;
    uint32_t *cause = ork_finding_causes(f, &count);
    uint32_t *nameless = malloc(((size_t)count + 1) * sizeof(*nameless));
    struct lines lines = {.count = 0};
    char *text = NULL;

    if (cause != NULL && nameless != NULL &&
        collect(f, cause, count, &lines, nameless, &num_nameless))
        text = write_out(f->id, &lines, &(struct remark){since, reason}, nameless, num_nameless);
    for (uint32_t i = 0; i < lines.count; i++)
        free(lines.item[i]);
    free(lines.item);
    free(nameless);
    free(cause);
    return text;
}
