/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/hint.h"

#include "mustrun/options/list.h"

#include "common/suggest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define VARIABLE "MUST_"

/* By id: what an option is called, and what a key was called as an option of its own. */
static const char *const spelling[ORK_OPTION_MAX] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help)               name,
#define ORK_OPTION_KEY(id, option, name, arg, old, old_env, fallback, help) old,
#include "mustrun/options/options.def"
};

static const struct {
    const char *word;
    enum ork_option option;
} synonym[] = {
#define ORK_SYNONYM(word, option) {word, ORK_OPTION_##option},
#include "mustrun/options/synonyms.def"
#undef ORK_SYNONYM
};

enum { SYNONYMS = sizeof(synonym) / sizeof(synonym[0]), NAME_MAX_ = 64 };

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
 * that is known by a word of it, then one that shares a word with it; ORK_OPTION_MAX: none is near.
 */
static enum ork_option nearest(const char *name)
{
    enum ork_option alike = (enum ork_option)ork_suggest(name, spelling, ORK_OPTION_MAX);

    for (size_t i = 0; i < SYNONYMS; i++)
        if (strcmp(name, synonym[i].word) == 0)
            return synonym[i].option;
    if (3 * ork_edit_distance(name, spelling[alike]) <= strlen(name))
        return alike;
    for (size_t i = 0; i < SYNONYMS; i++)
        if (has_words(name, synonym[i].word))
            return synonym[i].option;
    for (unsigned id = 0; id < ORK_OPTION_MAX; id++)
        if (has_words(name, spelling[id]) || has_words(spelling[id], name))
            return (enum ork_option)id;
    return ORK_OPTION_MAX;
}

bool ork_hint_is_mistaken(const char *word)
{
    return behind_must(word) != NULL &&
           strncmp(word, ORK_OPTION_PREFIX, strlen(ORK_OPTION_PREFIX)) != 0;
}

/* Write "; the nearest one is --must:explore-bounds loop=N". */
static void put_nearest(enum ork_option id, char *sentence, size_t size)
{
    size_t length = strlen(sentence);
    char name[ORK_OPTION_NAME_MAX];
    bool is_key = ork_option_is_key(id);

    ork_option_name(id, name);
    snprintf(sentence + length, size - length, "; the nearest one is %s%s%s", name,
             is_key ? "=" : "", is_key ? ork_option_texts[id].arg : "");
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
    snprintf(sentence, size, "there is no option %.*s", shown < 100 ? shown : 100, word);
    size_t length = strlen(sentence);
    enum ork_option near = name[0] != '\0' ? nearest(name) : ORK_OPTION_MAX;
    if (near != ORK_OPTION_MAX)
        put_nearest(near, sentence, size);
    else
        snprintf(sentence + length, size - length,
                 name[0] != '\0' ? "; " ORK_OPTION_PREFIX "help lists them"
                                 : "; options of mustrun begin with " ORK_OPTION_PREFIX
                                   ", and " ORK_OPTION_PREFIX "help lists them");
}

bool ork_hint_variable(const char *entry, char *sentence, size_t size)
{
    const char *known[ORK_OPTION_MAX];
    enum ork_option option[ORK_OPTION_MAX];
    size_t count = 0;
    char name[NAME_MAX_];

    if (strncmp(entry, VARIABLE, strlen(VARIABLE)) != 0)
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(entry, "="), entry);
    for (unsigned id = 0; id < ORK_OPTION_MAX; id++) {
        if (ork_option_texts[id].env == NULL)
            continue;
        option[count] = (enum ork_option)id;
        known[count++] = ork_option_texts[id].env;
    }
    size_t near = ork_suggest(name, known, count);
    if (strcmp(known[near], name) == 0)
        return false;
    const struct ork_option_text *text = &ork_option_texts[option[near]];
    bool is_key = ork_option_is_key(option[near]);
    snprintf(sentence, size,
             "hint: the variable %s is not an option of mustrun and is ignored; the nearest one is "
             "%s%s%s%s%s",
             name, ork_option_texts[text->option].env, is_key ? "=" : "", is_key ? text->name : "",
             is_key ? "=" : "", is_key ? text->arg : "");
    return true;
}

const char *ork_hint_behind(const struct ork_argv *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (strncmp(program->item[i], ORK_OPTION_PREFIX, strlen(ORK_OPTION_PREFIX)) == 0)
            return program->item[i];
    return NULL;
}
