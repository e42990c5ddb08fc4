/* SPDX-License-Identifier: BSD-3-Clause */
/* mustrun: starts an MPI program with the interceptor in it, and the tool beside it. */
#include "common/exitcode.h"
#include "common/log.h"
#include "common/tracefile.h"
#include "mustrun/launcher/hint.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/supervise.h"
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
    enum ork_status status = path == NULL || shape->nodes > 1 ? ORK_OK : ork_tracefile_check(path);

    if (status == ORK_EXISTS)
        ork_error("cannot replace %s: it exists and is not a trace of orknot", path);
    else if (status != ORK_OK)
        ork_error("cannot write the trace %s: %s", path, strerror(errno));
    return status == ORK_OK;
}

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
    const char *name = ork_launcher_of(options->mpiexec)->list;
    const char *list =
        name != NULL ? ork_env_get(commands->application.environment.item, name) : NULL;
    if (list != NULL)
        printf("application's %s: %s\n", name, list);
    return end_of_output();
}

enum { HINTS_MAX = 5 };

/* Reports options that have no effect at their position. */
static void hint(const struct ork_commands *commands)
{
    char sentence[300];
    unsigned count = 0;

    for (char *const *entry = environ; *entry != NULL && count < HINTS_MAX; entry++) {
        if (!ork_hint_variable(*entry, sentence, sizeof(sentence)))
            continue;
        ork_error("%s", sentence);
        count++;
    }
    const char *word = ork_hint_behind(&commands->program);
    if (word != NULL)
        ork_error("hint: %.100s goes to the program, because it follows the program's name", word);
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
    if (!options->quiet)
        hint(commands);
    int code = check_trace(options->trace, &commands->shape) && prepare_output(options)
                   ? ork_supervise(options, suppress, commands)
                   : ORK_EXIT_USAGE;
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
        ork_error("cannot get random numbers: %s", strerror(errno));
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
    return words->count == 1 && ork_word_is(words->item[0], name);
}

static int run(const struct ork_options *options, const struct ork_argv *words)
{
    if (options->help || asks(words, "help") || asks(words, "h")) {
        ork_options_help(stdout);
        return end_of_output();
    }
    if (options->version || asks(words, "version") || asks(words, "V")) {
        puts("orknot " ORKNOT_VERSION);
        return end_of_output();
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
