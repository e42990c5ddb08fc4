/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's mpirun, also as mpiexec and orterun, and a site's replacements for it; and prterun,
 * which is mpirun since Open MPI 5. Their options are nearly the same (mpiopts.def). */
#include "common/text.h"
#include "mustrun/launcher/converted.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/mpirun/leftovers.h"
#include "mustrun/launcher/mpirun/list.h"
#include "mustrun/launcher/mpirun/mpiopts.h"
#include "mustrun/launcher/mpirun/nodes.h"
#include "mustrun/launcher/mpirun/preload.h"
#include "mustrun/launcher/mpirun/recovery.h"
#include "mustrun/launcher/mpirun/slots.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_version5(const struct ork_launch *launch)
{
    return launch->launcher->kind == ORK_LAUNCHER_OPENMPI5;
}

static size_t option_args(char *const *words, const struct ork_extras *extras)
{
    return ork_mpi_option_args(words[0], extras);
}

static size_t find_appfile(const struct ork_argv *words, struct ork_context context,
                           const struct ork_extras *extras)
{
    return ork_mpi_find_option(words, context, extras, "app", NULL);
}

static enum ork_status find_places(const struct ork_argv *words, const struct ork_extras *extras,
                                   char *const *environment, struct ork_places *places)
{
    struct ork_nodes nodes = ork_nodes_of(words, extras, environment);

    *places = (struct ork_places){.nodes = nodes.count,
                                  .ranks = (nodes.ranks + nodes.count - 1) / nodes.count,
                                  .all = nodes.is_given ? nodes.ranks : 0,
                                  .is_here = nodes.is_here};
    return ORK_OK;
}

/* Replace the argument of --app by our copy of that file, whose contexts have the interceptor. */
static enum ork_status convert_appfile(struct ork_commands *commands,
                                       const struct ork_preload *preload, bool listed)
{
    struct ork_argv *argv = &commands->application.argv;
    size_t app = find_appfile(argv, ork_mpi_context(argv, 1, preload->extras), preload->extras);

    if (app == 0)
        return ORK_OK;
    return ork_converted_use(commands, app, ork_preload_appfile(preload, argv->item[app], listed),
                             "appfile");
}

/* Add our variables to the list in the environment, if there is one. */
static void extend_list(struct ork_argv *environment, const struct ork_preload *preload)
{
    const char *list = ork_env_get(environment->item, ORK_ENV_LIST);

    for (size_t i = 0; list != NULL && i < environment->count; i++) {
        if (environment->item[i] + strlen(ORK_ENV_LIST) + 1 != list)
            continue;
        char *value = ork_env_list(list, preload->interceptor, preload->own, &preload->settings);
        char *entry = NULL;

        if (value == NULL || asprintf(&entry, "%s=%s", ORK_ENV_LIST, value) < 0)
            entry = NULL;
        free(value);
        ork_argv_replace(environment, i, entry);
        return;
    }
}

/* RATIONALE: what prterun's -x sets does not reach spawned processes; its own environment does. */
static void add_inherited(const struct ork_preload *preload, const struct ork_argv *words,
                          struct ork_argv *environment)
{
    char *front = ork_preload_front(preload, words);
    char *value = front != NULL ? ork_env_preload(front, preload->own) : NULL;

    for (size_t i = 0; i < preload->settings.count; i++)
        ork_argv_add(environment, preload->settings.item[i]);
    for (size_t i = 0; preload->own != NULL && i < environment->count; i++) {
        if (!ork_env_is(environment->item[i], "LD_PRELOAD"))
            continue;
        ork_argv_replace(environment, i, value != NULL ? ork_text("LD_PRELOAD=%s", value) : NULL);
        break;
    }
    if (preload->own == NULL)
        ork_argv_addf(environment, "LD_PRELOAD=%s", value != NULL ? value : "");
    environment->failed |= value == NULL;
    free(value);
    free(front);
}

/* RATIONALE: under Slurm mpirun starts its daemons by srun. Without this variable, of two that run
 * at the same time one would wait until the other releases the nodes. */
static void let_overlap(const struct ork_launch *launch, struct ork_argv *environment)
{
    if (ork_env_get(launch->environment, "SLURM_JOB_ID") != NULL &&
        ork_env_get(launch->environment, "SLURM_OVERLAP") == NULL)
        ork_argv_add(environment, "SLURM_OVERLAP=1");
}

