/* SPDX-License-Identifier: BSD-3-Clause */
/* The abstract unix socket on which a run answers requests. */
#ifndef ORK_COMMON_LIVE_ADDRESS_H
#define ORK_COMMON_LIVE_ADDRESS_H

#include "common/status.h"

#include <sys/socket.h>
#include <sys/un.h>

/* The user's id and the name of the run. */
#define ORK_LIVE_FORMAT "orknot-live-%u-%s"

/* The address of a run of this user; its first byte is NUL. ORK_INVALID: the name is too long. */
enum ork_status ork_live_address(const char *session, struct sockaddr_un *address, socklen_t *size);

#endif
