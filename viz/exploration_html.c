/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of an exploration: how all runs ended, each outcome, the choices by place, the tree of
 * decisions, and what was not run. */
#include "viz/html.h"

#include "common/text.h"
#include "report/escape.h"
#include "viz/decision_tree.h"
#include "viz/exploration_findings.h"
#include "viz/viz.h"

#include <inttypes.h>
#include <stdlib.h>

#define LISTED_MAX 50u   /* outcomes in the list at the top */
#define BAR_WIDTH  1000u /* units of the drawing */

static bool has_bad_outcome(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        if (e->outcome[i].is_bad)
            return true;
    return false;
}

static bool has_warning(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        if (e->outcome[i].kind == ORK_OUTCOME_WARNING)
            return true;
    return false;
}

static char *make_title(const struct ork_exploration *e)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    ork_exploration_put_orders(e, out);
    if (e->num_words > 0)
        fputs(": ", out);
    if (e->num_words > 0)
        ork_escape_html(out, ork_base_name(e->command[0]));
    return ork_text_close(&stream);
}

static void put_figures(FILE *out, const struct ork_exploration *e)
{
    fputs("<p class=\"figures\">", out);
    if (e->num_words > 0) {
        fputs("<code>", out);
        ork_escape_html(out, ork_base_name(e->command[0]));
        fputs("</code> &middot; ", out);
    }
    ork_put_count(out, e->ranks);
    fputs(e->ranks != 1 ? " ranks &middot; " : " rank &middot; ", out);
    ork_put_count(out, e->runs);
    fprintf(out, " run%s &middot; %.1f s</p>\n", e->runs != 1 ? "s" : "", e->seconds);
}

/* Whether every order was run: the same sentence as in the section about it. */
static enum ork_status put_extent(FILE *out, const struct ork_exploration *e)
{
    char **sentence;
    uint32_t count;

    enum ork_status status = ork_exploration_limits(e, &sentence, &count);
    if (status != ORK_OK)
        return status;
    ork_html_put(out, "p", e->is_complete ? "extent" : "extent lost", sentence[0]);
    for (uint32_t i = 0; i < count; i++)
        free(sentence[i]);
    free(sentence);
    return ORK_OK;
}

/* How many runs ended in which way, as parts of a bar, which all known orders would fill. Small
 * parts stay visible. */
static void put_bar(FILE *out, const struct ork_exploration *e)
{
    uint64_t by_look[ORK_LOOKS] = {0}, sum = 0;
    double x = 0;

    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        by_look[ork_outcome_look(e, i)] += e->outcome[i].runs;
        sum += e->outcome[i].runs;
    }
    if (sum == 0)
        return;
    sum += e->left; /* of these, no part is drawn: the bar ends before */
    fprintf(out,
            "<svg class=\"share\" viewBox=\"0 0 %u 14\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\">",
            BAR_WIDTH);
    for (unsigned i = 0; i < ORK_LOOKS; i++) {
        unsigned look = ork_look_order[i];
        if (by_look[look] == 0)
            continue;
        double width = BAR_WIDTH * ((double)by_look[look] / (double)sum);
        width = width < 8 ? 8 : width;
        fprintf(out, "<rect class=\"look %s\" x=\"%.1f\" y=\"1\" width=\"%.1f\" height=\"12\"/>",
                ork_look_class(look), x, width - 3);
        x += width;
    }
    fputs("</svg>\n", out);
}

