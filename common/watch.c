/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* RATIONALE: a watching process that looked this long ago was stopped itself, or got no
 * processor. */
#define GAP_NS UINT64_C(100000000)
/* Between two looks into /proc. */
#define LOOK_NS UINT64_C(50000000)

/* Field `n`, from 3, of a line of /proc/PID/stat; NULL: there is none. RATIONALE: the second field,
 * the name of the program, may contain anything. */
static const char *field_of(const char *line, int n)
{
    const char *at = strrchr(line, ')');

    for (int i = 2; at != NULL && i < n; i++) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return at;
}

/* Its state and its processor time in ticks. False: it cannot be seen. */
static bool look(uint32_t pid, char *state, uint64_t *ticks)
{
    char path[32];
    char line[512];

    snprintf(path, sizeof(path), "/proc/%u/stat", pid);
    int fd = pid != 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    ssize_t n = read(fd, line, sizeof(line) - 1);
    close(fd);
    line[n > 0 ? n : 0] = '\0';
    const char *letter = field_of(line, 3);
    const char *user = field_of(line, 14);
    const char *system = field_of(line, 15);
    if (letter == NULL || user == NULL || system == NULL)
        return false;
    *state = *letter;
    *ticks = strtoull(user, NULL, 10) + strtoull(system, NULL, 10);
    return true;
}

static void stay_awake(struct ork_watch *w, uint64_t at_ns)
{
    uint64_t gap = w->at_ns != 0 && at_ns > w->at_ns ? at_ns - w->at_ns : 0;

    w->awake_ns += gap < GAP_NS ? gap : GAP_NS;
    w->at_ns = at_ns;
}

static void see(struct ork_watch *w)
{
    uint64_t ticks = w->ticks;
    char state = 0;

    w->looked_ns = w->awake_ns;
    bool is_seen = look(w->pid, &state, &ticks);
    bool is_stopped = is_seen && state == 'T';
    if (is_stopped && !w->is_stopped)
        w->stopped_ns = w->awake_ns;
    w->is_stopped = is_stopped;
    if (ticks != w->ticks)
        w->alive_ns = w->awake_ns;
    w->ticks = ticks;
}

bool ork_watch_is_stopped(struct ork_watch *w, uint64_t at_ns, bool has_sign, bool is_awaited)
{
    stay_awake(w, at_ns);
    if (has_sign) {
        w->alive_ns = w->awake_ns;
        w->is_stopped = false;
        return false;
    }
    if (w->awake_ns - w->looked_ns < LOOK_NS)
        return false;
    see(w);
    uint64_t patience = is_awaited ? ORK_WATCH_STOPPED_NS : ORK_WATCH_SILENT_NS;
    return (w->is_stopped && w->awake_ns - w->stopped_ns >= patience) ||
           w->awake_ns - w->alive_ns >= ORK_WATCH_SILENT_NS;
}
