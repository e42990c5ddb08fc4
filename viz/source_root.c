/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/source_root.h"

#include "common/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_repository(const char *folder)
{
    char *name = ork_text("%s/.git", folder);
    bool found = name != NULL && access(name, F_OK) == 0;

    free(name);
    return found;
}

char *ork_source_root_find(const char *given)
{
    char *here = realpath(given != NULL ? given : ".", NULL);
    char *folder = given == NULL && here != NULL ? strdup(here) : NULL;

    while (folder != NULL && folder[0] != '\0' && !has_repository(folder))
        *strrchr(folder, '/') = '\0';
    if (folder == NULL || folder[0] == '\0') {
        free(folder);
        return here;
    }
    free(here);
    return folder;
}

/* Remove the last part of what is written, down to `floor`; false: there is none. */
static bool step_up(const char *path, size_t *size, size_t floor)
{
    if (*size <= floor)
        return false;
    while (*size > floor && path[*size - 1] != '/')
        --*size;
    if (*size > floor)
        --*size;
    return true;
}

/* Remove ".", ".." and empty parts of a path in place, without looking at links. A ".." at the
 * beginning of a relative path stays. */
static void simplify(char *path)
{
    bool absolute = path[0] == '/';
    size_t size = 0, floor = 0;

    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part, "/");
        bool up = length == 2 && strncmp(part, "..", 2) == 0;
        if (length > 0 && !(length == 1 && part[0] == '.') &&
            !(up && (step_up(path, &size, floor) || absolute))) {
            if (size > 0 || absolute)
                path[size++] = '/';
            memmove(path + size, part, length);
            size += length;
            floor = up ? size : floor;
        }
        part += length;
        part += strspn(part, "/");
    }
    path[size] = '\0';
}

/* What follows the folder in the path; NULL: it is not in it. */
static const char *below(const char *root, const char *path)
{
    size_t size = strlen(root);

    if (size == 1) /* "/" */
        return path + 1;
    return strncmp(path, root, size) == 0 && path[size] == '/' ? path + size + 1 : NULL;
}

char *ork_source_path(const char *root, const char *path)
{
    char *simple = strdup(path);
    char *real = NULL;

    if (simple == NULL)
        return NULL;
    simplify(simple);
    if (root == NULL || simple[0] != '/')
        return simple;
    const char *rest = below(root, simple);
    if (rest == NULL) { /* a compiler notes the folder as the user names it, with links */
        real = realpath(simple, NULL);
        rest = real != NULL ? below(root, real) : NULL;
    }
    char *out = rest != NULL && rest[0] != '\0' ? strdup(rest) : strdup(simple);
    free(simple);
    free(real);
    return out;
}
