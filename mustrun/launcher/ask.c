/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/ask.h"

#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Between two looks whether it has ended. */
enum { ASK_PAUSE_MS = 20 };

static int64_t now_ms(void)
{
    return (int64_t)(ork_monotonic_ns() / 1000000);
}

/* In the new process. It never returns. */
static void become(char *const *words, int out)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setpgid(0, 0);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(nothing, STDERR_FILENO) >= 0)
        execvp(words[0], words);
    _exit(127);
}

/* Has it ended? It is not reaped yet. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Until the end of the output, of the process, or of the time. Returns the number of bytes kept.
 * RATIONALE: a process that a script has left behind may keep the output open. */
static size_t read_answer(pid_t pid, int fd, int64_t limit, char *answer, size_t room)
{
    char rest[512];
    size_t size = 0;

    for (int64_t left = limit - now_ms(); left > 0; left = limit - now_ms()) {
        struct pollfd in = {.fd = fd, .events = POLLIN};
        bool is_over = has_ended(pid); /* before the look: then all that it has written is there */
        int ready = poll(&in, 1, is_over ? 0 : left < ASK_PAUSE_MS ? (int)left : ASK_PAUSE_MS);
        if ((ready < 0 && errno != EINTR) || (ready == 0 && is_over))
            break;
        if (ready <= 0)
            continue;
        size_t left_room = room - 1 - size;
        ssize_t n = read(fd, left_room > 0 ? answer + size : rest,
                         left_room > 0 ? left_room : sizeof(rest));
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        size += n > 0 && left_room > 0 ? (size_t)n : 0;
    }
    answer[size] = '\0';
    return size;
}

/* Its output has ended, or its time. False: it does not end. */
static bool end(pid_t pid, int64_t limit)
{
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        if (now_ms() >= limit) {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

enum ork_status ork_ask(char *const *words, char *answer, size_t room)
{
    int fd[2];

    answer[0] = '\0';
    if (pipe2(fd, O_CLOEXEC) != 0)
        return ORK_NOTFOUND;
    const int64_t limit = now_ms() + ORK_ASK_LIMIT;
    pid_t pid = fork();
    if (pid == 0)
        become(words, fd[1]);
    close(fd[1]);
    size_t size = pid > 0 ? read_answer(pid, fd[0], limit, answer, room) : 0;
    close(fd[0]);
    if (pid > 0 && !end(pid, limit))
        return ORK_AGAIN;
    return size > 0 ? ORK_OK : ORK_NOTFOUND;
}

enum ork_status ork_launcher_ask(const char *path, char answer[ORK_ASK_ANSWER])
{
    char *const words[] = {(char *)(uintptr_t)path, (char[]){"--version"}, NULL};

    return ork_ask(words, answer, ORK_ASK_ANSWER);
}
