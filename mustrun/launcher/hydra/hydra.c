/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's launcher, hydra. Intel MPI and MVAPICH have one of their own, with more options. A
 * program of another library, which does not belong to it, is reported. */
#include "common/log.h"
#include "mustrun/launcher/converted.h"
#include "mustrun/launcher/hostlist.h"
#include "mustrun/launcher/hosts.h"
#include "mustrun/launcher/hydra/hydraopts.h"
#include "mustrun/launcher/hydra/variables.h"
#include "mustrun/launcher/launcher.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static size_t option_args(char *const *words, const struct ork_extras *extras)
{
    return ork_hydra_option_of(words, extras).words - 1;
}

/* ---- the file of contexts ---- */

static size_t find_configfile(const struct ork_argv *words, struct ork_context context,
                              const struct ork_extras *extras)
{
    size_t found = 0;

    for (size_t i = context.first; i < context.program;) {
        struct ork_hydra_option option = ork_hydra_option_of(words->item + i, extras);
        if (option.words == 2 && ork_hydra_option_is(&option, "configfile"))
            found = i + 1;
        i += option.words;
    }
    return found;
}

static bool has_program(const struct ork_argv *words, const struct ork_extras *extras)
{
    static const char *const files[] = {"configfile", NULL};

    if (ork_hydra_has(words, extras, files))
        return true;
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        if (context.program == context.last)
            return false;
        first = context.last + 1;
    }
    return words->count > 0;
}

static void inspect(const struct ork_argv *words, struct ork_context context,
                    const struct ork_extras *extras, const char *path,
                    struct ork_executable *program)
{
    static const char *const folders[] = {"wdir", NULL};

    *program = (struct ork_executable){.kind = ORK_EXECUTABLE_MISSING};
    if (context.program < context.last)
        ork_executable_inspect(words->item[context.program],
                               ork_hydra_find(words, context, extras, folders), path, program);
}

/* ---- nodes and ranks ---- */

static unsigned count_ranks(const struct ork_argv *words, struct ork_context context,
                            const struct ork_extras *extras)
{
    static const char *const names[] = {"n", "np", NULL};
    const char *number = ork_hydra_find(words, context, extras, names);

    return ork_hosts_number(number != NULL ? number : ork_words_behind(words, context, extras->np));
}

static void add_hosts(const struct ork_argv *words, struct ork_context context,
                      const struct ork_extras *extras, struct ork_argv *hosts)
{
    static const char *const lists[] = {"hosts",    "host",        "hostlist",
                                        "machines", "machinelist", NULL};
    static const char *const files[] = {"f", "hostfile", "machinefile", NULL};
    static const char *const either[] = {"machine", NULL};
    const char *machine = ork_hydra_find(words, context, extras, either);
    const char *list = ork_hydra_find(words, context, extras, lists);
    const char *file = ork_hydra_find(words, context, extras, files);

    if (list != NULL)
        ork_hosts_add_list(hosts, list);
    if (file != NULL)
        ork_hosts_add_file(hosts, file);
    if (machine != NULL && access(machine, R_OK) == 0) /* Intel MPI's */
        ork_hosts_add_file(hosts, machine);
    else if (machine != NULL)
        ork_hosts_add_list(hosts, machine);
}

/* Of Intel MPI: "n[1-4],n7". */
static unsigned count_group(const struct ork_argv *words, struct ork_context context,
                            const struct ork_extras *extras)
{
    static const char *const names[] = {"hosts-group", NULL};
    const char *group = ork_hydra_find(words, context, extras, names);

    return group != NULL ? ork_hostlist_count(group) : 0;
}

/* Those of the environment, if the command names none. */
static unsigned find_inherited(char *const *environment, struct ork_argv *list)
{
    static const char *const files[] = {"HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE"};
    const char *group = ork_env_get(environment, "I_MPI_HYDRA_HOSTS_GROUP");

    for (size_t i = 0; list->count == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
        const char *file = ork_env_get(environment, files[i]);
        if (file != NULL)
            ork_hosts_add_file(list, file);
    }
    return list->count == 0 && group != NULL ? ork_hostlist_count(group) : 0;
}

/* RATIONALE: if nothing names hosts, hydra starts all processes on this one. */
static struct ork_hosts find_hosts(const struct ork_argv *words, const struct ork_extras *extras,
                                   char *const *environment)
{
    struct ork_argv list = {0};
    unsigned group = 0;

    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        add_hosts(words, context, extras, &list);
        group += count_group(words, context, extras);
        first = context.last + 1;
    }
    if (list.count == 0 && group == 0)
        group = find_inherited(environment, &list);
    struct ork_hosts hosts = ork_hosts_count(&list);
    hosts.count += group;
    hosts.is_here = hosts.is_here && group == 0;
    if (hosts.count == 0)
        hosts = ork_hosts_allocated(environment);
    return hosts.count > 0 ? hosts : (struct ork_hosts){.count = 1, .is_here = true};
}

static enum ork_status find_places(const struct ork_argv *words, const struct ork_extras *extras,
                                   char *const *environment, struct ork_places *places)
{
    struct ork_hosts hosts = find_hosts(words, extras, environment);
    unsigned all = 0;
    bool is_given = true;

    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        unsigned ranks = count_ranks(words, context, extras);
        is_given = is_given && ranks > 0 && find_configfile(words, context, extras) == 0;
        all += ranks;
        first = context.last + 1;
    }
    unsigned ranks = (all + hosts.count - 1) / hosts.count;
    bool is_here = hosts.count == 1 && hosts.is_here;
    if (!ORK_HAS_MPICH && !is_here) { /* the tool's processes could not be connected */
        ork_error("this build has no MPICH: the tool runs on this node only");
        hosts.count = 1;
        is_here = true;
    }
    *places = (struct ork_places){.nodes = hosts.count,
                                  .ranks = ranks > 0 ? ranks : 1,
                                  .all = is_given ? all : 0,
                                  .is_here = is_here};
    return ORK_OK;
}

