/* SPDX-License-Identifier: BSD-3-Clause */
/* One outcome of an exploration: what it is, what leads there, how to repeat it, its findings. */
#include "viz/html.h"

#include "report/escape.h"
#include "viz/decision_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHOICES_MAX 200u

static void put_tags(FILE *out, const struct ork_exploration *e, uint32_t outcome)
{
    const struct ork_outcome *o = &e->outcome[outcome];

    fprintf(out, "<p class=\"tags\"><span class=\"tag look\">outcome %" PRIu32 "</span> ",
            outcome + 1);
    fprintf(out, "<span class=\"tag\">%s</span> <span class=\"tag\">", ork_outcome_short_words(o));
    ork_put_count(out, o->runs);
    fprintf(out, " run%s</span> <span class=\"tag\">%srun ", o->runs == 1 ? "" : "s",
            o->runs == 1 ? "" : "first: ");
    ork_put_count(out, o->first);
    fputs("</span></p>\n", out);
}

static enum ork_status put_choice(FILE *out, const struct ork_forced_choice *choice)
{
    fprintf(out, "<tr><th scope=\"row\">rank %" PRIu32 ", choice ", choice->rank);
    ork_put_count(out, choice->number);
    fputs("</th><td data-label=\"call\"><span class=\"call\">", out);
    ork_escape_html(out, choice->site.call);
    fputs("</span></td><td data-label=\"place\">", out);
    ork_html_put(out, "code", NULL, choice->site.place);
    fputs("</td><td data-label=\"outcome\">", out);
    ork_escape_html(out, choice->outcome);
    fputs("</td><td data-label=\"first run\">", out);
    if (choice->instead == NULL) {
        fputs("<span class=\"soft\">not made</span>", out);
    } else {
        char *instead = ork_forced_choice_instead(choice);
        if (instead == NULL)
            return ORK_NOMEM;
        ork_escape_html(out, instead);
        free(instead);
    }
    fputs("</td></tr>\n", out);
    return ORK_OK;
}

/* How sure is it that these choices, and all of them, decide the outcome? */
static void put_confidence(FILE *out, const struct ork_outcome *o)
{
    fputs("<p class=\"soft\">", out);
    if (!o->is_minimal && o->confirmed == 0)
        fprintf(out, "No run that forced only %s is known to have the same outcome.",
                o->num_forced == 1 ? "this choice" : "these choices");
    if (o->is_minimal)
        fputs(o->num_forced == 1 ? "Without it, the outcome was different."
                                 : "Without any one of them, the outcome was different.",
              out);
    if (o->confirmed > 0) {
        fputs(o->is_minimal ? " " : "", out);
        ork_put_count(out, o->confirmed);
        fprintf(out, " run%s that forced only %s had the same outcome.",
                o->confirmed == 1 ? "" : "s", o->num_forced == 1 ? "this choice" : "these choices");
    }
    fputs("</p>\n", out);
}

static void put_part(FILE *out, const char *tag, const char *from, const char *to)
{
    char *part = strndup(from, (size_t)(to - from));

    ork_html_put(out, tag, NULL, part);
    free(part);
}

/* "rank 0, line 3: "sum 4.5" instead of "sum 4.25"" as two lines, as by diff(1): the first run's,
 * and this one's. What has another form stays as it is. */
static void put_difference(FILE *out, const char *text)
{
    static const char start[] = ": ", between[] = " instead of ";
    const char *mine = strstr(text, start);
    const char *other = mine != NULL ? strstr(mine, between) : NULL;

    fputs("<li>", out);
    if (other == NULL || strstr(other + 1, between) != NULL) {
        ork_escape_html(out, text);
    } else {
        put_part(out, "span", text, mine);
        ork_html_put(out, "del", NULL, other + strlen(between));
        put_part(out, "ins", mine + strlen(start), other);
    }
    fputs("</li>\n", out);
}

static void put_differences(FILE *out, const struct ork_outcome *o)
{
    if (o->num_differences == 0)
        return;
    fputs("<h3>Where its result differs from the first one</h3>\n<ul class=\"diff\">\n", out);
    for (uint32_t i = 0; i < o->num_differences && ork_html_has_room(out); i++)
        put_difference(out, o->difference[i]);
    fputs("</ul>\n", out);
}

static const char *choices_title(const struct ork_outcome *o)
{
    if (!o->is_minimal)
        return o->num_forced == 1 ? "Sufficient choice" : "Sufficient choices";
    return o->num_forced == 1 ? "Deciding choice" : "Deciding choices";
}

static enum ork_status put_choices(FILE *out, const struct ork_outcome *o)
{
    enum ork_status status = ORK_OK;

