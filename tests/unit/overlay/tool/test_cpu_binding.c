/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool process keeps off the cores that the ranks are bound to, and is left alone if that leaves
 * none. */
#include "overlay/tool/cpu_binding.h"
#include "tests/unit/overlay/stage/unit.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that is bound, and its parent, which ends when it does. */
struct bound {
    pid_t parent, pid;
};

_Noreturn static void be_parent(const cpu_set_t *set, int out)
{
    pid_t self = getpid(), pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == self) /* else it has ended before */
            pause();
        _exit(0);
    }
    if (pid < 0 || sched_setaffinity(pid, sizeof(*set), set) != 0 ||
        write(out, &pid, sizeof(pid)) != (ssize_t)sizeof(pid))
        _exit(1);
    pause();
    _exit(0);
}

static struct bound start_bound(const cpu_set_t *set)
{
    struct bound b;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    b.parent = fork();
    assert_true(b.parent >= 0);
    if (b.parent == 0)
        be_parent(set, ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], &b.pid, sizeof(b.pid)), sizeof(b.pid));
    close(ends[0]);
    return b;
}

static void end(struct bound b)
{
    kill(b.parent, SIGKILL); /* and then the other one */
    waitpid(b.parent, NULL, 0);
}

/* The other tests of this program are not to be bound, see CMakeLists.txt. */
enum ork_status __real_ork_cpu_binding_beside(const uint32_t *pid, uint32_t count,
                                              unsigned *processors);

/* In a process of its own. Exit code 0: it went where `pid` is not; 1: it was left alone. */
_Noreturn static void be_placed(pid_t pid, const cpu_set_t *taken)
{
    cpu_set_t before, after, both;
    uint32_t rank = (uint32_t)pid;
    unsigned processors = 0;

    sched_getaffinity(0, sizeof(before), &before);
    if (__real_ork_cpu_binding_beside(&rank, 1, &processors) != ORK_OK)
        _exit(2);
    sched_getaffinity(0, sizeof(after), &after);
    CPU_AND(&both, &after, taken);
    if (processors == 0)
        _exit(CPU_EQUAL(&before, &after) ? 1 : 3);
    _exit(CPU_COUNT(&both) == 0 && CPU_COUNT(&after) == (int)processors ? 0 : 4);
}

/* Does it go where `pid` is not (else it is left alone)? */
static bool is_placed_apart(pid_t pid, const cpu_set_t *taken)
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        be_placed(pid, taken);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static void one_that_is_not_bound_leaves_none(void **state)
{
    cpu_set_t all;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    struct bound b = start_bound(&all);
    assert_false(is_placed_apart(b.pid, &all));
    end(b);
}

static size_t first_of(const cpu_set_t *set)
{
    size_t cpu = 0;

    while (!CPU_ISSET(cpu, set))
        cpu++;
    return cpu;
}

/* Not on a machine with one core, whose threads belong together. */
static void one_that_is_bound_leaves_the_other_cores(void **state)
{
    cpu_set_t all, one;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    CPU_ZERO(&one);
    CPU_SET(first_of(&all), &one);
    struct bound b = start_bound(&one);
    bool apart = is_placed_apart(b.pid, &one);
    end(b);
    if (CPU_COUNT(&all) == 1)
        assert_false(apart);
    else if (!apart)
        skip();
}

/* Exit code 0: one of its processors is idle, or belongs to it alone; 1: none. */
_Noreturn static void look_for_idle(pid_t pid, bool is_bound)
{
    uint32_t rank = (uint32_t)pid;
    unsigned processors = 0;

    if (is_bound &&
        (__real_ork_cpu_binding_beside(&rank, 1, &processors) != ORK_OK || processors == 0))
        _exit(2);
    _exit(ork_cpu_binding_has_idle() ? 0 : 1);
}

static int exit_code_of_look(pid_t pid, bool is_bound)
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        look_for_idle(pid, is_bound);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

_Noreturn static void spin(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned i = 0;; i++)
        ;
}

/* As many processes as there are processors compute. */
static void only_its_own_processors_are_idle_beside_them(void **state)
{
    enum { MOST = 64 };
    cpu_set_t all, one;
    pid_t spinner[MOST];

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    int n = CPU_COUNT(&all);
    if (n > MOST)
        skip();
    CPU_ZERO(&one);
    CPU_SET(first_of(&all), &one);
    struct bound b = start_bound(&one);
    for (int i = 0; i < n; i++) {
        spinner[i] = fork();
        assert_true(spinner[i] >= 0);
        if (spinner[i] == 0)
            spin();
    }
    int code = exit_code_of_look(0, false), bound_code = exit_code_of_look(b.pid, true);
    for (int i = 0; i < n; i++) {
        kill(spinner[i], SIGKILL);
        waitpid(spinner[i], NULL, 0);
    }
    end(b);
    assert_int_equal(code, 1);
    assert_true(bound_code == 0 || bound_code == 2); /* 2: it can have none of its own */
}

/* Exit code 0: with the first of the two alone it went elsewhere, with both it went back. */
_Noreturn static void be_placed_twice(const uint32_t *pid)
{
    cpu_set_t before, after;
    unsigned processors = 0;

    sched_getaffinity(0, sizeof(before), &before);
    if (__real_ork_cpu_binding_beside(pid, 1, &processors) != ORK_OK || processors == 0)
        _exit(1);
    if (__real_ork_cpu_binding_beside(pid, 2, &processors) != ORK_OK || processors != 0)
        _exit(2);
    sched_getaffinity(0, sizeof(after), &after);
    _exit(CPU_EQUAL(&before, &after) ? 0 : 3);
}

static void one_that_comes_later_takes_back_what_the_first_left(void **state)
{
    cpu_set_t all, one, others;
    int status;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    if (CPU_COUNT(&all) == 1)
        skip();
    CPU_ZERO(&one);
    CPU_SET(first_of(&all), &one);
    CPU_XOR(&others, &all, &one);
    struct bound a = start_bound(&one), b = start_bound(&others);
    const uint32_t pid[] = {(uint32_t)a.pid, (uint32_t)b.pid};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        be_placed_twice(pid);
    assert_int_equal(waitpid(child, &status, 0), child);
    end(a);
    end(b);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 1) /* the others are hardware threads of the same core */
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

int test_cpu_binding(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_not_bound_leaves_none),
        cmocka_unit_test(one_that_is_bound_leaves_the_other_cores),
        cmocka_unit_test(one_that_comes_later_takes_back_what_the_first_left),
        cmocka_unit_test(only_its_own_processors_are_idle_beside_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
