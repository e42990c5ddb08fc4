/* SPDX-License-Identifier: BSD-3-Clause */
/* Additional details of a deadlock. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/fold_runs.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#define RUNS_MAX 12u

/* Does the finding's own sentence say it, except for the final full stop? */
static bool is_said(const struct ork_finding *f, const struct ork_near_miss *near)
{
    const char *sentence = ork_html_sentence(f);
    size_t size = strlen(sentence);

    return near->others == 0 && strncasecmp(near->message, sentence, size) == 0 &&
           strlen(near->message) <= size + strlen(".");
}

static uint32_t count_unsaid(const struct ork_finding *f)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->num_near_misses; i++)
        count += !is_said(f, &f->near_miss[i]);
    return count;
}

static void put_near_misses(FILE *out, const struct ork_finding *f)
{
    if (count_unsaid(f) == 0)
        return;
    fputs("<div class=\"hint near\"><h3>Almost a match</h3>\n<ul>\n", out);
    for (uint32_t i = 0; i < f->num_near_misses && ork_html_has_room(out); i++) {
        if (is_said(f, &f->near_miss[i]))
            continue;
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

static void put_kind(FILE *out, const struct ork_finding_kind *kind)
{
    const char *class_ = ork_class_word(kind->class_);

    fprintf(out, "<div class=\"hint\"><h3>What to do</h3>\n<p>%s</p></div>\n", kind->advice);
    fprintf(out, "<div class=\"hint\"><h3>What this means</h3>\n<p><code>%s", kind->id);
    if (class_ != NULL)
        fprintf(out, " (%s)", class_);
    fprintf(out, "</code>: %s</p></div>\n", kind->meaning);
}

void ork_html_put_hints(FILE *out, const struct ork_finding *f, bool has_kind)
{
    const struct ork_finding_kind *kind = has_kind ? ork_finding_kind(f->id, f->class_) : NULL;

    if (count_unsaid(f) + f->num_remedies == 0 && kind == NULL)
        return;
    fputs("<div class=\"hints\">\n", out);
    put_near_misses(out, f);
    put_remedies(out, f);
    if (kind != NULL)
        put_kind(out, kind);
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

/* Of the predefined ones, a reader knows all that the table has. */
static bool has_made(const struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_communicators; i++)
        if (f->communicator[i].origin != NULL)
            return true;
    return false;
}

void ork_html_put_communicators(FILE *out, const struct ork_finding *f)
{
    if (!has_made(f))
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
