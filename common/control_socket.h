/* SPDX-License-Identifier: BSD-3-Clause */
/* A socket between mustrun and the root of its tool, where both are on one node. RATIONALE: what
 * they say to each other goes through the launcher's process otherwise, which gets its turn late
 * where more ranks than processors spin: just then there is something to say. */
#ifndef ORK_COMMON_CONTROL_SOCKET_H
#define ORK_COMMON_CONTROL_SOCKET_H

/* All return a descriptor, closed at exec, or -1. The caller closes it. */

/* Listen for the root of this run; nonblocking. */
int ork_control_socket_listen(const char *session);
/* Its connection, nonblocking; -1: none yet, or another user's. */
int ork_control_socket_accept(int listener);
/* Connect to this user's mustrun; -1: it is on another node, or does not listen. */
int ork_control_socket_connect(const char *session);

#endif