/* ---- the application's job ---- */

/* The interceptor, behind the library of AddressSanitizer if one of the programs needs it. */
static char *front_of(const struct ork_launch *launch)
{
    const struct ork_argv *words = launch->words;
    const struct ork_extras *extras = &launch->options->extras;
    const char *path = ork_env_get(launch->environment, "PATH");
    struct ork_executable program = {.kind = ORK_EXECUTABLE_MISSING};

    for (size_t first = 0; first < words->count && program.sanitizer[0] == '\0';) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        inspect(words, context, extras, path, &program);
        first = context.last + 1;
    }
    return ork_env_front(program.sanitizer, launch->paths->interceptor,
                         ork_env_get(launch->environment, "LD_PRELOAD"));
}

static bool keeps_environment(char *const *environment)
{
    const char *choice = ork_env_get(environment, "HYDRA_ENV");

    return choice != NULL && strcmp(choice, "all") != 0;
}

static enum ork_status convert_configfile(struct ork_commands *commands,
                                          const struct ork_hydra_variables *variables)
{
    struct ork_argv *argv = &commands->application.argv;
    size_t at = argv->failed ? 0
                             : find_configfile(argv, ork_hydra_context(argv, 1, variables->extras),
                                               variables->extras);

    if (at == 0)
        return ORK_OK;
    return ork_converted_use(commands, at, ork_hydra_variables_file(variables, argv->item[at]),
                             "file of options");
}

static enum ork_status build_application(const struct ork_launch *launch,
                                         struct ork_commands *commands)
{
    struct ork_command *application = &commands->application;
    char *front = front_of(launch);
    struct ork_hydra_variables variables = {
        .front = front,
        .own = ork_env_get(launch->environment, "LD_PRELOAD"),
        .extras = &launch->options->extras,
        .is_kept = keeps_environment(launch->environment),
    };

    if (front == NULL)
        return ORK_NOMEM;
    ork_hydra_variables_command(&variables, launch->words, &application->argv);
    ork_env_application(launch->environment, launch->session, &application->environment);
    ork_env_settings(launch->options, launch->shape.leaves, &application->environment);
    enum ork_status status = convert_configfile(commands, &variables);
    free(front);
    return status;
}

/* ---- the tool's job ---- */

/* Options that say where hydra starts processes, and how. */
static bool is_for_tool(const struct ork_hydra_option *option)
{
    static const char *const names[] = {"hosts",
                                        "host",
                                        "hostlist",
                                        "machine",
                                        "machines",
                                        "machinelist",
                                        "f",
                                        "hostfile",
                                        "machinefile",
                                        "hosts-group",
                                        "nolocal",
                                        "launcher",
                                        "launcher-exec",
                                        "bootstrap",
                                        "rmk",
                                        "bootstrap-exec",
                                        "bootstrap-exec-args",
                                        "iface",
                                        "localhost",
                                        "disable-hostname-propagation"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (ork_hydra_option_is(option, names[i]))
            return true;
    }
    return false;
}

static void copy_options(const struct ork_argv *words, const struct ork_extras *extras,
                         struct ork_argv *out)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        for (size_t i = context.first; i < context.program;) {
            struct ork_hydra_option option = ork_hydra_option_of(words->item + i, extras);
            for (size_t k = i; is_for_tool(&option) && k < i + option.words; k++)
                ork_argv_add(out, words->item[k]);
            i += option.words;
        }
        first = context.last + 1;
    }
}

/* RATIONALE: a tool process that dies must not end the others. */
static void build_tool(const struct ork_launch *launch, struct ork_command *tool)
{
    const struct ork_shape *shape = &launch->shape;

    copy_options(launch->words, &launch->options->extras, &tool->argv);
    ork_argv_add(&tool->argv, "-disable-auto-cleanup");
    ork_argv_add(&tool->argv, "-genvall");
    ork_argv_add(&tool->argv, "-ppn");
    ork_argv_addf(&tool->argv, "%u", shape->nodes > 1 ? shape->leaves : 1);
    ork_argv_add(&tool->argv, "-n");
    ork_argv_addf(&tool->argv, "%u", shape->nodes > 1 ? shape->processes : 1);
    ork_env_tool(launch->environment, launch->session, NULL, &tool->environment);
}

/* ---- the rest ---- */

static void separate_output(const char *folder, struct ork_argv *words)
{
    ork_argv_add(words, "-outfile-pattern");
    ork_argv_addf(words, "%s/rank.%%r.stdout", folder);
    ork_argv_add(words, "-errfile-pattern");
    ork_argv_addf(words, "%s/rank.%%r.stderr", folder);
}

static bool recovers(const struct ork_argv *words, const struct ork_extras *extras)
{
    static const char *const options[] = {"disable-auto-cleanup", "dac", NULL};

    return ork_hydra_has(words, extras, options);
}

const struct ork_launcher ork_launcher_hydra = {
    .kind = ORK_LAUNCHER_HYDRA,
    .hangs = true,
    .passes_input = true,
    .helper = "hydra_",
    .option_args = option_args,
    .knows = ork_hydra_knows,
    .split = ork_hydra_split,
    .has_program = has_program,
    .context = ork_hydra_context,
    .appfile = find_configfile,
    .places = find_places,
    .application = build_application,
    .tool = build_tool,
    .transport = "mpich",
    .output = separate_output,
    .inspect = inspect,
    .recovers = recovers,
};
