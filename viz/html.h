/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the HTML page. Each writes to `out`, escapes all strings of the report, and uses ids
 * with the number of the finding: "f2" is finding 2, "f2-r3" row 3 of its table. */
#ifndef ORK_HTML_H
#define ORK_HTML_H

#include "report/exploration.h"
#include "viz/outcome_lanes.h"
#include "viz/rank_table.h"

#include <stdio.h>

/* RATIONALE: every browser opens 2 MB at once. Long parts stop here with a note; what follows after
 * that is short. */
#define ORK_HTML_ENOUGH 1500000L
/* Further findings are only named until here. */
#define ORK_HTML_BRIEF 1900000L

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

/* The first sentence of a finding; never NULL. The second function writes it with a capital
 * letter. */
const char *ork_html_sentence(const struct ork_finding *finding);
void ork_html_put_sentence(FILE *out, const struct ork_finding *finding);

/* html_frame.c: everything before and after the content. The title is escaped already. */
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

/* html_table.c: the table of a finding, equal rows in one. */
void ork_html_put_table(FILE *out, const struct ork_finding *finding,
                        const struct ork_rank_table *rows, unsigned number);
/* html_graph.c: the graph as laid out by libgvc (NULL: nothing to show), nodes linked to rows. */
void ork_html_put_graph(FILE *out, const struct ork_finding *finding,
                        const struct ork_rank_table *rows, const char *svg, unsigned number);
/* html_matrix.c: the matrix of the ranks, if there are many. ORK_NOMEM. */
/* The calls a second of each rank, and who fell behind. ORK_NOMEM. */
enum ork_status ork_html_put_rates(FILE *out, const struct ork_finding *finding);
enum ork_status ork_html_put_matrix(FILE *out, const struct ork_finding *finding);
/* html_lanes.c: the swim lanes; nothing if there is nothing to draw. ORK_NOMEM. */
enum ork_status ork_html_put_lanes(FILE *out, const struct ork_finding *finding);
enum ork_status ork_html_put_outcome_lanes(FILE *out, const struct ork_outcome_lanes *lanes);
/* html_stacks.c: the call stacks of the ranks, merged; nothing if they do not differ. ORK_NOMEM. */
enum ork_status ork_html_put_stacks(FILE *out, const struct ork_finding *finding);
/* html_accesses.c: the bytes of each access as a drawing; the accesses as a table. Nothing if the
 * finding has none. */
void ork_html_put_ruler(FILE *out, const struct ork_finding *finding);
void ork_html_put_accesses(FILE *out, const struct ork_finding *finding);
/* html_source.c: the places of a finding, and the source lines around them. */
struct ork_html_places;
/* The finding and the rows must outlive *places, which the caller destroys. ORK_NOMEM. */
enum ork_status ork_html_places_create(const struct ork_finding *finding,
                                       const struct ork_rank_table *rows,
                                       struct ork_html_places **places);
void ork_html_places_destroy(struct ork_html_places *places);
/* The first ones, each with its call and ranks, as links to the lines. */
void ork_html_put_chips(FILE *out, const struct ork_html_places *places, unsigned number);
void ork_html_put_sources(FILE *out, const struct ork_html_places *places, unsigned number);
/* html_around.c: near misses, remedies, and with `kind` what such a finding means; communicators;
 * how the verdict was reached. */
void ork_html_put_hints(FILE *out, const struct ork_finding *finding, bool kind);
void ork_html_put_communicators(FILE *out, const struct ork_finding *finding);
void ork_html_put_basis(FILE *out, const struct ork_finding *finding);
/* html_calls.c */
void ork_html_put_last_calls(FILE *out, const struct ork_finding *finding);
/* What is around the parts of a finding. */
struct ork_html_frame {
    unsigned number;
    const char *svg;                       /* the graph; NULL: none */
    const struct ork_outcome_lanes *lanes; /* instead of its last calls; NULL: none */
    bool has_sentence; /* else it is in a heading above, or in that of the finding itself */
    bool has_tags;     /* severity, id and class */
    bool has_kind;     /* what such a finding means */
    bool can_fold, is_open;
};
/* html_finding.c: all parts. ORK_NOMEM. */
enum ork_status ork_html_put_finding(FILE *out, const struct ork_finding *finding,
                                     const struct ork_html_frame *frame);
/* Its sentence alone, if there is no room for more. */
void ork_html_put_brief(FILE *out, const struct ork_finding *finding, unsigned number);
/* html_about.c: the words for the kind of a finding: "Potential deadlock", "RMA conflict". */
void ork_html_put_kind(FILE *out, const struct ork_finding *finding);
/* The id of a finding, as a link to its meaning; and the meanings of all kinds in the report. */
void ork_html_put_about_link(FILE *out, const struct ork_finding *finding);
void ork_html_put_about(FILE *out, const struct ork_report *report);
/* html_findings.c: the findings by severity and kind, with a filter. ORK_NOMEM. */
enum ork_status ork_html_put_findings(FILE *out, const struct ork_report *report, char *const *svg);
/* The first of the worst findings. NULL: none. */
const struct ork_finding *ork_html_worst(const struct ork_report *report);
/* "6 errors, 12 warnings, 1 note" */
void ork_html_put_counts(FILE *out, const struct ork_report *report);
/* html_run.c: what became of the job, in a sentence; what was checked; the run in figures. */
void ork_html_put_outcome_of_job(FILE *out, const struct ork_report *report);
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
