/* SPDX-License-Identifier: BSD-3-Clause */
/* The swim lanes inside the page, which has a style sheet of its own. */
#include "viz/html.h"

#include "viz/viz.h"

#include <stdlib.h>
#include <string.h>

enum ork_status ork_html_put_lanes(FILE *out, const struct ork_finding *finding)
{
    char *svg = NULL;
    enum ork_status status = ork_viz_lanes_svg(finding, &svg);

    if (status != ORK_OK)
        return status == ORK_NOTFOUND ? ORK_OK : status;
    const char *start = strstr(svg, "<svg"), *style = strstr(svg, "<style>");
    const char *rest = style != NULL ? strstr(style, "</style>\n") : NULL;
    if (start != NULL && rest != NULL && ftell(out) + (long)strlen(start) <= ORK_HTML_ENOUGH) {
        fputs("<figure class=\"lanes-box\">\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
              "aria-label=\"The last calls of the ranks, in their logical order\">\n",
              out);
        fwrite(start, 1, (size_t)(style - start), out);
        fputs(rest + strlen("</style>\n"), out);
        fputs("</div>\n</figure>\n", out);
    }
    free(svg);
    return ORK_OK;
}
