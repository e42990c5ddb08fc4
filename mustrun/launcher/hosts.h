/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts that a command or a batch system names: how many there are, each counted once. */
#ifndef ORK_MUSTRUN_LAUNCHER_HOSTS_H
#define ORK_MUSTRUN_LAUNCHER_HOSTS_H

#include "mustrun/launcher/argv.h"

#include <stdbool.h>

struct ork_hosts {
    unsigned count; /* 0: none is named */
    bool is_here;   /* there is one, and it is this one */
};

/* Add the hosts of a list, "n1,n2:4,n3". */
void ork_hosts_add_list(struct ork_argv *hosts, const char *list);

/* Add the hosts of a file, of which each line begins with one. A file that cannot be read counts as
 * empty: the launcher reports it. */
void ork_hosts_add_file(struct ork_argv *hosts, const char *path);

/* Count them, and release the list. */
struct ork_hosts ork_hosts_count(struct ork_argv *hosts);

/* Those of the allocation of a batch system, by its variables. */
struct ork_hosts ork_hosts_allocated(char *const *environment);

/* A number of processes or hosts; 0: it is none, or too large. */
unsigned ork_hosts_number(const char *text);

#endif
