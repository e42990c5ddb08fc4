/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls of the ranks. */
#include "viz/html.h"

#include "report/escape.h"
#include "report/last_calls.h"
#include "report/ranks.h"
#include "viz/lanes.h"

#include <inttypes.h>
#include <stdlib.h>

#define RUNS_MAX 12u

static void put_call(FILE *out, const struct ork_last_call *call)
{
    char *words = ork_last_call_words(call);
    char *outcome = ork_last_call_outcome(call);

    fputs(call->inside ? "<li class=\"inside\">" : "<li>", out);
    ork_html_put(out, "code", NULL, words);
    if (call->where.file != NULL || call->where.module != NULL) {
        fputs(" <span class=\"soft\">", out);
        ork_html_put_place(out, &call->where);
        fputs("</span>", out);
    }
    if (call->times > 1) {
        fputs(" <b>", out);
        ork_put_count(out, call->times);
        fputs(" times</b>", out);
    }
    if (outcome != NULL && outcome[0] != '\0') {
        fputs(" ", out);
        ork_html_put(out, "em", NULL, outcome);
    }
    fputs("</li>\n", out);
    free(words);
    free(outcome);
}

/* Those of an iteration as a list in the list. */
static void put_calls(FILE *out, const struct ork_last_calls *list)
{
    uint32_t left = 0; /* calls of the present iteration */

    for (uint32_t i = 0; i < list->num_calls; i++) {
        const struct ork_last_call *call = &list->call[i];
        if (call->iteration > 0 && left == 0) {
            left = call->iteration;
            fputs("<li><b>", out);
            ork_put_count(out, call->iterations);
            fputs(" times</b>\n<ol>\n", out);
        }
        put_call(out, call);
        if (left > 0 && (--left == 0 || i + 1 == list->num_calls))
            fputs("</ol></li>\n", out);
    }
}

static void put_list(FILE *out, const struct ork_last_calls *list)
{
    fprintf(out, "<div class=\"last\"><h4>%s ", list->ranks.count > 1 ? "Ranks" : "Rank");
    ork_put_ranks(out, list->ranks.item, list->ranks.count, RUNS_MAX);
    if (list->thread >= 0)
        fprintf(out, ", thread %" PRId64, list->thread);
    fputs("</h4>\n<ol>\n", out);
    put_calls(out, list);
    fputs("</ol></div>\n", out);
}

void ork_html_put_last_calls(FILE *out, const struct ork_finding *f)
{
    if (f->num_last_calls == 0)
        return;
    bool is_drawn = ork_lanes_are_worth_it(f);
    fputs(is_drawn ? "<details class=\"part\"><summary>The last calls, as a list</summary>\n"
                     "<div class=\"lasts\">\n"
                   : "<h3>The last calls</h3>\n<div class=\"lasts\">\n",
          out);
    for (uint32_t i = 0; i < f->num_last_calls && ork_html_has_room(out); i++)
        put_list(out, &f->last_calls[i]);
    fputs(is_drawn ? "</div>\n</details>\n" : "</div>\n", out);
}
