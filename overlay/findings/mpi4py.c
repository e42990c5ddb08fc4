/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/mpi4py.h"

#include "common/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is `call` a word of the list? */
static bool is_listed(const char *list, const char *call)
{
    const size_t length = strlen(call);

    for (const char *at = list; length > 0 && (at = strstr(at, call)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool is_method(const char *name, size_t length, const char *method)
{
    return strlen(method) == length && strncasecmp(name, method, length) == 0;
}

/* May the method make the call? *is_other: its own name is another one. */
static bool may_call(const char *name, size_t length, const char *call, bool *is_other)
{
    static const struct {
        const char *method, *calls;
    } list[] = {
#define ORK_MPI4PY(method, calls) {#method, calls},
#include "overlay/findings/mpi4py.def"
#undef ORK_MPI4PY
    };

    *is_other = false;
    if (strncmp(call, "MPI_", 4) == 0 && is_method(name, length, call + 4))
        return true;
    *is_other = true;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        if (is_method(name, length, list[i].method) && is_listed(list[i].calls, call))
            return true;
    }
    return false;
}

char *ork_mpi4py_name(const char *line, const char *call)
{
    const char *begin = NULL, *end = NULL;
    unsigned found = 0;
    bool is_other, any_is_other = false;

    for (const char *at = line; *at != '\0' && *at != '#'; at++) {
        size_t length = 0;
        while (*at == '.' && is_of_name(at[1 + length]))
            length++;
        if (length == 0 || at[1 + length] != '(' || !may_call(at + 1, length, call, &is_other))
            continue;
        found++;
        any_is_other |= is_other;
        end = at + 1 + length;
        for (begin = at; begin > line && (is_of_name(begin[-1]) || begin[-1] == '.');)
            begin--;
        begin += begin == at; /* a result or an element has no name */
    }
    return found == 1 && any_is_other ? ork_text("%.*s", (int)(end - begin), begin) : NULL;
}
