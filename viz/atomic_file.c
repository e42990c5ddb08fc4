/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/atomic_file.h"

#include "common/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ATTEMPTS 100u

static bool write_all(int fd, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            text += n;
            left -= (size_t)n;
        }
    }
    return true;
}

/* Both keep errno, the reason of an earlier failure. */
static void close_quietly(int fd)
{
    int saved = errno;

    close(fd);
    errno = saved;
}

static void remove_quietly(int dir, const char *name)
{
    int saved = errno;

    unlinkat(dir, name, 0);
    errno = saved;
}

/* Write all of the text and close the file: some file systems report a full disk only at close. */
static bool write_and_close(int fd, const char *text)
{
    bool written = write_all(fd, text);

    if (!written)
        close_quietly(fd);
    return written && close(fd) == 0;
}

/* A new file with this text; its name is written to `temporary`. */
static bool write_temporary(int dir, const char *text, char *temporary, size_t size)
{
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < ATTEMPTS; i++) {
        snprintf(temporary, size, ".orknot-%ld-%u", (long)getpid(), i);
        fd = ork_output_new(dir, temporary);
        if (fd < 0 && errno != EEXIST)
            return false;
    }
    if (fd < 0)
        return false;
    bool written = write_and_close(fd, text);
    if (!written)
        remove_quietly(dir, temporary);
    return written;
}

/* If there was no file a moment ago, do not overwrite one that is there now. */
static bool rename_temporary(int dir, const char *temporary, const char *name, bool replace)
{
    if (!replace) {
        if (renameat2(dir, temporary, dir, name, RENAME_NOREPLACE) == 0)
            return true;
        if (errno != EINVAL && errno != ENOSYS) /* these: not supported on this file system */
            return false;
    }
    return renameat(dir, temporary, dir, name) == 0;
}

enum ork_status ork_atomic_file_put(int dir, const char *name, enum ork_file kind, const char *text)
{
    char temporary[64];
    enum ork_owner owner = ork_owner_of_file(dir, name, kind);

    if (owner == ORK_OWNER_OTHER)
        return ORK_EXISTS;
    if (!write_temporary(dir, text, temporary, sizeof(temporary)))
        return ORK_IO;
    if (rename_temporary(dir, temporary, name, owner == ORK_OWNER_US))
        return ORK_OK;
    enum ork_status status = errno == EEXIST ? ORK_EXISTS : ORK_IO;
    remove_quietly(dir, temporary);
    return status;
}

void ork_atomic_file_remove(int dir, const char *name, enum ork_file kind)
{
    if (ork_owner_of_file(dir, name, kind) == ORK_OWNER_US)
        remove_quietly(dir, name);
}

static bool write_mark(int dir)
{
    int fd = ork_output_new(dir, ORK_MARK);

    if (fd < 0)
        return false;
    return write_and_close(fd, ORK_MARK_TEXT);
}

enum ork_status ork_atomic_directory_open(int dir, const char *name, int *fd)
{
    enum ork_owner owner = ork_owner_of_directory(dir, name);

    if (owner == ORK_OWNER_OTHER)
        return ORK_EXISTS;
    if (owner == ORK_OWNER_NONE && mkdirat(dir, name, 0777) != 0)
        return errno == EEXIST ? ORK_EXISTS : ORK_IO;
    int opened = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0)
        return ORK_IO;
    if (owner == ORK_OWNER_NONE && !write_mark(opened)) {
        remove_quietly(opened, ORK_MARK); /* it may be incomplete */
        close_quietly(opened);
        int saved = errno;
        unlinkat(dir, name, AT_REMOVEDIR);
        errno = saved;
        return ORK_IO;
    }
    *fd = opened;
    return ORK_OK;
}

static bool is_kept(const char *name, char *const *keep, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(name, keep[i]) == 0)
            return true;
    return false;
}

enum ork_status ork_atomic_directory_clear(int dir, char *const *keep, unsigned count)
{
    enum ork_file kind;

    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (entries == NULL) {
        if (fd >= 0)
            close(fd);
        return ORK_IO;
    }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        if (ork_is_graph_name(name, &kind) && !is_kept(name, keep, count) &&
            ork_owner_of_file(dir, name, kind) == ORK_OWNER_US)
            unlinkat(dir, name, 0);
    }
    closedir(entries);
    return ORK_OK;
}

/* Does it contain our mark only? */
static bool is_bare(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    bool bare = entries != NULL;

    if (entries == NULL && fd >= 0)
        close(fd);
    if (entries == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, ORK_MARK) != 0)
            bare = false;
    }
    closedir(entries);
    return bare;
}

enum ork_status ork_atomic_directory_remove(int dir, const char *name)
{
    if (ork_owner_of_directory(dir, name) != ORK_OWNER_US)
        return ORK_OK;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return ORK_IO;
    enum ork_status status = ork_atomic_directory_clear(fd, NULL, 0);
    bool bare = status == ORK_OK && is_bare(fd);
    if (bare && unlinkat(fd, ORK_MARK, 0) == 0 && unlinkat(dir, name, AT_REMOVEDIR) != 0)
        status = errno == ENOTEMPTY || errno == EEXIST ? ORK_OK : ORK_IO;
    close_quietly(fd);
    return status;
}
