/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/once.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"
#include "common/tracefile.h"
#include "mustrun/options/hint.h"
#include "mustrun/launcher/order_file.h"
#include "mustrun/supervise/suppressions.h"
#include "windows/stamps/stamps.h"
#include "viz/source_root.h"
#include "viz/viz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int exit_code_of(enum ork_status status)
{
    return status == ORK_NOMEM ? ORK_EXIT_INTERNAL : ORK_EXIT_UNAVAILABLE;
}

/* The folder of the report must exist and be ours to write in, before anything is started. */
static bool prepare_output(const struct ork_options *options)
{
    char *why = NULL;

    if (mkdir(options->output_dir, 0777) != 0 && errno != EEXIST) {
        ork_error("cannot create the folder %s: %s", options->output_dir, strerror(errno));
        return false;
    }
    enum ork_status status = ork_viz_check(options->output_dir, options->formats, &why);
    if (status != ORK_OK)
        ork_error("%s", why != NULL ? why : ork_status_text(status));
    free(why);
    return status == ORK_OK;
}

/* RATIONALE: the root of the tool writes it. With several nodes it may run on another one, whose
 * folders are unknown here. */
static bool check_trace(const char *path, const struct ork_shape *shape)
{
    const char *why = NULL;
    enum ork_status status = path == NULL || shape->nodes > 1
                                 ? ORK_OK
                                 : ork_output_check(path, ORK_TRACEFILE_MAGIC, &why);

    if (status == ORK_EXISTS)
        ork_error("cannot replace %s: %s", path,
                  why != NULL ? why : "it exists and is not a trace of orknot");
    else if (status != ORK_OK)
        ork_error("cannot write the trace %s: %s", path, strerror(errno));
    return status == ORK_OK;
}

/* RATIONALE: as for the trace. */
static bool check_timestamps(const char *path, const struct ork_shape *shape)
{
    const char *why = NULL;
    enum ork_status status =
        path == NULL || shape->nodes > 1 ? ORK_OK : ork_output_check(path, ORK_STAMPS_MAGIC, &why);

    if (status == ORK_EXISTS)
        ork_error("cannot replace %s: %s", path,
                  why != NULL ? why : "it exists and is not a file of timestamps");
    else if (status != ORK_OK)
        ork_error("cannot write the timestamps %s: %s", path, strerror(errno));
    return status == ORK_OK;
}

/* RATIONALE: as for the trace. */
static bool check_record(const struct ork_commands *commands)
{
    return commands->record == NULL || commands->shape.nodes > 1 ||
           ork_order_file_may_replace(commands->record);
}

static bool check_suppressions(const struct ork_options *options)
{
    return options->print_suppressions == NULL ||
           ork_suppressions_check(options->print_suppressions);
}

static bool check_source_root(const char *path)
{
    char *folder = path != NULL ? ork_source_root_find(path) : NULL;

    if (path != NULL && folder == NULL)
        ork_error("cannot use the source root %s: %s", path, strerror(errno));
    free(folder);
    return path == NULL || folder != NULL;
}

/* Exit code, 0: the files that the user names can be read and written. */
static int check_files(const struct ork_options *options, const struct ork_commands *commands)
{
    int code = options->replay != NULL
                   ? ork_order_file_check(options->replay, commands, &options->stop)
                   : 0;

    if (code == 0 && !(check_trace(options->trace, &commands->shape) && prepare_output(options) &&
                       check_record(commands) && check_suppressions(options) &&
                       check_timestamps(options->timestamps, &commands->shape) &&
                       check_source_root(options->source_root)))
        code = ORK_EXIT_USAGE;
    return code;
}

enum { HINTS_MAX = 5 };

/* Reports options that have no effect at their position. */
static void hint(char *const *environment, const struct ork_commands *commands)
{
    char sentence[300];
    unsigned count = 0;

    for (char *const *entry = environment; *entry != NULL && count < HINTS_MAX; entry++) {
        if (!ork_hint_variable(*entry, sentence, sizeof(sentence)))
            continue;
        ork_error("%s", sentence);
        count++;
    }
    const char *word = ork_hint_behind(&commands->program);
    if (word != NULL)
        ork_error("hint: %.100s goes to the program, because it follows the program's name", word);
}

int ork_once_load_suppress(const struct ork_options *options, struct ork_suppress **suppress)
{
    char error[ORK_SUPPRESS_ERROR];
    enum ork_status status =
        options->suppress == NULL ? ORK_OK : ork_suppress_load(options->suppress, suppress, error);

    if (status == ORK_INVALID)
        ork_error("%s", error);
    if (status == ORK_OK)
        return 0;
    return status == ORK_INVALID ? ORK_EXIT_USAGE : exit_code_of(status);
}

/* Exit code, 0: done. *baseline stays as it is without that option. */
static int load_baseline(const struct ork_options *options, struct ork_baseline **baseline)
{
    char *error = NULL;
    enum ork_status status =
        options->baseline == NULL ? ORK_OK : ork_baseline_load(options->baseline, baseline, &error);

    if (error != NULL)
        ork_error("%s", error);
    free(error);
    if (status == ORK_OK)
        return 0;
    return status == ORK_INVALID ? ORK_EXIT_USAGE : exit_code_of(status);
}

int ork_once_prepare(const struct ork_invocation *invocation, const struct ork_options *options,
                     struct ork_commands *commands)
{
    struct ork_session session;

    *commands = (struct ork_commands){.appfile = -1};
    if (ork_session_init(&session, getpid()) != ORK_OK) {
        ork_error("cannot get random numbers: %s", strerror(errno));
        return ORK_EXIT_INTERNAL;
    }
    enum ork_status status = ork_commands_init(
        commands, options, invocation->words, invocation->paths, &session, invocation->environment);
    if (status == ORK_OK)
        return 0;
    return status == ORK_NOTFOUND ? ORK_EXIT_USAGE : exit_code_of(status);
}

int ork_once_run(const struct ork_invocation *invocation, const struct ork_options *options,
                 bool is_first, bool is_brief, struct ork_run_end *end)
{
    struct ork_commands commands;
    struct ork_baseline *baseline = NULL;
    struct ork_supervision what = {.options = options,
                                   .commands = &commands,
                                   .signals = invocation->signals,
                                   .is_first = is_first,
                                   .is_brief = is_brief};

    *end = (struct ork_run_end){0};
    int code = ork_once_prepare(invocation, options, &commands);
    if (code == 0)
        code = ork_once_load_suppress(options, &what.suppress);
    if (code == 0)
        code = load_baseline(options, &baseline);
    what.baseline = baseline;
    if (code == 0 && is_first && !options->quiet)
        hint(invocation->environment, &commands);
    if (code == 0)
        code = check_files(options, &commands);
    if (code == 0)
        code = ork_supervise(&what, end);
    ork_suppress_destroy(what.suppress);
    ork_baseline_destroy(baseline);
    ork_commands_release(&commands);
    return code;
}
