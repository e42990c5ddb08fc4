/* SPDX-License-Identifier: BSD-3-Clause */
/* Source lines around the places of a finding; places near each other share one excerpt. */
#include "viz/html.h"

#include "common/text.h"
#include "common/vec.h"
#include "report/escape.h"
#include "report/ranks.h"
#include "viz/source_excerpt.h"
#include "viz/stack_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 64u
#define PIECES_MAX 12u
#define CHIPS_MAX  6u
#define AROUND     4u /* lines before and after */
#define RUNS_MAX   6u

/* A line of the finding, and the text for it. */
struct place {
    const struct ork_where *where;
    const char *call;
    const char *own_name;  /* what the program calls; NULL: the same */
    struct ork_u32s ranks; /* the ranks there; owned by this */
    uint32_t turn;         /* what caused the finding comes first */
    bool is_shown;         /* in a piece */
};

/* Places that share an excerpt. */
struct piece {
    uint32_t first, count;
    struct ork_source_excerpt excerpt;
};

struct ork_html_places {
    struct place item[PLACES_MAX]; /* by file and line */
    uint32_t count;
    struct piece piece[PIECES_MAX];
    uint32_t num_pieces;
};

static bool is_same_line(const struct ork_where *a, const struct ork_where *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static const char *name_of(const struct place *place)
{
    return place->own_name != NULL ? place->own_name : place->call;
}

/* The first text for a line counts; ranks that do the same there are added to it. */
static bool add(struct ork_html_places *p, const struct ork_where *where, const char *call,
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
        p->item[p->count++] = (struct place){.where = where, .call = call, .turn = i};
    if (count == 0 || call == NULL || place->call == NULL || strcmp(place->call, call) != 0)
        return true;
    size_t n = place->ranks.count;
    if (!ork_vec_extend(&place->ranks.item, n, n + count, sizeof(*place->ranks.item)))
        return false;
    memcpy(place->ranks.item + n, rank, count * sizeof(*rank));
    place->ranks.count += count;
    return true;
}

/* The ranks of a remedy are those that could change something: not all of them make the call. */
static bool add_remedy(struct ork_html_places *p, const struct ork_remedy *remedy)
{
    bool is_known = false;

    for (uint32_t i = 0; i < p->count && remedy->where.file != NULL; i++)
        is_known |= is_same_line(p->item[i].where, &remedy->where);
    return add(p, &remedy->where, remedy->call, remedy->ranks.item,
               is_known ? 0 : remedy->ranks.count);
}

static bool add_end(struct ork_html_places *p, const struct ork_match_end *end)
{
    return add(p, &end->where, end->call, &end->rank, 1);
}

static void give_own_name(struct ork_html_places *p, const struct ork_rank_row *wait)
{
    for (uint32_t i = 0; i < p->count && wait->where.file != NULL; i++) {
        struct place *place = &p->item[i];
        if (is_same_line(place->where, &wait->where) && place->call != NULL &&
            strcmp(place->call, wait->call) == 0)
            place->own_name = wait->own_name;
    }
}

/* Where the rank is: if it is outside MPI, its stack says it. */
static bool add_row(struct ork_html_places *p, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    bool is_outside = wait->call == NULL || wait->call[0] == '\0';
    const struct ork_where *frame = is_outside ? ork_stack_own_frame(wait) : NULL;

    if (frame != NULL)
        return add(p, frame, "outside MPI", row->rank, row->count);
    bool done = add(p, &wait->where, wait->call, row->rank, row->count);
    if (wait->own_name != NULL)
        give_own_name(p, wait);
    return done;
}

/* In the root of a deadlock, or the rank that ended first. */
static bool is_cause(const struct ork_finding *f, const struct ork_row *row)
{
    return row->root ||
           (f->end.as != ORK_AS_NONE && ork_rank_in(row->rank, row->count, f->end.rank));
}

static bool add_rows(struct ork_html_places *p, const struct ork_finding *f,
                     const struct ork_rank_table *rows, bool causes)
{
    bool ok = true;

    for (uint32_t i = 0; i < rows->count; i++)
        if (is_cause(f, &rows->row[i]) == causes)
            ok &= add_row(p, &rows->row[i]);
    return ok;
}

static bool collect(struct ork_html_places *p, const struct ork_finding *f,
                    const struct ork_rank_table *rows)
{
    bool ok = add_rows(p, f, rows, true) && add_rows(p, f, rows, false);

    for (uint32_t i = 0; i < f->num_accesses; i++)
        ok &= add(p, &f->access[i].where, f->access[i].call, &f->access[i].rank, 1);
    for (uint32_t i = 0; i < f->num_near_misses; i++)
        ok &= add_end(p, &f->near_miss[i].waits) && add_end(p, &f->near_miss[i].pending);
    for (uint32_t i = 0; i < f->num_remedies; i++)
        ok &= add_remedy(p, &f->remedy[i]);
    for (uint32_t i = 0; i < f->num_decisions; i++)
        ok &= add_end(p, &f->decision[i].receive) && add_end(p, &f->decision[i].send);
    for (uint32_t i = 0; i < f->num_communicators; i++)
        ok &= add(p, &f->communicator[i].where, f->communicator[i].origin, NULL, 0);
    return ok;
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
static uint32_t piece_end(const struct ork_html_places *p, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < p->count && strcmp(p->item[end].where->file, p->item[i].where->file) == 0 &&
           p->item[end].where->line - p->item[end - 1].where->line <= 2 * AROUND + 1)
        end++;
    return end;
}

/* Read the sources. A source that cannot be read is left out. ORK_NOMEM. */
static enum ork_status read_pieces(struct ork_html_places *p)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0, end; i < p->count && p->num_pieces < PIECES_MAX && status != ORK_NOMEM;
         i = end) {
        struct piece *piece = &p->piece[p->num_pieces];
        uint32_t line = p->item[i].where->line;
        end = piece_end(p, i);
        uint32_t last = p->item[end - 1].where->line;
        status = ork_source_excerpt_read(p->item[i].where->file, line > AROUND ? line - AROUND : 1,
                                         last < UINT32_MAX - AROUND ? last + AROUND : last,
                                         &piece->excerpt);
        if (status != ORK_OK)
            continue;
        piece->first = i;
        piece->count = end - i;
        p->num_pieces++;
        for (uint32_t k = i; k < end; k++)
            p->item[k].is_shown =
                p->item[k].where->line < piece->excerpt.first + piece->excerpt.num_lines;
    }
    return status == ORK_NOMEM ? status : ORK_OK;
}

