/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the HTML page. Each writes to `out`, escapes all strings of the report, and uses ids
 * with the number of the finding: "f2" is finding 2, "f2-r3" row 3 of its table. */
#ifndef ORK_HTML_H
#define ORK_HTML_H

#include "report/exploration.h"
#include "viz/rank_table.h"

#include <stdio.h>

/* RATIONALE: every browser opens 2 MB at once. Long parts stop here with a note; what follows after
 * that is short. */
#define ORK_HTML_ENOUGH 1500000L

/* The style sheet and the script of the page, and their names in a Content-Security-Policy
 * ("sha256-..."): made from html.css and html.js at build time. */
extern const char ork_html_style[], ork_html_style_hash[];
extern const char ork_html_script[], ork_html_script_hash[];

/* Is there room for more? */
bool ork_html_has_room(FILE *out);
/* <tag class="class_">escaped</tag>; nothing for NULL and "". */
void ork_html_put(FILE *out, const char *tag, const char *class_, const char *s);
/* The same for each text, as a list; nothing for none. */
void ork_html_put_list(FILE *out, const char *class_, char *const *text, uint32_t count);
/* "exchange, a.c:12", shorter names of files first; nothing if unknown. */
void ork_html_put_place(FILE *out, const struct ork_where *where);
/* The part after the last slash. */
const char *ork_html_base_name(const char *file);

/* html_frame.c: everything before and after the content. The title is escaped here. */
void ork_html_begin(FILE *out, const char *title);
void ork_html_end(FILE *out);

/* Links of the nodes of a drawing. */
struct ork_html_links {
    const void *of; /* passed to put_link */
    /* Write <a href="...">, if the group with this tag is a node that leads somewhere. */
    bool (*put_link)(const void *of, const char *tag, size_t size, FILE *out);
};
/* html_svg.c: a drawing from "<svg" on, without its style sheet. `name` needs no escape. */
void ork_html_put_svg(FILE *out, const char *svg, const char *name,
                      const struct ork_html_links *links);

/* html_table.c: the table of a finding, folded. */
void ork_html_put_table(FILE *out, const struct ork_rank_table *rows, unsigned number);
/* html_graph.c: the graph as laid out by libgvc (NULL: nothing to show), nodes linked to rows. */
void ork_html_put_graph(FILE *out, const struct ork_finding *finding,
                        const struct ork_rank_table *rows, const char *svg, unsigned number);
/* Does it need the whole width of the page? */
bool ork_html_is_wide(const char *svg);
/* html_lanes.c: the swim lanes; nothing if there is nothing to draw. ORK_NOMEM. */
enum ork_status ork_html_put_lanes(FILE *out, const struct ork_finding *finding);
/* html_source.c: the source lines around each place. ORK_NOMEM. */
enum ork_status ork_html_put_sources(FILE *out, const struct ork_finding *finding,
                                     const struct ork_rank_table *rows, unsigned number);
/* html_around.c: near misses and remedies; communicators; how the verdict was reached. */
void ork_html_put_hints(FILE *out, const struct ork_finding *finding);
void ork_html_put_communicators(FILE *out, const struct ork_finding *finding);
void ork_html_put_basis(FILE *out, const struct ork_finding *finding);
/* html_calls.c */
void ork_html_put_last_calls(FILE *out, const struct ork_finding *finding);
/* html_finding.c: all parts. ORK_NOMEM. */
enum ork_status ork_html_put_finding(FILE *out, const struct ork_finding *finding, const char *svg,
                                     unsigned number, bool alone);
/* The first sentence; never NULL. */
const char *ork_html_sentence(const struct ork_finding *finding);
/* html_about.c: the id of a finding, as a link to its meaning; and the meanings of all kinds in the
 * report. */
void ork_html_put_about_link(FILE *out, const struct ork_finding *finding);
void ork_html_put_about(FILE *out, const struct ork_report *report);
/* html_run.c: what was checked; the run in figures. */
void ork_html_put_checked(FILE *out, const struct ork_report *report);
void ork_html_put_run(FILE *out, const struct ork_report *report);

/* exploration_cards.c: one outcome with all that is known of it; svg[i] of its finding i. The
 * findings have numbers from `first` on. ORK_NOMEM. */
enum ork_status ork_html_put_outcome(FILE *out, const struct ork_exploration *e, uint32_t outcome,
                                     char *const *svg, unsigned first);
/* exploration_tree.c: the tree of decisions, laid out by libgvc (NULL: nothing to show). */
void ork_html_put_tree(FILE *out, const struct ork_exploration *e, const char *svg);
/* exploration_facts.c: choices by place; what was run, and what was not; figures. ORK_NOMEM. */
void ork_html_put_sites(FILE *out, const struct ork_exploration *e);
enum ork_status ork_html_put_limits(FILE *out, const struct ork_exploration *e);
void ork_html_put_exploration_figures(FILE *out, const struct ork_exploration *e);

/* The page of an exploration with drawings that are laid out already: `findings` has those of all
 * bad outcomes, svg[i] is that of its finding i or NULL, `tree` that of the decisions or NULL. */
enum ork_status ork_html_exploration_page(const struct ork_exploration *e,
                                          const struct ork_report *findings, char *const *svg,
                                          const char *tree, char **text);

/* ork_viz_html() with graphs that are laid out already: svg[i] of finding i, or NULL. */
enum ork_status ork_html_page(const struct ork_report *report, char *const *svg, char **text);

/* The graphs of all findings, for ork_html_page(): the array and its strings are the caller's
 * (ork_html_free_graphs). A graph that cannot be laid out is left out. ORK_NOMEM: *svg is
 * untouched. */
enum ork_status ork_html_lay_out(const struct ork_report *report, char ***svg);
void ork_html_free_graphs(const struct ork_report *report, char **svg);

#endif
