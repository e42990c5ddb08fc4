/* SPDX-License-Identifier: BSD-3-Clause */
/* Is another process stopped for good? watch.c. Time is what the test says. */
#include "common/watch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static pid_t child;

/* A child that does nothing; `sig`: what it gets, and the state that the test waits for. */
static void start(void)
{
    child = fork();
    assert_true(child >= 0);
    while (child == 0)
        pause();
}

static void stop(void)
{
    int status;

    assert_int_equal(kill(child, SIGSTOP), 0);
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
}

static void end(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Look every 20 ms, for `ms` of them. How often was it found to be stopped? */
static unsigned look_for(struct ork_watch *w, uint64_t *at, uint64_t ms, bool has_sign,
                         bool is_awaited)
{
    unsigned found = 0;

    for (uint64_t i = 0; i < ms; i += 20) {
        *at += 20 * MS;
        found += ork_watch_is_stopped(w, *at, has_sign, is_awaited);
    }
    return found;
}

static void a_stopped_process_is_found_when_it_is_waited_for(void **state)
{
    uint64_t at = 1;

    (void)state;
    start();
    struct ork_watch w = {.pid = (uint32_t)child};
    stop();
    assert_int_equal(look_for(&w, &at, 1900, false, true), 0);
    assert_true(look_for(&w, &at, 300, false, true) > 0);
    end();
}

static void a_stopped_process_that_nobody_waits_for_is_given_more_time(void **state)
{
    uint64_t at = 1;

    (void)state;
    start();
    struct ork_watch w = {.pid = (uint32_t)child};
    stop();
    assert_int_equal(look_for(&w, &at, 29000, false, false), 0);
    assert_true(look_for(&w, &at, 2000, false, false) > 0);
    end();
}

static void a_process_that_sleeps_is_found_only_after_long_silence(void **state)
{
    uint64_t at = 1;

    (void)state;
    start();
    struct ork_watch w = {.pid = (uint32_t)child};
    assert_int_equal(look_for(&w, &at, 29000, false, true), 0);
    assert_int_equal(look_for(&w, &at, 20, true, true), 0);
    assert_int_equal(look_for(&w, &at, 29000, false, true), 0);
    assert_true(look_for(&w, &at, 2000, false, true) > 0);
    end();
}

static void a_process_that_continues_is_not_stopped(void **state)
{
    uint64_t at = 1;
    int status;

    (void)state;
    start();
    struct ork_watch w = {.pid = (uint32_t)child};
    for (int i = 0; i < 5; i++) {
        stop();
        assert_int_equal(look_for(&w, &at, 1500, false, true), 0);
        kill(child, SIGCONT);
        assert_int_equal(waitpid(child, &status, WCONTINUED), child);
        assert_int_equal(look_for(&w, &at, 200, false, true), 0);
    }
    end();
}

/* The watching process was stopped itself, or got no processor: that is one look. */
static void time_in_which_the_watching_process_did_not_run_does_not_count(void **state)
{
    uint64_t at = 1;

    (void)state;
    start();
    struct ork_watch w = {.pid = (uint32_t)child};
    stop();
    for (int i = 0; i < 10; i++) {
        at += 3600000 * MS;
        assert_false(ork_watch_is_stopped(&w, at, false, true));
    }
    end();
}

static void a_process_that_cannot_be_seen_is_judged_by_its_signs(void **state)
{
    struct ork_watch w = {.pid = 0};
    uint64_t at = 1;

    (void)state;
    assert_int_equal(look_for(&w, &at, 29000, false, true), 0);
    assert_true(look_for(&w, &at, 2000, false, true) > 0);
}

int test_watch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_process_is_found_when_it_is_waited_for),
        cmocka_unit_test(a_stopped_process_that_nobody_waits_for_is_given_more_time),
        cmocka_unit_test(a_process_that_sleeps_is_found_only_after_long_silence),
        cmocka_unit_test(a_process_that_continues_is_not_stopped),
        cmocka_unit_test(time_in_which_the_watching_process_did_not_run_does_not_count),
        cmocka_unit_test(a_process_that_cannot_be_seen_is_judged_by_its_signs),
    };

    return cmocka_run_group_tests_name("common.watch", tests, NULL, NULL);
}
