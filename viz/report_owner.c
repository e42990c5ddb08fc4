/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/report_owner.h"

#include "common/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_SIZE 2048u

/* The first bytes of a regular file, NUL-terminated; false if it is missing or cannot be read. */
static bool read_head(int dir, const char *name, char head[HEAD_SIZE + 1])
{
    size_t size = 0;
    int fd = ork_output_open(dir, name);

    if (fd < 0)
        return false;
    while (size < HEAD_SIZE) {
        ssize_t n = read(fd, head + size, HEAD_SIZE - size);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        size += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    head[size] = '\0';
    return true;
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Compares, ignoring the blanks of s; `prefix` has none. */
static bool starts_with_tokens(const char *s, const char *prefix)
{
    for (; *prefix != '\0'; s++) {
        if (strchr(" \t\r\n", *s) != NULL && *s != '\0')
            continue;
        if (*s != *prefix++)
            return false;
    }
    return true;
}

static bool is_our_head(const char *head, enum ork_file kind)
{
    const char *at;

    switch (kind) {
    case ORK_FILE_HTML:
        return starts_with(head, "<!DOCTYPE html>") &&
               strstr(head, "<meta name=\"generator\" content=\"orknot ") != NULL;
    case ORK_FILE_JSON:
        return starts_with_tokens(head, "{\"schema\":1,\"tool\":{\"name\":\"orknot\"");
    case ORK_FILE_TEXT:
        return starts_with(head, "orknot report\n");
    case ORK_FILE_SARIF:
        return starts_with_tokens(head, "{\"$schema\":\"") &&
               (at = strstr(head, "\"runs\"")) != NULL &&
               starts_with_tokens(at, "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"orknot\"");
    case ORK_FILE_JUNIT:
        return starts_with(head, "<?xml") && strstr(head, "<!-- orknot: one run -->") != NULL;
    case ORK_FILE_CODE_QUALITY: /* without findings the list is empty */
        return starts_with_tokens(head, "[{\"engine_name\":\"orknot\"") ||
               strcmp(head, "[]\n") == 0;
    case ORK_FILE_DOT:
        return starts_with(head, "// orknot\n");
    case ORK_FILE_SVG:
        return starts_with(head, "<?xml") && strstr(head, "<!-- orknot -->") != NULL;
    }
    return false;
}

static bool is_absent(int dir, const char *name)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

bool ork_is_of_another_user(int dir, const char *name)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_uid != geteuid();
}

enum ork_owner ork_owner_of_file(int dir, const char *name, enum ork_file kind)
{
    char head[HEAD_SIZE + 1];

    if (is_absent(dir, name))
        return ORK_OWNER_NONE;
    if (!ork_output_may_replace(dir, name) || !read_head(dir, name, head))
        return ORK_OWNER_OTHER;
    return is_our_head(head, kind) ? ORK_OWNER_US : ORK_OWNER_OTHER;
}

enum ork_owner ork_owner_of_directory(int dir, const char *name)
{
    char head[HEAD_SIZE + 1];

    if (is_absent(dir, name))
        return ORK_OWNER_NONE;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return ORK_OWNER_OTHER;
    bool marked = read_head(fd, ORK_MARK, head) && strcmp(head, ORK_MARK_TEXT) == 0;
    bool ours = marked && ork_output_may_replace(dir, name) &&
                faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
    close(fd);
    return ours ? ORK_OWNER_US : ORK_OWNER_OTHER;
}

bool ork_is_graph_name(const char *name, enum ork_file *kind)
{
    const char *dash = strrchr(name, '-');

    if (dash == NULL || dash == name)
        return false;
    size_t digits = strspn(dash + 1, "0123456789");
    const char *end = dash + 1 + digits;
    bool svg = strcmp(end, ".svg") == 0 || strcmp(end, ".lanes.svg") == 0;
    if (digits == 0 || (!svg && strcmp(end, ".dot") != 0))
        return false;
    *kind = svg ? ORK_FILE_SVG : ORK_FILE_DOT;
    return true;
}
