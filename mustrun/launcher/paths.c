/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/paths.h"

#include "common/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL        "must-tool"
#define INTERCEPTOR "libmust-interceptor.so"

/* The folder of the running program. */
static enum ork_status own_folder(char folder[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);

    if (n <= 0) {
        ork_error("cannot read /proc/self/exe: %s", strerror(errno));
        return ORK_IO;
    }
    folder[n] = '\0';
    *strrchr(folder, '/') = '\0';
    return ORK_OK;
}

/* `name` in the installed folder or in that of the build tree, both relative to `folder`. */
static enum ork_status find(const char *folder, const char *installed, const char *built,
                            const char *name, int access_mode, char out[PATH_MAX])
{
    const char *const places[] = {installed, built};

    for (size_t i = 0; i < 2; i++) {
        char *path = NULL;
        bool found = false;

        if (asprintf(&path, "%s/%s/%s", folder, places[i], name) < 0)
            return ORK_NOMEM;
        found = realpath(path, out) != NULL && access(out, access_mode) == 0;
        free(path);
        if (found)
            return ORK_OK;
    }
    ork_error("%s is missing: it should be in %s/%s", name, folder, installed);
    return ORK_NOTFOUND;
}

enum ork_status ork_paths_find(struct ork_paths *paths)
{
    char folder[PATH_MAX];
    enum ork_status status = own_folder(folder);

    if (status == ORK_OK)
        status = find(folder, ORK_TOOL_FOLDER, "../overlay", TOOL, X_OK, paths->tool);
    if (status == ORK_OK)
        status = find(folder, ORK_INTERCEPTOR_FOLDER, "../interceptor", INTERCEPTOR, R_OK,
                      paths->interceptor);
    if (status != ORK_OK)
        return status;
    if (strpbrk(paths->interceptor, " :;") != NULL) {
        ork_error("%s cannot be preloaded: blanks, colons and semicolons separate the names in "
                  "LD_PRELOAD",
                  paths->interceptor);
        return ORK_INVALID;
    }
    return ORK_OK;
}
