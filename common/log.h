/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one line per error to stderr. The first function that knows the cause calls it, once. */
#ifndef ORK_LOG_H
#define ORK_LOG_H

#include <stdbool.h>

/* Set the prefix of every line ("mustrun", "must-tool"); the string must outlive all calls. */
void ork_log_init(const char *program, bool verbose);

/* Write "<program>: <message>\n" with one write(2). Preserves errno. */
__attribute__((format(printf, 1, 2))) void ork_error(const char *format, ...);

/* As ork_error(), only if verbose. */
__attribute__((format(printf, 1, 2))) void ork_debug(const char *format, ...);

#endif
