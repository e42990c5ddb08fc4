/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's srun: both jobs are steps of one allocation. */
#include "common/log.h"
#include "mustrun/launcher/here.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/hostlist.h"
#include "mustrun/launcher/srun/srunopts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PRELOAD "LD_PRELOAD"

/* ---- nodes ---- */

/* The nodes of the tool's step. */
struct choice {
    unsigned nodes;
    const char *option, *list; /* NULL: on all nodes of the allocation */
};

static unsigned number_of(const char *text)
{
    unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

    return n <= 1u << 24 ? (unsigned)n : 0;
}

static unsigned allocated_nodes(const struct ork_argv *words, const struct ork_extras *extras,
                                char *const *environment)
{
    unsigned nodes = number_of(ork_env_get(environment, "SLURM_JOB_NUM_NODES"));

    if (nodes == 0)
        nodes = number_of(ork_env_get(environment, "SLURM_NNODES"));
    if (ork_srun_find(words, extras, "jobid") != NULL &&
        ork_env_get(environment, "SLURM_JOB_ID") == NULL)
        nodes = number_of(ork_srun_find(words, extras, "nodes"));
    return nodes;
}

/* RATIONALE: it is unknown which nodes srun takes for fewer tasks or nodes than allocated, so the
 * tool runs on all. A list is used if it has exactly the requested number of nodes. */
static struct choice choose_nodes(const struct ork_argv *words, const struct ork_extras *extras,
                                  char *const *environment)
{
    struct choice choice = {.nodes = allocated_nodes(words, extras, environment)};
    const char *wanted = ork_srun_find(words, extras, "nodelist");
    const char *unwanted = ork_srun_find(words, extras, "exclude");
    unsigned asked = number_of(ork_srun_find(words, extras, "nodes"));
    unsigned excluded = unwanted != NULL ? ork_hostlist_count(unwanted) : 0;

    if (wanted != NULL && asked > 0 && ork_hostlist_count(wanted) == asked)
        return (struct choice){.nodes = asked, .option = "nodelist", .list = wanted};
    if (excluded > 0 && excluded < choice.nodes)
        return (struct choice){
            .nodes = choice.nodes - excluded, .option = "exclude", .list = unwanted};
    return choice;
}

static unsigned ranks_per_node(const struct ork_argv *words, const struct ork_extras *extras,
                               char *const *environment, unsigned allocated)
{
    unsigned asked = number_of(ork_srun_find(words, extras, "nodes"));
    unsigned nodes = asked != 0 && asked < allocated ? asked : allocated;
    unsigned ranks = number_of(ork_srun_find(words, extras, "ntasks"));
    unsigned each = number_of(ork_srun_find(words, extras, "ntasks-per-node"));

    if (ranks == 0 && each != 0)
        return each;
    if (ranks == 0)
        ranks = number_of(ork_env_get(environment, "SLURM_NTASKS"));
    if (ranks == 0)
        ranks = nodes;
    if (nodes > ranks)
        nodes = ranks;
    return (ranks + nodes - 1) / nodes;
}

/* RATIONALE: mustrun itself may run outside the allocation, or in another one (--jobid). */
static bool is_here(const struct ork_argv *words, const struct ork_extras *extras,
                    char *const *environment, const struct choice *choice)
{
    return choice->nodes == 1 && choice->list == NULL &&
           ork_srun_find(words, extras, "jobid") == NULL && ork_here_is_allocated(environment);
}

static enum ork_status find_places(const struct ork_argv *words, const struct ork_extras *extras,
                                   char *const *environment, struct ork_places *places)
{
    unsigned allocated = allocated_nodes(words, extras, environment);

    if (ork_srun_context(words, 0, extras).last < words->count) {
        ork_error("several programs, separated by colons, are not supported with srun");
        return ORK_NOTFOUND;
    }
    if (allocated == 0) {
        ork_error("no Slurm allocation: without one, each srun gets its own nodes; use salloc or "
                  "sbatch, or --jobid with --nodes");
        return ORK_NOTFOUND;
    }
    struct choice choice = choose_nodes(words, extras, environment);
    *places = (struct ork_places){.nodes = choice.nodes,
                                  .ranks = ranks_per_node(words, extras, environment, allocated),
                                  .all = number_of(ork_srun_find(words, extras, "ntasks")),
                                  .is_here = is_here(words, extras, environment, &choice)};
    return ORK_OK;
}

