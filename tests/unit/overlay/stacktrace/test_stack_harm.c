/* SPDX-License-Identifier: BSD-3-Clause */
/* What taking a stack does to a process: nothing; and why there may be none. */
#include "tests/unit/overlay/stage/unit.h"

#include "stack_stage.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static void take_often(int times)
{
    for (int i = 0; i < times; i++) {
        enum ork_status status = take();
        assert_true(status == ORK_OK || status == ORK_DENIED);
    }
}

static void a_sleep_lasts_as_long_as_it_would(void **state)
{
    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "sleep");
    take_often(20);
    assert_true(subject_result(&subject) >= 1000);
    subject_end(&subject);
}

static void a_call_that_any_stop_would_break_off_goes_on(void **state)
{
    (void)state;
#ifndef __x86_64__
    skip();
#endif
    subject_start(&subject, ORK_STACK_LINES, "epoll");
    take_often(20);
    finish();
}

static void blocked_signals_stay_blocked_and_pending(void **state)
{
    (void)state;
    start_and_take(ORK_STACK_LINES, "masked");
    assert_frame(0, "stack_subject.c", "innermost", false);
    take_often(20);
    subject_go(&subject);
    assert_int_equal(subject_result(&subject), 1);
    assert_int_equal(subject_result(&subject), 1); /* still pending */
    subject_end(&subject);
}

/* Queued signals at every moment of a stop. */
static pid_t send_signals(int count)
{
    pid_t sender = fork();

    if (sender != 0)
        return sender;
    for (int i = 0; i < count; i++) {
        while (kill(subject.pid, SIGRTMIN) != 0) /* the queue is full */
            sched_yield();
        for (volatile int k = 0; k < 2000; k++)
            ;
    }
    _exit(0);
}

static void no_signal_is_lost_or_delivered_twice(void **state)
{
    enum { SIGNALS = 100000 };
    int rounds = 0;

    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "counting");
    pid_t sender = send_signals(SIGNALS);
    for (; waitpid(sender, NULL, WNOHANG) == 0; rounds++)
        assert_int_equal(take(), ORK_OK);
    assert_true(rounds > 10);
    subject_go(&subject);
    assert_int_equal(subject_result(&subject), 1);
    assert_int_equal(subject_result(&subject), SIGNALS);
    subject_end(&subject);
}

static void await_state(char letter)
{
    while (subject_state(&subject) != letter)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void a_stopped_process_stays_stopped(void **state)
{
    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "nested");
    kill(subject.pid, SIGSTOP);
    await_state('T');
    for (int i = 0; i < 5; i++) {
        assert_int_equal(take(), ORK_OK);
        assert_frame(0, "stack_subject.c", "innermost", false);
        await_state('T');
    }
    subject_go(&subject);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    assert_int_equal(subject_state(&subject), 'T');
    kill(subject.pid, SIGCONT);
    assert_int_equal(subject_result(&subject), 1);
    subject_end(&subject);
}

static void a_process_that_dies_meanwhile_is_no_harm(void **state)
{
    (void)state;
    for (long delay = 0; delay < 2000000; delay += 100000) {
        subject_start(&subject, ORK_STACK_LINES, "nested");
        pid_t killer = fork();
        if (killer == 0) {
            nanosleep(&(struct timespec){.tv_nsec = delay}, NULL);
            kill(subject.pid, SIGKILL);
            _exit(0);
        }
        take_often(10);
        assert_int_equal(waitpid(killer, NULL, 0), killer);
        subject_kill(&subject);
    }
}

/* ---- no stack ---- */

