/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/render.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/text.h"
#include "mustview/diff.h"
#include "viz/image.h"
#include "viz/source_root.h"
#include "viz/viz.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Leave only finding n (from 1) in the report. */
static int keep_finding(struct ork_report *report, uint32_t n)
{
    if (n > report->num_findings) {
        ork_error("there is no finding %" PRIu32 ": the report has %" PRIu32, n,
                  report->num_findings);
        return ORK_EXIT_USAGE;
    }
    for (uint32_t i = 0; i < report->num_findings; i++)
        if (i != n - 1)
            ork_finding_release(&report->finding[i]);
    report->finding[0] = report->finding[n - 1];
    report->num_findings = 1;
    return 0;
}

static int find_root(struct ork_report *report, const struct ork_view_options *options)
{
    report->source_root = ork_source_root_find(options->source_root);
    if (report->source_root != NULL || options->source_root == NULL)
        return 0;
    ork_error("cannot use the source root %s: %s", options->source_root, strerror(errno));
    return ORK_EXIT_USAGE;
}

static enum ork_status select_parts(struct ork_report *report, enum ork_show show)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < report->num_findings && status == ORK_OK; i++)
        status = ork_finding_select(&report->finding[i], show);
    return status;
}

/* As text, or as workflow commands of GitHub. */
static enum ork_status render_lines(const struct ork_report *report, bool annotates, bool color,
                                    char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    enum ork_status status = out == NULL ? ORK_NOMEM
                             : annotates ? ork_viz_annotations(report, out)
                                         : ork_viz_report_text(report, color, out);

    return ork_text_take(&stream, status, text);
}

/* NULL: none has a graph. */
static const struct ork_finding *with_graph(const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_findings; i++)
        if (report->finding[i].graph.num_nodes > 0)
            return &report->finding[i];
    return NULL;
}

static enum ork_status render_graph(const struct ork_report *report, enum ork_view_format format,
                                    struct ork_view_data *data, char **error)
{
    const struct ork_finding *finding = with_graph(report);

    if (finding == NULL)
        return ORK_NOTFOUND;
    if (format == ORK_VIEW_DOT)
        return ork_viz_dot(finding, &data->bytes);
    if (format == ORK_VIEW_SVG)
        return ork_viz_svg(finding, &data->bytes);
    return ork_viz_image(finding, format == ORK_VIEW_PNG ? ORK_IMAGE_PNG : ORK_IMAGE_PDF,
                         &data->bytes, &data->size, error);
}

/* The first finding that has a drawing of them. */
static enum ork_status render_lanes(const struct ork_report *report, char **text)
{
    enum ork_status status = ORK_NOTFOUND;

    for (uint32_t i = 0; i < report->num_findings && status == ORK_NOTFOUND; i++)
        status = ork_viz_lanes_svg(&report->finding[i], text);
    return status;
}

static enum ork_status render(const struct ork_report *report, enum ork_view_format format,
                              bool color, struct ork_view_data *data, char **error)
{
    switch (format) {
    case ORK_VIEW_TEXT:
        return render_lines(report, false, color, &data->bytes);
    case ORK_VIEW_HTML:
        return ork_viz_html(report, &data->bytes);
    case ORK_VIEW_JSON:
        return ork_report_to_json(report, &data->bytes);
    case ORK_VIEW_SARIF:
        return ork_viz_sarif(report, &data->bytes);
    case ORK_VIEW_JUNIT:
        return ork_viz_junit(report, &data->bytes);
    case ORK_VIEW_GITHUB:
        return render_lines(report, true, false, &data->bytes);
    case ORK_VIEW_GITLAB:
        return ork_viz_code_quality(report, &data->bytes);
    case ORK_VIEW_DOT:
    case ORK_VIEW_SVG:
    case ORK_VIEW_PNG:
    case ORK_VIEW_PDF:
        return render_graph(report, format, data, error);
    case ORK_VIEW_LANES_SVG:
        return render_lanes(report, &data->bytes);
    case ORK_VIEW_FORMAT_MAX:
        break;
    }
    return ORK_INVALID;
}