    if (o->not_sought != NULL) {
        fputs("<p class=\"soft\">The deciding choices were not determined: ", out);
        ork_escape_html(out, o->not_sought);
        fputs(".</p>\n", out);
    }
    if (o->num_forced == 0) {
        if (o->first == 1)
            fputs(
                "<p class=\"soft\">The first run, which forced no choice, had this outcome.</p>\n",
                out);
        else if (o->confirmed > 0)
            fputs("<p class=\"soft\">A run that forced no choice had the same outcome.</p>\n", out);
        return ORK_OK;
    }
    if (!o->is_minimal && o->confirmed == 0)
        fputs("<h3>Choices of its first run</h3>\n", out);
    else
        fprintf(out, "<h3>%s</h3>\n", choices_title(o));
    put_confidence(out, o);
    fputs("<div class=\"table\"><table class=\"comms choices\">\n<thead><tr><th "
          "scope=\"col\">choice</th><th scope=\"col\">call</th><th scope=\"col\">place</th><th "
          "scope=\"col\">outcome</th><th scope=\"col\">in the first "
          "run</th></tr></thead>\n<tbody>\n",
          out);
    uint32_t shown = 0;
    while (shown < o->num_forced && shown < CHOICES_MAX && ork_html_has_room(out) &&
           status == ORK_OK)
        status = put_choice(out, &o->forced[shown++]);
    fputs("</tbody></table></div>\n", out);
    if (shown < o->num_forced)
        fprintf(out,
                "<p class=\"soft\">... and %" PRIu32 " more choices: see MUST_Output.json.</p>\n",
                o->num_forced - shown);
    return status;
}

static void put_replay(FILE *out, const struct ork_outcome *o)
{
    if (o->replay != NULL) {
        fputs("<h3>To repeat it</h3>\n<p class=\"command\">", out);
        ork_html_put(out, "code", NULL, o->replay);
        fputs("</p>\n", out);
    }
    if (o->folder != NULL) {
        fputs("<p class=\"soft files\">The output and the report of run ", out);
        ork_put_count(out, o->first);
        fputs(": ", out);
        ork_html_put(out, "code", NULL, o->folder);
        fputs("</p>\n", out);
    }
}

/* Does the heading of the outcome already say it? */
static bool is_heading(const struct ork_outcome *o, const struct ork_finding *f)
{
    return o->message != NULL && ((f->message != NULL && strcmp(o->message, f->message) == 0) ||
                                  strcmp(o->message, ork_html_sentence(f)) == 0);
}

/* The messages that decide it, unless they are drawn among the last calls of a finding. */
static enum ork_status put_lanes(FILE *out, const struct ork_outcome_lanes *l)
{
    if (l->drawn == NULL || l->finding != UINT32_MAX)
        return ORK_OK;
    fputs(l->has_choices      ? "<h3>What was decided otherwise</h3>\n"
          : l->num_arrows > 2 ? "<h3>The messages that change</h3>\n"
                              : "<h3>The message that changes</h3>\n",
          out);
    return ork_html_put_outcome_lanes(out, l);
}

static enum ork_status put_findings(FILE *out, const struct ork_outcome *o,
                                    const struct ork_outcome_lanes *lanes, char *const *svg,
                                    unsigned first)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < o->num_findings && status == ORK_OK; i++) {
        if (!ork_html_has_room(out)) {
            fputs("<p class=\"soft\">... and more findings: see MUST_Output.json.</p>\n", out);
            break;
        }
        const struct ork_html_frame frame = {.number = first + i,
                                             .svg = svg[i],
                                             .lanes = lanes->finding == i ? lanes : NULL,
                                             .has_sentence = !is_heading(o, &o->finding[i]),
                                             .has_tags = true};
        status = ork_html_put_finding(out, &o->finding[i], &frame);
    }
    return status;
}

enum ork_status ork_html_put_outcome(FILE *out, const struct ork_exploration *e, uint32_t outcome,
                                     char *const *svg, unsigned first)
{
    const struct ork_outcome *o = &e->outcome[outcome];
    struct ork_outcome_lanes lanes = {.finding = UINT32_MAX};
    enum ork_status status = ork_outcome_lanes_init(&lanes, o);

    if (status == ORK_NOMEM)
        return status;
    fprintf(out, "<section id=\"o%" PRIu32 "\" class=\"outcome %s\">\n", outcome + 1,
            ork_look_class(ork_outcome_look(e, outcome)));
    put_tags(out, e, outcome);
    ork_html_put(out, "h2", NULL, o->message);
    put_differences(out, o);
    status = put_lanes(out, &lanes);
    if (status == ORK_OK)
        status = put_choices(out, o);
    put_replay(out, o);
    if (ork_outcome_is_reported(o) && status == ORK_OK)
        status = put_findings(out, o, &lanes, svg, first);
    fputs("</section>\n", out);
    ork_outcome_lanes_release(&lanes);
    return status;
}
