/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: LD_PRELOAD is set by an option and not in hydra's own environment, or the interceptor
 * would be loaded into hydra itself. The environment reaches the ranks of the same node, whatever
 * the options are, and those of others if it is not limited by a list. Of several options that set
 * a variable, the last one counts; one for a single program (-env) counts more than -genv. A
 * spawned process gets what -genv sets, too. */
#include "mustrun/launcher/hydra/variables.h"

#include "common/text.h"
#include "mustrun/launcher/converted.h"
#include "mustrun/launcher/env.h"
#include "mustrun/launcher/hydra/hydraopts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRELOAD "LD_PRELOAD"

/* Which options that may be given only once are there. */
struct seen {
    bool output, errors;
};

/* The names of our variables, separated by commas; the caller frees it. NULL: out of memory. */
static char *names_of_ours(void)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    for (const char *const *name = ork_env_ours; *name != NULL; name++)
        fprintf(out, "%s%s", name == ork_env_ours ? "" : ",", *name);
    return ork_text_close(&stream);
}

static void add_list(const char *option, const char *users, struct ork_argv *out)
{
    char *names = names_of_ours();

    ork_argv_add(out, option);
    ork_argv_addf(out, "%s%s%s", users != NULL ? users : "", users != NULL ? "," : "",
                  names != NULL ? names : "");
    out->failed |= names == NULL;
    free(names);
}

static void add_preload(const struct ork_hydra_variables *v, const char *option, const char *own,
                        struct ork_argv *out)
{
    char *value = ork_env_preload(v->front, own);

    ork_argv_add(out, option);
    ork_argv_add(out, PRELOAD);
    ork_argv_add(out, value != NULL ? value : "");
    out->failed |= value == NULL;
    free(value);
}

/* The value that an option gives to LD_PRELOAD; NULL: it does not. */
static const char *preload_in(const struct ork_hydra_option *option)
{
    if (option->first == NULL)
        return NULL;
    if (ork_env_is(option->first, PRELOAD))
        return option->first + strlen(PRELOAD) + 1;
    return strcmp(option->first, PRELOAD) == 0 ? option->second : NULL;
}

/* RATIONALE: hydra refuses a second one. Ours come first. */
static bool is_repeated(const struct ork_hydra_option *option, struct seen *seen)
{
    bool is_output =
        ork_hydra_option_is(option, "outfile-pattern") || ork_hydra_option_is(option, "outfile");
    bool is_errors =
        ork_hydra_option_is(option, "errfile-pattern") || ork_hydra_option_is(option, "errfile");
    bool is_second = (is_output && seen->output) || (is_errors && seen->errors);

    seen->output |= is_output;
    seen->errors |= is_errors;
    return is_second;
}

/* Does it concern the environment of the ranks? Then it is added as it has to be. */
static bool change(const struct ork_hydra_variables *v, const struct ork_hydra_option *option,
                   struct ork_argv *out)
{
    static const struct {
        const char *one, *list, *none;
        const char *add_one, *add_list;
    } kinds[] = {{"genv", "genvlist", "genvnone", "-genv", "-genvlist"},
                 {"env", "envlist", "envnone", "-env", "-envlist"}};

    for (size_t i = 0; i < 2; i++) {
        const char *own = ork_hydra_option_is(option, kinds[i].one) ? preload_in(option) : NULL;
        if (own != NULL)
            add_preload(v, kinds[i].add_one, own, out);
        else if (ork_hydra_option_is(option, kinds[i].list) && option->first != NULL)
            add_list(kinds[i].add_list, option->first, out);
        else if (ork_hydra_option_is(option, kinds[i].none))
            add_list(kinds[i].add_list, NULL, out);
        else
            continue;
        return true;
    }
    return false;
}

static void add_words(const struct ork_hydra_variables *v, const struct ork_argv *words,
                      struct seen *seen, struct ork_argv *out)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_hydra_context(words, first, v->extras);
        size_t i = context.first;

        while (i < context.program) {
            struct ork_hydra_option option = ork_hydra_option_of(words->item + i, v->extras);
            size_t end = i + option.words < context.last ? i + option.words : context.last;
            if (!change(v, &option, out) && !is_repeated(&option, seen))
                for (size_t k = i; k < end; k++)
                    ork_argv_add(out, words->item[k]);
            i = end;
        }
        for (; i < words->count && i <= context.last; i++) /* with the separator */
            ork_argv_add(out, words->item[i]);
        first = context.last + 1;
    }
}

void ork_hydra_variables_command(const struct ork_hydra_variables *variables,
                                 const struct ork_argv *words, struct ork_argv *out)
{
    static const char *const choices[] = {"genvlist", "genvnone", "genvall", "genvexcl", NULL};
    struct seen seen = {.output = false};

    add_preload(variables, "-genv", variables->own, out);
    if (variables->is_kept && !ork_hydra_has(words, variables->extras, choices))
        add_list("-genvlist", NULL, out);
    add_words(variables, words, &seen, out);
}

struct conversion {
    const struct ork_hydra_variables *variables;
    struct seen seen;
};

/* One line is one context; its words are separated by blanks, without quotes. */
static bool convert(void *context, char *line, FILE *out)
{
    struct conversion *c = context;
    struct ork_argv words = {0}, result = {0};
    char *rest = NULL;

    if (line[strspn(line, " \t")] == '#')
        return true;
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        ork_argv_add(&words, word);
    add_words(c->variables, &words, &c->seen, &result);
    for (size_t i = 0; i < result.count; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", result.item[i]);
    fputc('\n', out);
    bool ok = !words.failed && !result.failed;
    ork_argv_release(&words);
    ork_argv_release(&result);
    return ok;
}

int ork_hydra_variables_file(const struct ork_hydra_variables *variables, const char *path)
{
    struct conversion conversion = {.variables = variables};

    return ork_converted_open(path, convert, &conversion);
}
