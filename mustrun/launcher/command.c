/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/command.h"

#include "common/log.h"
#include "common/text.h"
#include "common/tree.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/library.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ork_shape shape_of(const struct ork_options *options, const struct ork_places *places)
{
    unsigned most = options->leaf_ranks != 0 ? options->leaf_ranks : options->fanin;
    struct ork_shape shape = {.nodes = places->nodes,
                              .leaves = (places->ranks + most - 1) / most,
                              .is_here = places->is_here};

    shape.processes = shape.nodes * shape.leaves;
    shape.layers = ork_tree_of(shape.processes, options->fanin, 0).layers;
    return shape;
}

/* Of the first program that is linked with one; the caller's. NULL: there is none, as far as is
 * known. */
static char *find_library(const struct ork_launch *launch)
{
    const struct ork_launcher *launcher = launch->launcher;
    const struct ork_extras *extras = &launch->options->extras;
    const char *path = ork_env_get(launch->environment, "PATH");
    char *library = NULL;

    for (size_t first = 0; library == NULL && first < launch->words->count;) {
        struct ork_context context = launcher->context(launch->words, first, extras);
        struct ork_executable program;
        launcher->inspect(launch->words, context, extras, path, &program);
        if (program.kind == ORK_EXECUTABLE_DYNAMIC)
            library = ork_library_path(program.path);
        first = context.last + 1;
    }
    return library;
}

/* RATIONALE: only the program knows where its library is, if that is in a folder of its own. */
static void add_transport(const struct ork_launch *launch, struct ork_argv *argv)
{
    char *library = find_library(launch);

    if (launch->launcher->transport != NULL)
        ork_argv_addf(argv, "--transport=%s", launch->launcher->transport);
    if (library != NULL)
        ork_argv_addf(argv, "--library=%s", library);
    free(library);
}

static void add_tool(const struct ork_launch *launch, struct ork_argv *argv)
{
    const struct ork_options *options = launch->options;

    ork_argv_add(argv, launch->paths->tool);
    if (launch->shape.nodes == 1)
        ork_argv_addf(argv, "--processes=%u", launch->shape.processes);
    else
        add_transport(launch, argv);
    ork_argv_addf(argv, "--fanin=%u", options->fanin);
    ork_argv_addf(argv, "--sends=%s", options->sends);
    ork_argv_addf(argv, "--collectives=%s", options->collectives);
    ork_argv_addf(argv, "--probe=%s", options->probe);
    ork_argv_addf(argv, "--queue-limit=%llu", (unsigned long long)options->queue_limit << 20);
    if (options->verbose)
        ork_argv_add(argv, "--verbose");
    if (options->nodl)
        ork_argv_add(argv, "--nodl");
    if (options->trace != NULL)
        ork_argv_addf(argv, "--trace=%s", options->trace);
    /* RATIONALE: a rank that is delayed makes no progress either. */
    if (options->hang_after > 0)
        ork_argv_addf(argv, "--hang-after=%g",
                      options->hang_after +
                          (options->noise.is_on ? options->noise.max_us * 1e-6 : 0));
    else if (options->is_hang_after_given)
        ork_argv_add(argv, "--still-after=0");
    if (options->stops)
        ork_argv_add(argv, "--stop-at-deadlock");
    if (options->hang_abort)
        ork_argv_add(argv, "--hang-fatal");
}

/* RATIONALE: the tool's processes may have another folder. */
static char *absolute(const char *path)
{
    char folder[PATH_MAX];

    if (path[0] == '/' || getcwd(folder, sizeof(folder)) == NULL)
        return strdup(path);
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return ork_text("%s/%s", folder, path);
}

char *ork_record_path(const struct ork_options *options)
{
    if (options->record != NULL)
        return strdup(options->record);
    return strcmp(options->output_dir, ".") == 0
               ? strdup(ORK_ORDER_NAME)
               : ork_text("%s/" ORK_ORDER_NAME, options->output_dir);
}

/* A replay is no news: it is only recorded on request. */
static enum ork_status find_record(struct ork_commands *commands, const struct ork_options *options)
{
    if (options->replay != NULL && options->record == NULL)
        return ORK_OK;
    char *path = ork_record_path(options);
    commands->record = path != NULL ? absolute(path) : NULL;
    free(path);
    return commands->record != NULL ? ORK_OK : ORK_NOMEM;
}

void ork_command_begin(struct ork_argv *argv, const struct ork_options *options)
{
    ork_argv_add(argv, "mustrun");
    if (strcmp(options->mpiexec, "mpirun") != 0)
        ork_argv_addf(argv, "--must:mpiexec=%s", options->mpiexec);
    if (strcmp(options->extras.np, "-np") != 0)
        ork_argv_addf(argv, "--must:np=%s", options->extras.np);
}

char *ork_command_end(struct ork_argv *argv, const struct ork_argv *words)
{
    for (size_t i = 0; i < words->count; i++)
        ork_argv_add(argv, words->item[i]);
    char *text = argv->failed ? NULL : ork_argv_quote(argv);
    ork_argv_release(argv);
    return text;
}

char *ork_replay_command(const struct ork_argv *words, const struct ork_options *options,
                         const char *path)
{
    struct ork_argv argv = {0};

    ork_command_begin(&argv, options);
    ork_argv_add(&argv, "--must:replay");
    ork_argv_add(&argv, path);
    if (options->poll)
        ork_argv_add(&argv, "--must:poll");
    return ork_command_end(&argv, words);
}

