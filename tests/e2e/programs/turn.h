/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs in which a rank must be somewhere before another one goes on, and no message may say
 * so. RATIONALE: a rank that sleeps instead may be too early, beside much other work. */
#ifndef ORK_E2E_TURN_H
#define ORK_E2E_TURN_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TURN_PATH = 4096 };

/* The ranks of a run have the same file: the test names one for each run (stop.h). */
static inline void turn_file(char path[TURN_PATH], const char *what)
{
    const char *run = getenv("ORK_TEST_STOP");

    if (run != NULL)
        snprintf(path, TURN_PATH, "%s.%s", run, what);
    else /* started by hand */
        snprintf(path, TURN_PATH, "turn.%ld.%s", (long)getppid(), what);
}

/* It has happened. */
static inline void turn_pass(const char *what)
{
    char path[TURN_PATH];

    turn_file(path, what);
    close(open(path, O_WRONLY | O_CREAT, 0600));
}

/* Until it has happened. */
static inline void turn_wait(const char *what)
{
    char path[TURN_PATH];

    turn_file(path, what);
    while (access(path, F_OK) != 0)
        usleep(10000);
}

#endif
