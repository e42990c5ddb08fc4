/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a report, in the order in which they appear: the graphs first, because the report
 * names them. */
#include "viz/viz.h"

#include "common/assert.h"
#include "common/text.h"
#include "viz/atomic_file.h"
#include "viz/decision_tree.h"
#include "viz/exploration_findings.h"
#include "viz/html.h"
#include "viz/lanes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAPHS "MUST_Output-files"

static const struct {
    unsigned format;
    enum ork_file kind;
    const char *name;
} report_file[] = {
    {ORK_VIZ_HTML, ORK_FILE_HTML, "MUST_Output.html"},
    {ORK_VIZ_JSON, ORK_FILE_JSON, "MUST_Output.json"},
    {ORK_VIZ_TEXT, ORK_FILE_TEXT, "MUST_Output.txt"},
    {ORK_VIZ_SARIF, ORK_FILE_SARIF, "MUST_Output.sarif"},
    {ORK_VIZ_JUNIT, ORK_FILE_JUNIT, "MUST_Output.xml"},
    {ORK_VIZ_CODE_QUALITY, ORK_FILE_CODE_QUALITY, "MUST_Output-quality.json"},
};
#define NUM_REPORT_FILES (sizeof(report_file) / sizeof(report_file[0]))

const char *ork_viz_main_file(unsigned formats)
{
    static const unsigned order[] = {ORK_VIZ_HTML,  ORK_VIZ_TEXT,  ORK_VIZ_JSON,
                                     ORK_VIZ_SARIF, ORK_VIZ_JUNIT, ORK_VIZ_CODE_QUALITY};
    size_t first = 0, i = 0;

    ORK_ASSERT(formats != 0);
    while ((formats & order[first]) == 0)
        first++;
    while (report_file[i].format != order[first])
        i++;
    return report_file[i].name;
}

/* What is being written. */
struct writing {
    struct ork_report *report;                 /* of an exploration, only the findings */
    const struct ork_exploration *exploration; /* NULL: the report is about one run */
    const char *dir;
    int fd;            /* dir */
    int graphs;        /* the directory of the graphs; -1: none */
    char **svg;        /* per finding; NULL: none */
    char *tree;        /* of decisions, as SVG; NULL: none */
    char **file;       /* names of the files in `graphs` */
    unsigned files;    /* how many */
    unsigned *written; /* formats that this run has written */
    char **why;        /* the reason of a failure: a sentence */
};

/* Describe a failure; returns `status`. The path is dir/below/name; the last two may be NULL. After
 * ORK_IO errno is the reason. */
static enum ork_status fail(char **why, const char *dir, const char *below, const char *name,
                            enum ork_status status)
{
    const char *reason = status == ORK_IO ? strerror(errno) : ork_status_text(status);

    if (asprintf(why, "cannot write %s%s%s%s%s: %s", dir, below != NULL ? "/" : "",
                 below != NULL ? below : "", name != NULL ? "/" : "", name != NULL ? name : "",
                 reason) < 0)
        *why = NULL;
    return status;
}

/* A file or folder of another program has one of our names. */
static enum ork_status fail_taken(char **why, int fd, const char *dir, const char *name)
{
    const char *reason = ork_is_of_another_user(fd, name)
                             ? "it belongs to another user"
                             : "it exists and is not a report of orknot";

    if (asprintf(why, "cannot replace %s/%s: %s", dir, name, reason) < 0)
        *why = NULL;
    return ORK_EXISTS;
}

static enum ork_status check_files(int fd, const char *dir, unsigned formats, char **why)
{
    for (size_t i = 0; i < NUM_REPORT_FILES; i++)
        if ((formats & report_file[i].format) != 0 &&
            ork_owner_of_file(fd, report_file[i].name, report_file[i].kind) == ORK_OWNER_OTHER)
            return fail_taken(why, fd, dir, report_file[i].name);
    if (ork_owner_of_directory(fd, GRAPHS) == ORK_OWNER_OTHER)
        return fail_taken(why, fd, dir, GRAPHS);
    return ORK_OK;
}

