/* SPDX-License-Identifier: BSD-3-Clause */
/* A socket between mustrun and the root of its tool, if both are on one node. RATIONALE: otherwise
 * their messages pass through the launcher's process, which gets its turn late if more ranks than
 * processors spin: just when there is something to report. */
#ifndef ORK_COMMON_CONTROL_SOCKET_H
#define ORK_COMMON_CONTROL_SOCKET_H

#include <sys/types.h>

/* All return a descriptor, closed at exec, or -1. The caller closes it. */

/* Listen for the root of this run; nonblocking. */
int ork_control_socket_listen(const char *session);
/* Its connection, nonblocking, and its process id (0 if it is in another PID namespace); -1: none
 * yet, or from another user, and *root is untouched. */
int ork_control_socket_accept(int listener, pid_t *root);
/* Connect to this user's mustrun; -1: it is on another node, or does not listen. */
int ork_control_socket_connect(const char *session);

#endif
