/* SPDX-License-Identifier: BSD-3-Clause */
/* mustrun: starts an MPI program with the interceptor in it, and the tool beside it. */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/explore/explore.h"
#include "mustrun/launcher/env.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/library.h"
#include "mustrun/options/option_files.h"
#include "mustrun/supervise/repeat.h"
#include "report/escape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_SHOWN = 2000 }; /* characters of what a file sets */

/* The exit code after output that was requested on stdout. */
static int end_of_output(void)
{
    if (fflush(stdout) == 0)
        return EXIT_SUCCESS;
    ork_error("cannot write standard output: %s", strerror(errno));
    return ORK_EXIT_INTERNAL;
}

static void show_command(const char *what, const struct ork_command *command)
{
    char *line = ork_argv_quote(&command->argv);

    printf("%s: %s\n", what, line != NULL ? line : "");
    free(line);
}

static void show_limit(const char *name, unsigned limit)
{
    if (limit > 0)
        printf(", %s %u", name, limit);
}

/* RATIONALE: the job of each run is that of a run without --must:explore, with an order to follow.
 */
static void show_exploration(const struct ork_options *options)
{
    const struct ork_explore_options *e = &options->explore;

    printf("exploration: %s/" ORK_EXPLORATION_NAME "%s, ", options->output_dir,
           e->resumes ? ", which goes on" : "");
    if (e->runs > 0)
        printf("at most %u runs of the application's job", e->runs);
    else
        fputs("any number of runs of the application's job", stdout);
    printf(", %u at a time", e->jobs);
    if (e->seconds > 0)
        printf(", none is started after %g s", e->seconds);
    show_limit("mixing", e->mixing);
    show_limit("loop", e->loop);
    show_limit("quota", e->quota);
    if (e->symmetric[0] != '\0')
        printf(", symmetric ranks %s", e->symmetric);
    putchar('\n');
}

static void show_launcher(const struct ork_options *options)
{
    const struct ork_launcher_facts *facts = ork_launcher_facts(ork_launcher_of(options->mpiexec));
    char *text = ork_launcher_describe(options->mpiexec);

    printf("launcher: %s\n", text != NULL ? text : options->mpiexec);
    printf("its ranks: %s of %s; variables by %s\n", facts->rank, facts->size, facts->variable);
    free(text);
}

/* Of the first program. */
static void show_library(const struct ork_options *options, const struct ork_commands *commands,
                         const struct ork_paths *paths)
{
    const struct ork_argv *words = &commands->application.argv;
    const struct ork_launcher *launcher = ork_launcher_of(options->mpiexec);
    const char *path = ork_env_get(commands->application.environment.item, "PATH");
    struct ork_executable program;

    launcher->inspect(words, launcher->context(words, 1, &options->extras), &options->extras, path,
                      &program);
    char *text =
        program.kind == ORK_EXECUTABLE_DYNAMIC ? ork_library_describe(program.path, paths) : NULL;
    if (text != NULL && text[0] != '\0')
        fputs(text, stdout);
    else
        puts("MPI library: not known before the program's first call of MPI");
    free(text);
}

static int show(const struct ork_options *options, const struct ork_commands *commands,
                const struct ork_paths *paths)
{
    const struct ork_shape *shape = &commands->shape;

    show_launcher(options);
    show_library(options, commands, paths);
    printf("interceptor: %s\nreport: %s\n", paths->interceptor, options->output_dir);
    if (options->suppress != NULL)
        printf("suppressions: %s\n", options->suppress);
    if (options->explore.is_on)
        show_exploration(options);
    printf("tool processes: %u (%u on each of %u node%s; a tree of %u layer%s, fan-in %u)\n",
           shape->processes, shape->leaves, shape->nodes, shape->nodes == 1 ? "" : "s",
           shape->layers, shape->layers == 1 ? "" : "s", options->fanin);
    show_command("tool's job", &commands->tool);
    show_command("application's job", &commands->application);
    const char *name = ork_launcher_of(options->mpiexec)->list;
    const char *list =
        name != NULL ? ork_env_get(commands->application.environment.item, name) : NULL;
    if (list != NULL)
        printf("application's %s: %s\n", name, list);
    return end_of_output();
}

