/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/matrix.h"

#include "report/causes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
#define SIDE 480.0
#define LEFT 84.0
#define TOP  44.0
/* RATIONALE: a rank of 10,000 may wait for any of 10,000; what a cell shows is known long before.
 */
enum { CELLS_MAX = 128, PAIRS_MAX = 4000000 };

enum mark { NO_WAIT, WAITS, IN_ROOT };

struct matrix {
    const struct ork_finding *finding;
    uint32_t ranks, cells; /* the highest rank and 1; in a row */
    uint8_t *mark;         /* enum mark, by row and column */
    uint32_t pairs;
};

bool ork_matrix_is_worth_it(const struct ork_finding *f)
{
    uint32_t waiting = 0;

    for (uint32_t i = 0; i < f->num_waits; i++)
        waiting += f->waits[i].waits_for.count > 0;
    return waiting >= ORK_MATRIX_LEAST;
}

static uint32_t count_ranks(const struct ork_finding *f)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_u32s *to = &f->waits[i].waits_for;
        last = f->waits[i].rank > last ? f->waits[i].rank : last;
        for (uint32_t k = 0; k < to->count; k++)
            last = to->item[k] > last ? to->item[k] : last;
    }
    return last < UINT32_MAX ? last + 1 : last;
}

static uint32_t cell_of(const struct matrix *m, uint32_t rank)
{
    return (uint32_t)((uint64_t)rank * m->cells / m->ranks);
}

static void mark_row(struct matrix *m, const struct ork_rank_row *wait)
{
    bool root = ork_finding_has_root(m->finding, wait->rank);
    uint8_t *row = &m->mark[(size_t)cell_of(m, wait->rank) * m->cells];

    for (uint32_t i = 0; i < wait->waits_for.count && m->pairs < PAIRS_MAX; i++, m->pairs++) {
        uint8_t *cell = &row[cell_of(m, wait->waits_for.item[i])];
        *cell = root ? IN_ROOT : *cell == NO_WAIT ? WAITS : *cell;
    }
}

/* All cells with this mark, those side by side in one piece. */
static void put_cells(FILE *out, const struct matrix *m, enum mark mark, const char *class_)
{
    double size = SIDE / m->cells;
    bool any = false;

    for (uint32_t i = 0; i < m->cells; i++) {
        const uint8_t *row = &m->mark[(size_t)i * m->cells];
        for (uint32_t k = 0, end; k < m->cells; k = end) {
            end = k + 1;
            if (row[k] != mark)
                continue;
            while (end < m->cells && row[end] == mark)
                end++;
            if (!any)
                fprintf(out, "<path class=\"%s\" d=\"", class_);
            any = true;
            fprintf(out, "M%.2f %.2fh%.2fv%.2fh%.2fz", LEFT + k * size, TOP + i * size,
                    (end - k) * size, size, -size * (end - k));
        }
    }
    if (any)
        fputs("\"/>\n", out);
}

static void put_label(FILE *out, double x, double y, const char *anchor, uint32_t rank)
{
    fprintf(out,
            "<text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%" PRIu32 "</text>\n",
            x, y, anchor, rank);
}

static void put_frame(FILE *out, const struct matrix *m)
{
    uint32_t last = m->ranks - 1;

    fprintf(out,
            "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n"
            "<line class=\"track\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            LEFT, TOP, SIDE, SIDE, LEFT, TOP, LEFT + SIDE, TOP + SIDE);
    fprintf(out, "<text class=\"small\" x=\"%.1f\" y=\"14\">waits for rank</text>\n", LEFT);
    fprintf(out, "<text class=\"small\" x=\"8\" y=\"%.1f\">rank</text>\n", TOP - 8);
    put_label(out, LEFT, TOP - 8, "start", 0);
    put_label(out, LEFT + SIDE, TOP - 8, "end", last);
    put_label(out, LEFT - 8, TOP + 12, "end", 0);
    put_label(out, LEFT - 8, TOP + SIDE, "end", last);
}

enum ork_status ork_matrix_put(FILE *out, const struct ork_finding *finding)
{
    struct matrix m = {.finding = finding, .ranks = count_ranks(finding)};

    m.cells = m.ranks < CELLS_MAX ? m.ranks : CELLS_MAX;
    m.mark = calloc((size_t)m.cells * m.cells, 1);
    if (m.mark == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < finding->num_waits; i++)
        mark_row(&m, &finding->waits[i]);
    fprintf(out,
            "<svg class=\"lanes matrix\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "role=\"img\">\n<title>Who waits for whom: rows wait for columns</title>\n",
            LEFT + SIDE + 16, TOP + SIDE + 8, LEFT + SIDE + 16, TOP + SIDE + 8);
    put_frame(out, &m);
    put_cells(out, &m, WAITS, "wait");
    put_cells(out, &m, IN_ROOT, "wait root");
    fputs("</svg>\n", out);
    free(m.mark);
    return ORK_OK;
}
