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

static struct {
    const char *item[16];
    size_t count;
} learned;

bool ork_words_have_learned(const char *option)
{
    for (size_t i = 0; i < learned.count; i++) {
        if (strcmp(learned.item[i], option) == 0)
            return true;
    }
    return false;
}

void ork_words_learn(const char *option)
{
    if (!ork_words_have_learned(option) &&
        learned.count < sizeof(learned.item) / sizeof(learned.item[0]))
        learned.item[learned.count++] = option;
}

const char *ork_words_behind(const struct ork_argv *words, struct ork_context context,
                             const char *word)
{
    for (size_t i = context.first; i + 1 < context.program; i++)
        if (strcmp(words->item[i], word) == 0)
            return words->item[i + 1];
    return NULL;
}
