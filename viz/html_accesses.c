/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of a conflict: the ruler, and a table. */
#include "viz/html.h"

#include "report/escape.h"
#include "viz/ruler.h"

#include <inttypes.h>

static void put_row(FILE *out, const struct ork_window_access *a)
{
    fprintf(out,
            "<tr><th scope=\"row\">%" PRIu32 "</th><td data-label=\"access\"><b class=\"call\">",
            a->rank);
    ork_escape_html(out, a->call);
    fputs(a->is_read ? "</b><br><span class=\"soft\">reads</span></td><td data-label=\"bytes\">"
                     : "</b><br><span class=\"soft\">writes</span></td><td data-label=\"bytes\">",
          out);
    fputs(a->has_gaps ? "some of " : "", out);
    ork_ruler_put_bytes(out, a);
    fprintf(out, "</td><td data-label=\"memory of\">rank %" PRIu32 "</td><td data-label=\"in\">",
            a->target);
    ork_escape_html(out, a->epoch);
    fputs("</td><td data-label=\"where\">", out);
    ork_html_put_place(out, &a->where);
    fputs("</td></tr>\n", out);
}

void ork_html_put_accesses(FILE *out, const struct ork_finding *f)
{
    if (f->num_accesses == 0 || !ork_html_has_room(out))
        return;
    fputs("<h3>The accesses</h3>\n<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>"
          "<th scope=\"col\">rank</th><th scope=\"col\">access</th><th scope=\"col\">bytes</th>"
          "<th scope=\"col\">memory of</th><th scope=\"col\">in</th><th scope=\"col\">where</th>"
          "</tr></thead>\n<tbody>\n",
          out);
    for (uint32_t i = 0; i < f->num_accesses; i++)
        put_row(out, &f->access[i]);
    fputs("</tbody></table></div>\n", out);
}

void ork_html_put_ruler(FILE *out, const struct ork_finding *f)
{
    if (f->num_accesses == 0 || !ork_html_has_room(out))
        return;
    fputs("<figure class=\"lanes-box\">\n<div class=\"scroll start\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"The bytes of each access\">\n",
          out);
    ork_ruler_put(out, f);
    fputs("</div>\n</figure>\n", out);
}
