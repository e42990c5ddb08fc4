/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of options as tables. Private to options/. */
#ifndef ORK_MUSTRUN_OPTIONS_LIST_H
#define ORK_MUSTRUN_OPTIONS_LIST_H

#include "mustrun/options/options.h"

#define ORK_OPTION_PREFIX "--must:"

enum ork_option_group {
#define ORK_OPTION_GROUP(id, word, title) ORK_OPTION_GROUP_##id,
#include "mustrun/options/options.def"
    ORK_OPTION_GROUPS
};

/* `word` names the group in --must:help. */
struct ork_option_group_text {
    const char *word;
    const char *title;
};

/* What options.def says about an option; NULL where it says so. */
struct ork_option_text {
    enum ork_option_group group;
    const char *name; /* without ORK_OPTION_PREFIX */
    const char *arg;  /* "[WORD]": it can be left out */
    const char *env;
    const char *fallback;
    const char *help;
};

extern const struct ork_option_group_text ork_option_groups[ORK_OPTION_GROUPS];
extern const struct ork_option_text ork_option_texts[ORK_OPTION_MAX];

/* The option of this name, which has `length` characters; ORK_OPTION_MAX: there is none. */
enum ork_option ork_option_find(const char *name, size_t length);

/* The group of this word; ORK_OPTION_GROUPS: there is none. */
enum ork_option_group ork_option_group_find(const char *word);

#endif
