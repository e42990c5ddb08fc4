/* SPDX-License-Identifier: BSD-3-Clause */
/* DOT as in Fig. 6(d) of Hilbrich et al., "MPI runtime error detection with MUST" (SC12). */
#include "viz/viz.h"

#include "viz/drawing.h"
#include "viz/escape.h"
#include "viz/ranks.h"

#include <stdlib.h>

#define LABEL_MAX 48u /* characters of a line */
#define RUNS_MAX  4u  /* of ranks in a label */

/* RATIONALE: graphviz itself measures Helvetica; whoever shows the drawing may have a wider font,
 * hence the margins. */
static const char head[] =
    "  graph [bgcolor=\"#ffffff\", nodesep=0.4, ranksep=0.55, pad=0.1, nslimit=4, nslimit1=4];\n"
    "  node [shape=box, style=filled, fillcolor=\"#ffffff\", color=\"#3e4c59\", "
    "fontcolor=\"#1f2933\", fontname=Helvetica, fontsize=13, height=0.45, "
    "margin=\"0.22,0.08\"];\n"
    "  edge [color=\"#3e4c59\", fontcolor=\"#52606d\", fontname=Helvetica, fontsize=11, "
    "arrowsize=0.75];\n";

static void put_label(const struct ork_box *box, FILE *out)
{
    bool rank = box->node->kind == ORK_NODE_RANK;
    const char *label = box->node->label != NULL ? box->node->label : "";

    fputs("label=\"", out);
    if (box->num_ranks > 0 && (rank || box->folded > 1)) {
        ork_put_ranks(out, box->rank, box->num_ranks, RUNS_MAX);
        if (label[0] != '\0')
            fputs(": ", out);
    }
    ork_escape_dot(out, label, LABEL_MAX);
    fputc('"', out);
}

/* Words that a style sheet may refer to. */
static void put_classes(const struct ork_graph_node *node, FILE *out)
{
    static const char *const kind[] = {
        [ORK_NODE_RANK] = "rank", [ORK_NODE_TERM] = "term", [ORK_NODE_HUB] = "hub"};

    fprintf(out, ", class=\"%s%s%s%s\"", kind[node->kind], node->core ? " core" : "",
            node->root ? " root" : "", node->deadlocked ? "" : " alive");
}

static void put_box(const struct ork_box *box, uint32_t number, FILE *out)
{
    const struct ork_graph_node *node = box->node;

    fprintf(out, "  n%u [", number);
    put_label(box, out);
    put_classes(node, out);
    if (node->kind == ORK_NODE_TERM)
        fputs(", shape=parallelogram, margin=\"0,0\", height=0.3", out);
    if (node->kind == ORK_NODE_HUB)
        fputs(", fontsize=11, height=0.3, margin=\"0.15,0.05\"", out);
    if (node->kind == ORK_NODE_HUB || !node->deadlocked)
        fprintf(out, ", style=\"filled%s%s\"", node->kind == ORK_NODE_HUB ? ",rounded" : "",
                node->deadlocked ? "" : ",dotted");
    if (node->core)
        fputs(", fillcolor=\"#cbd2d9\"", out);
    if (node->root)
        fputs(", penwidth=2.2", out);
    if (!node->deadlocked)
        fputs(", color=\"#9aa5b1\", fontcolor=\"#7b8794\"", out);
    fputs("];\n", out);
}

static void put_line(const struct ork_drawing *d, const struct ork_line *line, FILE *out)
{
    const struct ork_graph_node *from = d->box[line->from].node;

    fprintf(out, "  n%u -> n%u [class=\"%s%s\"", line->from, line->to, from->is_or ? "or" : "and",
            from->deadlocked ? "" : " alive");
    if (from->is_or)
        fputs(", style=dashed", out);
    if (!from->deadlocked)
        fputs(", color=\"#9aa5b1\"", out);
    if (line->label != NULL && line->label[0] != '\0') {
        fputs(", label=\" ", out);
        ork_escape_dot(out, line->label, LABEL_MAX);
        fputs(" \"", out);
    }
    fputs("];\n", out);
}

static void put_left_out(const struct ork_drawing *d, FILE *out)
{
    if (d->left_out_boxes == 0 && d->left_out_lines == 0)
        return;
    fputs("  rest [shape=plaintext, class=\"note\", style=\"\", label=\"... and ", out);
    ork_put_count(out, d->left_out_boxes);
    fputs(" more nodes and ", out);
    ork_put_count(out, d->left_out_lines);
    fputs(" more arcs,\\nnot drawn\"];\n", out);
}

void ork_drawing_put_dot(const struct ork_drawing *drawing, const char *name, FILE *out)
{
    fputs("// orknot\ndigraph \"", out);
    ork_escape_dot(out, name, LABEL_MAX);
    fprintf(out, "\" {\n%s", head);
    for (uint32_t b = 0; b < drawing->num_boxes; b++)
        put_box(&drawing->box[b], b, out);
    for (uint32_t i = 0; i < drawing->num_lines; i++)
        put_line(drawing, &drawing->line[i], out);
    put_left_out(drawing, out);
    fputs("}\n", out);
}

enum ork_status ork_viz_dot(const struct ork_finding *finding, char **text)
{
    struct ork_drawing drawing;
    char *buffer = NULL;
    size_t size = 0;

    if (finding->graph.num_nodes == 0)
        return ORK_NOTFOUND;
    enum ork_status status = ork_drawing_init(&drawing, &finding->graph);
    if (status != ORK_OK)
        return status;
    FILE *out = open_memstream(&buffer, &size);
    if (out != NULL)
        ork_drawing_put_dot(&drawing, finding->id, out);
    ork_drawing_release(&drawing);
    if (out == NULL)
        return ORK_NOMEM;
    if (fclose(out) != 0) {
        free(buffer);
        return ORK_NOMEM;
    }
    *text = buffer;
    return ORK_OK;
}