static int inform(const struct ork_invocation *invocation, const struct ork_options *options)
{
    struct ork_commands commands;
    struct ork_suppress *suppress = NULL;
    int code = ork_once_prepare(invocation, options, &commands);

    if (code == 0)
        code = ork_once_load_suppress(options, &suppress);
    ork_suppress_destroy(suppress);
    if (code == 0)
        code = show(options, &commands, invocation->paths);
    ork_commands_release(&commands);
    return code;
}

static int launch(const struct ork_options *options, const struct ork_argv *words)
{
    struct ork_paths paths;
    struct ork_signals signals;
    struct ork_invocation invocation = {
        .words = words, .paths = &paths, .signals = &signals, .environment = environ};
    struct ork_run_end end;
    enum ork_status status = ork_paths_find(&paths);
    int code;

    if (status != ORK_OK)
        return status == ORK_NOMEM ? ORK_EXIT_INTERNAL : ORK_EXIT_UNAVAILABLE;
    if (options->info)
        return inform(&invocation, options);
    if (ork_signals_init(&signals) != ORK_OK)
        return ORK_EXIT_INTERNAL;
    if (options->explore.is_on)
        code = ork_explore(&invocation, options);
    else if (options->repeat > 0)
        code = ork_repeat(&invocation, options);
    else
        code = ork_once_run(&invocation, options, true, false, &end);
    ork_signals_release(&signals);
    return code;
}

static bool asks(const struct ork_argv *words, const char *name)
{
    return words->count == 1 && ork_word_is(words->item[0], name);
}

static int run(const struct ork_options *options, const struct ork_argv *words)
{
    if (options->help || asks(words, "help") || asks(words, "h")) {
        ork_options_help(stdout, options->help_topic);
        return end_of_output();
    }
    if (options->version || asks(words, "version") || asks(words, "V")) {
        puts("orknot " ORKNOT_VERSION);
        return end_of_output();
    }
    if (!ork_launcher_of(options->mpiexec)->has_program(words, &options->extras)) {
        ork_options_usage(stderr);
        fputs("mustrun --must:help lists the options.\n", stderr);
        return ORK_EXIT_USAGE;
    }
    return launch(options, words);
}

/* Say what the file in the present folder has set, which nobody named, and what was not read. */
static void tell_of_files(const struct ork_option_files *files)
{
    for (size_t i = 0; i < files->num_ignored; i++)
        ork_error("%s", files->ignored[i]);
    if (files->of_folder == NULL)
        return;
    fputs("orknot: ./" ORK_OPTION_FILE " sets ", stderr);
    ork_escape_text(stderr, files->of_folder, FILE_SHOWN);
    fputc('\n', stderr);
}

static enum ork_status read_options(char *const *argv, struct ork_option_files *files,
                                    struct ork_options *options, struct ork_argv *words,
                                    char *error)
{
    const char *named;
    enum ork_status status = ork_options_named_file(argv, environ, &named, error);

    if (status == ORK_OK)
        status = ork_option_files_read(getenv("HOME"), named, files, error);
    if (status == ORK_OK)
        status = ork_options_parse(argv, environ, &files->lines, options, words, error);
    return status;
}

int main(int argc, char **argv)
{
    struct ork_options options;
    struct ork_option_files files = {.lines = {.count = 0}};
    struct ork_argv words = {0};
    char error[ORK_OPTIONS_ERROR] = "";
    int code;

    ork_log_init("mustrun", false);
    enum ork_status status = read_options(argv + (argc > 0), &files, &options, &words, error);
    if (status == ORK_OK) {
        ork_log_init("mustrun", options.verbose);
        options.argv = argv;
        if (!options.help && !options.version)
            tell_of_files(&files);
        code = run(&options, &words);
    } else {
        ork_error("%s", status == ORK_INVALID ? error : ork_status_text(status));
        code = status == ORK_INVALID ? ORK_EXIT_USAGE : ORK_EXIT_INTERNAL;
    }
    ork_argv_release(&words);
    ork_option_files_release(&files);
    return code;
}
