/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/differ.h"

#include "common/text.h"
#include "mustrun/explore/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 8, LINE_MAX_SHOWN = 120 };

/* The lines of a file that count, one after the other. */
struct lines {
    const struct ork_output_rules *rules; /* NULL: all count */
    FILE *in;                             /* NULL: there are none */
    char *line;
    size_t room;
    ssize_t size;    /* of the line; negative: there is no further one */
    uint64_t number; /* of the line in its file, from 1 */
};

static void next_line(struct lines *l)
{
    do {
        l->size = l->in != NULL ? getline(&l->line, &l->room, l->in) : -1;
        l->number++;
    } while (l->size >= 0 && l->rules != NULL &&
             ork_output_is_ignored(l->rules, l->line, (size_t)l->size));
}

static bool are_equal(const struct lines *a, const struct lines *b)
{
    if (a->size < 0 || b->size < 0)
        return a->size < 0 && b->size < 0;
    return a->size == b->size && memcmp(a->line, b->line, (size_t)a->size) == 0;
}

static void close_lines(struct lines *l)
{
    free(l->line);
    if (l->in != NULL)
        fclose(l->in);
}

/* '"sum 4.5"', "no line". RATIONALE: what of a line comes after a NUL is not shown. */
static char *quote(const struct lines *l)
{
    int size = l->size < 0 ? 0 : (int)strcspn(l->line, "\n");
    bool is_long = size > LINE_MAX_SHOWN;

    if (l->size < 0)
        return strdup("no line");
    return ork_text("\"%.*s%s\"", is_long ? LINE_MAX_SHOWN : size, l->line, is_long ? "..." : "");
}

/* The first difference, if there is one. `a` is of the first run. */
static enum ork_status add_difference(const char *name, const struct lines *a,
                                      const struct lines *b, struct ork_differences *to)
{
    char *was = quote(a), *is = quote(b);
    char *text = was != NULL && is != NULL
                     ? ork_text("%s, line %" PRIu64 ": %s instead of %s", name,
                                b->size >= 0 ? b->number : a->number, is, was)
                     : NULL;

    free(was);
    free(is);
    if (text == NULL)
        return ORK_NOMEM;
    to->item[to->count++] = text;
    return ORK_OK;
}

/* Paths NULL: there is no such file. */
static enum ork_status compare_files(const struct ork_output_rules *rules, const char *name,
                                     const char *first, const char *other,
                                     struct ork_differences *to)
{
    struct lines a = {.rules = rules, .in = first != NULL ? fopen(first, "re") : NULL};
    struct lines b = {.rules = rules, .in = other != NULL ? fopen(other, "re") : NULL};
    enum ork_status status = ORK_OK;

    do {
        next_line(&a);
        next_line(&b);
    } while (a.size >= 0 && are_equal(&a, &b));
    if (!are_equal(&a, &b) && to->count < SHOWN_MAX)
        status = add_difference(name, &a, &b, to);
    close_lines(&a);
    close_lines(&b);
    return status;
}

/* "rank 3", from "/1/rank.3/stdout" or "/rank.3.stdout"; else the name itself. */
static char *name_of(const char *below)
{
    const char *rank = strstr(below, "rank.");

    if (rank == NULL)
        return strdup(below + (below[0] == '/'));
    return ork_text("rank %lu", strtoul(rank + strlen("rank."), NULL, 10));
}

static enum ork_status compare_outputs(const struct ork_output_rules *rules, const char *first,
                                       const char *other, struct ork_differences *to)
{
    struct ork_output_files a, b = {.path = NULL};
    enum ork_status status = ork_output_files_list(first, &a);
    size_t i = 0, k = 0;

    if (status == ORK_OK)
        status = ork_output_files_list(other, &b);
    while (status == ORK_OK && (i < a.count || k < b.count)) {
        const char *x = i < a.count ? ork_output_name(a.path[i], first) : NULL;
        const char *y = k < b.count ? ork_output_name(b.path[k], other) : NULL;
        int before = x == NULL ? 1 : y == NULL ? -1 : strcmp(x, y);
        char *name = name_of(before <= 0 ? x : y);
        status = name == NULL ? ORK_NOMEM
                              : compare_files(rules, name, before <= 0 ? a.path[i] : NULL,
                                              before >= 0 ? b.path[k] : NULL, to);
        free(name);
        i += before <= 0;
        k += before >= 0;
    }
    ork_output_files_release(&a);
    ork_output_files_release(&b);
    return status;
}

static enum ork_status compare_below(const struct ork_output_rules *rules, const char *name,
                                     const char *first, const char *other,
                                     struct ork_differences *to)
{
    char *a = ork_text("%s/%s", first, name), *b = ork_text("%s/%s", other, name);
    enum ork_status status = ORK_NOMEM;

    if (a != NULL && b != NULL)
        status = rules != NULL ? compare_outputs(rules, a, b, to)
                               : compare_files(NULL, "the file of --must:compare", a, b, to);
    free(a);
    free(b);
    return status;
}

enum ork_status ork_differences_find(const struct ork_output_rules *rules, const char *first,
                                     const char *other, struct ork_differences *found)
{
    *found = (struct ork_differences){.item = calloc(SHOWN_MAX, sizeof(*found->item))};
    if (found->item == NULL)
        return ORK_NOMEM;
    enum ork_status status = compare_below(rules, ORK_JOB_OUTPUT, first, other, found);
    if (status == ORK_OK && rules->compare != NULL)
        status = compare_below(NULL, ORK_JOB_COMPARED, first, other, found);
    if (status != ORK_OK)
        ork_differences_release(found);
    return status;
}

void ork_differences_release(struct ork_differences *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        free(d->item[i]);
    free(d->item);
    *d = (struct ork_differences){.item = NULL};
}
