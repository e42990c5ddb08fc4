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
