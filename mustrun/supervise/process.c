/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/process.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: the name may contain anything, so it ends at the last parenthesis. */
bool ork_process_read(pid_t pid, struct ork_process *out)
{
    struct ork_process process = {.pid = pid};
    char path[32], line[512];
    long parent;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    size_t n = fread(line, 1, sizeof(line) - 1, file);
    fclose(file);
    line[n] = '\0';
    const char *name = strchr(line, '('), *behind = strrchr(line, ')');
    if (name == NULL || behind == NULL || behind < name ||
        sscanf(behind + 1, " %c %ld", &process.state, &parent) != 2)
        return false;
    process.parent = (pid_t)parent;
    snprintf(process.name, sizeof(process.name), "%.*s", (int)(behind - name - 1), name + 1);
    *out = process;
    return true;
}

size_t ork_process_children(pid_t parent, struct ork_process *child, size_t max)
{
    DIR *proc = opendir("/proc");
    size_t count = 0;

    if (proc == NULL)
        return SIZE_MAX;
    for (struct dirent *entry = readdir(proc); entry != NULL; entry = readdir(proc)) {
        struct ork_process one;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || !ork_process_read(pid, &one) || one.parent != parent || one.state == 'Z' ||
            one.state == 'X')
            continue;
        if (count < max)
            child[count] = one;
        count++;
    }
    closedir(proc);
    return count;
}

static bool has_entry(pid_t pid, const char *entry)
{
    char path[40], *line = NULL;
    size_t size = 0;
    bool found = false;

    snprintf(path, sizeof(path), "/proc/%ld/environ", (long)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && !found && getdelim(&line, &size, '\0', file) >= 0)
        found = strcmp(line, entry) == 0;
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

bool ork_process_has_entry(const char *entry,
                           bool (*accept)(void *context, const struct ork_process *process),
                           void *context)
{
    DIR *proc = opendir("/proc");
    bool found = false;

    if (proc == NULL)
        return true;
    for (struct dirent *item = readdir(proc); item != NULL && !found; item = readdir(proc)) {
        struct ork_process one;
        pid_t pid = (pid_t)strtol(item->d_name, NULL, 10);
        found = pid > 0 && has_entry(pid, entry) && ork_process_read(pid, &one) &&
                one.state != 'Z' && one.state != 'X' && accept(context, &one);
    }
    closedir(proc);
    return found;
}
