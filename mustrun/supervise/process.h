/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel says of processes of this node, by their id. */
#ifndef ORK_MUSTRUN_SUPERVISE_PROCESS_H
#define ORK_MUSTRUN_SUPERVISE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ork_process {
    pid_t pid, parent;
    char state;    /* the letter of proc(5): 'S' sleeps, 'T' is stopped, 'Z' is a zombie */
    char name[16]; /* the first characters of its program's name, or what it calls itself */
};

/* False: there is no such process. */
bool ork_process_read(pid_t pid, struct ork_process *out);

/* The children of `parent` that are no zombies: the first `max` of them to `child`. Returns how
 * many there are; SIZE_MAX: unknown. */
size_t ork_process_children(pid_t parent, struct ork_process *child, size_t max);

/* Is there a process of this user that began with the entry "NAME=value" in its environment, and
 * whose program `accept` takes? Zombies have none. */
bool ork_process_has_entry(const char *entry,
                           bool (*accept)(void *context, const struct ork_process *process),
                           void *context);

#endif
