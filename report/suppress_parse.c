/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/suppress.h"

#include "common/assert.h"
#include "common/read_text.h"
#include "common/suggest.h"
#include "report/enum_names.h"
#include "report/finding_kind.h"
#include "report/suppress_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *name;
    unsigned number; /* of the line */
    char *error;
};

__attribute__((format(printf, 2, 3))) static enum ork_status refuse(const struct source *in,
                                                                    const char *format, ...)
{
    va_list args;
    int n = snprintf(in->error, ORK_SUPPRESS_ERROR, "%.200s:%u: ", in->name, in->number);

    va_start(args, format);
    vsnprintf(in->error + n, ORK_SUPPRESS_ERROR - (size_t)n, format, args);
    va_end(args);
    for (char *c = in->error; *c != '\0'; c++) /* do not print the file's bytes on the terminal */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return ORK_INVALID;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line, cut out of it; a pattern with blanks is quoted. *word is NULL at the end
 * or a comment. Backslashes are kept: they belong to the pattern. */
static enum ork_status next_word(const struct source *in, char **at, const char **word)
{
    char *p = *at;

    while (is_blank(*p))
        p++;
    *word = *p == '\0' || *p == '#' ? NULL : p;
    if (*word == NULL)
        return ORK_OK;
    bool quoted = *p == '"';
    char *end = p += quoted;
    *word = p;
    while (*end != '\0' && (quoted ? *end != '"' : !is_blank(*end)))
        end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
    if (quoted && *end == '\0')
        return refuse(in, "a quotation mark is missing");
    if (end == p)
        return refuse(in, "a pattern is empty");
    *at = *end == '\0' ? end : end + 1;
    *end = '\0';
    return ORK_OK;
}

enum { KINDS_MAX = 64 };

/* Names that a line may have meant: all ids, or the classes of `id`. Returns their number. */
static size_t list_names(const char *id, const char *name[KINDS_MAX])
{
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);
    size_t n = 0;

    ORK_ASSERT(count <= KINDS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (id == NULL)
            name[n++] = kind[i].id;
        else if (strcmp(kind[i].id, id) == 0 && kind[i].class_ != ORK_CLASS_NONE)
            name[n++] = ork_class_word(kind[i].class_);
    }
    return n;
}

static bool is_listed(const char *word, const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, name[i]) == 0)
            return true;
    return false;
}

static enum ork_status set_class(const struct source *in, const char *word, struct line *line)
{
    const char *name[KINDS_MAX];
    size_t count = list_names(line->id, name);

    if (count == 0)
        return refuse(in, "findings of id \"%s\" have no class", line->id);
    if (!is_listed(word, name, count))
        return refuse(in, "\"%.100s\" is not a class of \"%s\"; the nearest one is \"%s\"", word,
                      line->id, name[ork_suggest(word, name, count)]);
    line->has_class = true;
    line->class_ = ORK_MANIFEST;
    while (strcmp(word, ork_class_word(line->class_)) != 0)
        line->class_++;
    return ORK_OK;
}

static enum ork_status set_id(const struct source *in, char *word, struct line *line)
{
    const char *name[KINDS_MAX];
    size_t count = list_names(NULL, name);
    char *colon = strchr(word, ':');

    if (colon != NULL)
        *colon = '\0';
    if (!is_listed(word, name, count))
        return refuse(in, "\"%.100s\" is not the id of a finding; the nearest one is \"%s\"", word,
                      name[ork_suggest(word, name, count)]);
    line->id = word;
    line->source_line = in->number;
    return colon == NULL ? ORK_OK : set_class(in, colon + 1, line);
}

/* FILE or FILE:LINE. */
static enum ork_status set_file(const struct source *in, char *word, struct line *line)
{
    char *colon = strrchr(word, ':');

    line->file = word;
    if (colon == NULL)
        return ORK_OK;
    char *end = NULL;
    unsigned long number = strspn(colon + 1, "0123456789") > 0 ? strtoul(colon + 1, &end, 10) : 0;
    if (colon == word || number == 0 || number > UINT32_MAX || *end != '\0')
        return refuse(in, "\"at\" needs FILE or FILE:LINE, not \"%.100s\"", word);
    *colon = '\0';
    line->number = (uint32_t)number;
    return ORK_OK;
}