/* Prints an error message, and returns the exit code. */
static int explain(enum ork_status status, const struct ork_view_options *options,
                   const char *error)
{
    if (status == ORK_NOTFOUND) {
        ork_error("%s: there %s to draw", options->input[0],
                  options->format == ORK_VIEW_LANES_SVG ? "are no calls of several ranks"
                                                        : "is no graph");
        return ORK_EXIT_USAGE;
    }
    if (error != NULL)
        ork_error("%s", error);
    else
        ork_error("cannot produce %s: %s", ork_view_format_word(options->format),
                  ork_status_text(status));
    return ORK_EXIT_UNAVAILABLE;
}

int ork_view_render(struct ork_report *report, const struct ork_view_options *options, bool color,
                    struct ork_view_data *data)
{
    char *error = NULL;
    int code = options->finding != 0 ? keep_finding(report, options->finding) : 0;

    if (code == 0)
        code = find_root(report, options);
    if (code != 0)
        return code;
    enum ork_status status = select_parts(report, options->show);
    if (status == ORK_OK)
        status = render(report, options->format, color, data, &error);
    if (status != ORK_OK)
        code = explain(status, options, error);
    else if (!ork_view_format_is_binary(options->format))
        data->size = strlen(data->bytes);
    free(error);
    return code;
}

bool ork_view_is_whole(const struct ork_view_options *options)
{
    enum ork_view_format format = options->format;

    return options->finding == 0 && options->show == ORK_SHOW_ALL &&
           (format == ORK_VIEW_TEXT || format == ORK_VIEW_HTML || format == ORK_VIEW_JSON ||
            format == ORK_VIEW_LANES_SVG);
}

static enum ork_status exploration_text(const struct ork_exploration *e, bool color, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    return ork_text_take(&stream, out != NULL ? ork_viz_exploration_text(e, color, out) : ORK_NOMEM,
                         text);
}

/* The first outcome that has a drawing: the worst one. */
static enum ork_status exploration_lanes(const struct ork_exploration *e, char **text)
{
    enum ork_status status = ORK_NOTFOUND;

    for (uint32_t i = 0; i < e->num_outcomes && status == ORK_NOTFOUND; i++)
        status = ork_viz_outcome_lanes_svg(&e->outcome[i], text);
    return status;
}

int ork_view_render_exploration(const struct ork_exploration *e,
                                const struct ork_view_options *options, bool color,
                                struct ork_view_data *data)
{
    enum ork_status status =
        options->format == ORK_VIEW_TEXT        ? exploration_text(e, color, &data->bytes)
        : options->format == ORK_VIEW_HTML      ? ork_viz_exploration_html(e, &data->bytes)
        : options->format == ORK_VIEW_LANES_SVG ? exploration_lanes(e, &data->bytes)
                                                : ork_exploration_json(e, &data->bytes);

    if (status != ORK_OK)
        return explain(status, options, NULL);
    data->size = strlen(data->bytes);
    return 0;
}

static enum ork_status diff_text(const struct ork_diff *diff, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out != NULL)
        ork_diff_put_text(diff, out);
    return ork_text_take(&stream, ORK_OK, text);
}

int ork_view_render_diff(const struct ork_report *before, const struct ork_report *after,
                         const struct ork_view_options *options, struct ork_view_data *data)
{
    struct ork_diff diff;
    bool json = options->format == ORK_VIEW_JSON;
    bool equal = true;

    enum ork_status status = ork_diff_init(&diff, before, after);
    if (status == ORK_OK) {
        status = json ? ork_diff_to_json(&diff, &data->bytes) : diff_text(&diff, &data->bytes);
        equal = ork_diff_is_equal(&diff);
        ork_diff_release(&diff);
    }
    if (status != ORK_OK)
        return explain(status, options, NULL);
    data->size = strlen(data->bytes);
    return equal ? 0 : 1;
}
