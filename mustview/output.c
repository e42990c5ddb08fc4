/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/output.h"

#include "common/exitcode.h"
#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ork_view_check_output(const struct ork_view_options *options)
{
    if (options->output != NULL || !ork_view_format_is_binary(options->format) ||
        !isatty(STDOUT_FILENO))
        return 0;
    ork_error("%s output is not written to a terminal: name a file with --output",
              ork_view_format_word(options->format));
    return ORK_EXIT_USAGE;
}

int ork_view_open(const struct ork_view_options *options, FILE **out)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (options->force ? O_TRUNC : O_EXCL);

    *out = stdout;
    if (options->output == NULL)
        return 0;
    int fd = open(options->output, flags, 0666);
    if (fd < 0 && errno == EEXIST) {
        ork_error("%s exists already (--force overwrites it)", options->output);
        return ORK_EXIT_USAGE;
    }
    *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (*out != NULL)
        return 0;
    ork_error("cannot write %s: %s", options->output, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ORK_EXIT_UNAVAILABLE;
}

/* An incomplete report must not be left behind. Devices are kept. */
static void remove_part(const char *path)
{
    struct stat st;

    if (path != NULL && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

int ork_view_close(const struct ork_view_options *options, FILE *out, bool complete)
{
    const char *name = options->output != NULL ? options->output : "standard output";

    bool written = !ferror(out) && fflush(out) == 0;
    int reason = errno; /* of the latest write, which has failed */
    if (fclose(out) == 0 && written) {
        if (!complete)
            remove_part(options->output);
        return 0;
    }
    ork_error("cannot write %s: %s", name, strerror(written ? errno : reason));
    remove_part(options->output);
    return ORK_EXIT_UNAVAILABLE;
}

int ork_view_write(const struct ork_view_options *options, const char *data, size_t size)
{
    FILE *out;
    int code = ork_view_open(options, &out);

    if (code != 0)
        return code;
    fwrite(data, 1, size, out);
    return ork_view_close(options, out, true);
}
