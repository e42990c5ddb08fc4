/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/spawn.h"

#include "common/log.h"
#include "mustrun/supervise/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pipes of a child: [0] is read from, [1] written to. `exec` reports why execve() failed, and
 * closes if it did not. */
struct pipes {
    int in[2];
    int out[2];
    int err[2];
    int exec[2];
};

void ork_child_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(struct pipes *pipes)
{
    int *const ends[] = {pipes->in, pipes->out, pipes->err, pipes->exec};

    for (size_t i = 0; i < 4; i++) {
        ork_child_close(&ends[i][0]);
        ork_child_close(&ends[i][1]);
    }
}

static bool open_pipes(struct pipes *pipes, unsigned how)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->exec, O_CLOEXEC) != 0)
        return false;
    if ((how & (ORK_SPAWN_PIPES | ORK_SPAWN_INPUT)) != 0 && pipe2(pipes->in, O_CLOEXEC) != 0)
        return false;
    if ((how & ORK_SPAWN_PIPES) == 0)
        return true;
    return pipe2(pipes->out, O_CLOEXEC) == 0 && pipe2(pipes->err, O_CLOEXEC) == 0;
}

static bool use_outputs(const struct pipes *pipes)
{
    return dup2(pipes->out[1], STDOUT_FILENO) >= 0 && dup2(pipes->err[1], STDERR_FILENO) >= 0;
}

/* Which signal it gets if we die. */
static int death_signal(unsigned how)
{
    if ((how & ORK_SPAWN_KILLED) != 0)
        return SIGKILL;
    return (how & ORK_SPAWN_HANGUP) != 0 ? SIGHUP : SIGTERM;
}

/* In the child, which uses our memory until execve(). */
_Noreturn static void become(const struct ork_command *command, unsigned how, const sigset_t *mask,
                             const struct pipes *pipes, pid_t parent)
{
    const int last = death_signal(how);
    bool ok =
        prctl(PR_SET_PDEATHSIG, last) == 0 && (last == SIGKILL || signal(last, SIG_DFL) != SIG_ERR);

    if (getppid() != parent) /* it died before prctl() */
        _exit(1);
    if ((how & ORK_SPAWN_GROUP) != 0)
        ok = setpgid(0, 0) == 0 && ok;
    if ((how & (ORK_SPAWN_PIPES | ORK_SPAWN_INPUT)) != 0)
        ok = dup2(pipes->in[0], STDIN_FILENO) >= 0 && ok;
    if ((how & ORK_SPAWN_PIPES) != 0)
        ok = use_outputs(pipes) && ok;
    if ((how & ORK_SPAWN_TO_STDERR) != 0)
        ok = dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 && ok;
    ok = sigprocmask(SIG_SETMASK, mask, NULL) == 0 && ok;
    if (ok)
        execvpe(command->argv.item[0], command->argv.item, command->environment.item);
    int error = errno;
    if (write(pipes->exec[1], &error, sizeof(error)) < 0)
        _exit(2);
    _exit(1);
}

static int exec_error(const struct pipes *pipes)
{
    int error = 0;
    ssize_t n;

    do
        n = read(pipes->exec[0], &error, sizeof(error));
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof(error) ? error : 0;
}

static int keep(int *end)
{
    int fd = *end;

    *end = -1;
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static enum ork_status started(const struct ork_command *command, struct pipes *pipes,
                               struct ork_child *child)
{
    ork_child_close(&pipes->exec[1]);
    int error = exec_error(pipes);
    if (error != 0) {
        waitpid(child->pid, NULL, 0);
        child->pid = 0;
        errno = error;
        ork_error("cannot start %s: %s", command->argv.item[0], strerror(errno));
        return ORK_NOTFOUND;
    }
    child->in = keep(&pipes->in[1]);
    child->out = keep(&pipes->out[0]);
    child->err = keep(&pipes->err[0]);
    return ORK_OK;
}

/* RATIONALE: fork() would copy the tables of all our pages, for a child that never writes to them,
 * and each page that we write to afterwards. */
enum ork_status ork_spawn(const struct ork_command *command, unsigned how, const sigset_t *mask,
                          struct ork_child *child)
{
    struct pipes pipes;
    pid_t parent = getpid();
    enum ork_status status;

    *child = (struct ork_child){.in = -1, .out = -1, .err = -1};
    if (open_pipes(&pipes, how))
        child->pid = vfork();
    else
        child->pid = -1;
    if (child->pid == 0)
        become(command, how, mask, &pipes, parent);
    if (child->pid > 0) {
        status = started(command, &pipes, child);
    } else {
        status = ORK_IO;
        child->pid = 0;
        ork_error("cannot start %s: %s", command->argv.item[0], strerror(errno));
    }
    close_pipes(&pipes);
    return status;
}

bool ork_child_is_alive(const struct ork_child *child)
{
    return child->pid > 0 && !child->ended;
}

bool ork_child_reap(struct ork_child *child)
{
    if (!ork_child_is_alive(child) || waitpid(child->pid, &child->status, WNOHANG) != child->pid)
        return false;
    child->ended = true;
    return true;
}

void ork_child_signal(const struct ork_child *child, int signo)
{
    if (ork_child_is_alive(child))
        kill(child->pid, signo);
}

bool ork_child_sleeps(const struct ork_child *child)
{
    struct ork_process process;

    return ork_child_is_alive(child) && ork_process_read(child->pid, &process) &&
           process.state == 'S';
}
