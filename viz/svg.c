/* SPDX-License-Identifier: BSD-3-Clause */
/* SVG by graphviz, adapted to a page: no internal names, a style sheet, each node with its ranks
 * (data-ranks) and its full text (title). */
#include "viz/viz.h"

#include "report/escape.h"
#include "report/fold_runs.h"
#include "viz/drawing.h"
#include "viz/image_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Colours for a dark screen; those for paper and light screens are attributes, for viewers without
 * style sheets. */
static const char style[] = "<style>@media screen and (prefers-color-scheme: dark) {\n"
                            ".graph > polygon { fill: #1b2127; }\n"
                            ".graph text { fill: #e4e9ee; }\n"
                            ".graph .node > polygon, .graph .node > path { fill: #242d35; stroke: "
                            "#9fb0c0; }\n"
                            ".graph .core > polygon, .graph .core > path { fill: #4b5b6a; }\n"
                            ".graph .alive > polygon, .graph .alive > path { stroke: #5f6d7a; }\n"
                            ".graph .alive > text, .graph .edge > text { fill: #93a1ae; }\n"
                            ".graph .edge > path { fill: none; stroke: #9fb0c0; }\n"
                            ".graph .edge > polygon { fill: #9fb0c0; stroke: #9fb0c0; }\n"
                            "}</style>\n";

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The node of the group that begins at this line: "<title>n12</title>" is its second line. */
static const struct ork_graph_node *node_at(const struct ork_drawing *d, const char *line)
{
    static const char title[] = "\n<title>n";
    const char *end = strchr(line, '\n');
    char *behind;

    if (end == NULL || !starts_with(end, title))
        return NULL;
    unsigned long n = strtoul(end + sizeof(title) - 1, &behind, 10);
    return starts_with(behind, "</title>") && n < d->num_nodes ? d->node[n] : NULL;
}

static void put_data(const struct ork_graph_node *node, FILE *out)
{
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
static void put_title(const struct ork_graph_node *node, FILE *out)
{
    char *label = strdup(node->label != NULL ? node->label : "");

    for (char *c = label; c != NULL && *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    fputs("<title>", out);
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
    fputs("</title>\n", out);
    free(label);
}

/* One line of graphviz's SVG. Titles and comments only repeat internal names; ids would clash on a
 * page with two graphs. */
static void put_line(const struct ork_drawing *d, const char *line, size_t size, FILE *out)
{
    static const char id[] = "<g id=\"";
    const struct ork_graph_node *node = NULL;

    if (starts_with(line, "<title>") || starts_with(line, "<!--"))
        return;
    if (starts_with(line, id)) {
        const char *behind = memchr(line + sizeof(id) - 1, '"', size - (sizeof(id) - 1));
        if (behind != NULL) {
            fputs("<g", out);
            node = node_at(d, line);
            if (node != NULL)
                put_data(node, out);
            size -= (size_t)(behind + 1 - line);
            line = behind + 1;
        }
    }
    fwrite(line, 1, size, out);
    if (node != NULL)
        put_title(node, out);
}

/* From <svg on: we write the prolog. The first line that ends a tag ends <svg>. */
static void put_document(const struct ork_drawing *d, const char *svg, FILE *out)
{
    bool in_svg_tag = true;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot -->\n", out);
    for (const char *line = strstr(svg, "<svg"); line != NULL && *line != '\0';) {
        size_t size = strcspn(line, "\n");
        size_t whole = line[size] == '\n' ? size + 1 : size;
        put_line(d, line, whole, out);
        if (in_svg_tag && size > 0 && line[size - 1] == '>') {
            fputs(style, out);
            in_svg_tag = false;
        }
        line += whole;
    }
}

static enum ork_status make_svg(const struct ork_drawing *d, const char *dot, char **text)
{
    const struct ork_layout layout = {.format = "svg"};
    char *svg = NULL;
    char *buffer = NULL;
    size_t size = 0;

    enum ork_status status = ork_layout_render(&layout, dot, &svg, &size);
    if (status != ORK_OK)
        return status;
    FILE *out = open_memstream(&buffer, &size);
    if (out != NULL)
        put_document(d, svg, out);
    ork_layout_free(svg);
    if (out == NULL)
        return ORK_NOMEM;
    if (fclose(out) != 0) {
        free(buffer);
        return ORK_NOMEM;
    }
    *text = buffer;
    return ORK_OK;
}

enum ork_status ork_viz_svg(const struct ork_finding *finding, char **text)
{
    struct ork_drawing drawing;
    char *dot = NULL;

    enum ork_status status = ork_drawing_dot(finding, &drawing, &dot);
    if (status != ORK_OK)
        return status;
    status = make_svg(&drawing, dot, text);
    free(dot);
    ork_drawing_release(&drawing);
    return status;
}
