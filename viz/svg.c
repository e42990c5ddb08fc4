/* SPDX-License-Identifier: BSD-3-Clause */
/* SVG by libgvc, with the plugins for dot's layout and for SVG linked in.
 * RATIONALE: a context that looks for plugins itself loads pango and fontconfig too, 40 ms instead
 * of 1 ms for a small graph; and graphviz's own measures of Helvetica do not depend on the fonts of
 * the machine. */
#include "viz/viz.h"

#include "viz/drawing.h"

#include <graphviz/gvc.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: dot's layout takes a second for what is not readable anyway. */
#define BOXES_MAX 100u
#define LINES_MAX 250u

extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
extern gvplugin_library_t gvplugin_core_LTX_library;

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

static int be_silent(char *message)
{
    (void)message;
    return 0;
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* One line of graphviz's SVG. Titles and comments only repeat internal names; ids would clash on a
 * page with two graphs. */
static void put_line(const char *line, size_t size, FILE *out)
{
    static const char id[] = "<g id=\"";

    if (starts_with(line, "<title>") || starts_with(line, "<!--"))
        return;
    if (starts_with(line, id)) {
        const char *behind = memchr(line + sizeof(id) - 1, '"', size - (sizeof(id) - 1));
        if (behind != NULL) {
            fputs("<g", out);
            size -= (size_t)(behind + 1 - line);
            line = behind + 1;
        }
    }
    fwrite(line, 1, size, out);
}

/* From <svg on: the prolog is ours. The first line that ends a tag ends <svg>. */
static void put_document(const char *svg, FILE *out)
{
    bool in_svg_tag = true;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot -->\n", out);
    for (const char *line = strstr(svg, "<svg"); line != NULL && *line != '\0';) {
        size_t size = strcspn(line, "\n");
        size_t whole = line[size] == '\n' ? size + 1 : size;
        put_line(line, whole, out);
        if (in_svg_tag && size > 0 && line[size - 1] == '>') {
            fputs(style, out);
            in_svg_tag = false;
        }
        line += whole;
    }
}

/* *svg is the caller's (gvFreeRenderData). */
static enum ork_status lay_out(const char *dot, char **svg)
{
    static lt_symlist_t plugins[] = {
        {"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
        {"gvplugin_core_LTX_library", &gvplugin_core_LTX_library},
        {NULL, NULL},
    };
    unsigned size = 0;
    enum ork_status status = ORK_NOMEM;

    GVC_t *context = gvContextPlugins(plugins, 0);
    if (context == NULL)
        return ORK_NOMEM;
    Agraph_t *graph = agmemread(dot);
    if (graph != NULL) {
        status = ORK_INVALID;
        if (gvLayout(context, graph, "dot") == 0) {
            if (gvRenderData(context, graph, "svg", svg, &size) == 0)
                status = ORK_OK;
            gvFreeLayout(context, graph);
        }
        agclose(graph);
    }
    gvFreeContext(context);
    return status;
}

static enum ork_status make_svg(const char *dot, char **text)
{
    char *svg = NULL;
    char *buffer = NULL;
    size_t size = 0;

    agusererrf before = agseterrf(be_silent);
    enum ork_status status = lay_out(dot, &svg);
    agseterrf(before);
    if (status != ORK_OK)
        return status;
    FILE *out = open_memstream(&buffer, &size);
    if (out != NULL)
        put_document(svg, out);
    gvFreeRenderData(svg);
    if (out == NULL)
        return ORK_NOMEM;
    if (fclose(out) != 0) {
        free(buffer);
        return ORK_NOMEM;
    }
    *text = buffer;
    return ORK_OK;
}

static enum ork_status drawing_to_svg(struct ork_drawing *drawing, const char *name, char **text)
{
    char *dot = NULL;
    size_t size = 0;

    enum ork_status status = ork_drawing_limit(drawing, BOXES_MAX, LINES_MAX);
    if (status != ORK_OK)
        return status;
    FILE *out = open_memstream(&dot, &size);
    if (out == NULL)
        return ORK_NOMEM;
    ork_drawing_put_dot(drawing, name, out);
    status = fclose(out) == 0 ? make_svg(dot, text) : ORK_NOMEM;
    free(dot);
    return status;
}

enum ork_status ork_viz_svg(const struct ork_finding *finding, char **text)
{
    struct ork_drawing drawing;

    if (finding->graph.num_nodes == 0)
        return ORK_NOTFOUND;
    enum ork_status status = ork_drawing_init(&drawing, &finding->graph);
    if (status != ORK_OK)
        return status;
    status = drawing_to_svg(&drawing, finding->id, text);
    ork_drawing_release(&drawing);
    return status;
}
