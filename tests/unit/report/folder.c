/* SPDX-License-Identifier: BSD-3-Clause */
#include "folder.h"
#include "sample.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_make(void **state)
{
    struct folder *folder = calloc(1, sizeof(*folder));

    if (folder == NULL)
        return -1;
    strcpy(folder->path, "/tmp/orknot-test-XXXXXX");
    if (mkdtemp(folder->path) == NULL)
        return -1;
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = folder;
    return folder->fd < 0 ? -1 : 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

int folder_remove(void **state)
{
    struct folder *folder = *state;
    int failed = nftw(folder->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);

    close(folder->fd);
    free(folder);
    return failed;
}

void folder_put(const struct folder *folder, const char *name, const char *text)
{
    int fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

char *folder_get(const struct folder *folder, const char *name)
{
    int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC);
    FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    char *text = NULL;
    size_t size = 0;

    if (in == NULL)
        return NULL;
    if (getdelim(&text, &size, EOF, in) < 0 && text != NULL)
        text[0] = '\0';
    fclose(in);
    return text;
}

bool folder_has(const struct folder *folder, const char *name)
{
    struct stat st;

    return fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

void folder_expect(const struct folder *folder, const char *name, const char *wanted)
{
    char *text = folder_get(folder, name);

    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

unsigned folder_entries(const struct folder *folder, const char *name)
{
    unsigned count = 0;
    int fd = openat(folder->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fdopendir(fd);

    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return count;
}
