/* SPDX-License-Identifier: BSD-3-Clause */
/* What the file of a program is, as far as a library can be preloaded into it. The file is
 * untrusted: any bytes give a kind. */
#ifndef ORK_MUSTRUN_LAUNCHER_EXECUTABLE_H
#define ORK_MUSTRUN_LAUNCHER_EXECUTABLE_H

#include "mustrun/launcher/argv.h"

#include <limits.h>

enum ork_executable_kind {
    ORK_EXECUTABLE_MISSING,    /* no such file */
    ORK_EXECUTABLE_DENIED,     /* it may not be executed */
    ORK_EXECUTABLE_FOLDER,     /* it is a folder */
    ORK_EXECUTABLE_SCRIPT,     /* or anything else that is no ELF file */
    ORK_EXECUTABLE_FOREIGN,    /* for another processor than mustrun */
    ORK_EXECUTABLE_STATIC,     /* linked statically: nothing is preloaded */
    ORK_EXECUTABLE_PRIVILEGED, /* runs with rights of another user: the loader preloads nothing */
    ORK_EXECUTABLE_DYNAMIC,    /* LD_PRELOAD works */
};

struct ork_executable {
    enum ork_executable_kind kind;
    char path[PATH_MAX];
    /* The library of AddressSanitizer that it needs, as it names it; "": none. */
    char sanitizer[NAME_MAX + 1];
};

/* Look at the file that a launcher starts for the word `name`: one with a slash is seen from
 * `folder` (NULL: the current one), another one is looked for in the folders of `path` ($PATH,
 * NULL: none) and then in `folder`. */
void ork_executable_inspect(const char *name, const char *folder, const char *path,
                            struct ork_executable *out);

/* Is this the file name of a library of AddressSanitizer? A path is allowed. */
bool ork_is_sanitizer(const char *library);

#endif