enum ork_status ork_html_places_create(const struct ork_finding *finding,
                                       const struct ork_rank_table *rows,
                                       struct ork_html_places **places)
{
    struct ork_html_places *p = calloc(1, sizeof(*p));

    if (p == NULL || !collect(p, finding, rows)) {
        ork_html_places_destroy(p);
        return ORK_NOMEM;
    }
    qsort(p->item, p->count, sizeof(*p->item), compare_places);
    for (uint32_t i = 0; i < p->count; i++)
        tidy_ranks(&p->item[i].ranks);
    enum ork_status status = read_pieces(p);
    if (status == ORK_OK)
        *places = p;
    else
        ork_html_places_destroy(p);
    return status;
}

void ork_html_places_destroy(struct ork_html_places *p)
{
    for (uint32_t i = 0; p != NULL && i < p->count; i++)
        free(p->item[i].ranks.item);
    for (uint32_t i = 0; p != NULL && i < p->num_pieces; i++)
        ork_source_excerpt_release(&p->piece[i].excerpt);
    free(p);
}

/* "ranks 0-3: " */
static void put_ranks(FILE *out, const struct place *place, const char *after)
{
    if (place->ranks.count == 0)
        return;
    fputs(place->ranks.count > 1 ? "ranks " : "rank ", out);
    ork_put_ranks(out, place->ranks.item, place->ranks.count, RUNS_MAX);
    fputs(after, out);
}

