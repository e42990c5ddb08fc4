/* SPDX-License-Identifier: BSD-3-Clause */
/* Which host a process is on. Several hosts may have one name, and one machine may be several hosts
 * by name, or by network namespace. */
#ifndef ORK_COMMON_HOST_H
#define ORK_COMMON_HOST_H

#include <stdbool.h>

struct ork_host {
    char name[65]; /* gethostname(2) */
    char boot[40]; /* differs between machines, and from one boot to the next; "": unknown */
    char net[40];  /* the network namespace; "": unknown */
};

/* Of this process. Unused bytes are 0. Keeps errno. */
void ork_host_read(struct ork_host *out);

/* Are all three equal? Then processes see each other's abstract sockets. */
bool ork_host_is_same(const struct ork_host *a, const struct ork_host *b);

#endif