static enum ork_status build_application(const struct ork_launch *launch,
                                         struct ork_commands *commands)
{
    const struct ork_options *options = launch->options;
    struct ork_command *application = &commands->application;
    struct ork_preload preload = {
        .interceptor = launch->paths->interceptor,
        .own = ork_env_get(launch->environment, "LD_PRELOAD"),
        .extras = &options->extras,
        .path = ork_env_get(launch->environment, "PATH"),
    };
    const char *list = ork_env_get(launch->environment, ORK_ENV_LIST);
    bool listed = ork_preload_is_listed(launch->words, &options->extras, list);
    char *front = listed ? ork_preload_front(&preload, launch->words) : NULL;

    if (front != NULL)
        preload.interceptor = front;
    ork_env_settings(options, launch->shape.leaves, &preload.settings);
    ork_preload_command(&preload, launch->words, listed, &application->argv);
    ork_env_application(launch->environment, launch->session, &application->environment);
    if (is_version5(launch))
        add_inherited(&preload, launch->words, &application->environment);
    if (options->explore.jobs > 1)
        let_overlap(launch, &application->environment);
    enum ork_status status =
        preload.settings.failed || application->argv.failed || application->environment.failed
            ? ORK_NOMEM
            : ORK_OK;
    if (status == ORK_OK && listed)
        extend_list(&application->environment, &preload);
    if (status == ORK_OK)
        status = convert_appfile(commands, &preload, listed);
    ork_argv_release(&preload.settings);
    free(front);
    return status;
}

/* RATIONALE: without a number, mpirun starts this many processes on every node of the job, so we
 * need not know the nodes. A tool process that dies must not end the others (recovery). */
static void add_places(const struct ork_launch *launch, struct ork_argv *argv)
{
    const struct ork_shape *shape = &launch->shape;

    if (shape->nodes > 1) {
        ork_argv_add(argv, "--map-by");
        ork_argv_addf(argv, "ppr:%u:node%s", shape->leaves,
                      is_version5(launch) ? ":OVERSUBSCRIBE" : "");
    } else {
        ork_argv_add(argv, launch->options->extras.np);
        ork_argv_add(argv, "1");
    }
    ork_argv_add(argv, "--bind-to");
    ork_argv_add(argv, "none");
    if (shape->nodes > 1) {
        if (!is_version5(launch))
            ork_argv_add(argv, "--oversubscribe");
        ork_argv_add(argv, "--enable-recovery");
    }
}

static void build_tool(const struct ork_launch *launch, struct ork_command *tool)
{
    const struct ork_extras *extras = &launch->options->extras;
    struct ork_context first = ork_mpi_context(launch->words, 0, extras);

    ork_mpi_copy_launch_options(launch->words, first, extras, &tool->argv);
    add_places(launch, &tool->argv);
    ork_env_tool(launch->environment, launch->session, ORK_ENV_LIST, &tool->environment);
    ork_argv_add(&tool->environment, ORK_ENV_LIST "=" ORK_ENV_OURS);
    let_overlap(launch, &tool->environment);
}

static void separate_output(const char *folder, struct ork_argv *words)
{
    ork_argv_add(words, "--output-filename");
    ork_argv_addf(words, "%s:nocopy", folder);
}

/* The files are FOLDER/NAMESPACE/RANK/stdout. */
static void separate_output5(const char *folder, struct ork_argv *words)
{
    ork_argv_add(words, "--output");
    ork_argv_addf(words, "dir=%s:nocopy", folder);
}

const struct ork_launcher ork_launcher_mpirun = {
    .kind = ORK_LAUNCHER_OPENMPI4,
    .hangs = true,
    .sleeps_to_end = true,
    .passes_input = true,
    .option_args = option_args,
    .knows = ork_mpi_knows,
    .has_program = ork_mpi_has_program,
    .context = ork_mpi_context,
    .appfile = find_appfile,
    .places = find_places,
    .application = build_application,
    .tool = build_tool,
    .output = separate_output,
    .inspect = ork_preload_inspect,
    .recovers = ork_mpi_recovers,
    .list = ORK_ENV_LIST,
    .hint = ork_mpi_slots_hint,
    .learn_leftovers = ork_leftovers_learn,
    .remove_leftovers = ork_leftovers_remove,
};

/* RATIONALE: it ends its ranks at once, without a sleep. */
const struct ork_launcher ork_launcher_prterun = {
    .kind = ORK_LAUNCHER_OPENMPI5,
    .hangs = true,
    .passes_input = true,
    .option_args = option_args,
    .knows = ork_mpi_knows,
    .split = ork_mpi_split,
    .has_program = ork_mpi_has_program,
    .context = ork_mpi_context,
    .appfile = find_appfile,
    .places = find_places,
    .application = build_application,
    .tool = build_tool,
    .output = separate_output5,
    .inspect = ork_preload_inspect,
    .recovers = ork_mpi_recovers,
    .list = ORK_ENV_LIST,
    .hint = ork_mpi_slots_hint,
    .remove_leftovers = ork_leftovers_remove5,
};
