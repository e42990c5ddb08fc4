/* SPDX-License-Identifier: BSD-3-Clause */
/* The kind of a program's file: can a library be preloaded into it? The file is untrusted: any
 * bytes give a kind. */
#ifndef ORK_MUSTRUN_LAUNCHER_EXECUTABLE_H
#define ORK_MUSTRUN_LAUNCHER_EXECUTABLE_H

#include "mustrun/launcher/argv.h"

#include <limits.h>

enum ork_executable_kind {
    ORK_EXECUTABLE_MISSING,    /* no such file */
    ORK_EXECUTABLE_DENIED,     /* not executable */
    ORK_EXECUTABLE_FOLDER,     /* a folder */
    ORK_EXECUTABLE_SCRIPT,     /* or another file that is not ELF */
    ORK_EXECUTABLE_FOREIGN,    /* for another processor than mustrun */
    ORK_EXECUTABLE_STATIC,     /* linked statically: nothing is preloaded */
    ORK_EXECUTABLE_PRIVILEGED, /* runs with rights of another user: the loader preloads nothing */
    ORK_EXECUTABLE_DYNAMIC,    /* LD_PRELOAD works */
};

struct ork_executable {
    enum ork_executable_kind kind;
    char path[PATH_MAX];
    /* The name of the library of AddressSanitizer that it needs; "": none. */
    char sanitizer[NAME_MAX + 1];
};

/* Inspect the file that a launcher starts for the word `name`: one with a slash is relative to
 * `folder` (NULL: the current one); another one is searched in the folders of `path` ($PATH, NULL:
 * none) and then in `folder`. */
void ork_executable_inspect(const char *name, const char *folder, const char *path,
                            struct ork_executable *out);

/* Is this the file name of a library of AddressSanitizer? A path is allowed. */
bool ork_is_sanitizer(const char *library);

#endif
