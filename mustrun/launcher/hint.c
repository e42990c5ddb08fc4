/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/hint.h"

#include "common/suggest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PREFIX   "--must:"
#define VARIABLE "MUST_"

static const char *const option[] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help) name,
#include "mustrun/options/options.def"
};

static const char *const variable[] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help) env,
#include "mustrun/options/options.def"
};

static const struct {
    const char *word, *option;
} synonym[] = {
#define ORK_SYNONYM(word, option) {word, option},
#include "mustrun/options/synonyms.def"
#undef ORK_SYNONYM
};

enum { SYNONYMS = sizeof(synonym) / sizeof(synonym[0]) };
enum { OPTIONS = sizeof(option) / sizeof(option[0]), NAME_MAX_ = 64 };

/* The part after "must" of a word that is meant as an option; NULL: it is not. */
static const char *behind_must(const char *word)
{
    size_t dashes = strspn(word, "-");

    if (dashes == 0 || strncasecmp(word + dashes, "must", 4) != 0)
        return NULL;
    const char *rest = word + dashes + 4;
    return *rest == '\0' || strchr(":=-_.", *rest) != NULL ? rest : NULL;
}

/* Is `part` one or more of the words of `name`, which are separated by '-' or '_'? */
static bool has_words(const char *name, const char *part)
{
    size_t length = strlen(part);

    for (const char *at = strstr(name, part); at != NULL; at = strstr(at + 1, part)) {
        if ((at == name || strchr("-_", at[-1]) != NULL) &&
            (at[length] == '\0' || strchr("-_", at[length]) != NULL))
            return true;
    }
    return false;
}

/* The option that is known by this name, then the one that is spelt almost like it, then the one
 * that is known by a word of it, then one that shares a word with it; NULL: none is near. */
static const char *nearest(const char *name)
{
    const char *alike = option[ork_suggest(name, option, OPTIONS)];

    for (size_t i = 0; i < SYNONYMS; i++)
        if (strcmp(name, synonym[i].word) == 0)
            return synonym[i].option;
    if (3 * ork_edit_distance(name, alike) <= strlen(name))
        return alike;
    for (size_t i = 0; i < SYNONYMS; i++)
        if (has_words(name, synonym[i].word))
            return synonym[i].option;
    for (size_t i = 0; i < OPTIONS; i++)
        if (has_words(name, option[i]) || has_words(option[i], name))
            return option[i];
    return NULL;
}

bool ork_hint_is_mistaken(const char *word)
{
    return behind_must(word) != NULL && strncmp(word, PREFIX, strlen(PREFIX)) != 0;
}

void ork_hint_option(const char *word, char *sentence, size_t size)
{
    const char *rest = behind_must(word);
    int shown = (int)strcspn(word, "=");
    char name[NAME_MAX_];

    if (rest != NULL && *rest == '=') /* --must=quiet */
        shown = (int)strlen(word);
    snprintf(name, sizeof(name), "%s", rest != NULL && *rest != '\0' ? rest + 1 : "");
    name[strcspn(name, "=")] = '\0';
    const char *near = name[0] != '\0' ? nearest(name) : NULL;
    if (name[0] == '\0')
        snprintf(sentence, size,
                 "there is no option %.100s; options of mustrun begin with " PREFIX ", and " PREFIX
                 "help lists them",
                 word);
    else if (near == NULL)
        snprintf(sentence, size, "there is no option %.*s; " PREFIX "help lists them",
                 shown < 100 ? shown : 100, word);
    else
        snprintf(sentence, size, "there is no option %.*s; the nearest one is " PREFIX "%s",
                 shown < 100 ? shown : 100, word, near);
}

/* The existing variables; returns their number. */
static size_t list_variables(const char *known[OPTIONS])
{
    size_t count = 0;

    for (size_t i = 0; i < OPTIONS; i++)
        if (variable[i] != NULL)
            known[count++] = variable[i];
    return count;
}

bool ork_hint_variable(const char *entry, char *sentence, size_t size)
{
    const char *known[OPTIONS];
    size_t count = list_variables(known);
    char name[NAME_MAX_];

    if (strncmp(entry, VARIABLE, strlen(VARIABLE)) != 0)
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(entry, "="), entry);
    size_t near = ork_suggest(name, known, count);
    if (strcmp(known[near], name) == 0)
        return false;
    snprintf(
        sentence, size,
        "hint: the variable %s is not an option of mustrun and is ignored; the nearest one is %s",
        name, known[near]);
    return true;
}

const char *ork_hint_behind(const struct ork_argv *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (strncmp(program->item[i], PREFIX, strlen(PREFIX)) == 0)
            return program->item[i];
    return NULL;
}
