/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes of mustrun: started, signalled, reaped. */
#ifndef ORK_MUSTRUN_SUPERVISE_SPAWN_H
#define ORK_MUSTRUN_SUPERVISE_SPAWN_H

#include "common/status.h"
#include "mustrun/launcher/command.h"

#include <signal.h>
#include <sys/types.h>

struct ork_child {
    pid_t pid;  /* 0: never started */
    bool ended; /* reaped; `status` is wait()'s */
    int status;
    int in; /* our ends of its pipes, -1: none. Nonblocking */
    int out;
    int err;
};

enum {
    ORK_SPAWN_PIPES = 1,   /* stdin, stdout and stderr are pipes to us, else inherited */
    ORK_SPAWN_INPUT = 4,   /* stdin is a pipe to us, the others are inherited */
    ORK_SPAWN_GROUP = 2,   /* a process group of its own: the terminal's Ctrl-C does not reach it */
    ORK_SPAWN_KILLED = 8,  /* if we die, it is killed, even if it is stopped */
    ORK_SPAWN_HANGUP = 16, /* if we die, it gets SIGHUP */
    ORK_SPAWN_TO_STDERR = 32, /* stdout is our stderr */
};

/* Start a command, found by PATH, with this signal mask. It gets SIGTERM if we die, unless `how`
 * asks for another signal. Failures are reported on stderr: ORK_IO, or ORK_NOTFOUND if the program
 * cannot be executed. */
enum ork_status ork_spawn(const struct ork_command *command, unsigned how, const sigset_t *mask,
                          struct ork_child *child);

/* Reap it if it has ended; returns whether that happened now. */
bool ork_child_reap(struct ork_child *child);

/* Is it started and not yet reaped? */
bool ork_child_is_alive(const struct ork_child *child);

/* Send a signal if it is alive. */
void ork_child_signal(const struct ork_child *child, int signo);

/* Does it sleep in the kernel now? False if it runs, waits for a processor or is stopped. */
bool ork_child_sleeps(const struct ork_child *child);

void ork_child_close(int *fd);

#endif
