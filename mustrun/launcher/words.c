/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/words.h"

#include <string.h>

bool ork_word_is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

bool ork_word_is(const char *word, const char *name)
{
    if (!ork_word_is_option(word))
        return false;
    word++;
    if (*word == '-')
        word++;
    return strcmp(word, name) == 0;
}

bool ork_word_is_separator(const char *word)
{
    return strcmp(word, ":") == 0;
}

bool ork_extras_has(const struct ork_extras *extras, const char *option)
{
    for (size_t i = 0; i < extras->count; i++) {
        if (strcmp(extras->learned[i], option) == 0)
            return true;
    }
    return strcmp(extras->np, option) == 0;
}

void ork_extras_add(struct ork_extras *extras, const char *option)
{
    if (extras->count < ORK_LEARNED_MAX && !ork_extras_has(extras, option))
        extras->learned[extras->count++] = option;
}

const char *ork_words_behind(const struct ork_argv *words, struct ork_context context,
                             const char *word)
{
    for (size_t i = context.first; i + 1 < context.program; i++)
        if (strcmp(words->item[i], word) == 0)
            return words->item[i + 1];
    return NULL;
}
