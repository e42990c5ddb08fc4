/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the HTML page. */
#ifndef ORK_HTML_H
#define ORK_HTML_H

#include "viz/report.h"

#include <stdio.h>

/* The style sheet of the page. */
extern const char ork_html_style[];

/* The table of a finding, folded. */
enum ork_status ork_html_put_table(FILE *out, const struct ork_finding *finding);

/* ork_viz_html() with graphs that are laid out already: svg[i] of finding i, NULL where there is
 * none. */
enum ork_status ork_html_page(const struct ork_report *report, char *const *svg, char **text);

/* The graphs of all findings, for ork_html_page(): an array of the caller's, as its strings are
 * (ork_html_free_graphs). A graph that cannot be laid out is left out. ORK_NOMEM: *svg is
 * untouched. */
enum ork_status ork_html_lay_out(const struct ork_report *report, char ***svg);
void ork_html_free_graphs(const struct ork_report *report, char **svg);

#endif
