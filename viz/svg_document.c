/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/svg_document.h"

#include "common/text.h"
#include "viz/image_layout.h"

#include <stdlib.h>
#include <string.h>

/* Colours for a dark screen; those for paper and light screens are attributes, for viewers without
 * style sheets. */
static const char style[] =
    "<style>@media screen and (prefers-color-scheme: dark) {\n"
    ".graph > polygon { fill: #1b2127; }\n"
    ".graph text { fill: #e4e9ee; }\n"
    ".graph .node > polygon, .graph .node > path { fill: #242d35; stroke: #9fb0c0; }\n"
    ".graph .core > polygon, .graph .core > path { fill: #4b5b6a; }\n"
    ".graph .alive > polygon, .graph .alive > path { stroke: #5f6d7a; }\n"
    ".graph .alive > text, .graph .edge > text { fill: #93a1ae; }\n"
    ".graph .edge > path { fill: none; stroke: #9fb0c0; }\n"
    ".graph .edge > polygon { fill: #9fb0c0; stroke: #9fb0c0; }\n";

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The node of the group that begins at this line: "<title>n12</title>" is its second line.
 * UINT32_MAX: it is none. */
static uint32_t node_at(const struct ork_svg_nodes *nodes, const char *line)
{
    static const char title[] = "\n<title>n";
    const char *end = strchr(line, '\n');
    char *behind;

    if (end == NULL || !starts_with(end, title))
        return UINT32_MAX;
    unsigned long n = strtoul(end + sizeof(title) - 1, &behind, 10);
    return starts_with(behind, "</title>") && n < nodes->count ? (uint32_t)n : UINT32_MAX;
}

/* One line of graphviz's SVG. Titles and comments only repeat internal names; ids would clash on a
 * page with two graphs. */
static void put_line(const struct ork_svg_nodes *nodes, const char *line, size_t size, FILE *out)
{
    static const char id[] = "<g id=\"";
    uint32_t node = UINT32_MAX;

    if (starts_with(line, "<title>") || starts_with(line, "<!--"))
        return;
    if (starts_with(line, id)) {
        const char *behind = memchr(line + sizeof(id) - 1, '"', size - (sizeof(id) - 1));
        if (behind != NULL) {
            fputs("<g", out);
            node = node_at(nodes, line);
            if (node != UINT32_MAX)
                nodes->put_data(nodes->of, node, out);
            size -= (size_t)(behind + 1 - line);
            line = behind + 1;
        }
    }
    fwrite(line, 1, size, out);
    if (node != UINT32_MAX) {
        fputs("<title>", out);
        nodes->put_title(nodes->of, node, out);
        fputs("</title>\n", out);
    }
}

/* From <svg on: we write the prolog. The first line that ends a tag ends <svg>. */
static void put_document(const struct ork_svg_nodes *nodes, const char *svg, FILE *out)
{
    bool in_svg_tag = true;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot -->\n", out);
    for (const char *line = strstr(svg, "<svg"); line != NULL && *line != '\0';) {
        size_t size = strcspn(line, "\n");
        size_t whole = line[size] == '\n' ? size + 1 : size;
        put_line(nodes, line, whole, out);
        if (in_svg_tag && size > 0 && line[size - 1] == '>') {
            fprintf(out, "%s%s}</style>\n", style, nodes->dark != NULL ? nodes->dark : "");
            in_svg_tag = false;
        }
        line += whole;
    }
}

enum ork_status ork_svg_document(const char *dot, const struct ork_svg_nodes *nodes, char **text)
{
    const struct ork_layout layout = {.format = "svg"};
    char *svg = NULL;
    size_t size = 0;

    enum ork_status status = ork_layout_render(&layout, dot, &svg, &size);
    if (status != ORK_OK)
        return status;
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);
    if (out != NULL)
        put_document(nodes, svg, out);
    ork_layout_free(svg);
    return ork_text_take(&stream, ORK_OK, text);
}
