/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that go on until something comes that the tool cannot know: the test stops them (the
 * key STOP of expectation.py), by creating a file. */
#ifndef ORK_E2E_STOP_H
#define ORK_E2E_STOP_H

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static const char *stop_file;

/* Async-signal-safe. */
static inline int stop_has_come(void)
{
    return access(stop_file, F_OK) == 0;
}

static inline void stop_init(void)
{
    stop_file = getenv("ORK_TEST_STOP");
    if (stop_file == NULL)
        stop_file = "stop"; /* started by hand */
}

/* From now on the handler runs ten times a second. */
static inline void stop_look(void (*handler)(int))
{
    const struct timeval tenth = {.tv_usec = 100000};
    const struct itimerval always = {.it_interval = tenth, .it_value = tenth};
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    stop_init();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &always, NULL);
}

#endif
