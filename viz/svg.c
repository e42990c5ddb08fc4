/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for graph as SVG: each node with its ranks (data-ranks) and its full text (title). */
#include "viz/viz.h"

#include "report/escape.h"
#include "report/fold_runs.h"
#include "viz/drawing.h"
#include "viz/svg_document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_data(const void *of, uint32_t n, FILE *out)
{
    const struct ork_graph_node *node = ((const struct ork_drawing *)of)->node[n];
    char *text = NULL;

    if (node->kind == ORK_NODE_HUB)
        return;
    if (node->num_runs == 0)
        fprintf(out, " data-ranks=\"%" PRIu32 "\"", node->rank);
    else if (ork_runs_to_text(node->run, node->num_runs, &text) == ORK_OK)
        fprintf(out, " data-ranks=\"%s\"", text);
    free(text);
}

static void put_word(const char *before, const char *word, FILE *out)
{
    if (word == NULL)
        return;
    fputs(before, out);
    ork_escape_html(out, word);
}

/* On one line, because later steps take lines for tags. */
static void put_title(const void *of, uint32_t n, FILE *out)
{
    const struct ork_graph_node *node = ((const struct ork_drawing *)of)->node[n];
    char *label = strdup(node->label != NULL ? node->label : "");

    for (char *c = label; c != NULL && *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (node->kind != ORK_NODE_HUB && node->num_runs > 0) {
        fputs("ranks ", out);
        ork_runs_put(out, node->run, node->num_runs, 16);
        fputs(": ", out);
    } else if (node->kind != ORK_NODE_HUB) {
        fprintf(out, "rank %" PRIu32 ": ", node->rank);
    }
    put_word("", label, out);
    put_word(" ", node->relation != NULL ? node->towards : NULL, out);
    put_word(" ", node->relation, out);
    put_word(" at ", node->place, out);
    put_word(" on ", node->comm, out);
    free(label);
}

enum ork_status ork_viz_svg(const struct ork_finding *finding, char **text)
{
    struct ork_drawing drawing;
    char *dot = NULL;

    enum ork_status status = ork_drawing_dot(finding, &drawing, &dot);
    if (status != ORK_OK)
        return status;
    const struct ork_svg_nodes nodes = {
        .of = &drawing, .count = drawing.num_nodes, .put_data = put_data, .put_title = put_title};
    status = ork_svg_document(dot, &nodes, text);
    free(dot);
    ork_drawing_release(&drawing);
    return status;
}