static const char **part_of(struct line *line, const char *key)
{
    return strcmp(key, "in") == 0        ? &line->function
           : strcmp(key, "at") == 0      ? &line->file
           : strcmp(key, "comm") == 0    ? &line->comm
           : strcmp(key, "since") == 0   ? &line->since
           : strcmp(key, "because") == 0 ? &line->reason
                                         : NULL;
}

/* "2026-11-30": the form, not the calendar. */
static bool is_date(const char *word)
{
    static const char form[] = "dddd-dd-dd";
    size_t i = 0;

    while (form[i] == 'd' ? word[i] >= '0' && word[i] <= '9'
                          : form[i] != '\0' && word[i] == form[i])
        i++;
    return form[i] == '\0' && word[i] == '\0';
}

static enum ork_status set_part(const struct source *in, const char *key, char **at,
                                struct line *line)
{
    const char **part = part_of(line, key);
    const char *word;

    if (part == NULL)
        return refuse(in, "\"%.100s\" is not one of in, at, comm, since and because", key);
    if (*part != NULL)
        return refuse(in, "\"%s\" is given twice", key);
    enum ork_status status = next_word(in, at, &word);
    if (status != ORK_OK)
        return status;
    if (word == NULL)
        return refuse(in, "\"%s\" needs a value", key);
    if (part == &line->file)
        return set_file(in, line->text + (word - line->text), line);
    if (part == &line->since && !is_date(word))
        return refuse(in, "\"since\" needs a date like 2026-11-30, not \"%.100s\"", word);
    *part = word;
    return ORK_OK;
}

static enum ork_status parse_line(const struct source *in, struct line *line, bool *is_empty)
{
    char *at = line->text;
    const char *word;
    enum ork_status status = next_word(in, &at, &word);

    *is_empty = status == ORK_OK && word == NULL;
    if (status != ORK_OK || *is_empty)
        return status;
    status = set_id(in, line->text + (word - line->text), line);
    while (status == ORK_OK) {
        status = next_word(in, &at, &word);
        if (status != ORK_OK || word == NULL)
            return status;
        status = set_part(in, word, &at, line);
    }
    return status;
}

/* `size` bytes of a line; *end is where the next one is linked in. */
static enum ork_status add_line(const struct source *in, const char *text, size_t size,
                                struct line ***end)
{
    struct line *line = calloc(1, sizeof(*line));
    bool is_empty = true;
    enum ork_status status = ORK_NOMEM;

    if (line != NULL && (line->text = strndup(text, size)) != NULL)
        status = parse_line(in, line, &is_empty);
    if (status == ORK_OK && !is_empty) {
        **end = line;
        *end = &line->next;
        return ORK_OK;
    }
    if (line != NULL)
        free(line->text);
    free(line);
    return status;
}

enum ork_status ork_suppress_parse(const char *name, const char *text, struct ork_suppress **out,
                                   char error[ORK_SUPPRESS_ERROR])
{
    struct source in = {.name = name, .error = error};
    struct ork_suppress *s = calloc(1, sizeof(*s));
    enum ork_status status = ORK_NOMEM;
    struct line **end = s != NULL ? &s->first : NULL;

    if (s != NULL && (s->name = strdup(name)) != NULL)
        status = ORK_OK;
    while (status == ORK_OK && *text != '\0') {
        size_t size = strcspn(text, "\n");
        in.number++;
        status = add_line(&in, text, size, &end);
        text += size + (text[size] == '\n');
    }
    if (status == ORK_OK)
        *out = s;
    else
        ork_suppress_destroy(s);
    return status;
}

enum ork_status ork_suppress_load(const char *path, struct ork_suppress **out,
                                  char error[ORK_SUPPRESS_ERROR])
{
    char *text = ork_read_text(path);

    if (text == NULL) {
        snprintf(error, ORK_SUPPRESS_ERROR, "cannot read %.200s: %s", path, strerror(errno));
        return ORK_INVALID;
    }
    enum ork_status status = ork_suppress_parse(path, text, out, error);
    free(text);
    return status;
}
