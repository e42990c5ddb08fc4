/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/wakeup.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* An abstract address: user, process. */
#define FORMAT "orknot-bell-%u-%u"
/* Signals that are discarded at once. */
enum { SIGNALS = 1024 };

static socklen_t write_address(uint32_t pid, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, FORMAT,
                     (unsigned)getuid(), pid);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

int ork_wakeup_open(void)
{
    struct sockaddr_un address;
    socklen_t size = write_address((uint32_t)getpid(), &address);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) == 0)
        return fd;
    close(fd);
    return -1;
}

void ork_wakeup_signal(int own, uint32_t pid)
{
    struct sockaddr_un address;
    socklen_t size = write_address(pid, &address);

    if (own >= 0)
        sendto(own, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, size);
}

void ork_wakeup_clear(int own)
{
    char c;

    /* RATIONALE: any user can send, again and again. The caller looks for work anyway, so it does
     * not matter whether a signal is left. */
    for (unsigned i = 0; own >= 0 && i < SIGNALS && recv(own, &c, 1, MSG_DONTWAIT) >= 0; i++)
        ;
}