/* May all be written in this folder? */
static enum ork_status check_folder(int fd, const char *dir, unsigned formats, char **why)
{
    if (fd < 0)
        return fail(why, dir, NULL, NULL, ORK_IO);
    enum ork_status status = check_files(fd, dir, formats, why);
    if (status == ORK_OK && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
        status = fail(why, dir, NULL, NULL, ORK_IO);
    return status;
}

static int open_folder(const char *dir)
{
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

enum ork_status ork_viz_check(const char *dir, unsigned formats, char **why)
{
    int fd = open_folder(dir);

    *why = NULL;
    enum ork_status status = check_folder(fd, dir, formats, why);
    if (fd >= 0)
        close(fd);
    return status;
}

/* The id as part of a file name: it may come from an untrusted report. */
static const char *file_id(const char *id)
{
    size_t size = id != NULL ? strlen(id) : 0;
    bool plain = size > 0 && size <= 64 && id[0] != '-' &&
                 strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-_") == size;

    return plain ? id : "finding";
}

/* Write one file of a graph; *field of the finding becomes its name, relative to the report. */
static enum ork_status write_graph_file(struct writing *w, const char *id, unsigned number,
                                        const char *end, const char *text, char **field)
{
    enum ork_file kind = strcmp(end, "dot") == 0 ? ORK_FILE_DOT : ORK_FILE_SVG;
    char *name = NULL;
    char *relative = NULL;

    if (asprintf(&name, "%s-%u.%s", id, number, end) < 0)
        return ORK_NOMEM;
    w->file[w->files++] = name;
    if (asprintf(&relative, GRAPHS "/%s", name) < 0)
        return ORK_NOMEM;
    enum ork_status status = ork_atomic_file_put(w->graphs, name, kind, text);
    if (status != ORK_OK) {
        free(relative);
        return fail(w->why, w->dir, GRAPHS, name, status);
    }
    free(*field);
    *field = relative;
    return ORK_OK;
}

static enum ork_status write_lanes(struct writing *w, struct ork_finding *finding, unsigned number)
{
    char *svg;
    enum ork_status status = ork_viz_lanes_svg(finding, &svg);

    if (status != ORK_OK)
        return status == ORK_NOTFOUND ? ORK_OK : status;
    status =
        write_graph_file(w, file_id(finding->id), number, "lanes.svg", svg, &finding->lanes_file);
    free(svg);
    return status;
}

/* The graph of waits, and the last calls. */
static enum ork_status write_graph(struct writing *w, uint32_t i, unsigned number)
{
    struct ork_finding *finding = &w->report->finding[i];
    const char *id = file_id(finding->id);
    char *dot;

    enum ork_status status = write_lanes(w, finding, number);
    if (status != ORK_OK || finding->graph.num_nodes == 0)
        return status;
    status = ork_viz_dot(finding, &dot);
    if (status != ORK_OK)
        return status;
    status = write_graph_file(w, id, number, "dot", dot, &finding->dot_file);
    free(dot);
    if (status != ORK_OK || w->svg[i] == NULL)
        return status;
    return write_graph_file(w, id, number, "svg", w->svg[i], &finding->svg_file);
}

/* The tree of decisions: its names are not in the report. */
static enum ork_status write_tree(struct writing *w)
{
    char *name = NULL;
    char *dot;

    enum ork_status status = ork_decision_tree_dot(w->exploration, &dot);
    if (status != ORK_OK)
        return status;
    status = write_graph_file(w, "decisions", 1, "dot", dot, &name);
    free(dot);
    if (status == ORK_OK)
        status = write_graph_file(w, "decisions", 1, "svg", w->tree, &name);
    free(name);
    return status;
}

/* What decides an outcome; a finding has files of its own. */
static enum ork_status write_outcome(struct writing *w, uint32_t i)
{
    char *name = NULL;
    char *svg;
    enum ork_status status = ork_viz_decided_lanes_svg(&w->exploration->outcome[i], &svg);

    if (status != ORK_OK)
        return status == ORK_NOTFOUND ? ORK_OK : status;
    status = write_graph_file(w, "outcome", i + 1, "lanes.svg", svg, &name);
    free(svg);
    free(name);
    return status;
}

static enum ork_status write_outcomes(struct writing *w)
{
    uint32_t count = w->exploration != NULL ? w->exploration->num_outcomes : 0;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < count && status == ORK_OK; i++)
        status = write_outcome(w, i);
    return status;
}

static bool is_drawn(const struct ork_finding *finding)
{
    return finding->graph.num_nodes > 0 || ork_lanes_are_worth_it(finding);
}

static uint32_t count_graphs(const struct writing *w)
{
    uint32_t count = w->tree != NULL;

    for (uint32_t i = 0; w->exploration != NULL && i < w->exploration->num_outcomes; i++)
        count += w->exploration->outcome[i].num_switched > 0;
    for (uint32_t i = 0; i < w->report->num_findings; i++)
        count += is_drawn(&w->report->finding[i]);
    return count;
}

static enum ork_status write_graphs(struct writing *w)
{
    uint32_t count = count_graphs(w);
    unsigned number = 0;

