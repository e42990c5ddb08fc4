/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/wakeup.h"

#include "tests/unit/overlay/stage/unit.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_readable(int fd, int limit_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, limit_ms) == 1;
}

static void another_process_rings(void **state)
{
    (void)state;
    int bell = ork_wakeup_open();
    uint32_t own = (uint32_t)getpid();

    assert_true(bell >= 0);
    assert_false(is_readable(bell, 0));
    pid_t child = fork();
    if (child == 0) {
        int its = ork_wakeup_open();
        ork_wakeup_signal(its, own);
        ork_wakeup_signal(its, own);
        _exit(its < 0);
    }
    assert_true(is_readable(bell, 10000));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ork_wakeup_clear(bell); /* both */
    assert_false(is_readable(bell, 0));
    close(bell);
}

static void who_has_none_is_not_waited_for(void **state)
{
    (void)state;
    int bell = ork_wakeup_open();

    ork_wakeup_signal(bell, UINT32_MAX);
    ork_wakeup_signal(-1, (uint32_t)getpid());
    ork_wakeup_clear(-1);
    assert_false(is_readable(bell, 0));
    assert_int_equal(ork_wakeup_open(), -1); /* one for each process */
    close(bell);
}

/* Far more than a socket holds. */
static void a_bell_that_nobody_hears_holds_nobody_up(void **state)
{
    (void)state;
    int bell = ork_wakeup_open();

    for (unsigned i = 0; i < 100000; i++)
        ork_wakeup_signal(bell, (uint32_t)getpid());
    assert_true(is_readable(bell, 0));
    ork_wakeup_clear(bell);
    assert_false(is_readable(bell, 0));
    close(bell);
}

int test_wakeup(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_process_rings),
        cmocka_unit_test(who_has_none_is_not_waited_for),
        cmocka_unit_test(a_bell_that_nobody_hears_holds_nobody_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
