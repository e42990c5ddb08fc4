/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: Open MPI has two ways to give variables to the processes of a job. `-x` counts for one
 * context and may be combined with the user's own; of two with the same name the last one wins in
 * version 4, and the first one in version 5, so there is only one LD_PRELOAD: ours, which contains
 * the user's. mca_base_env_list counts for all contexts, and mpirun 4 refuses a command that has
 * both. So: `-x` in each context, unless the user has a list; then that list. */
#include "mustrun/launcher/mpirun/preload.h"

#include "mustrun/launcher/converted.h"
#include "mustrun/launcher/env.h"
#include "mustrun/launcher/mpirun/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRELOAD "LD_PRELOAD"

static bool is_preload(const char *argument)
{
    size_t length = strlen(PRELOAD);

    return strncmp(argument, PRELOAD, length) == 0 &&
           (argument[length] == '\0' || argument[length] == '=');
}

bool ork_preload_is_listed(const struct ork_argv *words, const struct ork_extras *extras,
                           const char *list)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);

        if (ork_mpi_find_parameter(words, context, extras, ORK_ENV_LIST_PARAMETER) != 0)
            return true;
        first = context.last + 1;
    }
    return list != NULL && list[0] != '\0';
}

/* The argument `NAME=value` of the context's own -x LD_PRELOAD, or the user's variable. */
static const char *own_preload(const struct ork_preload *preload, const char *argument)
{
    const char *value = argument != NULL ? strchr(argument, '=') : NULL;

    return value != NULL ? value + 1 : preload->own;
}

void ork_preload_inspect(const struct ork_argv *words, struct ork_context context,
                         const struct ork_extras *extras, const char *path,
                         struct ork_executable *program)
{
    size_t folder = ork_mpi_find_option(words, context, extras, "wdir", NULL);

    if (folder == 0)
        folder = ork_mpi_find_option(words, context, extras, "wd", NULL);
    *program = (struct ork_executable){.kind = ORK_EXECUTABLE_MISSING};
    if (context.program < context.last)
        ork_executable_inspect(words->item[context.program],
                               folder != 0 ? words->item[folder] : NULL, path, program);
}

/* LD_PRELOAD of a context. */
static char *preload_of(const struct ork_preload *preload, const struct ork_argv *words,
                        struct ork_context context)
{
    size_t at = ork_mpi_find_option(words, context, preload->extras, "x", is_preload);
    const char *own = own_preload(preload, at != 0 ? words->item[at] : NULL);
    struct ork_executable program;

    ork_preload_inspect(words, context, preload->extras, preload->path, &program);
    char *front = ork_env_front(program.sanitizer, preload->interceptor, own);
    char *value = front != NULL ? ork_env_preload(front, own) : NULL;
    free(front);
    return value;
}

char *ork_preload_front(const struct ork_preload *preload, const struct ork_argv *words)
{
    struct ork_executable program = {.kind = ORK_EXECUTABLE_MISSING};

    for (size_t first = 0; first < words->count && program.sanitizer[0] == '\0';) {
        struct ork_context context = ork_mpi_context(words, first, preload->extras);
        ork_preload_inspect(words, context, preload->extras, preload->path, &program);
        first = context.last + 1;
    }
    return ork_env_front(program.sanitizer, preload->interceptor, preload->own);
}

static void add_exports(const struct ork_preload *preload, const struct ork_argv *words,
                        struct ork_context context, struct ork_argv *out)
{
    char *value = preload_of(preload, words, context);

    ork_argv_add(out, "-x");
    ork_argv_addf(out, PRELOAD "=%s", value != NULL ? value : "");
    ork_argv_add(out, "-x");
    ork_argv_add(out, ORK_ENV_SESSION);
    ork_argv_add(out, "-x");
    ork_argv_add(out, ORK_ENV_TOKEN);
    for (size_t i = 0; i < preload->settings.count; i++) {
        ork_argv_add(out, "-x");
        ork_argv_add(out, preload->settings.item[i]);
    }
    if (value == NULL)
        out->failed = true;
    free(value);
}

static void add_list(const struct ork_preload *preload, const char *list, struct ork_argv *out)
{
    char *value = ork_env_list(list, preload->interceptor, preload->own, &preload->settings);

    ork_argv_add(out, value != NULL ? value : "");
    if (value == NULL)
        out->failed = true;
    free(value);
}

/* Is item i of a context's options the user's own -x LD_PRELOAD? */
static bool is_export_of_preload(const struct ork_preload *preload, const struct ork_argv *words,
                                 struct ork_context context, size_t i)
{
    size_t at = context.first;

    while (at < i)
        at += 1 + ork_mpi_option_args(words->item[at], preload->extras);
    return at == i && ork_word_is(words->item[i], "x") && is_preload(words->item[i + 1]);
}

static void add_context(const struct ork_preload *preload, const struct ork_argv *words,
                        struct ork_context context, bool listed, struct ork_argv *out)
{
    size_t list = ork_mpi_find_parameter(words, context, preload->extras, ORK_ENV_LIST_PARAMETER);
    size_t end = context.program;
    bool dashes = end > context.first && strcmp(words->item[end - 1], "--") == 0;

    for (size_t i = context.first; i < context.last; i++) {
        if (i == end - dashes && !listed)
            add_exports(preload, words, context, out);
        if (!listed && i + 1 < end && is_export_of_preload(preload, words, context, i))
            i++;
        else if (i == list && list != 0)
            add_list(preload, words->item[i], out);
        else
            ork_argv_add(out, words->item[i]);
    }
}

void ork_preload_command(const struct ork_preload *preload, const struct ork_argv *words,
                         bool listed, struct ork_argv *out)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, preload->extras);

        add_context(preload, words, context, listed, out);
        if (context.last < words->count)
            ork_argv_add(out, words->item[context.last]);
        first = context.last + 1;
    }
}

struct conversion {
    const struct ork_preload *preload;
    bool listed;
};

/* One line of an appfile is one context; its words are separated by blanks, without quotes. */
static bool convert(void *context, char *line, FILE *out)
{
    const struct conversion *c = context;
    struct ork_argv words = {0};
    struct ork_argv result = {0};
    char *rest = NULL;
    bool ok;

    line[strcspn(line, "#\n")] = '\0';
    for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        ork_argv_add(&words, word);
    ork_preload_command(c->preload, &words, c->listed, &result);
    for (size_t i = 0; i < result.count; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", result.item[i]);
    fputc('\n', out);
    ok = !words.failed && !result.failed;
    ork_argv_release(&words);
    ork_argv_release(&result);
    return ok;
}

int ork_preload_appfile(const struct ork_preload *preload, const char *path, bool listed)
{
    struct conversion conversion = {.preload = preload, .listed = listed};

    return ork_converted_open(path, convert, &conversion);
}
