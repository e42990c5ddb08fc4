/* SPDX-License-Identifier: BSD-3-Clause */
/* One finding: the sentence, the graph, the ranks, and additional details. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/ranks.h"

#include <strings.h>

#define RUNS_MAX 16u

const char *ork_html_sentence(const struct ork_finding *f)
{
    if (f->summary != NULL && f->summary[0] != '\0')
        return f->summary;
    return f->message != NULL && f->message[0] != '\0' ? f->message
                                                       : "A finding without a description";
}

static void put_tags(FILE *out, const struct ork_finding *f)
{
    const char *severity = ork_severity_word(f->severity);
    const char *class_ = ork_class_word(f->class_);

    fprintf(out, "<p class=\"tags\"><span class=\"tag %s\">%s</span> ", severity, severity);
    ork_html_put_about_link(out, f);
    if (class_ != NULL)
        fprintf(out, " <span class=\"tag\">%s</span>", class_);
    fputs("</p>\n", out);
}

static void put_ranks(FILE *out, const char *before, const struct ork_u32s *set)
{
    fprintf(out, "<p>%s ", before);
    ork_put_ranks(out, set->item, set->count, RUNS_MAX);
    fputs(".</p>\n", out);
}

static void put_files(FILE *out, const struct ork_finding *f)
{
    if (f->dot_file == NULL && f->svg_file == NULL && f->lanes_file == NULL)
        return;
    fputs("<p class=\"soft files\">The drawings as files: ", out);
    ork_html_put(out, "code", NULL, f->svg_file);
    ork_html_put(out, "code", NULL, f->dot_file);
    ork_html_put(out, "code", NULL, f->lanes_file);
    fputs("</p>\n", out);
}

/* The text for a terminal is only added to the first sentence if more differs than the capital. */
static void put_words(FILE *out, const struct ork_finding *f)
{
    const struct ork_finding_kind *kind = ork_finding_kind(f->id, f->class_);

    if (f->class_ != ORK_CLASS_NONE && kind != NULL)
        ork_html_put(out, "p", "meaning", kind->meaning);
    else if (f->message != NULL && strcasecmp(f->message, ork_html_sentence(f)) != 0)
        ork_html_put(out, "p", "meaning", f->message);
    ork_html_put_list(out, "details", f->detail, f->num_details);
    if (f->repeats > 0) {
        fputs("<p>Found ", out);
        ork_put_count(out, f->repeats);
        fprintf(out, " more time%s at the same calls.</p>\n", f->repeats > 1 ? "s" : "");
    }
    for (uint32_t i = 0; i < f->num_independent && ork_html_has_room(out); i++)
        put_ranks(out, "An independent cause, which a fix of the root does not remove: ranks",
                  &f->independent[i]);
    if (f->num_waits == 0 && f->ranks.count > 0)
        put_ranks(out, f->ranks.count > 1 ? "Ranks" : "Rank", &f->ranks);
}

static enum ork_status put_parts(FILE *out, const struct ork_finding *f, const char *svg,
                                 unsigned number)
{
    struct ork_rank_table rows;
    enum ork_status status = ork_rank_table_init(&rows, f);

    if (status != ORK_OK)
        return status;
    fputs(ork_html_is_wide(svg) ? "<div class=\"picture wide\">\n" : "<div class=\"picture\">\n",
          out);
    ork_html_put_graph(out, f, &rows, svg, number);
    ork_html_put_hints(out, f);
    fputs("</div>\n", out);
    ork_html_put_table(out, &rows, number);
    status = ork_html_put_sources(out, f, &rows, number);
    ork_rank_table_release(&rows);
    return status;
}

enum ork_status ork_html_put_finding(FILE *out, const struct ork_finding *f, const char *svg,
                                     unsigned number, bool alone)
{
    fprintf(out, "<section id=\"f%u\" class=\"finding %s\">\n", number,
            ork_severity_word(f->severity));
    put_tags(out, f);
    if (!alone)
        ork_html_put(out, "h2", NULL, ork_html_sentence(f));
    put_words(out, f);
    enum ork_status status = ork_html_put_lanes(out, f);
    if (status == ORK_OK)
        status = put_parts(out, f, svg, number);
    ork_html_put_last_calls(out, f);
    ork_html_put_communicators(out, f);
    ork_html_put_basis(out, f);
    put_files(out, f);
    fputs("</section>\n", out);
    return status;
}
