/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/srun/srunopts.h"

#include <string.h>

enum argument { NONE, NEEDED, JOINED };

struct srun_option {
    const char *name;
    char letter;
    enum argument argument;
    const char *variable;
    bool tool;
};

static const struct srun_option srun_options[] = {
#define ORK_SRUN_OPTION(name, letter, argument, variable, tool)                                    \
    {name, letter, argument, variable, tool},
#include "mustrun/launcher/srun/srunopts.def"
#undef ORK_SRUN_OPTION
};

enum { OPTIONS = sizeof(srun_options) / sizeof(srun_options[0]) };

static const struct srun_option *find_letter(char letter)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        if (srun_options[i].letter == letter)
            return &srun_options[i];
    }
    return NULL;
}

static const struct srun_option *find_name(const char *name, size_t length)
{
    const struct srun_option *found = NULL;

    for (size_t i = 0; i < OPTIONS; i++) {
        const struct srun_option *option = &srun_options[i];
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (option->name[length] == '\0')
            return option;
        if (found != NULL)
            return NULL;
        found = option;
    }
    return found;
}

/* A walk through the options of a command. */
struct walk {
    const struct ork_argv *words;
    const struct ork_extras *extras;
    size_t next; /* item */
    size_t end;
    const char *letters; /* of the latest item, not processed yet; NULL: none */
};

static const char *take_item(struct walk *walk)
{
    return walk->next < walk->end ? walk->words->item[walk->next++] : NULL;
}

static const struct srun_option *take_letter(struct walk *walk, const char **value)
{
    const struct srun_option *option = find_letter(*walk->letters++);
    const char *rest = *walk->letters != '\0' ? walk->letters : NULL;

    *value = NULL;
    if (option == NULL || option->argument == NONE) {
        walk->letters = rest;
        return option;
    }
    walk->letters = NULL;
    *value = rest == NULL && option->argument == NEEDED ? take_item(walk) : rest;
    return option;
}

static const struct srun_option *take_name(struct walk *walk, const char *word, const char **value)
{
    const char *name = word + 2; /* behind the dashes */
    size_t length = strcspn(name, "=");
    const struct srun_option *option = find_name(name, length);

    *value = name[length] == '=' ? name + length + 1 : NULL;
    bool takes_next =
        option != NULL ? option->argument == NEEDED : ork_extras_has(walk->extras, word);
    if (takes_next && *value == NULL)
        *value = take_item(walk);
    return option;
}

/* False: no further option. *option is NULL if srun has none of that name. */
static bool take(struct walk *walk, const struct srun_option **option, const char **value)
{
    if (walk->letters == NULL) {
        if (walk->next == walk->end || !ork_word_is_option(walk->words->item[walk->next]))
            return false;
        const char *word = take_item(walk);
        if (strcmp(word, "--") == 0)
            return false;
        if (word[1] == '-') {
            *option = take_name(walk, word, value);
            return true;
        }
        walk->letters = word + 1;
    }
    *option = take_letter(walk, value);
    return true;
}

static struct walk walk_of(const struct ork_argv *words, const struct ork_extras *extras,
                           size_t first)
{
    struct walk walk = {.words = words, .extras = extras, .next = first, .end = first};

    while (walk.end < words->count && !ork_word_is_separator(words->item[walk.end]))
        walk.end++;
    return walk;
}

size_t ork_srun_option_args(const char *token, const struct ork_extras *extras)
{
    char copy[] = "";
    char *items[] = {copy, copy, NULL};
    struct ork_argv words = {.item = items, .count = 2};
    struct walk walk = {
        .words = &words, .extras = extras, .next = 1, .end = 2, .letters = token + 1};
    const char *value;

    if (token[1] == '-') {
        take_name(&walk, token, &value);
        return walk.next - 1;
    }
    while (walk.letters != NULL)
        take_letter(&walk, &value);
    return walk.next - 1;
}

struct ork_context ork_srun_context(const struct ork_argv *words, size_t first,
                                    const struct ork_extras *extras)
{
    struct walk walk = walk_of(words, extras, first);
    const struct srun_option *option;
    const char *value;

    while (take(&walk, &option, &value)) {
        /* up to the program */
    }
    return (struct ork_context){.first = first, .program = walk.next, .last = walk.end};
}

bool ork_srun_knows(const char *option, const struct ork_extras *extras)
{
    return option[1] != '-' || ork_extras_has(extras, option) ||
           find_name(option + 2, strcspn(option + 2, "=")) != NULL;
}

bool ork_srun_has_program(const struct ork_argv *words, const struct ork_extras *extras)
{
    struct ork_context context = ork_srun_context(words, 0, extras);

    return context.program < context.last;
}

const char *ork_srun_find(const struct ork_argv *words, const struct ork_extras *extras,
                          const char *name)
{
    struct walk walk = walk_of(words, extras, 0);
    const struct srun_option *option;
    const char *value;
    const char *found = NULL;

    while (take(&walk, &option, &value)) {
        if (option != NULL && value != NULL && strcmp(option->name, name) == 0)
            found = value;
    }
    return found;
}

bool ork_srun_has(const struct ork_argv *words, const struct ork_extras *extras, const char *name)
{
    struct walk walk = walk_of(words, extras, 0);
    const struct srun_option *option;
    const char *value;
    bool found = false;

    while (take(&walk, &option, &value))
        found |= option != NULL && strcmp(option->name, name) == 0;
    return found;
}

void ork_srun_copy_launch_options(const struct ork_argv *words, const struct ork_extras *extras,
                                  struct ork_argv *out)
{
    struct walk walk = walk_of(words, extras, 0);
    const struct srun_option *option;
    const char *value;

    while (take(&walk, &option, &value)) {
        if (option == NULL || !option->tool)
            continue;
        if (value != NULL)
            ork_argv_addf(out, "--%s=%s", option->name, value);
        else
            ork_argv_addf(out, "--%s", option->name);
    }
}

bool ork_srun_is_option_variable(const char *entry)
{
    size_t length = strcspn(entry, "=");

    for (size_t i = 0; i < OPTIONS; i++) {
        const char *variable = srun_options[i].variable;
        if (variable != NULL && strncmp(variable, entry, length) == 0 && variable[length] == '\0')
            return true;
    }
    return false;
}
