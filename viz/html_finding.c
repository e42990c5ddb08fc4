/* SPDX-License-Identifier: BSD-3-Clause */
/* One finding: the sentence, its places, the last calls, what to do; then the source, the ranks,
 * the graph. */
#include "viz/html.h"

#include "common/text.h"
#include "report/enum_names.h"
#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/ranks.h"
#include "viz/viz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RUNS_MAX 16u

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

/* The text for a terminal is only added to the first sentence if more differs than the capital. A
 * deadlock has the same in more words in its rows. */
static void put_words(FILE *out, const struct ork_finding *f)
{
    if (f->class_ == ORK_CLASS_NONE && f->message != NULL &&
        strcasecmp(f->message, ork_html_sentence(f)) != 0)
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

/* As on a terminal, to be copied: what escapes there has no other lines than these. */
static void put_as_text(FILE *out, const struct ork_finding *f)
{
    struct ork_text_stream stream;
    FILE *lines = ork_text_open(&stream);
    enum ork_status status = lines != NULL ? ork_viz_finding_text(f, false, lines) : ORK_NOMEM;
    char *text = ork_text_close(&stream), *rest = text, *line;

    if (status == ORK_OK && text != NULL && ork_html_has_room(out)) {
        fputs("<details class=\"as-text\"><summary>As text</summary>\n<pre>", out);
        while ((line = strsep(&rest, "\n")) != NULL) {
            ork_escape_html(out, line);
            if (rest != NULL)
                fputc('\n', out);
        }
        fputs("</pre></details>\n", out);
    }
    free(text);
}

/* What a reader needs first. */
static enum ork_status put_cause(FILE *out, const struct ork_finding *f,
                                 const struct ork_html_places *places,
                                 const struct ork_html_frame *frame)
{
    if (frame->has_sentence) {
        fputs("<p class=\"sentence\">", out);
        ork_html_put_sentence(out, f);
        fputs("</p>\n", out);
    }
    ork_html_put_chips(out, places, frame->number);
    put_words(out, f);
    ork_html_put_ruler(out, f);
    enum ork_status status = frame->lanes != NULL ? ork_html_put_outcome_lanes(out, frame->lanes)
                                                  : ork_html_put_lanes(out, f);
    ork_html_put_hints(out, f, frame->has_kind);
    return status;
}

static enum ork_status put_body(FILE *out, const struct ork_finding *f,
                                const struct ork_rank_table *rows,
                                const struct ork_html_frame *frame)
{
    struct ork_html_places *places;
    enum ork_status status = ork_html_places_create(f, rows, &places);

    if (status != ORK_OK)
        return status;
    status = put_cause(out, f, places, frame);
    ork_html_put_sources(out, places, frame->number);
    if (status == ORK_OK)
        status = ork_html_put_rates(out, f);
    ork_html_put_accesses(out, f);
    if (f->num_accesses == 0 || f->num_waits > f->num_accesses) /* else these are its rows */
        ork_html_put_table(out, f, rows, frame->number);
    if (status == ORK_OK)
        status = ork_html_put_stacks(out, f);
    ork_html_put_graph(out, f, rows, frame->svg, frame->number);
    if (status == ORK_OK)
        status = ork_html_put_matrix(out, f);
    ork_html_put_last_calls(out, f);
    ork_html_put_communicators(out, f);
    ork_html_put_basis(out, f);
    put_files(out, f);
    put_as_text(out, f);
    ork_html_places_destroy(places);
    return status;
}

/* The first place, if the sentence does not say it. */
static void put_place(FILE *out, const struct ork_finding *f)
{
    const struct ork_where *where = NULL;

    for (uint32_t i = 0; i < f->num_waits && where == NULL; i++)
        if (f->waits[i].where.file != NULL && f->waits[i].where.line > 0)
            where = &f->waits[i].where;
    if (where == NULL)
        return;
    char *place = ork_text("%s:%" PRIu32, ork_base_name(where->file), where->line);
    if (place != NULL && strstr(ork_html_sentence(f), place) == NULL) {
        fputs(" <code class=\"at\">", out);
        ork_escape_html(out, place);
        fputs("</code>", out);
    }
    free(place);
}

/* The heading of a finding that can be folded. */
static void put_summary(FILE *out, const struct ork_finding *f)
{
    fputs("<summary><span class=\"sentence\">", out);
    ork_html_put_sentence(out, f);
    fputs("</span>", out);
    put_place(out, f);
    fputs("</summary>\n", out);
}

static void begin(FILE *out, const struct ork_finding *f, const struct ork_html_frame *frame)
{
    const char *severity = ork_severity_word(f->severity);

    if (!frame->can_fold) {
        fprintf(out, "<section id=\"f%u\" class=\"finding %s\">\n", frame->number, severity);
        return;
    }
    fprintf(out, "<details id=\"f%u\" class=\"finding %s\"%s>\n", frame->number, severity,
            frame->is_open ? " open" : "");
    put_summary(out, f);
}

enum ork_status ork_html_put_finding(FILE *out, const struct ork_finding *f,
                                     const struct ork_html_frame *frame)
{
    struct ork_rank_table rows;
    enum ork_status status = ork_rank_table_init(&rows, f);

    if (status != ORK_OK)
        return status;
    begin(out, f, frame);
    if (frame->has_tags)
        put_tags(out, f);
    status = put_body(out, f, &rows, frame);
    fputs(frame->can_fold ? "</details>\n" : "</section>\n", out);
    ork_rank_table_release(&rows);
    return status;
}

void ork_html_put_brief(FILE *out, const struct ork_finding *f, unsigned number)
{
    fprintf(out, "<p id=\"f%u\" class=\"brief %s\">", number, ork_severity_word(f->severity));
    ork_html_put_sentence(out, f);
    fputs("</p>\n", out);
}
