/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/live_address.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum ork_status ork_live_address(const char *session, struct sockaddr_un *address, socklen_t *size)
{
    size_t room = sizeof(address->sun_path) - 1;

    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    int n = snprintf(address->sun_path + 1, room, ORK_LIVE_FORMAT, (unsigned)geteuid(), session);
    if (n < 0 || (size_t)n >= room)
        return ORK_INVALID;
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return ORK_OK;
}
