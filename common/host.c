/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void read_line(const char *path, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, to, room - 1) : 0;

    to[n > 0 ? n : 0] = '\0';
    to[strcspn(to, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
}

void ork_host_read(struct ork_host *out)
{
    int saved = errno;

    *out = (struct ork_host){.name = ""};
    gethostname(out->name, sizeof(out->name) - 1);
    read_line("/proc/sys/kernel/random/boot_id", out->boot, sizeof(out->boot));
    ssize_t n = readlink("/proc/self/ns/net", out->net, sizeof(out->net) - 1);
    out->net[n > 0 ? n : 0] = '\0';
    errno = saved;
}

bool ork_host_is_same(const struct ork_host *a, const struct ork_host *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->boot, b->boot) == 0 &&
           strcmp(a->net, b->net) == 0;
}