static void assert_denied(enum ork_status status, const char *why)
{
    assert_int_equal(status, ORK_DENIED);
    assert_int_equal(stack.num_frames, 0);
    assert_int_equal(stack.num_inside, 0);
    if (strstr(stack.reason, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", stack.reason, why);
}

static void a_dead_process_is_gone(void **state)
{
    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "nested");
    subject_kill(&subject);
    assert_denied(take(), "has ended");
}

static void a_process_of_no_number_is_of_another_namespace(void **state)
{
    (void)state;
    assert_denied(ork_stack_take(stacks, 0, 0, &limits, &stack), "namespace");
}

/* The number of the thread may come from a memory that the application can write. */
static void a_thread_of_another_process_is_not_touched(void **state)
{
    struct subject other;

    (void)state;
    subject_start(&other, ORK_STACK_LINES, "nested");
    subject_start(&subject, ORK_STACK_LINES, "nested");
    assert_denied(ork_stack_take(stacks, (uint32_t)subject.pid, other.tid, &limits, &stack),
                  "has ended");
    subject_kill(&other);
    finish();
}

static void a_process_in_a_debugger_is_left_to_it(void **state)
{
    int ready[2];
    char byte;

    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "nested");
    assert_int_equal(pipe(ready), 0);
    pid_t debugger = fork();
    if (debugger == 0) {
        if (ptrace(PTRACE_SEIZE, subject.pid, NULL, NULL) == 0 && write(ready[1], "x", 1) == 1)
            pause();
        _exit(0);
    }
    close(ready[1]);
    ssize_t got = read(ready[0], &byte, 1);
    close(ready[0]);
    if (got != 1) { /* the kernel lets no process look into its brother */
        waitpid(debugger, NULL, 0);
        finish();
        skip();
    }
    enum ork_status status = take();
    kill(debugger, SIGKILL);
    waitpid(debugger, NULL, 0);
    assert_denied(status, "is traced by process");
    finish();
}

static void a_process_that_cannot_be_stopped_is_let_go_in_time(void **state)
{
    const struct ork_stack_limits short_time = {.frames = FRAMES, .milliseconds = 100};

    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "vfork");
    assert_int_equal(subject_state(&subject), 'D');
    enum ork_status status =
        ork_stack_take(stacks, (uint32_t)subject.pid, subject.tid, &short_time, &stack);
    assert_denied(status, "did not stop");
    subject_go(&subject);
    assert_int_equal(subject_result(&subject), 1);
    finish();
}

/* Run as an ordinary user: 1 if all of it holds. */
static void as_nobody(bool (*check)(void))
{
    int status;

    if (geteuid() != 0)
        skip();
    pid_t child = fork();
    if (child == 0) {
        bool ready = setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
        _exit(ready && check() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool is_denied(const char *why)
{
    return take() == ORK_DENIED && stack.num_frames == 0 && strstr(stack.reason, why) != NULL;
}

static bool is_of_another_user(void)
{
    return is_denied("belongs to another user");
}

static void a_process_of_another_user_is_denied(void **state)
{
    (void)state;
    subject_start(&subject, ORK_STACK_LINES, "nested");
    as_nobody(is_of_another_user);
    finish();
}

static bool does_not_let_itself_be_looked_into(void)
{
    subject_start(&subject, ORK_STACK_LINES, "closed");
    bool denied = is_denied("does not allow the tool to inspect process");
    subject_kill(&subject);
    return denied;
}

static void a_process_that_closed_itself_is_denied(void **state)
{
    (void)state;
    if (geteuid() == 0 && access(ORK_STACK_LINES, X_OK) != 0)
        skip();
    as_nobody(does_not_let_itself_be_looked_into);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stack_set_up, stack_tear_down)

int test_stack_harm(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_sleep_lasts_as_long_as_it_would),
        CASE(a_call_that_any_stop_would_break_off_goes_on),
        CASE(blocked_signals_stay_blocked_and_pending),
        CASE(no_signal_is_lost_or_delivered_twice),
        CASE(a_stopped_process_stays_stopped),
        CASE(a_process_that_dies_meanwhile_is_no_harm),
        CASE(a_dead_process_is_gone),
        CASE(a_process_of_no_number_is_of_another_namespace),
        CASE(a_thread_of_another_process_is_not_touched),
        CASE(a_process_in_a_debugger_is_left_to_it),
        CASE(a_process_that_cannot_be_stopped_is_let_go_in_time),
        CASE(a_process_of_another_user_is_denied),
        CASE(a_process_that_closed_itself_is_denied),
    };

    signal(SIGPIPE, SIG_IGN); /* a subject that ended too early fails one test only */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
