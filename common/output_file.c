/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_MAX = 64 };

static void close_quietly(int fd)
{
    int saved = errno;

    close(fd);
    errno = saved;
}

/* ---- what is there ---- */

int ork_output_open(int dir, const char *name)
{
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

bool ork_output_begins(int dir, const char *name, const char *magic)
{
    char start[MAGIC_MAX];
    size_t size = strlen(magic), done = 0;
    int fd = ork_output_open(dir, name);

    if (fd < 0)
        return false;
    while (done < size && size <= sizeof(start)) {
        ssize_t n = read(fd, start + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    return done == size && memcmp(start, magic, size) == 0;
}

/* The folder of a path: "." if it has none. NULL: out of memory. */
static char *folder_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash == NULL   ? strdup(".")
           : slash == name ? strdup("/")
                           : strndup(name, (size_t)(slash - name));
}

bool ork_output_may_replace(int dir, const char *name)
{
    struct stat folder, file;
    uid_t me = geteuid();
    char *path = folder_of(name);
    bool found = path != NULL && fstatat(dir, path, &folder, 0) == 0 &&
                 fstatat(dir, name, &file, AT_SYMLINK_NOFOLLOW) == 0;

    free(path);
    return found &&
           ((folder.st_mode & S_ISVTX) == 0 || me == 0 || file.st_uid == me || folder.st_uid == me);
}

enum ork_output_found ork_output_look(int dir, const char *name, const char *magic)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? ORK_OUTPUT_NOTHING : ORK_OUTPUT_OTHER;
    if (S_ISLNK(st.st_mode))
        return ORK_OUTPUT_LINK;
    if (S_ISDIR(st.st_mode))
        return ORK_OUTPUT_FOLDER;
    if (!S_ISREG(st.st_mode))
        return ORK_OUTPUT_DEVICE;
    if (!ork_output_may_replace(dir, name))
        return ORK_OUTPUT_USER;
    return magic == NULL || ork_output_begins(dir, name, magic) ? ORK_OUTPUT_OURS
                                                                : ORK_OUTPUT_OTHER;
}

const char *ork_output_obstacle(enum ork_output_found found)
{
    switch (found) {
    case ORK_OUTPUT_LINK:
        return "it is a symbolic link";
    case ORK_OUTPUT_FOLDER:
        return "it is a folder";
    case ORK_OUTPUT_DEVICE:
        return "it is no regular file";
    case ORK_OUTPUT_USER:
        return "it belongs to another user";
    case ORK_OUTPUT_NOTHING:
    case ORK_OUTPUT_OURS:
    case ORK_OUTPUT_OTHER:
        break;
    }
    return NULL;
}

/* ---- files ---- */

/* Can a new file be made there? */
static enum ork_status check_folder(const char *path)
{
    char *folder = folder_of(path);

    if (folder == NULL)
        return ORK_NOMEM;
    bool open = access(folder, W_OK | X_OK) == 0;
    int saved = errno;
    free(folder);
    errno = saved;
    return open ? ORK_OK : ORK_IO;
}

enum ork_status ork_output_check(const char *path, const char *magic, const char **obstacle)
{
    enum ork_output_found found = ork_output_look(AT_FDCWD, path, magic);

    *obstacle = ork_output_obstacle(found);
    switch (found) {
    case ORK_OUTPUT_NOTHING:
        return check_folder(path);
    case ORK_OUTPUT_OURS:
        return access(path, W_OK) == 0 ? ORK_OK : ORK_IO;
    case ORK_OUTPUT_OTHER:
        return access(path, R_OK | W_OK) == 0 ? ORK_EXISTS : ORK_IO;
    case ORK_OUTPUT_FOLDER:
        errno = EISDIR;
        return ORK_IO;
    case ORK_OUTPUT_LINK:
    case ORK_OUTPUT_DEVICE:
    case ORK_OUTPUT_USER:
        break;
    }
    return ORK_EXISTS;
}

int ork_output_new(int dir, const char *name)
{
    return openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

enum ork_status ork_output_create(int dir, const char *name, const char *magic, int *fd)
{
    *fd = ork_output_new(dir, name);
    if (*fd < 0 && errno == EEXIST && ork_output_look(dir, name, magic) == ORK_OUTPUT_OURS) {
        unlinkat(dir, name, 0);
        *fd = ork_output_new(dir, name);
    }
    if (*fd >= 0)
        return ORK_OK;
    return errno == EEXIST ? ORK_EXISTS : ORK_IO;
}

static FILE *stream_of(int fd, const char *mode)
{
    FILE *stream = fd >= 0 ? fdopen(fd, mode) : NULL;

    if (stream == NULL && fd >= 0)
        close_quietly(fd);
    return stream;
}

FILE *ork_output_stream(int fd)
{
    return stream_of(fd, "w");
}

enum ork_status ork_output_append(const char *path, FILE **out, const char **obstacle)
{
    enum ork_output_found found = ork_output_look(AT_FDCWD, path, NULL);
    struct stat st;

    *out = NULL;
    *obstacle = ork_output_obstacle(found);
    if (found == ORK_OUTPUT_FOLDER)
        errno = EISDIR;
    if (*obstacle != NULL)
        return found == ORK_OUTPUT_FOLDER ? ORK_IO : ORK_EXISTS;
    int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int fd = open(path, flags | (found == ORK_OUTPUT_NOTHING ? O_CREAT | O_EXCL : 0), 0666);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        fd = -1;
        errno = EINVAL;
    }
    *out = stream_of(fd, "a");
    return *out != NULL ? ORK_OK : ORK_IO;
}

/* ---- folders ---- */

/* RATIONALE: a folder that was just made is ours, even if the file system says otherwise, as one
 * over a network may that does not trust root. */
enum ork_status ork_output_folder(int dir, const char *name, int *fd, const char **obstacle)
{
    struct stat st;
    bool is_new = mkdirat(dir, name, 0777) == 0;

    *obstacle = NULL;
    *fd = -1;
    if (!is_new && errno != EEXIST)
        return ORK_IO;
    *fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_ours = *fd >= 0 && (is_new || (fstat(*fd, &st) == 0 && st.st_uid == geteuid()));
    if (is_ours)
        return ORK_OK;
    if (*fd < 0 && errno != ENOTDIR && errno != ELOOP)
        return ORK_IO;
    if (*fd >= 0)
        close(*fd);
    enum ork_output_found found = ork_output_look(dir, name, NULL);
    *obstacle = *fd >= 0                   ? ork_output_obstacle(ORK_OUTPUT_USER)
                : found == ORK_OUTPUT_LINK ? ork_output_obstacle(found)
                                           : "it is no folder";
    *fd = -1;
    return ORK_EXISTS;
}

static void remove_below(int dir, dev_t device, const char *name);

/* Takes over `fd`. */
static void clear(int fd, dev_t device)
{
    DIR *folder = fdopendir(fd);

    if (folder == NULL) {
        close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_below(dirfd(folder), device, entry->d_name);
    }
    closedir(folder);
}

static void remove_below(int dir, dev_t device, const char *name)
{
    struct stat st;

    if (unlinkat(dir, name, 0) == 0 || (errno != EISDIR && errno != EPERM))
        return;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_dev == device)
        clear(fd, device);
    else
        close(fd);
    unlinkat(dir, name, AT_REMOVEDIR);
}

void ork_output_remove(int dir, const char *name)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        remove_below(dir, st.st_dev, name);
}