/* ---- chips ---- */

static void put_chip(FILE *out, const struct ork_html_places *p, uint32_t i, unsigned number)
{
    const struct place *place = &p->item[i];

    if (place->is_shown)
        fprintf(out, "<li><a class=\"chip\" href=\"#f%u-p%" PRIu32 "\">", number, i);
    else
        fputs("<li><span class=\"chip\">", out);
    if (place->call != NULL && place->call[0] != '\0') {
        fputs("<b>", out);
        ork_escape_html(out, name_of(place));
        fputs("</b> ", out);
    }
    fputs("<code title=\"", out);
    ork_escape_html(out, place->where->file);
    fputs("\">", out);
    ork_escape_html(out, ork_base_name(place->where->file));
    fprintf(out, ":%" PRIu32 "</code> ", place->where->line);
    put_ranks(out, place, "");
    fputs(place->is_shown ? "</a></li>\n" : "</span></li>\n", out);
}

void ork_html_put_chips(FILE *out, const struct ork_html_places *p, unsigned number)
{
    if (p->count == 0)
        return;
    fputs("<ul class=\"chips\" aria-label=\"Places\">\n", out);
    for (uint32_t turn = 0; turn < p->count && turn < CHIPS_MAX; turn++) {
        uint32_t i = 0;
        while (p->item[i].turn != turn)
            i++;
        put_chip(out, p, i, number);
    }
    if (p->count > CHIPS_MAX)
        fprintf(out, "<li class=\"soft\">and %" PRIu32 " more</li>\n", p->count - CHIPS_MAX);
    fputs("</ul>\n", out);
}

/* ---- excerpts ---- */

static void put_remark(FILE *out, const struct place *place)
{
    fputs("<span class=\"remark\">", out);
    put_ranks(out, place, ": ");
    ork_escape_html(out, name_of(place));
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

/* `place`: the one in this line; NULL: none. `id`: its number. */
static void put_line(FILE *out, const char *line, uint32_t number, const struct place *place,
                     const char *id)
{
    fprintf(out, "<li value=\"%" PRIu32 "\"", number);
    if (place != NULL)
        fprintf(out, " class=\"here\" id=\"%s\" tabindex=\"-1\"", id);
    fputs("><code>", out);
    put_code(out, line);
    fputs("</code>", out);
    if (place != NULL)
        put_remark(out, place);
    fputs("</li>\n", out);
}

static void put_piece(FILE *out, const struct ork_html_places *p, const struct piece *piece,
                      unsigned number)
{
    const struct ork_source_excerpt *e = &piece->excerpt;
    const struct ork_where *where = p->item[piece->first].where;

    fputs("<div class=\"source\"><p class=\"file\"><code title=\"", out);
    ork_escape_html(out, where->file);
    fputs("\">", out);
    ork_escape_html(out, ork_base_name(where->file));
    fputs("</code>", out);
    if (where->function != NULL && where->function[0] != '\0') {
        fputs(" <span class=\"soft\">", out);
        ork_escape_html(out, where->function);
        fputs("</span>", out);
    }
    fputs("</p>\n<ol tabindex=\"0\" aria-label=\"Source\">\n", out);
    for (uint32_t i = 0, k = piece->first; i < e->num_lines; i++) {
        char id[48];
        bool here = k < piece->first + piece->count && p->item[k].where->line == e->first + i;
        snprintf(id, sizeof(id), "f%u-p%" PRIu32, number, k);
        put_line(out, e->line[i], e->first + i, here ? &p->item[k] : NULL, id);
        k += here;
    }
    fputs("</ol></div>\n", out);
}

void ork_html_put_sources(FILE *out, const struct ork_html_places *p, unsigned number)
{
    for (uint32_t i = 0; i < p->num_pieces && ork_html_has_room(out); i++) {
        if (i == 0)
            fprintf(out, "<h3 id=\"f%u-source\">In the source</h3>\n", number);
        put_piece(out, p, &p->piece[i], number);
    }
}
