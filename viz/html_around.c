/* SPDX-License-Identifier: BSD-3-Clause */
/* Additional details of a deadlock. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/fold_runs.h"

#include <inttypes.h>
#include <string.h>

#define RUNS_MAX 12u

static void put_near_misses(FILE *out, const struct ork_finding *f)
{
    if (f->num_near_misses == 0)
        return;
    fputs("<div class=\"hint near\"><h3>Almost a match</h3>\n<ul>\n", out);
    for (uint32_t i = 0; i < f->num_near_misses && ork_html_has_room(out); i++) {
        fputs("<li>", out);
        ork_escape_html(out, f->near_miss[i].message);
        if (f->near_miss[i].others > 0)
            fprintf(out,
                    f->near_miss[i].others == 1
                        ? " <span class=\"soft\">The same holds for %" PRIu32
                          " more pair of ranks.</span>"
                        : " <span class=\"soft\">The same holds for %" PRIu32
                          " more pairs of ranks.</span>",
                    f->near_miss[i].others);
        fputs("</li>\n", out);
    }
    fputs("</ul></div>\n", out);
}

static void put_remedies(FILE *out, const struct ork_finding *f)
{
    if (f->num_remedies == 0)
        return;
    fputs("<div class=\"hint\"><h3>What would resolve it</h3>\n<p class=\"soft\">", out);
    fputs(f->num_remedies > 1 ? "Each of these changes is sufficient:</p>\n<ul>\n"
                              : "This change is sufficient:</p>\n<ul>\n",
          out);
    for (uint32_t i = 0; i < f->num_remedies && ork_html_has_room(out); i++)
        ork_html_put(out, "li", NULL, f->remedy[i].message);
    fputs("</ul></div>\n", out);
}

void ork_html_put_hints(FILE *out, const struct ork_finding *f)
{
    if (f->num_near_misses + f->num_remedies == 0)
        return;
    fputs("<div class=\"hints\">\n", out);
    put_near_misses(out, f);
    put_remedies(out, f);
    fputs("</div>\n", out);
}

static void put_origin(FILE *out, const struct ork_communicator *c)
{
    if (c->origin == NULL) {
        fputs("<span class=\"soft\">predefined</span>", out);
        return;
    }
    ork_escape_html(out, c->origin);
    if (c->parent != NULL && (c->name == NULL || strstr(c->name, c->parent) == NULL)) {
        fputs(" of ", out);
        ork_escape_html(out, c->parent);
    }
    if (c->where.file != NULL || c->where.module != NULL) {
        fputs("<br>", out);
        ork_html_put_place(out, &c->where);
    }
}

static void put_communicator(FILE *out, const struct ork_communicator *c)
{
    fputs("<tr><th scope=\"row\" class=\"name\">", out);
    ork_escape_html(out, c->name);
    fputs("</th><td data-label=\"ranks\">", out);
    ork_put_count(out, c->size);
    fputs(c->inter ? ", of two groups</td><td data-label=\"members\">"
                   : "</td><td data-label=\"members\">",
          out);
    ork_runs_put(out, c->member, c->num_members, RUNS_MAX);
    fputs("</td><td data-label=\"made by\">", out);
    put_origin(out, c);
    fputs("</td></tr>\n", out);
}

void ork_html_put_communicators(FILE *out, const struct ork_finding *f)
{
    if (f->num_communicators == 0)
        return;
    fputs("<h3>Communicators</h3>\n<div class=\"table\"><table class=\"comms\">\n<thead><tr>"
          "<th scope=\"col\">name</th><th scope=\"col\">ranks</th><th scope=\"col\">members</th>"
          "<th scope=\"col\">made by</th></tr></thead>\n<tbody>\n",
          out);
    for (uint32_t i = 0; i < f->num_communicators && ork_html_has_room(out); i++)
        put_communicator(out, &f->communicator[i]);
    fputs("</tbody></table></div>\n", out);
}

void ork_html_put_basis(FILE *out, const struct ork_finding *f)
{
    if (f->basis == ORK_BASIS_NONE && f->basis_text == NULL)
        return;
    fputs("<h3>How the verdict was reached</h3>\n", out);
    ork_html_put(out, "p", "basis",
                 f->basis_text != NULL ? f->basis_text : ork_basis_word(f->basis));
}
