/* SPDX-License-Identifier: BSD-3-Clause */
/* mustview: shows a saved MUST_Output.json, the order of a run or its timestamps, compares two, or
 * asks a run. */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/input.h"
#include "mustview/live.h"
#include "mustview/options.h"
#include "mustview/order_diff.h"
#include "mustview/order_text.h"
#include "mustview/output.h"
#include "mustview/render.h"
#include "mustview/stamps.h"
#include "report/suppress.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exit codes: of --diff, as in diff(1), and of --ordered. */
enum { DIFFERENT = 1, NOT_ORDERED = 1 };

static int show(const struct ork_view_options *options)
{
    struct ork_report report;
    struct ork_exploration e;
    bool is_exploration;
    struct ork_view_data data = {0};
    bool color = options->output == NULL && isatty(STDOUT_FILENO);

    int code = ork_view_load_any(options->input[0], &report, &e, &is_exploration);
    if (code != 0)
        return code;
    code = is_exploration && ork_view_is_whole(options)
               ? ork_view_render_exploration(&e, options, color, &data)
               : ork_view_render(&report, options, color, &data);
    if (code == 0)
        code = ork_view_write(options, data.bytes, data.size);
    free(data.bytes);
    ork_exploration_release(&e);
    ork_report_release(&report);
    return code;
}

static int compare(const struct ork_view_options *options)
{
    struct ork_report before, after;
    struct ork_view_data data = {0};

    int code = ork_view_load(options->input[0], &before);
    if (code != 0)
        return code;
    code = ork_view_load(options->input[1], &after);
    if (code == 0) {
        code = ork_view_render_diff(&before, &after, options, &data);
        if (code == 0 || code == DIFFERENT) {
            int written = ork_view_write(options, data.bytes, data.size);
            code = written != 0 ? written : code;
        }
        free(data.bytes);
        ork_report_release(&after);
    }
    ork_report_release(&before);
    return code;
}

static int ask(const struct ork_view_options *options)
{
    struct ork_view_data data = {0};
    int code = ork_view_live(options, &data);

    if (code == 0)
        code = ork_view_write(options, data.bytes, data.size);
    free(data.bytes);
    return code;
}

static int show_order(const struct ork_view_options *options)
{
    bool is_different;

    if (!options->diff)
        return ork_view_order(options);
    int code = ork_view_order_diff(options, &is_different);
    return code == 0 && is_different ? DIFFERENT : code;
}

static int show_ordered(const struct ork_view_options *options)
{
    bool is_ordered;
    int code = ork_view_ordered(options, &is_ordered);

    return code == 0 && !is_ordered ? NOT_ORDERED : code;
}

static int warn_of_lines(const struct ork_finding *finding, const char *lines)
{
    char *doubt;
    enum ork_status status = ork_suppress_doubt(lines, finding, &doubt);

    if (status != ORK_OK)
        ork_error("%s", ork_status_text(status));
    else if (doubt != NULL)
        ork_error("warning: %s", doubt);
    free(doubt);
    return status == ORK_OK ? 0 : ORK_EXIT_UNAVAILABLE;
}

static int write_lines(const struct ork_view_options *options, const struct ork_finding *finding)
{
    char today[ORK_SUPPRESS_DATE];

    ork_suppress_today(today);
    char *lines = ork_suppress_lines(finding, today, options->reason);
    int code = ORK_EXIT_UNAVAILABLE;

    if (lines != NULL)
        code = ork_view_write(options, lines, strlen(lines));
    else
        ork_error("%s", ork_status_text(ORK_NOMEM));
    if (code == 0)
        code = warn_of_lines(finding, lines);
    free(lines);
    return code;
}

static int suppress(const struct ork_view_options *options)
{
    struct ork_report report;
    int code = ork_view_load(options->input[0], &report);

    if (code != 0)
        return code;
    if (options->finding <= report.num_findings) {
        code = write_lines(options, &report.finding[options->finding - 1]);
    } else {
        ork_error("there is no finding %" PRIu32 ": the report has %" PRIu32, options->finding,
                  report.num_findings);
        code = ORK_EXIT_USAGE;
    }
    ork_report_release(&report);
    return code;
}

static int print_and_end(const struct ork_view_options *options)
{
    if (options->help)
        ork_view_options_help(stdout);
    else
        puts("mustview " ORKNOT_VERSION);
    if (fclose(stdout) == 0)
        return 0;
    ork_error("cannot write standard output: %s", strerror(errno));
    return ORK_EXIT_UNAVAILABLE;
}

int main(int argc, char **argv)
{
    struct ork_view_options options;

    ork_log_init("mustview", false);
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a failed write() */
    if (!ork_view_options_parse(argc, argv, &options))
        return ORK_EXIT_USAGE;
    if (options.help || options.version)
        return print_and_end(&options);
    int code = ork_view_check_output(&options);
    if (code != 0)
        return code;
    if (options.live)
        return ask(&options);
    if (options.order)
        return show_order(&options);
    if (options.timestamps)
        return ork_view_stamps(&options);
    if (options.ordered)
        return show_ordered(&options);
    if (options.suppression)
        return suppress(&options);
    return options.diff ? compare(&options) : show(&options);
}
