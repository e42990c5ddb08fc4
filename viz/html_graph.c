/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph inside the page: libgvc's SVG, its nodes linked to the rows of the table. data-ranks of
 * a node lists its ranks ("0-9998/2"): see svg.c. */
#include "viz/html.h"

#include "report/escape.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The meaning of the drawing's parts; each only if the drawing has it. */
static const struct {
    const char *part; /* as written in the SVG */
    const char *words;
} legend[] = {
    {"class=\"edge and",
     "<svg width=\"28\" height=\"10\" aria-hidden=\"true\"><line x1=\"1\" y1=\"5\" "
     "x2=\"27\" y2=\"5\"/></svg> waits for all of these"},
    {"class=\"edge or",
     "<svg width=\"28\" height=\"10\" aria-hidden=\"true\"><line x1=\"1\" y1=\"5\" "
     "x2=\"27\" y2=\"5\" stroke-dasharray=\"4 3\"/></svg> waits for any one of these"},
    {" core",
     "<svg width=\"20\" height=\"14\" aria-hidden=\"true\"><rect class=\"core\" x=\"1\" y=\"1\" "
     "width=\"18\" height=\"12\"/></svg> a minimal set of calls that forms the deadlock"},
    {" root",
     "<svg width=\"20\" height=\"14\" aria-hidden=\"true\"><rect class=\"bold\" x=\"2\" y=\"2\" "
     "width=\"16\" height=\"10\"/></svg> its root"},
    {"class=\"node term",
     "<svg width=\"24\" height=\"14\" aria-hidden=\"true\"><polygon points=\"7,1 23,1 "
     "17,13 1,13\"/></svg> part of a call"},
};

static void put_legend(FILE *out, const char *svg)
{
    fputs("<figcaption><ul class=\"legend\">", out);
    for (size_t i = 0; i < sizeof(legend) / sizeof(legend[0]); i++) {
        if (strstr(svg, legend[i].part) != NULL)
            fprintf(out, "<li>%s</li>", legend[i].words);
    }
    fputs("</ul></figcaption>\n", out);
}

/* The row of a rank; UINT32_MAX: none. */
static uint32_t row_of(const struct ork_rank_table *rows, uint32_t rank)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (ork_rank_in(rows->row[i].rank, rows->row[i].count, rank))
            return i;
    }
    return UINT32_MAX;
}

/* The lowest rank of the node with this tag. */
static bool rank_of(const char *tag, size_t size, uint32_t *rank)
{
    static const char name[] = "data-ranks=\"";
    const char *at = memmem(tag, size, name, sizeof(name) - 1);

    if (at == NULL || memmem(tag, size, "class=\"node", 11) == NULL)
        return false;
    at += sizeof(name) - 1;
    char *end;
    unsigned long n = strtoul(at, &end, 10);
    *rank = (uint32_t)n;
    return end != at && *at != '-' && n < UINT32_MAX;
}

struct graph {
    const struct ork_rank_table *rows;
    unsigned number;
};

/* A node leads to the row of its lowest rank. */
static bool put_link(const void *of, const char *tag, size_t size, FILE *out)
{
    const struct graph *g = of;
    uint32_t rank, row = UINT32_MAX;

    if (rank_of(tag, size, &rank))
        row = row_of(g->rows, rank);
    if (row == UINT32_MAX)
        return false;
    fprintf(out, "<a href=\"#f%u-r%" PRIu32 "\">", g->number, row);
    return true;
}

static void put_left_out(FILE *out, const struct ork_finding *finding)
{
    fputs("<p class=\"soft\">The graph is too large for this page", out);
    if (finding->svg_file != NULL) {
        fputs(": see <code>", out);
        ork_escape_html(out, finding->svg_file);
        fputs("</code>", out);
    }
    fputs(".</p>\n", out);
}

void ork_html_put_graph(FILE *out, const struct ork_finding *finding,
                        const struct ork_rank_table *rows, const char *svg, unsigned number)
{
    const struct graph g = {.rows = rows, .number = number};
    const char *start = svg != NULL ? strstr(svg, "<svg") : NULL;

    if (start == NULL)
        return;
    if (ftell(out) + (long)strlen(start) > ORK_HTML_ENOUGH) {
        put_left_out(out, finding);
        return;
    }
    fputs("<h3>Who waits for whom</h3>\n<figure class=\"graph-box\">\n", out);
    ork_html_put_svg(out, start, "Wait-for graph", &(struct ork_html_links){&g, put_link});
    put_legend(out, start);
    fputs("</figure>\n", out);
}
