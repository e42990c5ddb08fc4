/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/unit.h"

#include "stack_subject.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char subject_state(const struct subject *subject)
{
    char path[64], text[256] = "";

    snprintf(path, sizeof(path), "/proc/%d/task/%u/stat", (int)subject->pid, subject->tid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    const char *end = strrchr(text, ')');
    assert_non_null(end);
    return end[2];
}

void subject_start(struct subject *subject, const char *program, const char *mode)
{
    int in[2], out[2];

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    subject->pid = fork();
    if (subject->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execl(program, program, mode, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    subject->in = in[1];
    subject->out = fdopen(out[0], "re");
    assert_non_null(subject->out);
    assert_int_equal(fscanf(subject->out, "ready %u", &subject->tid), 1);
    while (strchr("SD", subject_state(subject)) == NULL)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void subject_go(const struct subject *subject)
{
    assert_int_equal(write(subject->in, "x", 1), 1);
}

long subject_result(const struct subject *subject)
{
    long result;
    int error;

    assert_int_equal(fscanf(subject->out, " result %ld errno %d", &result, &error), 2);
    assert_int_equal(error, 0);
    return result;
}

static int wait_for(struct subject *subject)
{
    int status;

    assert_int_equal(waitpid(subject->pid, &status, 0), subject->pid);
    close(subject->in);
    fclose(subject->out);
    return status;
}

void subject_end(struct subject *subject)
{
    int status = wait_for(subject);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

void subject_kill(struct subject *subject)
{
    kill(subject->pid, SIGKILL);
    assert_true(WIFSIGNALED(wait_for(subject)));
}
