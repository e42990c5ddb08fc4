/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks other programs, such as a launcher what it is. */
#ifndef ORK_MUSTRUN_LAUNCHER_ASK_H
#define ORK_MUSTRUN_LAUNCHER_ASK_H

#include "common/status.h"

#include <stddef.h>

enum {
    ORK_ASK_ANSWER = 4096, /* bytes of an answer that are kept */
    ORK_ASK_LIMIT = 30000, /* milliseconds for it, on a busy machine */
};

/* Run words[0] (found by $PATH) with these words, which NULL ends, without input, and keep the
 * beginning of what it writes to standard output: less than `room` bytes, and a 0. Results as
 * below. */
enum ork_status ork_ask(char *const *words, char *answer, size_t room);

/* Run `path` (found by $PATH) with --version, without input, and keep the beginning of what it
 * writes to standard output, with a 0 after it. ORK_NOTFOUND: it cannot be executed, or has written
 * nothing. ORK_AGAIN: it has not ended in time; it is then killed with the processes that it
 * started, but for those that left its process group. */
enum ork_status ork_launcher_ask(const char *path, char answer[ORK_ASK_ANSWER]);

#endif
