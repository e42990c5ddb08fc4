/* SPDX-License-Identifier: BSD-3-Clause */
/* timed LOG NAME COMMAND...: run the command, and append a line to the file LOG: the name, the
 * seconds it took, and the seconds of processor time, user and system, of the processes that it
 * waited for. Ends as the command does. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int append(const char *path, const char *name, double wall, const struct rusage *used)
{
    char line[512];
    int size = snprintf(line, sizeof(line), "%s %.3f %.3f %.3f\n", name, wall,
                        seconds(used->ru_utime), seconds(used->ru_stime));
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || size >= (int)sizeof(line) || write(file, line, (size_t)size) != size)
        return -1;
    return close(file);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: timed LOG NAME COMMAND...\n", stderr);
        return 64;
    }
    double begin = now();
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[3], argv + 3);
        fprintf(stderr, "timed: cannot run %s: %s\n", argv[3], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage used;
    if (pid < 0 || wait4(pid, &status, 0, &used) < 0 ||
        append(argv[1], argv[2], now() - begin, &used) != 0) {
        perror("timed");
        return 70;
    }
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
