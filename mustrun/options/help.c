/* SPDX-License-Identifier: BSD-3-Clause */
/* What --must:help prints. */
#include "mustrun/options/setting.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMNS = 80 };

#define ALL "all"

static const enum ork_option daily[] = {
    ORK_OPTION_OUTPUT_DIR, ORK_OPTION_OUTPUT,     ORK_OPTION_ERRORCODE, ORK_OPTION_SUPPRESS,
    ORK_OPTION_QUIET,      ORK_OPTION_HANG_AFTER, ORK_OPTION_ON,        ORK_OPTION_RACES,
    ORK_OPTION_REPLAY,     ORK_OPTION_REPEAT,     ORK_OPTION_EXPLORE,   ORK_OPTION_MPIEXEC,
};

/* The option that a topic of --must:help names, with or without its prefix; it can be the old name
 * of a key. ORK_OPTION_MAX: there is none. */
static enum ork_option option_of(const char *topic)
{
    size_t prefix = strlen(ORK_OPTION_PREFIX);

    if (strncmp(topic, ORK_OPTION_PREFIX, prefix) == 0)
        topic += prefix;
    enum ork_option id = ork_option_find(topic, strlen(topic));
    return id != ORK_OPTION_MAX ? ork_option_texts[id].option : id;
}

enum ork_status ork_setting_help(const struct setting *setting, struct ork_options *options)
{
    const char *topic = setting->value;

    if (topic[0] != '\0' && strcmp(topic, ALL) != 0 &&
        ork_option_group_find(topic) == ORK_OPTION_GROUPS && option_of(topic) == ORK_OPTION_MAX) {
        char list[ORK_OPTIONS_ERROR / 2] = "";

        for (unsigned group = 0; group < ORK_OPTION_GROUPS; group++)
            ork_setting_append(list, sizeof(list), "%s, ", ork_option_groups[group].word);
        return ork_setting_refuse(
            setting->error, "%s: \"%.100s\" is no group of options; the groups are %sand " ALL,
            setting->origin, topic, list);
    }
    options->help = true;
    options->help_topic = topic[0] != '\0' ? topic : NULL;
    return ORK_OK;
}

void ork_options_usage(FILE *out)
{
    fputs("Usage: mustrun [--must:...] [mpirun options] -np N program [arguments]\n", out);
}

/* Write what an option or a key does, after `indent` blanks. */
static void put_text(FILE *out, const struct ork_option_text *text, unsigned indent)
{
    const char *source = text->old != NULL ? text->old : text->env;
    char *help =
        ork_text("%s%s%s%s%s%s%s%s", text->help, text->fallback != NULL ? " (default: " : "",
                 text->fallback != NULL ? text->fallback : "", text->fallback != NULL ? ")" : "",
                 source != NULL ? " [" : "",
                 text->old != NULL ? "old name, until 0.2: " ORK_OPTION_PREFIX : "",
                 source != NULL ? source : "", source != NULL ? "]" : "");

    ork_text_wrap(out, help != NULL ? help : text->help, indent, HELP_COLUMNS);
    free(help);
}

static void put_option(FILE *out, enum ork_option id)
{
    const struct ork_option_text *text = &ork_option_texts[id];

    fprintf(out, "  " ORK_OPTION_PREFIX "%s%s%s\n", text->name, text->arg != NULL ? " " : "",
            text->arg != NULL ? text->arg : "");
    put_text(out, text, 6);
    for (unsigned key = 0; key < ORK_OPTION_MAX; key++) {
        const struct ork_option_text *of_key = &ork_option_texts[key];

        if (key == id || of_key->option != id)
            continue;
        fprintf(out, "      %s=%s\n", of_key->name, of_key->arg);
        put_text(out, of_key, 10);
    }
}

static void put_group(FILE *out, enum ork_option_group group)
{
    fprintf(out, "%s:\n", ork_option_groups[group].title);
    for (unsigned id = 0; id < ORK_OPTION_MAX; id++)
        if (ork_option_texts[id].group == group && !ork_option_is_key((enum ork_option)id))
            put_option(out, (enum ork_option)id);
}

static void put_daily(FILE *out)
{
    for (size_t i = 0; i < sizeof(daily) / sizeof(daily[0]); i++)
        put_option(out, daily[i]);
    fputs("\nGroups of options (" ORK_OPTION_PREFIX "help GROUP shows one, " ORK_OPTION_PREFIX
          "help " ALL " shows all):\n",
          out);
    for (unsigned group = 0; group < ORK_OPTION_GROUPS; group++)
        fprintf(out, "  %-10s %s\n", ork_option_groups[group].word, ork_option_groups[group].title);
}

static void put_all(FILE *out)
{
    for (unsigned group = 0; group < ORK_OPTION_GROUPS; group++) {
        if (group > 0)
            fputc('\n', out);
        put_group(out, (enum ork_option_group)group);
    }
}

void ork_options_help(FILE *out, const char *topic)
{
    enum ork_option_group group = topic != NULL ? ork_option_group_find(topic) : ORK_OPTION_GROUPS;

    if (group != ORK_OPTION_GROUPS) {
        put_group(out, group);
        return;
    }
    if (topic != NULL && strcmp(topic, ALL) != 0) {
        put_option(out, option_of(topic));
        return;
    }
    ork_options_usage(out);
    fputs("Runs an MPI program, detects deadlocks and explains where and why they occur.\n"
          "Options that do not start with " ORK_OPTION_PREFIX " go to mpirun unchanged.\n\n",
          out);
    if (topic != NULL)
        put_all(out);
    else
        put_daily(out);
}
