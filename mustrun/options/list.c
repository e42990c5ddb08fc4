/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/list.h"

#include <string.h>

const struct ork_option_group_text ork_option_groups[ORK_OPTION_GROUPS] = {
#define ORK_OPTION_GROUP(id, word, title) {word, title},
#include "mustrun/options/options.def"
};

const struct ork_option_text ork_option_texts[ORK_OPTION_MAX] = {
#define ORK_OPTION(id, option_group, option_name, argument, variable, default_, text)              \
    {.option = ORK_OPTION_##id,                                                                    \
     .group = ORK_OPTION_GROUP_##option_group,                                                     \
     .name = (option_name),                                                                        \
     .arg = (argument),                                                                            \
     .env = (variable),                                                                            \
     .fallback = (default_),                                                                       \
     .help = (text)},
#define ORK_OPTION_KEY(id, of, key, argument, old_name, old_variable, default_, text)              \
    {.option = ORK_OPTION_##of,                                                                    \
     .name = (key),                                                                                \
     .old = (old_name),                                                                            \
     .arg = (argument),                                                                            \
     .env = (old_variable),                                                                        \
     .fallback = (default_),                                                                       \
     .help = (text)},
#include "mustrun/options/options.def"
};

bool ork_option_is_key(enum ork_option id)
{
    return ork_option_texts[id].option != id;
}

static bool is_called(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

enum ork_option ork_option_find(const char *name, size_t length)
{
    unsigned id = 0;

    for (; id < ORK_OPTION_MAX; id++) {
        const struct ork_option_text *text = &ork_option_texts[id];

        if (is_called(text->old != NULL ? text->old : text->name, name, length))
            break;
    }
    return (enum ork_option)id;
}

enum ork_option ork_option_find_key(enum ork_option option, const char *name, size_t length)
{
    unsigned id = 0;

    while (id < ORK_OPTION_MAX && (id == option || ork_option_texts[id].option != option ||
                                   !is_called(ork_option_texts[id].name, name, length)))
        id++;
    return (enum ork_option)id;
}

void ork_option_name(enum ork_option id, char name[ORK_OPTION_NAME_MAX])
{
    bool is_key = ork_option_is_key(id);

    snprintf(name, ORK_OPTION_NAME_MAX, ORK_OPTION_PREFIX "%s%s%s",
             ork_option_texts[ork_option_texts[id].option].name, is_key ? " " : "",
             is_key ? ork_option_texts[id].name : "");
}

enum ork_option_group ork_option_group_find(const char *word)
{
    unsigned group = 0;

    while (group < ORK_OPTION_GROUPS && strcmp(ork_option_groups[group].word, word) != 0)
        group++;
    return (enum ork_option_group)group;
}
