/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables and figures of an exploration. */
#include "viz/html.h"

#include "report/escape.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdlib.h>

#define RUNS_MAX  8u   /* of ranks in a cell */
#define BAR_WIDTH 120u /* pixels */

static void put_bar(FILE *out, const struct ork_site_coverage *site)
{
    double part = site->known > 0 ? (double)site->tried / (double)site->known : 1;
    double width = (part < 1 ? part : 1) * BAR_WIDTH;

    fprintf(out,
            "<svg class=\"bar\" width=\"%u\" height=\"10\" aria-hidden=\"true\"><rect "
            "width=\"%u\" height=\"10\" rx=\"2\"/><rect class=\"tried\" width=\"%.1f\" "
            "height=\"10\" rx=\"2\"/></svg> ",
            BAR_WIDTH, BAR_WIDTH, width);
    ork_put_count(out, site->tried);
    fputs(" of ", out);
    ork_put_count(out, site->known);
    fprintf(out, "<span class=\"soft\"> (%.0f%%)</span>", 100 * (part < 1 ? part : 1));
}

static void put_site(FILE *out, const struct ork_site_coverage *site)
{
    fputs("<tr><th scope=\"row\"><span class=\"call\">", out);
    ork_escape_html(out, site->site.call);
    fputs("</span></th><td data-label=\"place\">", out);
    if (site->site.place != NULL)
        ork_html_put(out, "code", NULL, site->site.place);
    else
        fputs("<span class=\"soft\">unknown</span>", out);
    fputs("</td><td data-label=\"ranks\">", out);
    ork_put_ranks(out, site->ranks.item, site->ranks.count, RUNS_MAX);
    fputs("</td><td data-label=\"choices\">", out);
    ork_put_count(out, site->choices);
    fputs("</td><td data-label=\"tried\">", out);
    if (site->known > site->choices || site->tried < site->known)
        put_bar(out, site);
    else
        fputs("<span class=\"soft\">no other outcome</span>", out);
    fputs("</td></tr>\n", out);
}

void ork_html_put_sites(FILE *out, const struct ork_exploration *e)
{
    uint32_t shown = 0;

    if (e->num_sites == 0)
        return;
    fputs("<section>\n<h2>Where the order of messages decides</h2>\n<p class=\"soft\">All choices "
          "at a call, over all ranks and runs; and of the outcomes that are known to be possible "
          "there, those that some run had. That a test or probe could have been unsuccessful is "
          "not counted.</p>\n<div class=\"table\"><table class=\"comms "
          "sites\">\n<thead><tr><th scope=\"col\">call</th><th scope=\"col\">place</th><th "
          "scope=\"col\">ranks</th><th scope=\"col\">choices</th><th scope=\"col\">outcomes "
          "tried</th></tr></thead>\n<tbody>\n",
          out);
    while (shown < e->num_sites && ork_html_has_room(out))
        put_site(out, &e->site[shown++]);
    fputs("</tbody></table></div>\n", out);
    if (shown < e->num_sites)
        fprintf(out,
                "<p class=\"soft\">... and %" PRIu32 " more calls: see MUST_Output.json.</p>\n",
                e->num_sites - shown);
    fputs("</section>\n", out);
}

enum ork_status ork_html_put_limits(FILE *out, const struct ork_exploration *e)
{
    char **sentence;
    uint32_t count;

    enum ork_status status = ork_exploration_limits(e, &sentence, &count);
    if (status != ORK_OK)
        return status;
    fputs("<section>\n<h2>What was run, and what was not</h2>\n", out);
    ork_html_put_list(out, "details", sentence, count);
    if (e->resume != NULL) {
        fputs("<h3>To go on</h3>\n<p class=\"command\">", out);
        ork_html_put(out, "code", NULL, e->resume);
        fputs("</p>\n", out);
    }
    fputs("</section>\n", out);
    for (uint32_t i = 0; i < count; i++)
        free(sentence[i]);
    free(sentence);
    return ORK_OK;
}

static void put_fact(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
    ork_put_count(out, value);
    fputs("</dd>\n", out);
}

static void put_bound(FILE *out, const char *option, uint64_t value)
{
    if (value > 0)
        fprintf(out, "<dt>--must:explore-bounds %s</dt><dd>%" PRIu64 "</dd>\n", option, value);
}

static void put_bounds(FILE *out, const struct ork_exploration_bounds *b)
{
    put_bound(out, "runs", b->runs);
    if (b->seconds > 0)
        fprintf(out, "<dt>--must:explore-bounds time</dt><dd>%g s</dd>\n", b->seconds);
    put_bound(out, "mixing", b->mixing);
    put_bound(out, "loop", b->loop);
    put_bound(out, "quota", b->quota);
    if (b->samples)
        fputs("<dt>--must:explore-bounds sample</dt><dd>picked at random</dd>\n", out);
    if (b->symmetric != NULL) {
        fputs("<dt>--must:explore-bounds symmetric</dt><dd>", out);
        ork_escape_html(out, b->symmetric);
        fputs("</dd>\n", out);
    }
}

void ork_html_put_exploration_figures(FILE *out, const struct ork_exploration *e)
{
    fputs("<section class=\"run\">\n<h2>The exploration</h2>\n<dl>\n<dt>command</dt><dd><code>",
          out);
    for (uint32_t i = 0; i < e->num_words; i++) {
        fputs(i > 0 ? " " : "", out);
        ork_escape_html(out, e->command[i]);
    }
    fputs("</code></dd>\n", out);
    put_fact(out, "ranks", e->ranks);
    put_fact(out, "runs", e->runs);
    put_fact(out, "different orders", e->orders);
    put_fact(out, "known orders that were not run", e->left);
    put_fact(out, "runs at the same time", e->jobs);
    fprintf(out, "<dt>seconds</dt><dd>%.1f</dd>\n", e->seconds);
    fprintf(out, "<dt>seconds of one run, on average</dt><dd>%.3f</dd>\n", e->run_seconds);
    put_bounds(out, &e->bounds);
    fputs("</dl>\n</section>\n", out);
}
