/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of decisions inside the page: libgvc's SVG, its nodes linked to the outcomes. */
#include "viz/html.h"

#include "report/escape.h"
#include "viz/decision_tree.h"

#include <stdlib.h>
#include <string.h>

static bool put_link(const void *of, const char *tag, size_t size, FILE *out)
{
    static const char name[] = "data-outcome=\"";
    const char *at = memmem(tag, size, name, sizeof(name) - 1);

    (void)of;
    if (at == NULL)
        return false;
    fprintf(out, "<a href=\"#o%lu\">", strtoul(at + sizeof(name) - 1, NULL, 10));
    return true;
}

static void put_look(FILE *out, unsigned look, const char *svg)
{
    char part[64];

    snprintf(part, sizeof(part), "class=\"node %s", ork_look_class(look));
    if (strstr(svg, part) != NULL)
        fprintf(out,
                "<li class=\"%s\"><svg width=\"20\" height=\"14\" aria-hidden=\"true\"><rect "
                "class=\"look\" x=\"1\" y=\"1\" width=\"18\" height=\"12\" rx=\"3\"/></svg> "
                "%s</li>",
                ork_look_class(look), ork_look_words(look));
}

/* Only what the drawing contains. */
static void put_legend(FILE *out, const char *svg)
{
    fputs("<figcaption><ul class=\"legend\">", out);
    for (unsigned i = 0; i < ORK_LOOKS; i++)
        put_look(out, ork_look_order[i], svg);
    put_look(out, ORK_LOOK_MIXED, svg);
    if (strstr(svg, " bad") != NULL)
        fputs(
            "<li><svg width=\"20\" height=\"14\" aria-hidden=\"true\"><rect class=\"bold\" x=\"2\" "
            "y=\"2\" width=\"16\" height=\"10\" rx=\"3\"/></svg> bad outcome</li>",
            out);
    if (strstr(svg, " folded") != NULL)
        fputs("<li><svg width=\"20\" height=\"14\" aria-hidden=\"true\"><rect x=\"1\" y=\"1\" "
              "width=\"18\" height=\"12\" rx=\"3\"/><rect x=\"4\" y=\"4\" width=\"12\" "
              "height=\"6\" rx=\"1\"/></svg> several runs</li>",
              out);
    fputs("</ul></figcaption>\n", out);
}

void ork_html_put_tree(FILE *out, const struct ork_exploration *e, const char *svg)
{
    const char *start = svg != NULL ? strstr(svg, "<svg") : NULL;

    if (start == NULL || ftell(out) + (long)strlen(start) > ORK_HTML_ENOUGH)
        return;
    fputs("<section>\n<h2>The tree of decisions</h2>\n<p>Each node is a run. It made the same "
          "choices as the run to its left, up to the one that the node names; what it chose there "
          "is in the next line.",
          out);
    if (strstr(start, " folded") != NULL) {
        fputs(" The tree of all ", out);
        ork_put_count(out, e->num_runs);
        fputs(" runs is too large to be drawn, so a node with a double border stands for several "
              "runs: a run and all those below it, or several changes of the same run.",
              out);
    }
    fputs("</p>\n<figure class=\"graph-box tree\">\n", out);
    ork_html_put_svg(out, start, "Tree of decisions", &(struct ork_html_links){NULL, put_link});
    put_legend(out, start);
    fputs("</figure>\n</section>\n", out);
}
