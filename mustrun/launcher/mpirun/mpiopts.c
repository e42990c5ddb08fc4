/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/mpiopts.h"

#include <string.h>

struct mpi_option {
    const char *name;
    size_t args;
    bool tool;
};

static const struct mpi_option mpi_options[] = {
#define ORK_MPI_OPTION(name, args, tool) {name, args, tool},
#define ORK_MPI_PARAMETER(prefix)
#include "mustrun/launcher/mpirun/mpiopts.def"
#undef ORK_MPI_OPTION
#undef ORK_MPI_PARAMETER
};

static const char *const tool_parameters[] = {
#define ORK_MPI_OPTION(name, args, tool)
#define ORK_MPI_PARAMETER(prefix) prefix,
#include "mustrun/launcher/mpirun/mpiopts.def"
#undef ORK_MPI_OPTION
#undef ORK_MPI_PARAMETER
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct mpi_option *find_option(const char *token)
{
    for (size_t i = 0; i < COUNT(mpi_options); i++) {
        if (ork_word_is(token, mpi_options[i].name))
            return &mpi_options[i];
    }
    return NULL;
}

size_t ork_mpi_option_args(const char *token, const struct ork_extras *extras)
{
    if (ork_extras_has(extras, token))
        return 1;
    const struct mpi_option *option = find_option(token);

    return option != NULL ? option->args : 0;
}

bool ork_mpi_knows(const char *option, const struct ork_extras *extras)
{
    return ork_extras_has(extras, option) || find_option(option) != NULL;
}

/* The item after option i and its arguments, at most `end`. */
static size_t behind(const struct ork_argv *words, size_t i, size_t end,
                     const struct ork_extras *extras)
{
    size_t next = i + 1 + ork_mpi_option_args(words->item[i], extras);

    return next < end ? next : end;
}

struct ork_context ork_mpi_context(const struct ork_argv *words, size_t first,
                                   const struct ork_extras *extras)
{
    struct ork_context context = {.first = first};
    size_t i = first;

    for (context.last = first; context.last < words->count; context.last++) {
        if (ork_word_is_separator(words->item[context.last]))
            break;
    }
    while (i < context.last && ork_word_is_option(words->item[i])) {
        if (strcmp(words->item[i], "--") == 0) {
            i++;
            break;
        }
        i = behind(words, i, context.last, extras);
    }
    context.program = i;
    return context;
}

bool ork_mpi_has_program(const struct ork_argv *words, const struct ork_extras *extras)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);

        if (context.program < context.last ||
            ork_mpi_find_option(words, context, extras, "app", NULL) != 0)
            return true;
        first = context.last + 1;
    }
    return false;
}

static bool is_tool_parameter(const char *parameter)
{
    for (size_t i = 0; i < COUNT(tool_parameters); i++) {
        if (strncmp(parameter, tool_parameters[i], strlen(tool_parameters[i])) == 0)
            return true;
    }
    return false;
}

static bool is_mca(const char *token)
{
    return ork_word_is(token, "mca") || ork_word_is(token, "gmca") || ork_word_is(token, "omca") ||
           ork_word_is(token, "gomca");
}

static bool is_for_tool(const struct ork_argv *words, size_t i, size_t next)
{
    const struct mpi_option *option = find_option(words->item[i]);

    if (option == NULL || next != i + 1 + option->args)
        return false;
    return option->tool || (is_mca(words->item[i]) && is_tool_parameter(words->item[i + 1]));
}

void ork_mpi_copy_launch_options(const struct ork_argv *words, struct ork_context context,
                                 const struct ork_extras *extras, struct ork_argv *out)
{
    size_t next;

    for (size_t i = context.first; i < context.program; i = next) {
        next = behind(words, i, context.program, extras);
        if (!is_for_tool(words, i, next))
            continue;
        for (size_t k = i; k < next; k++)
            ork_argv_add(out, words->item[k]);
    }
}

size_t ork_mpi_find_parameter(const struct ork_argv *words, struct ork_context context,
                              const struct ork_extras *extras, const char *parameter)
{
    for (size_t i = context.first; i < context.program;
         i = behind(words, i, context.program, extras)) {
        if (i + 2 < context.last && is_mca(words->item[i]) &&
            strcmp(words->item[i + 1], parameter) == 0)
            return i + 2;
    }
    return 0;
}

size_t ork_mpi_find_option(const struct ork_argv *words, struct ork_context context,
                           const struct ork_extras *extras, const char *name,
                           bool (*accept)(const char *argument))
{
    size_t found = 0;

    for (size_t i = context.first; i < context.program;
         i = behind(words, i, context.program, extras)) {
        if (i + 1 < context.last && ork_word_is(words->item[i], name) &&
            (accept == NULL || accept(words->item[i + 1])))
            found = i + 1;
    }
    return found;
}

/* Is it an option of one argument that stands behind '='? *length: without that. */
static bool is_joined(const char *word, size_t *length)
{
    char name[32];

    *length = strcspn(word, "=");
    if (word[*length] == '\0' || *length >= sizeof(name))
        return false;
    memcpy(name, word, *length);
    name[*length] = '\0';
    const struct mpi_option *option = find_option(name);
    return option != NULL && option->args == 1;
}

void ork_mpi_split(const struct ork_argv *words, const struct ork_extras *extras,
                   struct ork_argv *out)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);
        size_t i = context.first, length;

        while (i < context.program) {
            size_t next = behind(words, i, context.program, extras);
            const char *word = words->item[i];
            if (is_joined(word, &length)) {
                ork_argv_addf(out, "%.*s", (int)length, word);
                ork_argv_add(out, word + length + 1);
                i++;
            }
            for (; i < next; i++)
                ork_argv_add(out, words->item[i]);
        }
        for (; i < words->count && i <= context.last; i++) /* with the separator */
            ork_argv_add(out, words->item[i]);
        first = context.last + 1;
    }
}
