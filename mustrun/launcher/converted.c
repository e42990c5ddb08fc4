/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/converted.h"

#include "common/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool convert_all(FILE *in, ork_converter convert, void *context, FILE *out)
{
    char *line = NULL;
    size_t size = 0;
    bool ok = true;

    while (ok && getline(&line, &size, in) >= 0)
        ok = convert(context, line, out);
    free(line);
    return ok && ferror(in) == 0 && fflush(out) == 0;
}

int ork_converted_open(const char *path, ork_converter convert, void *context)
{
    FILE *in = fopen(path, "re");
    int fd = in != NULL ? memfd_create("converted", MFD_CLOEXEC) : -1;
    int copy = fd >= 0 ? dup(fd) : -1;
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    bool ok = out != NULL && convert_all(in, convert, context, out);
    int saved = errno;

    if (out != NULL)
        fclose(out);
    else if (copy >= 0)
        close(copy);
    if (in != NULL)
        fclose(in);
    if (!ok && fd >= 0) {
        close(fd);
        fd = -1;
    }
    errno = saved;
    return fd;
}

enum ork_status ork_converted_use(struct ork_commands *commands, size_t at, int fd,
                                  const char *what)
{
    struct ork_argv *argv = &commands->application.argv;
    char *path = NULL;

    commands->appfile = fd;
    if (fd < 0) {
        ork_error("cannot read the %s %s: %s", what, argv->item[at], strerror(errno));
        return ORK_NOTFOUND;
    }
    if (asprintf(&path, "/proc/%ld/fd/%d", (long)getpid(), fd) < 0)
        return ORK_NOMEM;
    ork_argv_replace(argv, at, path);
    return ORK_OK;
}
