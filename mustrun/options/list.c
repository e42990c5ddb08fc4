/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/list.h"

#include <string.h>

const struct ork_option_group_text ork_option_groups[ORK_OPTION_GROUPS] = {
#define ORK_OPTION_GROUP(id, word, title) {word, title},
#include "mustrun/options/options.def"
};

const struct ork_option_text ork_option_texts[ORK_OPTION_MAX] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help)                                      \
    {ORK_OPTION_GROUP_##group, name, arg, env, fallback, help},
#include "mustrun/options/options.def"
};

enum ork_option ork_option_find(const char *name, size_t length)
{
    unsigned id = 0;

    while (id < ORK_OPTION_MAX && (strlen(ork_option_texts[id].name) != length ||
                                   memcmp(ork_option_texts[id].name, name, length) != 0))
        id++;
    return (enum ork_option)id;
}

enum ork_option_group ork_option_group_find(const char *word)
{
    unsigned group = 0;

    while (group < ORK_OPTION_GROUPS && strcmp(ork_option_groups[group].word, word) != 0)
        group++;
    return (enum ork_option_group)group;
}
