/* SPDX-License-Identifier: BSD-3-Clause */
/* Renderers: a report as text, HTML, DOT and SVG. Independent of MPI, records and processes. */
#ifndef ORK_VIZ_H
#define ORK_VIZ_H

#include "report/exploration.h"

#include <stdio.h>

/* Text of one finding, as mustrun prints it on stderr (plain, or with ANSI emphasis). Control
 * characters of the application's strings come out as \xNN. */
enum ork_status ork_viz_finding_text(const struct ork_finding *finding, bool color, FILE *out);
/* The call stacks of the ranks that matter, equal ones in one line: the innermost frames of those
 * outside MPI, and two of the program's own code of those that hang in a call of MPI, the roots
 * first of all; nothing if there are none, or if they would repeat the finding. */
enum ork_status ork_viz_stacks_text(const struct ork_finding *finding, bool color, FILE *out);

/* The summary line(s) at the end of a run. */
enum ork_status ork_viz_summary_text(const struct ork_report *report, bool color, FILE *out);

/* The whole report: findings, notes, summary, as in MUST_Output.txt. */
enum ork_status ork_viz_report_text(const struct ork_report *report, bool color, FILE *out);

/* The wait-for graph of a finding in DOT, as in Fig. 6(d) of the MUST paper: solid arcs AND, dashed
 * arcs OR, parallelograms for terms, the core filled, equal ranks folded. *text is the caller's.
 * ORK_NOTFOUND: the finding has no graph. */
enum ork_status ork_viz_dot(const struct ork_finding *finding, char **text);
/* The same laid out by libgvc, as an SVG document. */
enum ork_status ork_viz_svg(const struct ork_finding *finding, char **text);
/* The last calls of the ranks as swim lanes, as an SVG document. *text is the caller's.
 * ORK_NOTFOUND: there are not two ranks with calls. */
enum ork_status ork_viz_lanes_svg(const struct ork_finding *finding, char **text);
/* The same of an outcome of an exploration: what decides it, if that is known; else the last calls
 * of its findings. */
enum ork_status ork_viz_outcome_lanes_svg(const struct ork_outcome *outcome, char **text);
/* Only what decides it. */
enum ork_status ork_viz_decided_lanes_svg(const struct ork_outcome *outcome, char **text);

/* One self-contained page, graphs inline. */
enum ork_status ork_viz_html(const struct ork_report *report, char **text);

/* SARIF 2.1.0: a result for each finding. Paths are relative to the report's source root. *text is
 * the caller's. */
enum ork_status ork_viz_sarif(const struct ork_report *report, char **text);

/* One run as JUnit XML: the program is a test case, which fails if a finding fails the run. *text
 * is the caller's. */
enum ork_status ork_viz_junit(const struct ork_report *report, char **text);
/* A code quality report of GitLab, with paths as in SARIF. *text is the caller's. */
enum ork_status ork_viz_code_quality(const struct ork_report *report, char **text);
/* A workflow command of GitHub Actions for each finding: a line that GitHub shows at a line of the
 * sources. */
enum ork_status ork_viz_annotations(const struct ork_report *report, FILE *out);

enum {
    ORK_VIZ_HTML = 1,
    ORK_VIZ_JSON = 2,
    ORK_VIZ_TEXT = 4,
    ORK_VIZ_SARIF = 8,
    ORK_VIZ_JUNIT = 16,
    ORK_VIZ_CODE_QUALITY = 32
};
/* The file that a user reads first, of these formats (at least one): "MUST_Output.html". Static
 * storage. */
const char *ork_viz_main_file(unsigned formats);
/* Write MUST_Output.{html,json,txt,sarif,xml}, MUST_Output-quality.json (by `formats`) and
 * MUST_Output-files/<id>-<n>.{dot,svg,lanes.svg} below `dir`, each to a temporary name and renamed;
 * sets dot_file and svg_file of the findings. Links are not followed. An earlier report of the tool
 * is replaced; any other file of that name, or one that this user cannot replace: ORK_EXISTS.
 * *written: the formats that this run has written, 0 at first; new ones are added. After a failure
 * *why (the caller frees it) is a sentence with the file and the reason, NULL if out of memory, and
 * files of formats that this run has not written are removed, so that no earlier report can be
 * mistaken for this one. */
enum ork_status ork_viz_write(struct ork_report *report, const char *dir, unsigned formats,
                              unsigned *written, char **why);
/* What ork_viz_write() would reject, before anything runs. ORK_OK, ORK_EXISTS or ORK_IO; *why as
 * above. */
enum ork_status ork_viz_check(const char *dir, unsigned formats, char **why);

/* --- An exploration: many runs of one program. --- */

/* The first lines say how all runs ended; then come a few of the bad outcomes, with the choices
 * that lead there and the command that repeats them, and what was not run. */
enum ork_status ork_viz_exploration_summary(const struct ork_exploration *e, bool color, FILE *out);
/* The same with all bad outcomes, as in MUST_Output.txt. */
enum ork_status ork_viz_exploration_text(const struct ork_exploration *e, bool color, FILE *out);
/* One line without its end: "120 runs, 14 orders left, 3.2 runs a second, 2 outcomes (1 bad), at
 * most 40 s left". */
void ork_viz_progress_text(const struct ork_exploration_progress *progress, FILE *out);
/* One self-contained page, graphs and the tree of decisions inline. *text is the caller's. */
enum ork_status ork_viz_exploration_html(const struct ork_exploration *e, char **text);
/* As ork_viz_write(): the same names of files, and further MUST_Output-files/decisions-1.{dot,svg}
 * if there are at least two runs, and outcome-<n>.lanes.svg for outcomes whose deciding choices can
 * be drawn. ork_viz_check() tells beforehand what it would reject. */
enum ork_status ork_viz_exploration_write(struct ork_exploration *e, const char *dir,
                                          unsigned formats, unsigned *written, char **why);

#endif
