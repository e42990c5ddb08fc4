/* SPDX-License-Identifier: BSD-3-Clause */
/* The swim lanes inside the page, which has a style sheet of its own. */
#include "viz/html.h"

#include "viz/viz.h"

#include <stdlib.h>
#include <string.h>

static void put_svg(FILE *out, const char *svg)
{
    const char *start = strstr(svg, "<svg"), *style = strstr(svg, "<style>");
    const char *rest = style != NULL ? strstr(style, "</style>\n") : NULL;

    if (start == NULL || rest == NULL || ftell(out) + (long)strlen(start) > ORK_HTML_ENOUGH)
        return;
    fputs("<figure class=\"lanes-box\">\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"The last calls of the ranks, in their logical order\">\n",
          out);
    fwrite(start, 1, (size_t)(style - start), out);
    fputs(rest + strlen("</style>\n"), out);
    fputs("</div>\n</figure>\n", out);
}

/* Takes over *svg, if the drawing was made. */
static enum ork_status put(FILE *out, enum ork_status status, char *svg)
{
    if (status != ORK_OK)
        return status == ORK_NOTFOUND ? ORK_OK : status;
    put_svg(out, svg);
    free(svg);
    return ORK_OK;
}

enum ork_status ork_html_put_lanes(FILE *out, const struct ork_finding *finding)
{
    char *svg = NULL;
    enum ork_status status = ork_viz_lanes_svg(finding, &svg);

    if (status == ORK_NOTFOUND && finding->are_calls_gone)
        fputs(
            "<p class=\"soft\">The last calls are not drawn: the calls that this is about are not "
            "among those that are kept of these ranks.</p>\n",
            out);
    return put(out, status, svg);
}

enum ork_status ork_html_put_outcome_lanes(FILE *out, const struct ork_outcome_lanes *l)
{
    char *svg = NULL;
    enum ork_status status = ork_lanes_svg_switched(l->drawn, l->arrow, l->num_arrows, &svg);

    return put(out, status, svg);
}
