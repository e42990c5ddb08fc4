/* SPDX-License-Identifier: BSD-3-Clause */
/* A changed copy of a file that a command names, which exists only while mustrun runs. */
#ifndef ORK_MUSTRUN_LAUNCHER_CONVERTED_H
#define ORK_MUSTRUN_LAUNCHER_CONVERTED_H

#include "mustrun/launcher/command.h"

#include <stdbool.h>
#include <stdio.h>

/* Write the copy; `line` is one of the file, which it may change. False: out of memory. */
typedef bool (*ork_converter)(void *context, char *line, FILE *out);

/* A file descriptor of the copy, or -1 with errno set. */
int ork_converted_open(const char *path, ork_converter convert, void *context);

/* The application's command names the copy instead of item `at`, the argument of an option that is
 * called `what`. Takes the file descriptor, and errno if it is -1. Failures are reported on stderr:
 * ORK_NOTFOUND or ORK_NOMEM. */
enum ork_status ork_converted_use(struct ork_commands *commands, size_t at, int fd,
                                  const char *what);

#endif
