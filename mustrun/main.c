/* SPDX-License-Identifier: BSD-3-Clause */
/* mustrun: starts an MPI program with the interceptor in it, and the tool beside it. */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/launcher.h"
#include "mustrun/supervise.h"
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

/* The folder of the report must be there, and ours to write in, before anything is started. */
static bool prepare_output(const struct ork_options *options)
{
    char *path = NULL;

    if (mkdir(options->output_dir, 0777) != 0 && errno != EEXIST) {
        ork_error("cannot make the folder %s: %s", options->output_dir, strerror(errno));
        return false;
    }
    enum ork_status status = ork_viz_check(options->output_dir, options->formats, &path);
    if (status != ORK_OK)
        ork_error("cannot write a report to %s: %s", path != NULL ? path : options->output_dir,
                  ork_status_text(status));
    free(path);
    return status == ORK_OK;
}

static void show_command(const char *what, const struct ork_command *command)
{
    char *line = ork_argv_quote(&command->argv);

    printf("%s: %s\n", what, line != NULL ? line : "");
    free(line);
}

static int show(const struct ork_options *options, const struct ork_commands *commands,
                const struct ork_paths *paths)
{
    const struct ork_shape *shape = &commands->shape;

    printf("interceptor: %s\nreport: %s\n", paths->interceptor, options->output_dir);
    printf("tool processes: %u (%u on each of %u node%s; a tree of %u layer%s, fan-in %u)\n",
           shape->processes, shape->leaves, shape->nodes, shape->nodes == 1 ? "" : "s",
           shape->layers, shape->layers == 1 ? "" : "s", options->fanin);
    show_command("tool's job", &commands->tool);
    show_command("application's job", &commands->application);
    const char *list = ork_env_get(commands->application.environment.item, ORK_ENV_LIST);
    if (list != NULL)
        printf("application's " ORK_ENV_LIST ": %s\n", list);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : ORK_EXIT_INTERNAL;
}

static int supervise(const struct ork_options *options, const struct ork_commands *commands)
{
    struct ork_suppress *suppress = NULL;
    char error[ORK_SUPPRESS_ERROR];
    enum ork_status status =
        options->suppress == NULL ? ORK_OK : ork_suppress_load(options->suppress, &suppress, error);

    if (status == ORK_INVALID)
        ork_error("%s", error);
    if (status != ORK_OK)
        return status == ORK_INVALID ? ORK_EXIT_USAGE : exit_code_of(status);
    int code =
        prepare_output(options) ? ork_supervise(options, suppress, commands) : ORK_EXIT_USAGE;
    ork_suppress_destroy(suppress);
    return code;
}

static int launch(const struct ork_options *options, const struct ork_argv *words)
{
    struct ork_paths paths;
    struct ork_session session;
    struct ork_commands commands;
    enum ork_status status = ork_paths_find(&paths);
    int code;

    if (status != ORK_OK)
        return exit_code_of(status);
    if (ork_session_init(&session, getpid()) != ORK_OK) {
        ork_error("no random numbers: %s", strerror(errno));
        return ORK_EXIT_INTERNAL;
    }
    status = ork_commands_init(&commands, options, words, &paths, &session, environ);
    if (status != ORK_OK)
        code = status == ORK_NOTFOUND ? ORK_EXIT_USAGE : exit_code_of(status);
    else if (options->info)
        code = show(options, &commands, &paths);
    else
        code = supervise(options, &commands);
    ork_commands_release(&commands);
    return code;
}

static bool asks(const struct ork_argv *words, const char *name)
{
    return words->count == 1 && ork_mpi_option_is(words->item[0], name);
}

static int run(const struct ork_options *options, const struct ork_argv *words)
{
    if (options->help || asks(words, "help") || asks(words, "h")) {
        ork_options_help(stdout);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : ORK_EXIT_INTERNAL;
    }
    if (options->version || asks(words, "version") || asks(words, "V")) {
        puts("orknot " ORKNOT_VERSION);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : ORK_EXIT_INTERNAL;
    }
    if (!ork_launcher_of(options->mpiexec)->has_program(words, options->np)) {
        ork_options_usage(stderr);
        fputs("mustrun --must:help lists the options.\n", stderr);
        return ORK_EXIT_USAGE;
    }
    return launch(options, words);
}

int main(int argc, char **argv)
{
    struct ork_options options;
    struct ork_argv words = {0};
    char error[ORK_OPTIONS_ERROR] = "";
    enum ork_status status;
    int code;

    ork_log_init("mustrun", false);
    status = ork_options_parse(argv + (argc > 0), environ, &options, &words, error);
    if (status == ORK_OK) {
        ork_log_init("mustrun", options.verbose);
        code = run(&options, &words);
    } else {
        ork_error("%s", status == ORK_INVALID ? error : ork_status_text(status));
        code = status == ORK_INVALID ? ORK_EXIT_USAGE : ORK_EXIT_INTERNAL;
    }
    ork_argv_release(&words);
    return code;
}
