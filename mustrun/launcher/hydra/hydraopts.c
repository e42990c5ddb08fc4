/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/hydra/hydraopts.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    size_t args;
} options[] = {
#define ORK_HYDRA_OPTION(name, args) {name, args},
#include "mustrun/launcher/hydra/hydraopts.def"
#undef ORK_HYDRA_OPTION
};

/* The name in an option: without dashes, up to '='. */
static const char *name_in(const char *word, size_t *length)
{
    word += strspn(word, "-");
    *length = strcspn(word, "=");
    return word;
}

static bool is_name(const char *word, const char *name)
{
    size_t length;
    const char *own = name_in(word, &length);

    return strlen(name) == length && strncasecmp(own, name, length) == 0;
}

/* False: the launcher has no such option, as far as is known. */
static bool find_args(const char *word, const struct ork_extras *extras, size_t *args)
{
    *args = 1;
    if (ork_extras_has(extras, word))
        return true;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (is_name(word, options[i].name)) {
            *args = options[i].args;
            return true;
        }
    }
    return false;
}

bool ork_hydra_knows(const char *option, const struct ork_extras *extras)
{
    size_t args;

    return find_args(option, extras, &args);
}

static size_t args_of(const char *word, const struct ork_extras *extras)
{
    size_t args;

    return find_args(word, extras, &args) ? args : 0;
}

bool ork_hydra_option_is(const struct ork_hydra_option *option, const char *name)
{
    return is_name(option->word, name);
}

static bool sets_variable(const struct ork_hydra_option *option)
{
    return ork_hydra_option_is(option, "genv") || ork_hydra_option_is(option, "env");
}

struct ork_hydra_option ork_hydra_option_of(char *const *words, const struct ork_extras *extras)
{
    struct ork_hydra_option option = {.word = words[0], .words = 1};
    size_t left = args_of(words[0], extras), length;
    const char *joined = name_in(words[0], &length) + length;

    if (left > 0 && *joined == '=') {
        option.first = joined + 1;
        left--;
    } else if (left > 0 && words[1] != NULL) {
        option.first = words[option.words++];
        left--;
    }
    if (option.first == NULL || (sets_variable(&option) && strchr(option.first, '=') != NULL))
        return option;
    for (; left > 0 && words[option.words] != NULL; left--, option.words++) {
        if (option.second == NULL)
            option.second = words[option.words];
    }
    return option;
}

struct ork_context ork_hydra_context(const struct ork_argv *words, size_t first,
                                     const struct ork_extras *extras)
{
    struct ork_context context = {.first = first, .last = first};
    size_t i = first;

    while (context.last < words->count && !ork_word_is_separator(words->item[context.last]))
        context.last++;
    while (i < context.last && words->item[i][0] == '-')
        i += ork_hydra_option_of(words->item + i, extras).words;
    context.program = i < context.last ? i : context.last;
    return context;
}

static bool has_name(const struct ork_hydra_option *option, const char *const *names)
{
    while (*names != NULL && !ork_hydra_option_is(option, *names))
        names++;
    return *names != NULL;
}

const char *ork_hydra_find(const struct ork_argv *words, struct ork_context context,
                           const struct ork_extras *extras, const char *const *names)
{
    const char *found = NULL;

    for (size_t i = context.first; i < context.program;) {
        struct ork_hydra_option option = ork_hydra_option_of(words->item + i, extras);
        if (option.first != NULL && has_name(&option, names))
            found = option.first;
        i += option.words;
    }
    return found;
}

bool ork_hydra_has(const struct ork_argv *words, const struct ork_extras *extras,
                   const char *const *names)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        for (size_t i = context.first; i < context.program;) {
            struct ork_hydra_option option = ork_hydra_option_of(words->item + i, extras);
            if (has_name(&option, names))
                return true;
            i += option.words;
        }
        first = context.last + 1;
    }
    return false;
}

/* `end`: the item behind it, at most. */
static void split_option(const struct ork_argv *words, size_t i, size_t end,
                         const struct ork_extras *extras, struct ork_argv *out)
{
    struct ork_hydra_option option = ork_hydra_option_of(words->item + i, extras);
    size_t length;
    const char *joined = name_in(words->item[i], &length) + length;

    if (option.first == joined + 1) {
        ork_argv_addf(out, "%.*s", (int)(joined - words->item[i]), words->item[i]);
        ork_argv_add(out, option.first);
        i++;
    }
    for (; i < end; i++)
        ork_argv_add(out, words->item[i]);
}

void ork_hydra_split(const struct ork_argv *words, const struct ork_extras *extras,
                     struct ork_argv *out)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, extras);
        size_t i = context.first;

        while (i < context.program) {
            size_t end = i + ork_hydra_option_of(words->item + i, extras).words;
            if (end > context.last)
                end = context.last;
            split_option(words, i, end, extras, out);
            i = end;
        }
        for (; i < words->count && i <= context.last; i++) /* with the separator */
            ork_argv_add(out, words->item[i]);
        first = context.last + 1;
    }
}
