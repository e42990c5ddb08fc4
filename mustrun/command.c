/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/command.h"

#include "common/log.h"
#include "mustrun/mpiopts.h"
#include "mustrun/preload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned ork_tool_processes(const struct ork_options *options)
{
    (void)options; /* one leaf, which is the root too */
    return 1;
}

/* Replace the argument of --app by our copy of that file, whose contexts have the interceptor. */
static enum ork_status convert_appfile(struct ork_commands *commands,
                                       const struct ork_preload *preload, bool listed)
{
    struct ork_argv *argv = &commands->application.argv;
    struct ork_context context = ork_mpi_context(argv, 1, preload->np);
    size_t app = ork_mpi_find_option(argv, context, preload->np, "app", NULL);

    if (app == 0)
        return ORK_OK;
    commands->appfile = ork_preload_appfile(preload, argv->item[app], listed);
    if (commands->appfile < 0) {
        ork_error("cannot read the appfile %s: %s", argv->item[app], strerror(errno));
        return ORK_NOTFOUND;
    }
    char *path = NULL;
    if (asprintf(&path, "/proc/%ld/fd/%d", (long)getpid(), commands->appfile) < 0)
        return ORK_NOMEM;
    ork_argv_replace(argv, app, path);
    return ORK_OK;
}

/* The list of variables in the environment, if there is one, gets ours too. */
static void extend_list(struct ork_argv *environment, const struct ork_preload *preload)
{
    const char *list = ork_env_get(environment->item, ORK_ENV_LIST);

    for (size_t i = 0; list != NULL && i < environment->count; i++) {
        if (environment->item[i] + strlen(ORK_ENV_LIST) + 1 != list)
            continue;
        char *value = ork_env_list(list, preload->interceptor, preload->own, preload->poll);
        char *entry = NULL;

        if (value == NULL || asprintf(&entry, "%s=%s", ORK_ENV_LIST, value) < 0)
            entry = NULL;
        free(value);
        ork_argv_replace(environment, i, entry);
        return;
    }
}

static enum ork_status
build_application(struct ork_commands *commands, const struct ork_options *options,
                  const struct ork_argv *words, const struct ork_preload *preload,
                  const struct ork_session *session, char *const *environment)
{
    const char *list = ork_env_get(environment, ORK_ENV_LIST);
    bool listed = ork_preload_is_listed(words, options->np, list);

    ork_argv_add(&commands->application.argv, options->mpiexec);
    ork_preload_command(preload, words, listed, &commands->application.argv);
    ork_env_application(environment, session, &commands->application.environment);
    if (commands->application.argv.failed || commands->application.environment.failed)
        return ORK_NOMEM;
    if (listed)
        extend_list(&commands->application.environment, preload);
    return convert_appfile(commands, preload, listed);
}

static void build_tool(struct ork_command *tool, const struct ork_options *options,
                       const struct ork_argv *words, const struct ork_paths *paths,
                       const struct ork_session *session, char *const *environment)
{
    struct ork_argv *argv = &tool->argv;

    ork_argv_add(argv, options->mpiexec);
    ork_mpi_copy_launch_options(words, ork_mpi_context(words, 0, options->np), options->np, argv);
    ork_argv_add(argv, options->np);
    ork_argv_addf(argv, "%u", ork_tool_processes(options));
    ork_argv_add(argv, "--bind-to");
    ork_argv_add(argv, "none");
    ork_argv_add(argv, paths->tool);
    ork_argv_addf(argv, "--fanin=%u", options->fanin);
    ork_argv_addf(argv, "--sends=%s", options->sends);
    ork_argv_addf(argv, "--collectives=%s", options->collectives);
    ork_argv_addf(argv, "--probe=%s", options->probe);
    ork_argv_addf(argv, "--queue-limit=%llu", (unsigned long long)options->queue_limit << 20);
    if (options->nodl)
        ork_argv_add(argv, "--nodl");
    if (options->trace != NULL)
        ork_argv_addf(argv, "--trace=%s", options->trace);
    ork_env_tool(environment, session, &tool->environment);
}

static void build_program(const struct ork_argv *words, const char *np, struct ork_argv *program)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, np);
        size_t app = ork_mpi_find_option(words, context, np, "app", NULL);

        if (first > 0)
            ork_argv_add(program, ":");
        if (context.program == context.last && app != 0)
            ork_argv_addf(program, "appfile %s", words->item[app]);
        for (size_t i = context.program; i < context.last; i++)
            ork_argv_add(program, words->item[i]);
        first = context.last + 1;
    }
}

enum ork_status ork_commands_init(struct ork_commands *commands, const struct ork_options *options,
                                  const struct ork_argv *words, const struct ork_paths *paths,
                                  const struct ork_session *session, char *const *environment)
{
    struct ork_preload preload = {
        .interceptor = paths->interceptor,
        .own = ork_env_get(environment, "LD_PRELOAD"),
        .np = options->np,
        .poll = options->poll,
    };
    enum ork_status status;

    *commands = (struct ork_commands){.leaves = ork_tool_processes(options), .appfile = -1};
    build_program(words, options->np, &commands->program);
    build_tool(&commands->tool, options, words, paths, session, environment);
    status = build_application(commands, options, words, &preload, session, environment);
    if (status == ORK_OK &&
        (commands->program.failed || commands->tool.argv.failed ||
         commands->tool.environment.failed || commands->application.argv.failed ||
         commands->application.environment.failed))
        status = ORK_NOMEM;
    if (status == ORK_NOMEM)
        ork_error("%s", ork_status_text(status));
    return status;
}

void ork_commands_release(struct ork_commands *commands)
{
    ork_argv_release(&commands->application.argv);
    ork_argv_release(&commands->application.environment);
    ork_argv_release(&commands->tool.argv);
    ork_argv_release(&commands->tool.environment);
    ork_argv_release(&commands->program);
    if (commands->appfile >= 0)
        close(commands->appfile);
}
