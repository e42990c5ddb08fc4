/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the files of another process. */
#include "overlay/stacktrace/stack_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_regular(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* RATIONALE: the process may see other files under that name (containers), and an executable that
 * was rebuilt has none. */
int ork_stack_open(uint32_t pid, const char *path)
{
    char link[64], target[4096], inside[4096 + 64];

    if (pid == 0)
        return open_regular(path);
    snprintf(link, sizeof(link), "/proc/%u/exe", pid);
    ssize_t n = readlink(link, target, sizeof(target) - 1);
    target[n > 0 ? n : 0] = '\0';
    if (strcmp(target, path) == 0)
        return open_regular(link);
    if (snprintf(inside, sizeof(inside), "/proc/%u/root%s", pid, path) >= (int)sizeof(inside))
        return -1;
    return open_regular(inside);
}

int ork_stack_no_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                           const char *file, const char *link, GElf_Word crc, char **out)
{
    (void)module, (void)userdata, (void)name, (void)base;
    (void)file, (void)link, (void)crc, (void)out;
    return -1;
}