    if (count == 0) {
        enum ork_status status = ork_atomic_directory_remove(w->fd, GRAPHS);
        return status == ORK_OK ? ORK_OK : fail(w->why, w->dir, GRAPHS, NULL, status);
    }
    w->file = calloc((size_t)count * 3, sizeof(*w->file));
    if (w->file == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_atomic_directory_open(w->fd, GRAPHS, &w->graphs);
    if (status != ORK_OK)
        return fail(w->why, w->dir, GRAPHS, NULL, status);
    for (uint32_t i = 0; status == ORK_OK && i < w->report->num_findings; i++)
        if (is_drawn(&w->report->finding[i]))
            status = write_graph(w, i, ++number);
    if (status == ORK_OK && w->tree != NULL)
        status = write_tree(w);
    if (status == ORK_OK)
        status = write_outcomes(w);
    if (status == ORK_OK && ork_atomic_directory_clear(w->graphs, w->file, w->files) != ORK_OK)
        status = fail(w->why, w->dir, GRAPHS, NULL, ORK_IO);
    return status;
}

static enum ork_status text_report(const struct writing *w, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    enum ork_status status = w->exploration != NULL
                                 ? ork_viz_exploration_text(w->exploration, false, out)
                                 : ork_viz_report_text(w->report, false, out);
    return ork_text_take(&stream, status, text);
}

static enum ork_status render(const struct writing *w, enum ork_file kind, char **text)
{
    const struct ork_exploration *e = w->exploration;

    if (kind == ORK_FILE_TEXT)
        return text_report(w, text);
    if (kind == ORK_FILE_SARIF)
        return ork_viz_sarif(w->report, text);
    if (kind == ORK_FILE_JUNIT)
        return ork_viz_junit(w->report, text);
    if (kind == ORK_FILE_CODE_QUALITY)
        return ork_viz_code_quality(w->report, text);
    if (kind == ORK_FILE_JSON)
        return e != NULL ? ork_exploration_json(e, text) : ork_report_to_json(w->report, text);
    return e != NULL ? ork_html_exploration_page(e, w->report, w->svg, w->tree, text)
                     : ork_html_page(w->report, w->svg, text);
}

static enum ork_status write_reports(struct writing *w, unsigned formats)
{
    for (size_t i = 0; i < NUM_REPORT_FILES; i++) {
        const char *name = report_file[i].name;
        char *text;
        if ((formats & report_file[i].format) == 0)
            continue;
        enum ork_status status = render(w, report_file[i].kind, &text);
        if (status != ORK_OK)
            return status;
        status = ork_atomic_file_put(w->fd, name, report_file[i].kind, text);
        free(text);
        if (status != ORK_OK)
            return fail(w->why, w->dir, name, NULL, status);
        *w->written |= report_file[i].format;
    }
    return ORK_OK;
}

/* Files of an earlier run must not be taken for the report of this one. */
static void remove_earlier(const struct writing *w, unsigned formats)
{
    for (size_t i = 0; i < NUM_REPORT_FILES; i++)
        if ((formats & ~*w->written & report_file[i].format) != 0)
            ork_atomic_file_remove(w->fd, report_file[i].name, report_file[i].kind);
    if (*w->written == 0)
        ork_atomic_directory_remove(w->fd, GRAPHS);
}

/* Lay out and write all graphs. An exploration is told of the names of the files. */
static enum ork_status make_graphs(struct writing *w, struct ork_exploration *e)
{
    enum ork_status status = ork_html_lay_out(w->report, &w->svg);

    if (status == ORK_OK && e != NULL && ork_decision_tree_svg(e, &w->tree) == ORK_NOMEM)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        status = write_graphs(w);
    if (e != NULL)
        ork_exploration_findings_return(w->report, e);
    return status;
}

static enum ork_status write_all(struct ork_report *report, struct ork_exploration *e,
                                 const char *dir, unsigned formats, unsigned *written, char **why)
{
    struct writing w = {.report = report,
                        .exploration = e,
                        .dir = dir,
                        .fd = open_folder(dir),
                        .graphs = -1,
                        .written = written,
                        .why = why};

    *why = NULL;
    enum ork_status status = check_folder(w.fd, dir, formats, why);
    if (status == ORK_OK)
        status = make_graphs(&w, e);
    if (status == ORK_OK)
        status = write_reports(&w, formats);
    if (status != ORK_OK && w.fd >= 0)
        remove_earlier(&w, formats);
    ork_html_free_graphs(report, w.svg);
    free(w.tree);
    for (unsigned i = 0; i < w.files; i++)
        free(w.file[i]);
    free(w.file);
    if (w.graphs >= 0)
        close(w.graphs);
    if (w.fd >= 0)
        close(w.fd);
    return status;
}

enum ork_status ork_viz_write(struct ork_report *report, const char *dir, unsigned formats,
                              unsigned *written, char **why)
{
    return write_all(report, NULL, dir, formats, written, why);
}

enum ork_status ork_viz_exploration_write(struct ork_exploration *e, const char *dir,
                                          unsigned formats, unsigned *written, char **why)
{
    struct ork_report findings;

    *why = NULL;
    enum ork_status status = ork_exploration_findings_init(&findings, e);
    if (status != ORK_OK)
        return status;
    status = write_all(&findings, e, dir, formats, written, why);
    ork_exploration_findings_release(&findings);
    return status;
}
