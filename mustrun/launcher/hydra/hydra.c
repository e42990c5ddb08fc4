/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's launcher, hydra. Programs of MPICH are not observed yet, but have to run under it as
 * without the tool; and a program of another library, which does not belong to it, is reported. */
#include "mustrun/launcher/launcher.h"

#include <stdlib.h>
#include <string.h>

/* Options with arguments (mpiexec.hydra -help, 4.0). */
static const struct {
    const char *name;
    size_t args;
} options[] = {{"genv", 2},
               {"env", 2},
               {"genvlist", 1},
               {"envlist", 1},
               {"n", 1},
               {"np", 1},
               {"ppn", 1},
               {"f", 1},
               {"hosts", 1},
               {"host", 1},
               {"wdir", 1},
               {"path", 1},
               {"configfile", 1},
               {"bind-to", 1},
               {"map-by", 1},
               {"membind", 1},
               {"launcher", 1},
               {"rmk", 1},
               {"launcher-exec", 1},
               {"demux", 1},
               {"iface", 1},
               {"usize", 1},
               {"prepend-pattern", 1},
               {"outfile-pattern", 1},
               {"topolib", 1},
               {"arch", 1},
               {"errfile-pattern", 1},
               {"order-nodes", 1},
               {"localhost", 1},
               {"pmi-port", 1},
               {"ckpoint-interval", 1}};

static size_t option_args(const char *token, const char *np)
{
    if (strcmp(token, np) == 0)
        return 1;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (ork_word_is(token, options[i].name))
            return options[i].args;
    }
    return 0;
}

static struct ork_context context_of(const struct ork_argv *words, size_t first, const char *np)
{
    struct ork_context context = {.first = first, .last = first};
    size_t i = first;

    while (context.last < words->count && !ork_word_is_separator(words->item[context.last]))
        context.last++;
    while (i < context.last && ork_word_is_option(words->item[i]))
        i += 1 + option_args(words->item[i], np);
    context.program = i < context.last ? i : context.last;
    return context;
}

static bool has_program(const struct ork_argv *words, const char *np)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = context_of(words, first, np);
        if (context.program == context.last)
            return false;
        first = context.last + 1;
    }
    return words->count > 0;
}

static void inspect(const struct ork_argv *words, struct ork_context context, const char *np,
                    const char *path, struct ork_executable *program)
{
    (void)np;
    *program = (struct ork_executable){.kind = ORK_EXECUTABLE_MISSING};
    if (context.program < context.last)
        ork_executable_inspect(words->item[context.program], NULL, path, program);
}

/* Nothing is observed, so the tool needs no more than one process, which is told so. */
static enum ork_status find_places(const struct ork_argv *words, const char *np,
                                   char *const *environment, struct ork_places *places)
{
    (void)words;
    (void)np;
    (void)environment;
    *places = (struct ork_places){.nodes = 1, .ranks = 1, .is_here = true};
    return ORK_OK;
}

/* RATIONALE: the option, not hydra's environment, names the interceptor. Otherwise it and the MPI
 * library would be loaded into hydra itself. */
static enum ork_status build_application(const struct ork_launch *launch,
                                         struct ork_commands *commands)
{
    struct ork_command *application = &commands->application;
    char *preload =
        ork_env_preload(launch->paths->interceptor, ork_env_get(launch->environment, "LD_PRELOAD"));

    if (preload == NULL)
        return ORK_NOMEM;
    ork_argv_add(&application->argv, "-genv");
    ork_argv_add(&application->argv, "LD_PRELOAD");
    ork_argv_add(&application->argv, preload);
    free(preload);
    for (size_t i = 0; i < launch->words->count; i++)
        ork_argv_add(&application->argv, launch->words->item[i]);
    ork_env_application(launch->environment, launch->session, &application->environment);
    return ORK_OK;
}

static void separate_output(const char *folder, struct ork_argv *words)
{
    ork_argv_add(words, "-outfile-pattern");
    ork_argv_addf(words, "%s/rank.%%r.stdout", folder);
    ork_argv_add(words, "-errfile-pattern");
    ork_argv_addf(words, "%s/rank.%%r.stderr", folder);
}

const struct ork_launcher ork_launcher_hydra = {
    .name = "mpiexec.hydra",
    .option_args = option_args,
    .has_program = has_program,
    .context = context_of,
    .places = find_places,
    .application = build_application,
    .output = separate_output,
    .inspect = inspect,
};
