/* SPDX-License-Identifier: BSD-3-Clause */
/* DOT as in Fig. 6(d) of Hilbrich et al., "MPI runtime error detection with MUST" (SC12). */
#include "viz/viz.h"

#include "common/text.h"
#include "report/escape.h"
#include "report/fold_runs.h"
#include "viz/drawing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX     48u /* characters of a line */
#define COMM_MAX      40u /* a longer name is not put into a label */
#define RUNS_MAX      4u  /* of ranks in a label */
#define PART_RUNS_MAX 2u  /* a parallelogram is wide enough */

/* RATIONALE: graphviz uses its own measures of Helvetica; a viewer may have a wider font, hence the
 * margins. */
static const char head[] =
    "  graph [bgcolor=\"#ffffff\", nodesep=0.4, ranksep=0.55, pad=0.1, nslimit=4, nslimit1=4];\n"
    "  node [shape=box, style=filled, fillcolor=\"#ffffff\", color=\"#3e4c59\", "
    "fontcolor=\"#1f2933\", fontname=Helvetica, fontsize=13, height=0.45, "
    "margin=\"0.22,0.08\"];\n"
    "  edge [color=\"#3e4c59\", fontcolor=\"#52606d\", fontname=Helvetica, fontsize=11, "
    "arrowsize=0.75];\n";

/* For a part of a call only if it has several ranks: otherwise its arc shows the rank. */
static void put_ranks(const struct ork_graph_node *node, FILE *out)
{
    bool rank = node->kind == ORK_NODE_RANK;

    if (!rank && node->num_runs == 0)
        return;
    if (node->num_runs > 0)
        ork_runs_put(out, node->run, node->num_runs, rank ? RUNS_MAX : PART_RUNS_MAX);
    else
        fprintf(out, "%" PRIu32, node->rank);
    if (node->label != NULL && node->label[0] != '\0')
        fputs(rank ? ": " : "\\n", out);
}

static void put_word(const char *before, const char *word, FILE *out)
{
    if (word == NULL || word[0] == '\0')
        return;
    fputs(before, out);
    ork_escape_dot(out, word, LABEL_MAX);
}

/* A description made of several names is too long for a label. */
static bool is_long(const char *comm)
{
    return comm != NULL && strlen(comm) > COMM_MAX;
}

/* "0,2,..,9998: MPI_Recv from rank+1", "at halo.c:40", "on row". */
static void put_label(const struct ork_graph_node *node, FILE *out)
{
    bool world = node->comm != NULL && strcmp(node->comm, "MPI_COMM_WORLD") == 0;

    fputs("label=\"", out);
    put_ranks(node, out);
    ork_escape_dot(out, node->label, LABEL_MAX);
    if (node->relation != NULL) {
        put_word(" ", node->towards != NULL ? node->towards : "for", out);
        put_word(" ", node->relation, out);
    }
    put_word("\\nat ", node->place, out);
    put_word("\\non ", world || is_long(node->comm) ? NULL : node->comm, out);
    fputc('"', out);
}

/* Class names for style sheets. */
static void put_classes(const struct ork_graph_node *node, FILE *out)
{
    static const char *const kind[] = {
        [ORK_NODE_RANK] = "rank", [ORK_NODE_TERM] = "term", [ORK_NODE_HUB] = "hub"};

    fprintf(out, ", class=\"%s%s%s%s\"", kind[node->kind], node->core ? " core" : "",
            node->root ? " root" : "", node->deadlocked ? "" : " alive");
}

static void put_node(const struct ork_graph_node *node, uint32_t number, FILE *out)
{
    fprintf(out, "  n%" PRIu32 " [", number);
    put_label(node, out);
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

static void put_line(const struct ork_drawing *d, const struct ork_link *line, FILE *out)
{
    const struct ork_graph_node *from = d->node[line->from];

    fprintf(out, "  n%" PRIu32 " -> n%" PRIu32 " [class=\"%s%s\"", line->from, line->to,
            from->is_or ? "or" : "and", from->deadlocked ? "" : " alive");
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
    if (d->left_out_nodes == 0 && d->left_out_lines == 0)
        return;
    fputs("  rest [shape=plaintext, class=\"note\", style=\"\", label=\"... and ", out);
    ork_put_count(out, d->left_out_nodes);
    fputs(" more nodes and ", out);
    ork_put_count(out, d->left_out_lines);
    fputs(" more arcs,\\nnot drawn\"];\n", out);
}

static void put_drawing(const struct ork_drawing *drawing, const char *name, FILE *out)
{
    fputs("// orknot\ndigraph \"", out);
    ork_escape_dot(out, name, LABEL_MAX);
    fprintf(out, "\" {\n%s", head);
    for (uint32_t n = 0; n < drawing->num_nodes; n++)
        put_node(drawing->node[n], n, out);
    for (uint32_t i = 0; i < drawing->num_lines; i++)
        put_line(drawing, &drawing->line[i], out);
    put_left_out(drawing, out);
    fputs("}\n", out);
}

static enum ork_status dot_text(const struct ork_drawing *drawing, const char *name, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    put_drawing(drawing, name, out);
    return ork_text_take(&stream, ORK_OK, text);
}

enum ork_status ork_drawing_dot(const struct ork_finding *finding, struct ork_drawing *drawing,
                                char **text)
{
    if (finding->graph.num_nodes == 0)
        return ORK_NOTFOUND;
    enum ork_status status = ork_drawing_init_limited(drawing, &finding->graph);
    if (status != ORK_OK)
        return status;
    status = dot_text(drawing, finding->id, text);
    if (status != ORK_OK)
        ork_drawing_release(drawing);
    return status;
}

enum ork_status ork_viz_dot(const struct ork_finding *finding, char **text)
{
    struct ork_drawing drawing;
    enum ork_status status = ork_drawing_dot(finding, &drawing, text);

    if (status == ORK_OK)
        ork_drawing_release(&drawing);
    return status;
}
