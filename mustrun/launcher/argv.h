/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing, NULL-terminated list of strings, for execve(). Lack of memory sets `failed`, which
 * stays set and makes later calls do nothing: the caller checks it once, at the end. */
#ifndef ORK_MUSTRUN_LAUNCHER_ARGV_H
#define ORK_MUSTRUN_LAUNCHER_ARGV_H

#include <stdbool.h>
#include <stddef.h>

/* Initialised to zero. The strings belong to the list. */
struct ork_argv {
    char **item;
    size_t count;
    size_t capacity;
    bool failed;
};

/* Append a copy of a string. */
void ork_argv_add(struct ork_argv *argv, const char *text);

/* As ork_argv_add(), formatted. */
__attribute__((format(printf, 2, 3))) void ork_argv_addf(struct ork_argv *argv, const char *format,
                                                         ...);

/* Replace item i, which exists; takes ownership of `text` (NULL: out of memory). */
void ork_argv_replace(struct ork_argv *argv, size_t i, char *text);

void ork_argv_release(struct ork_argv *argv);

/* As a line for a shell, quoted if needed. The caller frees it; NULL: out of memory. */
char *ork_argv_quote(const struct ork_argv *argv);

#endif
