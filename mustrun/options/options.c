/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/setting.h"

#include "mustrun/options/hint.h"
#include "mustrun/launcher/launcher.h"
#include "viz/viz.h"

#include <stdlib.h>
#include <string.h>

static enum ork_status apply_defaults(struct ork_options *options, char *error)
{
    *options = (struct ork_options){0};
    for (unsigned id = 0; id < ORK_OPTION_MAX; id++) {
        struct setting setting = {.id = id, .origin = ork_option_texts[id].name, .error = error};
        enum ork_status status;

        setting.value = ork_option_texts[id].fallback;
        if (setting.value == NULL)
            continue;
        status = ork_setting_apply(options, &setting);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static enum ork_status apply_lines(struct ork_options *options,
                                   const struct ork_option_lines *lines, char *error)
{
    enum ork_status status = ORK_OK;

    for (size_t i = 0; lines != NULL && i < lines->count && status == ORK_OK; i++) {
        const struct ork_option_line *line = &lines->item[i];
        struct setting setting = {
            .id = line->id, .origin = line->origin, .value = line->value, .error = error};
        status = ork_setting_apply(options, &setting);
    }
    return status;
}

static const char *lookup(char *const *environment, const char *name)
{
    size_t length = strlen(name);

    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    }
    return NULL;
}

static enum ork_status apply_variable(struct ork_options *options, char *const *environment,
                                      enum ork_option id, char *error)
{
    const char *name = ork_option_texts[id].env;
    struct setting setting = {.id = id, .origin = name, .error = error};

    setting.value = name != NULL ? lookup(environment, name) : NULL;
    return setting.value != NULL ? ork_setting_apply(options, &setting) : ORK_OK;
}

/* RATIONALE: the old variables first, so that those of this release win. */
static enum ork_status apply_environment(struct ork_options *options, char *const *environment,
                                         char *error)
{
    enum ork_status status = ORK_OK;

    for (unsigned id = 0; status == ORK_OK && id < ORK_OPTION_MAX; id++)
        if (ork_option_is_key((enum ork_option)id))
            status = apply_variable(options, environment, (enum ork_option)id, error);
    for (unsigned id = 0; status == ORK_OK && id < ORK_OPTION_MAX; id++)
        if (!ork_option_is_key((enum ork_option)id))
            status = apply_variable(options, environment, (enum ork_option)id, error);
    return status;
}

static enum ork_status unknown(const char *word, char *error)
{
    ork_hint_option(word, error, ORK_OPTIONS_ERROR);
    return ORK_INVALID;
}

/* A word that can be the value of an option whose value can be left out: "report", not "./a". */
static bool is_plain(const char *word)
{
    return word[0] != '-' && word[0] != '\0' &&
           strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word);
}

/* The value of the option `text` behind its name, which ends at `end`, or in the next word; NULL:
 * there is none. *used: number of words. */
static const char *value_of(const struct ork_option_text *text, const char *end, const char *next,
                            size_t *used)
{
    *used = 1;
    if (*end == '=')
        return end + 1;
    if (text->arg == NULL)
        return "1";
    if (text->arg[0] == '[' && (next == NULL || !is_plain(next)))
        return "";
    if (next != NULL)
        *used = 2;
    return next;
}

/* One option of the command line, "--must:name", "--must:name VALUE" or "--must:name=VALUE", which
 * is marked as typed; *used: number of its words. */
static enum ork_status apply_word(struct ork_options *options, char *const *words, bool *typed,
                                  size_t *used, char *error)
{
    const char *name = words[0] + strlen(ORK_OPTION_PREFIX);
    size_t length = strcspn(name, "=");
    enum ork_option id = ork_option_find(name, length);
    char origin[ORK_OPTION_NAME_MAX];
    struct setting setting = {.id = id, .origin = origin, .typed = typed, .error = error};

    if (id == ORK_OPTION_MAX)
        return unknown(words[0], error);
    const struct ork_option_text *text = &ork_option_texts[id];
    snprintf(origin, sizeof(origin), ORK_OPTION_PREFIX "%.*s", (int)length,
             name); /* or an old one */
    if (text->arg == NULL && name[length] == '=')
        return ork_setting_refuse(error, "%s takes no value", origin);
    setting.value = value_of(text, name + length, words[1], used);
    if (setting.value == NULL)
        return ork_setting_refuse(error, "%s needs a value: %s", origin, text->arg);
    return ork_setting_apply(options, &setting);
}

/* Copy the words after the application's name up to the next context. */
static char *const *pass_program(char *const *word, struct ork_argv *rest)
{
    while (*word != NULL && !ork_word_is_separator(*word))
        ork_argv_add(rest, *word++);
    return word;
}

static char *const *pass_option(char *const *word, struct ork_options *options,
                                struct ork_argv *rest)
{
    const struct ork_launcher *launcher = ork_launcher_of(options->mpiexec);

    if (ork_word_is_option(*word))
        ork_launcher_learn_option(launcher, word, &options->extras, getenv("PATH"));
    size_t args = launcher->option_args(word, &options->extras);

