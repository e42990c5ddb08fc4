/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/output.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"

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

/* -1 with errno. EEXIST: it is there, and is not to be replaced. RATIONALE: a device is no file
 * that is replaced. */
static int open_output(const char *path, bool force)
{
    struct stat st;
    int fd;

    if (!force)
        return ork_output_new(AT_FDCWD, path);
    if (lstat(path, &st) == 0 && S_ISCHR(st.st_mode))
        return open(path, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    ork_output_create(AT_FDCWD, path, NULL, &fd);
    return fd;
}

static void explain(const char *path, bool force)
{
    const char *why = ork_output_obstacle(ork_output_look(AT_FDCWD, path, NULL));

    if (force && why != NULL)
        ork_error("cannot replace %s: %s", path, why);
    else
        ork_error("%s exists already (--force overwrites it)", path);
}

int ork_view_open(const struct ork_view_options *options, FILE **out)
{
    *out = stdout;
    if (options->output == NULL)
        return 0;
    int fd = open_output(options->output, options->force);
    if (fd < 0 && errno == EEXIST) {
        explain(options->output, options->force);
        return ORK_EXIT_USAGE;
    }
    *out = ork_output_stream(fd);
    if (*out != NULL)
        return 0;
    ork_error("cannot write %s: %s", options->output, strerror(errno));
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
