/* SPDX-License-Identifier: BSD-3-Clause */
/* How many calls the ranks made in each of the latest seconds. */
#include "viz/html.h"

#include "report/escape.h"
#include "viz/rates.h"

#include <stdlib.h>

enum ork_status ork_html_put_rates(FILE *out, const struct ork_finding *f)
{
    if (f->num_rates == 0 || !ork_html_has_room(out))
        return ORK_OK;
    char *sentence = ork_rates_sentence(f);
    if (sentence == NULL)
        return ORK_NOMEM;
    fputs("<h3>Calls a second</h3>\n<figure class=\"lanes-box\">\n<div class=\"scroll\" "
          "tabindex=\"0\" role=\"group\" aria-label=\"Calls a second of each rank\">\n",
          out);
    ork_rates_put(out, f);
    fputs("</div>\n<figcaption>", out);
    ork_escape_html(out, sentence);
    fputs(
        " The stronger the colour, the more calls: a step is several times as many.</figcaption>\n"
        "</figure>\n",
        out);
    free(sentence);
    return ORK_OK;
}