    ork_argv_add(rest, *word++);
    for (; args > 0 && *word != NULL; args--)
        ork_argv_add(rest, *word++);
    return word;
}

/* RATIONALE: a command that starts a job is often put behind that of a tool as it is. */
static enum ork_status take_launcher(struct ork_options *options, const char *word, bool *typed,
                                     const struct ork_argv *rest, char *error)
{
    if (typed[ORK_OPTION_MPIEXEC])
        return ork_setting_refuse(error, "%s and %s are both launchers of MPI jobs",
                                  options->mpiexec, word);
    if (rest->count > 0)
        return ork_setting_refuse(
            error, "%s is a launcher of MPI jobs: its name precedes its options", word);
    options->mpiexec = word;
    typed[ORK_OPTION_MPIEXEC] = true;
    return ORK_OK;
}

static enum ork_status apply_words(struct ork_options *options, char *const *word, bool *typed,
                                   struct ork_argv *rest, char *error)
{
    while (*word != NULL) {
        if (strncmp(*word, ORK_OPTION_PREFIX, strlen(ORK_OPTION_PREFIX)) == 0) {
            size_t used = 1;
            enum ork_status status = apply_word(options, word, typed, &used, error);

            if (status != ORK_OK)
                return status;
            word += used;
        } else if (ork_hint_is_mistaken(*word)) {
            return unknown(*word, error);
        } else if (strcmp(*word, "--") != 0 &&
                   (ork_word_is_option(*word) || ork_word_is_separator(*word))) {
            word = pass_option(word, options, rest);
        } else if (ork_launcher_is_name(*word)) {
            enum ork_status status = take_launcher(options, *word++, typed, rest, error);

            if (status != ORK_OK)
                return status;
        } else {
            word = pass_program(word, rest);
        }
    }
    return rest->failed ? ORK_NOMEM : ORK_OK;
}

static enum ork_status check_replay(const struct ork_options *options, char *error)
{
    if (options->deterministic && options->replay != NULL)
        return ork_setting_refuse(error, ORK_OPTION_PREFIX "deterministic and " ORK_OPTION_PREFIX
                                                           "replay exclude each other: a "
                                                           "replay has the order of its recording");
    return ORK_OK;
}

static enum ork_status check_effect(const struct ork_options *options, const bool *typed,
                                    char *error)
{
    enum ork_option id;
    const char *when = ork_setting_is_idle(options, typed, &id);
    char name[ORK_OPTION_NAME_MAX];

    if (when == NULL)
        return ORK_OK;
    ork_option_name(id, name);
    return ork_setting_refuse(error, "%s has no effect %s", name, when);
}

static enum ork_status check_timestamps(const struct ork_options *options, char *error)
{
    if (options->timestamps != NULL && strcmp(options->rma, "off") == 0)
        return ork_setting_refuse(error, ORK_OPTION_PREFIX
                                  "timestamps and " ORK_OPTION_PREFIX "rma off exclude each "
                                  "other: without accesses there are no stamps");
    return ORK_OK;
}

enum ork_status ork_options_named_file(char *const *argv, char *const *environment,
                                       const char **path, char error[ORK_OPTIONS_ERROR])
{
    bool typed[ORK_OPTION_MAX] = {false};
    struct ork_options options;
    struct ork_argv rest = {0};
    enum ork_status status = apply_defaults(&options, error);

    if (status == ORK_OK)
        status = apply_environment(&options, environment, error);
    if (status == ORK_OK)
        status = apply_words(&options, argv, typed, &rest, error);
    ork_argv_release(&rest);
    *path = status == ORK_OK ? options.options_file : NULL;
    return status;
}

enum ork_status ork_options_parse(char *const *argv, char *const *environment,
                                  const struct ork_option_lines *lines, struct ork_options *options,
                                  struct ork_argv *rest, char error[ORK_OPTIONS_ERROR])
{
    bool typed[ORK_OPTION_MAX] = {false};
    enum ork_status status = apply_defaults(options, error);

    if (status == ORK_OK)
        status = apply_lines(options, lines, error);
    if (status == ORK_OK)
        status = apply_environment(options, environment, error);
    if (status == ORK_OK)
        status = apply_words(options, argv, typed, rest, error);
    if (status == ORK_OK)
        status = check_replay(options, error);
    if (status == ORK_OK)
        status = check_timestamps(options, error);
    if (status == ORK_OK)
        status = ork_setting_check_explore(options, error);
    if (options->replay == NULL) { /* of the environment */
        options->stop_at = NULL;
        options->stop = (struct ork_stop){0};
    }
    if (status == ORK_OK && !options->help && !options->version)
        status = check_effect(options, typed, error);
    if (options->annotates_gitlab)
        options->formats |= ORK_VIZ_CODE_QUALITY;
    if (options->repeat > 0 && !options->noise.is_on)
        options->noise = (struct ork_noise_option){
            .is_on = true, .seed = ORK_NOISE_DEFAULT_SEED, .max_us = ORK_NOISE_DEFAULT_US};
    return status;
}
