/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a process cannot be inspected. */
#include "overlay/stacktrace/stack_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number in a file of /proc, after the word `key`; -1: not found. */
static long number_in(const char *path, const char *key)
{
    char line[256];
    long number = -1;
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return -1;
    while (number < 0 && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            number = strtol(line + strlen(key), NULL, 10);
    fclose(file);
    return number;
}

void ork_stack_walk_explain(const struct ork_walk *walk, int error)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/task/%u/status", walk->pid, walk->tid);
    long tracer = number_in(path, "TracerPid:");
    long user = number_in(path, "Uid:");
    long scope = number_in("/proc/sys/kernel/yama/ptrace_scope", "");
    if (user < 0 || error == ESRCH || error == ENOENT)
        snprintf(walk->reason, walk->reason_size, "process %u has ended", walk->pid);
    else if (tracer > 0)
        snprintf(walk->reason, walk->reason_size,
                 "process %u is traced by process %ld, perhaps a debugger", walk->pid, tracer);
    else if (user != (long)geteuid() && geteuid() != 0)
        snprintf(walk->reason, walk->reason_size, "process %u belongs to another user", walk->pid);
    else if (scope > 0)
        snprintf(walk->reason, walk->reason_size,
                 "the kernel does not allow the tool to inspect process %u "
                 "(kernel.yama.ptrace_scope is %ld)",
                 walk->pid, scope);
    else
        snprintf(walk->reason, walk->reason_size,
                 "the kernel does not allow the tool to inspect process %u (%s)", walk->pid,
                 strerror(error));
}
