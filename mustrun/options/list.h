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

/* What options.def says about an option or a key; NULL where it says so. */
struct ork_option_text {
    enum ork_option option;      /* of which it is a key; for an option itself */
    enum ork_option_group group; /* of an option */
    const char *name;            /* without ORK_OPTION_PREFIX */
    const char *old;             /* of a key: its name as an option of its own */
    const char *arg;             /* "[WORD]": it can be left out */
    const char *env;             /* of a key: that of its old name */
    const char *fallback;
    const char *help;
};

extern const struct ork_option_group_text ork_option_groups[ORK_OPTION_GROUPS];
extern const struct ork_option_text ork_option_texts[ORK_OPTION_MAX];

/* The option of this name, or the key of this old name, which has `length` characters;
 * ORK_OPTION_MAX: there is none. */
enum ork_option ork_option_find(const char *name, size_t length);

/* The key of an option; ORK_OPTION_MAX: it has no such key. */
enum ork_option ork_option_find_key(enum ork_option option, const char *name, size_t length);

bool ork_option_is_key(enum ork_option id);

/* Write "--must:quiet", or "--must:on deadlock" for a key. */
enum { ORK_OPTION_NAME_MAX = 64 };
void ork_option_name(enum ork_option id, char name[ORK_OPTION_NAME_MAX]);

/* The group of this word; ORK_OPTION_GROUPS: there is none. */
enum ork_option_group ork_option_group_find(const char *word);

#endif
