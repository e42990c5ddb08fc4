/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/tracefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_SIZE = sizeof(ORK_TRACEFILE_MAGIC) - 1 };

bool ork_tracefile_is_trace(const char *path)
{
    char start[MAGIC_SIZE];
    FILE *file = fopen(path, "re");
    bool same = file != NULL && fread(start, sizeof(start), 1, file) == 1 &&
                memcmp(start, ORK_TRACEFILE_MAGIC, sizeof(start)) == 0;

    if (file != NULL)
        fclose(file);
    return same;
}

/* Can a new file be made there? */
static enum ork_status check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));

    if (folder == NULL)
        return ORK_NOMEM;
    bool open = access(folder, W_OK | X_OK) == 0;
    int saved = errno;
    free(folder);
    errno = saved;
    return open ? ORK_OK : ORK_IO;
}

enum ork_status ork_output_check(const char *path, bool (*is_ours)(const char *path))
{
    struct stat st;

    if (stat(path, &st) != 0)
        return errno == ENOENT ? check_folder(path) : ORK_IO;
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return ORK_IO;
    }
    if (access(path, R_OK | W_OK) != 0)
        return ORK_IO;
    return S_ISREG(st.st_mode) && is_ours(path) ? ORK_OK : ORK_EXISTS;
}

enum ork_status ork_tracefile_check(const char *path)
{
    return ork_output_check(path, ork_tracefile_is_trace);
}