char *ork_explore_command(const struct ork_argv *words, const struct ork_options *options)
{
    struct ork_argv argv = {0};

    ork_command_begin(&argv, options);
    ork_argv_add(&argv, "--must:explore");
    return ork_command_end(&argv, words);
}

static void add_timestamps(const struct ork_options *options, struct ork_argv *argv)
{
    char *path = options->timestamps != NULL ? absolute(options->timestamps) : NULL;

    if (path != NULL)
        ork_argv_addf(argv, "--timestamps=%s", path);
    else
        argv->failed |= options->timestamps != NULL;
    free(path);
}

static void add_order(const struct ork_commands *commands, const struct ork_options *options,
                      struct ork_argv *argv)
{
    char *replay = options->replay != NULL ? absolute(options->replay) : NULL;

    if (commands->record != NULL) {
        ork_argv_addf(argv, "--record=%s", commands->record);
        if (commands->program.count > 0)
            ork_argv_addf(argv, "--program=%s", ork_base_name(commands->program.item[0]));
    }
    if (options->record != NULL || options->replay != NULL)
        ork_argv_add(argv, "--order-wanted");
    if (options->deterministic)
        ork_argv_add(argv, "--deterministic");
    if (options->races)
        ork_argv_add(argv, "--races");
    if (options->fold)
        ork_argv_add(argv, "--fold");
    if (strcmp(options->rma, "auto") != 0)
        ork_argv_addf(argv, "--rma=%s", options->rma);
    add_timestamps(options, argv);
    if (options->alternatives != NULL)
        ork_argv_addf(argv, "--alternatives=%s", options->alternatives);
    if (options->replay != NULL) {
        if (replay != NULL)
            ork_argv_addf(argv, "--replay=%s", replay);
        else
            argv->failed = true;
        if (options->divergence_abort)
            ork_argv_add(argv, "--divergence-fatal");
        if (options->stop_at != NULL)
            ork_argv_addf(argv, "--stop-at=%s", options->stop_at);
    }
    free(replay);
}

static void build_program(const struct ork_launcher *launcher, const struct ork_argv *words,
                          const struct ork_extras *extras, struct ork_argv *program)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = launcher->context(words, first, extras);
        size_t app = ork_launcher_appfile(launcher, words, context, extras);

        if (first > 0)
            ork_argv_add(program, ":");
        if (context.program == context.last && app != 0)
            ork_argv_addf(program, "appfile %s", words->item[app]);
        for (size_t i = context.program; i < context.last; i++)
            ork_argv_add(program, words->item[i]);
        first = context.last + 1;
    }
}

static bool has_failed(const struct ork_commands *commands)
{
    return commands->program.failed || commands->words.failed || commands->tool.argv.failed ||
           commands->tool.environment.failed || commands->application.argv.failed ||
           commands->application.environment.failed;
}

static enum ork_status build(struct ork_launch *launch, struct ork_commands *commands)
{
    const struct ork_launcher *launcher = launch->launcher;
    const struct ork_options *options = launch->options;
    struct ork_places places;
    enum ork_status status =
        launcher->places(launch->words, &options->extras, launch->environment, &places);

    if (status != ORK_OK)
        return status;
    commands->shape = launch->shape = shape_of(options, &places);
    commands->ranks = places.all;
    commands->recovers = ork_launcher_recovers(launcher, launch->words, &options->extras);
    build_program(launcher, launch->words, &options->extras, &commands->program);
    status = find_record(commands, options);
    if (status != ORK_OK)
        return status;
    if (launch->shape.is_here) {
        ork_env_tool(launch->environment, launch->session, launcher->list,
                     &commands->tool.environment);
    } else {
        ork_argv_add(&commands->tool.argv, options->mpiexec);
        launcher->tool(launch, &commands->tool);
    }
    add_tool(launch, &commands->tool.argv);
    add_order(commands, options, &commands->tool.argv);
    ork_argv_add(&commands->application.argv, options->mpiexec);
    return launcher->application(launch, commands);
}

enum ork_status ork_commands_init(struct ork_commands *commands, const struct ork_options *options,
                                  const struct ork_argv *words, const struct ork_paths *paths,
                                  const struct ork_session *session, char *const *environment)
{
    const struct ork_launcher *launcher = ork_launcher_of(options->mpiexec);
    struct ork_argv split = {0};
    struct ork_launch launch = {.launcher = launcher,
                                .options = options,
                                .words = launcher->split != NULL ? &split : words,
                                .paths = paths,
                                .session = session,
                                .environment = environment};

    *commands = (struct ork_commands){.appfile = -1};
    if (launcher->split != NULL)
        launcher->split(words, &options->extras, &split);
    for (size_t i = 0; i < words->count; i++)
        ork_argv_add(&commands->words, words->item[i]);
    enum ork_status status = split.failed ? ORK_NOMEM : build(&launch, commands);
    if (status == ORK_OK && has_failed(commands))
        status = ORK_NOMEM;
    if (status == ORK_NOMEM)
        ork_error("%s", ork_status_text(status));
    ork_argv_release(&split);
    return status;
}

void ork_commands_release(struct ork_commands *commands)
{
    ork_argv_release(&commands->application.argv);
    ork_argv_release(&commands->application.environment);
    ork_argv_release(&commands->tool.argv);
    ork_argv_release(&commands->tool.environment);
    ork_argv_release(&commands->program);
    ork_argv_release(&commands->words);
    free(commands->record);
    if (commands->appfile >= 0)
        close(commands->appfile);
}