static void put_list(FILE *out, const struct ork_exploration *e)
{
    fprintf(out, "<nav aria-label=\"Outcomes\"><p>%" PRIu32 " outcome%s</p>\n", e->num_outcomes,
            e->num_outcomes == 1 ? "" : "s");
    put_bar(out, e);
    fputs("<ol class=\"findings\">\n", out);
    for (uint32_t i = 0; i < e->num_outcomes && i < LISTED_MAX; i++) {
        const struct ork_outcome *o = &e->outcome[i];
        fprintf(out, "<li><span class=\"tag look %s\">%s</span> <a href=\"#o%" PRIu32 "\">",
                ork_look_class(ork_outcome_look(e, i)), ork_outcome_short_words(o), i + 1);
        ork_escape_html(out, o->message);
        fputs("</a> <span class=\"soft\">", out);
        ork_put_count(out, o->runs);
        fprintf(out, " run%s</span></li>\n", o->runs == 1 ? "" : "s");
    }
    fputs("</ol></nav>\n", out);
}

static enum ork_status put_headline(FILE *out, const struct ork_exploration *e)
{
    const char *class_ = has_bad_outcome(e)                  ? "error"
                         : e->is_complete && !has_warning(e) ? "good"
                                                             : "warning";

    fprintf(out, "<h1 class=\"%s\">", class_);
    ork_exploration_put_summary(e, out);
    fputs("</h1>\n", out);
    put_figures(out, e);
    enum ork_status status = put_extent(out, e);
    if (e->num_outcomes > 0)
        put_list(out, e);
    return status;
}

/* Outcomes without room are in the other files. */
static enum ork_status put_outcomes(FILE *out, const struct ork_exploration *e, char *const *svg)
{
    enum ork_status status = ORK_OK;
    uint32_t before = 0;

    for (uint32_t i = 0; i < e->num_outcomes && status == ORK_OK; i++) {
        if (!ork_html_has_room(out)) {
            fprintf(out,
                    "<p class=\"soft\">... and %" PRIu32 " more outcomes: see "
                    "MUST_Output.json.</p>\n",
                    e->num_outcomes - i);
            break;
        }
        status = ork_html_put_outcome(out, e, i, svg + before, before + 1);
        before += ork_outcome_is_reported(&e->outcome[i]) ? e->outcome[i].num_findings : 0;
    }
    return status;
}

static void put_notes(FILE *out, const struct ork_exploration *e)
{
    if (e->num_notes == 0)
        return;
    fputs("<section>\n<h2>Notes</h2>\n", out);
    ork_html_put_list(out, "details", e->note, e->num_notes);
    fputs("</section>\n", out);
}

static enum ork_status put_page(FILE *out, const struct ork_exploration *e,
                                const struct ork_report *findings, char *const *svg,
                                const char *tree)
{
    char *title = make_title(e);

    if (title == NULL)
        return ORK_NOMEM;
    ork_html_begin(out, title);
    free(title);
    enum ork_status status = put_headline(out, e);
    if (status == ORK_OK)
        status = put_outcomes(out, e, svg);
    ork_html_put_sites(out, e);
    ork_html_put_tree(out, e, tree);
    if (status == ORK_OK)
        status = ork_html_put_limits(out, e);
    put_notes(out, e);
    ork_html_put_about(out, findings);
    ork_html_put_exploration_figures(out, e);
    ork_html_end(out);
    return status;
}

enum ork_status ork_html_exploration_page(const struct ork_exploration *e,
                                          const struct ork_report *findings, char *const *svg,
                                          const char *tree, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    enum ork_status status = put_page(out, e, findings, svg, tree);
    return ork_text_take(&stream, status, text);
}

enum ork_status ork_viz_exploration_html(const struct ork_exploration *e, char **text)
{
    struct ork_report findings;
    char **svg = NULL;
    char *tree = NULL;

    enum ork_status status = ork_exploration_findings_init(&findings, e);
    if (status != ORK_OK)
        return status;
    status = ork_html_lay_out(&findings, &svg);
    if (status == ORK_OK && ork_decision_tree_svg(e, &tree) == ORK_NOMEM)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        status = ork_html_exploration_page(e, &findings, svg, tree, text);
    free(tree);
    ork_html_free_graphs(&findings, svg);
    ork_exploration_findings_release(&findings);
    return status;
}
