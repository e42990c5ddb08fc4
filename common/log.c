/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const char *log_program = "orknot";
static bool log_verbose;

void ork_log_init(const char *program, bool verbose)
{
    log_program = program;
    log_verbose = verbose;
}

__attribute__((format(printf, 1, 0))) static void log_line(const char *format, va_list args)
{
    int saved = errno;
    char line[1024];
    int n = snprintf(line, sizeof(line), "%s: ", log_program);
    errno = saved; /* for %m */
    int m = vsnprintf(line + n, sizeof(line) - (size_t)n - 1, format, args);
    size_t len = (size_t)n + (size_t)(m > 0 ? m : 0);

    if (len > sizeof(line) - 2)
        len = sizeof(line) - 2;
    line[len++] = '\n';
    if (write(STDERR_FILENO, line, len) < 0) {
        /* the error cannot be reported */
    }
    errno = saved;
}

void ork_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}

void ork_debug(const char *format, ...)
{
    if (!log_verbose)
        return;
    va_list args;
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}
