/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/control_socket.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* An abstract address. */
#define FORMAT "orknot-direct-%u-%s"

/* 0: the session's name is too long. */
static socklen_t write_address(const char *session, struct sockaddr_un *address)
{
    size_t room = sizeof(address->sun_path) - 1;

    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path + 1, room, FORMAT, (unsigned)getuid(), session);
    if (n < 0 || (size_t)n >= room)
        return 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* RATIONALE: the first process that binds such an address owns it. */
static int only_ours(int fd, pid_t *process)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (fd < 0)
        return -1;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != getuid()) {
        close(fd);
        return -1;
    }
    *process = peer.pid;
    return fd;
}

int ork_control_socket_listen(const char *session)
{
    struct sockaddr_un address;
    socklen_t size = write_address(session, &address);
    int fd = size == 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || (bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 1) == 0))
        return fd;
    close(fd);
    return -1;
}

int ork_control_socket_accept(int listener, pid_t *root)
{
    return only_ours(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), root);
}

int ork_control_socket_connect(const char *session)
{
    struct sockaddr_un address;
    socklen_t size = write_address(session, &address);
    int fd = size == 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pid_t mustrun;

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, size) == 0)
        return only_ours(fd, &mustrun);
    close(fd);
    return -1;
}
