/* SPDX-License-Identifier: BSD-3-Clause */
/* Who waits for whom, of so many ranks that a graph would not show it. */
#include "viz/html.h"

#include "viz/matrix.h"

enum ork_status ork_html_put_matrix(FILE *out, const struct ork_finding *finding)
{
    if (!ork_matrix_is_worth_it(finding) || !ork_html_has_room(out))
        return ORK_OK;
    fputs("<details class=\"part\"><summary>All ranks, as a matrix</summary>\n"
          "<figure class=\"lanes-box\">\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Who waits for whom\">\n",
          out);
    enum ork_status status = ork_matrix_put(out, finding);
    fputs("</div>\n<figcaption>A row for each rank that waits, a column for each that it waits "
          "for",
          out);
    fputs(finding->num_roots > 0 ? "; red: the root.</figcaption>\n" : ".</figcaption>\n", out);
    fputs("</figure>\n</details>\n", out);
    return status;
}
