/* SPDX-License-Identifier: BSD-3-Clause */
/* The address at which the ranks of one host find a leaf: an abstract one, which any user of the
 * host may bind first, and which /proc/net/unix shows to all once it is bound. So it is a keyed
 * hash of the run, the leaf's number and the host (host.h); the key is the token of the run, which
 * only the user's own processes know. Other users can neither find an address that is not bound
 * yet, nor which run, leaf or host it belongs to. */
#ifndef ORK_COMMON_LEAF_ADDRESS_H
#define ORK_COMMON_LEAF_ADDRESS_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Of leaf `number` (from 0) of a run on this host; session and token: see session.h. Returns the
 * size of the address; 0: the session's name is too long. */
socklen_t ork_leaf_address(const char *session, const char *token, uint32_t number,
                           struct sockaddr_un *address);

#endif