/* ---- the application's step ---- */

/* The environment of its ranks: the user's choice, with our variables. */
struct exported {
    bool all;
    const char *own;       /* the user's LD_PRELOAD, NULL: none */
    struct ork_argv names; /* "NAME" or "NAME=value", except LD_PRELOAD */
};

static bool is_preload(const char *word)
{
    size_t length = strlen(PRELOAD);

    return strncmp(word, PRELOAD, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

static const char *exports_of(const struct ork_launch *launch)
{
    static const char *const variables[] = {"SRUN_EXPORT_ENV", "SLURM_EXPORT_ENV"};
    const char *list = ork_srun_find(launch->words, &launch->options->extras, "export");

    for (unsigned i = 0; list == NULL && i < 2; i++)
        list = ork_env_get(launch->environment, variables[i]);
    return list != NULL ? list : "ALL";
}

/* RATIONALE: with ALL, srun prefers a value of the environment to one of the list. */
static void read_exports(const struct ork_launch *launch, char *list, struct exported *exported)
{
    const char *inherited = ork_env_get(launch->environment, PRELOAD);

    for (char *word = strsep(&list, ","); word != NULL; word = strsep(&list, ",")) {
        if (strcasecmp(word, "ALL") == 0)
            exported->all = true;
        else if (is_preload(word))
            exported->own = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : inherited;
        else if (word[0] != '\0' && strcasecmp(word, "NONE") != 0)
            ork_argv_add(&exported->names, word);
    }
    if (exported->all && inherited != NULL)
        exported->own = inherited;
}

static void inspect(const struct ork_argv *words, struct ork_context context,
                    const struct ork_extras *extras, const char *path,
                    struct ork_executable *program)
{
    *program = (struct ork_executable){.kind = ORK_EXECUTABLE_MISSING};
    if (context.program < context.last)
        ork_executable_inspect(words->item[context.program], ork_srun_find(words, extras, "chdir"),
                               path, program);
}

/* The interceptor, behind the library of AddressSanitizer if the program needs that. */
static char *front_of(const struct ork_launch *launch, const char *own)
{
    const struct ork_extras *extras = &launch->options->extras;
    struct ork_executable program;

    inspect(launch->words, ork_srun_context(launch->words, 0, extras), extras,
            ork_env_get(launch->environment, "PATH"), &program);
    return ork_env_front(program.sanitizer, launch->paths->interceptor, own);
}

/* RATIONALE: the option, not srun's environment, names the interceptor. Otherwise it and the MPI
 * library would be loaded into srun itself. A comma cannot be written there. */
static void add_preload(const struct ork_launch *launch, const char *own, FILE *list,
                        struct ork_argv *environment)
{
    char *front = front_of(launch, own);
    char *value = front != NULL ? ork_env_preload(front, own) : NULL;

    free(front);
    if (value == NULL) {
        environment->failed = true;
    } else if (strchr(value, ',') == NULL) {
        fprintf(list, PRELOAD "=%s", value);
    } else {
        fputs(PRELOAD, list);
        ork_argv_addf(environment, PRELOAD "=%s", value);
    }
    free(value);
}

static void write_export(const struct ork_launch *launch, const struct exported *exported,
                         FILE *list, struct ork_argv *environment)
{
    fputs(exported->all ? "--export=ALL," : "--export=", list);
    for (size_t i = 0; i < exported->names.count; i++)
        fprintf(list, "%s,", exported->names.item[i]);
    for (const char *const *name = ork_env_ours; !exported->all && *name != NULL; name++)
        fprintf(list, "%s,", *name);
    add_preload(launch, exported->own, list, environment);
}

static void add_export(const struct ork_launch *launch, struct ork_command *application)
{
    struct exported exported = {0};
    char *users = strdup(exports_of(launch));
    char *text = NULL;
    size_t size;
    FILE *list = users != NULL ? open_memstream(&text, &size) : NULL;

    if (list == NULL) {
        application->argv.failed = true;
    } else {
        read_exports(launch, users, &exported);
        write_export(launch, &exported, list, &application->environment);
        if (fclose(list) != 0 || exported.names.failed)
            application->argv.failed = true;
        else
            ork_argv_add(&application->argv, text);
    }
    ork_argv_release(&exported.names);
    free(text);
    free(users);
}

static void add_environment(const struct ork_launch *launch, struct ork_argv *out)
{
    struct ork_argv own = {0};

    ork_env_application(launch->environment, launch->session, &own);
    for (size_t i = 0; i < own.count; i++) {
        if (!is_preload(own.item[i]))
            ork_argv_add(out, own.item[i]);
    }
    if (own.failed)
        out->failed = true;
    ork_env_settings(launch->options, launch->shape.leaves, out);
    ork_argv_release(&own);
}

/* Does the user say what the step has in common with others of the allocation? */
static bool chooses_share(const struct ork_launch *launch)
{
    static const struct {
        const char *option, *variable;
    } choices[] = {{"exact", "SLURM_EXACT"},
                   {"exclusive", "SLURM_EXCLUSIVE"},
                   {"overlap", "SLURM_OVERLAP"},
                   {"whole", "SLURM_WHOLE"}};

    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        if (ork_srun_has(launch->words, &launch->options->extras, choices[i].option) ||
            ork_env_get(launch->environment, choices[i].variable) != NULL)
            return true;
    }
    return false;
}

static enum ork_status build_application(const struct ork_launch *launch,
                                         struct ork_commands *commands)
{
    const struct ork_argv *words = launch->words;
    struct ork_command *application = &commands->application;
    size_t program = ork_srun_context(words, 0, &launch->options->extras).program;
    bool dashes = program > 0 && strcmp(words->item[program - 1], "--") == 0;

    add_environment(launch, &application->environment);
    /* RATIONALE: a step gets all processors of its nodes, so that a second one would have to wait
     * until it has ended. */
    if (launch->options->explore.jobs > 1 && !chooses_share(launch))
        ork_argv_add(&application->argv, "--exact");
    for (size_t i = 0; i < words->count; i++) {
        if (i == program - dashes)
            add_export(launch, application);
        ork_argv_add(&application->argv, words->item[i]);
    }
    return ORK_OK;
}

/* ---- the tool's step ---- */

static void add_tools_environment(const struct ork_launch *launch, struct ork_argv *out)
{
    struct ork_argv own = {0};

    ork_env_tool(launch->environment, launch->session, NULL, &own);
    for (size_t i = 0; i < own.count; i++) {
        if (!ork_srun_is_option_variable(own.item[i]))
            ork_argv_add(out, own.item[i]);
    }
    if (own.failed)
        out->failed = true;
    ork_argv_release(&own);
}

/* RATIONALE: --overlap, because the application gets the whole allocation. One tool process that
 * ends must not end the others, whatever slurm.conf contains (--kill-on-bad-exit, --wait). */
static void build_tool(const struct ork_launch *launch, struct ork_command *tool)
{
    static const char *const always[] = {
        "--overcommit", "--distribution=block", "--cpu-bind=none", "--gres=none", "--export=ALL",
        "--input=0",    "--kill-on-bad-exit=0", "--wait=0"};
    struct choice choice =
        choose_nodes(launch->words, &launch->options->extras, launch->environment);
    struct ork_argv *argv = &tool->argv;

    ork_srun_copy_launch_options(launch->words, &launch->options->extras, argv);
    ork_argv_add(argv, "--overlap");
    ork_argv_addf(argv, "--nodes=%u", choice.nodes);
    if (choice.list != NULL)
        ork_argv_addf(argv, "--%s=%s", choice.option, choice.list);
    /* RATIONALE: on one node the first process starts the others. */
    unsigned each = choice.nodes > 1 ? launch->shape.leaves : 1;
    ork_argv_addf(argv, "--ntasks=%u", each * choice.nodes);
    ork_argv_addf(argv, "--ntasks-per-node=%u", each);
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
        ork_argv_add(argv, always[i]);
    add_tools_environment(launch, &tool->environment);
}

static void separate_output(const char *folder, struct ork_argv *words)
{
    ork_argv_addf(words, "--output=%s/rank.%%t.stdout", folder);
    ork_argv_addf(words, "--error=%s/rank.%%t.stderr", folder);
}

static size_t option_args(char *const *words, const struct ork_extras *extras)
{
    return ork_srun_option_args(words[0], extras);
}

const struct ork_launcher ork_launcher_srun = {
    .kind = ORK_LAUNCHER_SRUN,
    .option_args = option_args,
    .knows = ork_srun_knows,
    .has_program = ork_srun_has_program,
    .context = ork_srun_context,
    .places = find_places,
    .application = build_application,
    .tool = build_tool,
    .output = separate_output,
    .inspect = inspect,
};
