/* SPDX-License-Identifier: BSD-3-Clause */
/* Source lines around the places of a finding; places near each other share one excerpt. */
#include "viz/html.h"

#include "common/vec.h"
#include "report/escape.h"
#include "report/ranks.h"
#include "viz/source_excerpt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 64u
#define PIECES_MAX 12u
#define AROUND     4u /* lines before and after */
#define RUNS_MAX   6u

/* A line of the finding, and the text for it. */
struct place {
    const struct ork_where *where;
    const char *call;
    struct ork_u32s ranks; /* the ranks there; owned by this */
};

struct places {
    struct place item[PLACES_MAX];
    uint32_t count;
};

static bool is_same_line(const struct ork_where *a, const struct ork_where *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The first text for a line counts; ranks that do the same there are added to it. */
static bool add(struct places *p, const struct ork_where *where, const char *call,
                const uint32_t *rank, uint32_t count)
{
    uint32_t i = 0;

    if (where->file == NULL || where->line == 0)
        return true;
    while (i < p->count && !is_same_line(p->item[i].where, where))
        i++;
    if (i == PLACES_MAX)
        return true;
    struct place *place = &p->item[i];
    if (i == p->count)
        p->item[p->count++] = (struct place){.where = where, .call = call};
    if (count == 0 || call == NULL || place->call == NULL || strcmp(place->call, call) != 0)
        return true;
    size_t n = place->ranks.count;
    if (!ork_vec_extend(&place->ranks.item, n, n + count, sizeof(*place->ranks.item)))
        return false;
    memcpy(place->ranks.item + n, rank, count * sizeof(*rank));
    place->ranks.count += count;
    return true;
}

static bool add_end(struct places *p, const struct ork_match_end *end)
{
    return add(p, &end->where, end->call, &end->rank, 1);
}

static bool collect(struct places *p, const struct ork_finding *f,
                    const struct ork_rank_table *rows)
{
    bool ok = true;

    for (uint32_t i = 0; i < rows->count; i++)
        ok &= add(p, &rows->row[i].wait->where, rows->row[i].wait->call, rows->row[i].rank,
                  rows->row[i].count);
    for (uint32_t i = 0; i < f->num_near_misses; i++)
        ok &= add_end(p, &f->near_miss[i].waits) && add_end(p, &f->near_miss[i].pending);
    for (uint32_t i = 0; i < f->num_remedies; i++)
        ok &= add(p, &f->remedy[i].where, f->remedy[i].call, f->remedy[i].ranks.item,
                  f->remedy[i].ranks.count);
    for (uint32_t i = 0; i < f->num_decisions; i++)
        ok &= add_end(p, &f->decision[i].receive) && add_end(p, &f->decision[i].send);
    for (uint32_t i = 0; i < f->num_communicators; i++)
        ok &= add(p, &f->communicator[i].where, f->communicator[i].origin, NULL, 0);
    return ok;
}

static void release_places(struct places *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        free(p->item[i].ranks.item);
}

/* Ascending, each once. */
static void tidy_ranks(struct ork_u32s *set)
{
    uint32_t kept = 0;

    if (set->count > 0)
        qsort(set->item, set->count, sizeof(*set->item), ork_rank_compare);
    for (uint32_t i = 0; i < set->count; i++) {
        if (i == 0 || set->item[i] != set->item[kept - 1])
            set->item[kept++] = set->item[i];
    }
    set->count = kept;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    int by_file = strcmp(x->where->file, y->where->file);

    return by_file != 0 ? by_file
                        : (x->where->line > y->where->line) - (x->where->line < y->where->line);
}

/* Index after the places that share an excerpt with place i. */
static uint32_t piece_end(const struct places *p, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < p->count && strcmp(p->item[end].where->file, p->item[i].where->file) == 0 &&
           p->item[end].where->line - p->item[end - 1].where->line <= 2 * AROUND + 1)
        end++;
    return end;
}

static void put_remark(FILE *out, const struct place *place)
{
    fputs("<span class=\"remark\">", out);
    if (place->ranks.count > 0) {
        fputs(place->ranks.count > 1 ? "ranks " : "rank ", out);
        ork_put_ranks(out, place->ranks.item, place->ranks.count, RUNS_MAX);
        fputs(": ", out);
    }
    ork_escape_html(out, place->call);
    fputs("</span>", out);
}

/* Tabs become blanks, because escaping would make them visible. */
static void put_code(FILE *out, const char *line)
{
    char text[1024];
    size_t n = 0;

    for (; *line != '\0' && n + 8 < sizeof(text); line++) {
        do {
            text[n++] = *line == '\t' ? ' ' : *line;
        } while (*line == '\t' && n % 4 != 0 && n + 8 < sizeof(text));
    }
    text[n] = '\0';
    ork_escape_html(out, text);
}

static void put_line(FILE *out, const char *line, uint32_t number, const struct place *place)
{
    fprintf(out, "<li value=\"%" PRIu32 "\"%s><code>", number,
            place != NULL ? " class=\"here\"" : "");
    put_code(out, line);
    fputs("</code>", out);
    if (place != NULL)
        put_remark(out, place);
    fputs("</li>\n", out);
}

static void put_piece(FILE *out, const struct ork_source_excerpt *e, const struct place *place,
                      uint32_t count)
{
    fputs("<div class=\"source\"><p class=\"file\"><code title=\"", out);
    ork_escape_html(out, place->where->file);
    fputs("\">", out);
    ork_escape_html(out, ork_html_base_name(place->where->file));
    fputs("</code>", out);
    if (place->where->function != NULL && place->where->function[0] != '\0') {
        fputs(" <span class=\"soft\">", out);
        ork_escape_html(out, place->where->function);
        fputs("</span>", out);
    }
    fputs("</p>\n<ol>\n", out);
    for (uint32_t i = 0, k = 0; i < e->num_lines; i++) {
        uint32_t number = e->first + i;
        bool here = k < count && place[k].where->line == number;
        put_line(out, e->line[i], number, here ? &place[k] : NULL);
        k += here;
    }
    fputs("</ol></div>\n", out);
}

enum ork_status ork_html_put_sources(FILE *out, const struct ork_finding *finding,
                                     const struct ork_rank_table *rows, unsigned number)
{
    struct places p = {.count = 0};
    enum ork_status status = ORK_OK;
    uint32_t pieces = 0;

    if (!collect(&p, finding, rows)) {
        release_places(&p);
        return ORK_NOMEM;
    }
    qsort(p.item, p.count, sizeof(*p.item), compare_places);
    for (uint32_t i = 0; i < p.count; i++)
        tidy_ranks(&p.item[i].ranks);
    for (uint32_t i = 0, end; i < p.count && status != ORK_NOMEM && ork_html_has_room(out);
         i = end) {
        struct ork_source_excerpt e;
        uint32_t line = p.item[i].where->line;
        end = piece_end(&p, i);
        uint32_t last = p.item[end - 1].where->line;
        if (pieces == PIECES_MAX)
            break;
        status = ork_source_excerpt_read(p.item[i].where->file, line > AROUND ? line - AROUND : 1,
                                         last < UINT32_MAX - AROUND ? last + AROUND : last, &e);
        if (status != ORK_OK)
            continue;
        if (pieces++ == 0)
            fprintf(out, "<h3 id=\"f%u-source\">In the source</h3>\n", number);
        put_piece(out, &e, &p.item[i], end - i);
        ork_source_excerpt_release(&e);
    }
    release_places(&p);
    return status == ORK_NOMEM ? status : ORK_OK;
}
