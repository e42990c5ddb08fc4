/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/effort.h"

#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A child whose first thread is inside a call. */
struct rank {
    pid_t child;
    struct ork_ring *ring;
};

static void *compute(void *unused)
{
    volatile unsigned long n = 0;

    (void)unused;
    for (;;)
        n = n + 1;
    return NULL;
}

static void spin(void *unused)
{
    pthread_t second;

    (void)unused;
    pthread_create(&second, NULL, compute, NULL);
}

static void sleep_on(void *unused)
{
    (void)unused;
}

static struct rank rank_that(void (*life)(void *))
{
    struct rank r = {peer_child(life, NULL, 0), aligned_alloc(4096, sizeof(*r.ring))};

    assert_non_null(r.ring);
    memset((void *)r.ring, 0, offsetof(struct ork_ring, slot));
    r.ring->pid = 1; /* as in a PID namespace of its own */
    atomic_store(&r.ring->threads, 1);
    atomic_store(&r.ring->thread[0].tid, 1);
    atomic_store(&r.ring->thread[0].word, ORK_STATE_BLOCKED);
    return r;
}

static struct ork_effort effort_of(const struct rank *r)
{
    return ork_effort_of((uint32_t)r->child, r->ring);
}

static void end(struct rank *r)
{
    peer_end(r->child);
    free(r->ring);
}

/* Until it is so: the child has to get a processor. */
static void await(const struct rank *r, bool sleeps)
{
    while (effort_of(r).sleeps != sleeps)
        usleep(1000);
}

static void a_rank_that_waits_in_the_kernel_sleeps(void **state)
{
    struct rank r = rank_that(sleep_on);

    (void)state;
    await(&r, true);
    struct ork_effort before;
    do { /* falling asleep takes time, too */
        before = effort_of(&r);
        usleep(20000);
    } while (effort_of(&r).inside_ns != before.inside_ns);
    assert_true(before.inside_ns > 0);
    end(&r);
}

static void a_rank_that_is_stopped_does_not_sleep(void **state)
{
    struct rank r = rank_that(sleep_on);

    (void)state;
    await(&r, true);
    assert_int_equal(kill(r.child, SIGSTOP), 0);
    await(&r, false);
    while (!effort_of(&r).is_halted)
        usleep(1000);
    assert_false(effort_of(&r).is_runnable);
    assert_int_equal(kill(r.child, SIGCONT), 0);
    await(&r, true);
    assert_false(effort_of(&r).is_halted);
    end(&r);
}

/* Nor counts the processor time of a thread that is not inside a call. */
static void a_rank_with_a_thread_at_work_does_not_sleep(void **state)
{
    struct rank r = rank_that(spin);

    (void)state;
    await(&r, false);
    for (int i = 0; i < 20; i++) {
        usleep(5000);
        assert_false(effort_of(&r).sleeps);
    }
    uint64_t before = effort_of(&r).inside_ns;
    usleep(100000);
    assert_true(effort_of(&r).inside_ns - before < 50000000);
    end(&r);
}

static void the_time_of_a_thread_inside_counts(void **state)
{
    struct rank r = {getpid(), aligned_alloc(4096, sizeof(*r.ring))};

    (void)state;
    assert_non_null(r.ring);
    memset((void *)r.ring, 0, offsetof(struct ork_ring, slot));
    atomic_store(&r.ring->threads, 1);
    atomic_store(&r.ring->thread[0].tid, (uint32_t)getpid());
    assert_true(effort_of(&r).inside_ns == 0); /* it is not inside */
    atomic_store(&r.ring->thread[0].word, ORK_STATE_BLOCKED);
    uint64_t before = effort_of(&r).inside_ns;
    assert_true(before > 0);
    for (int i = 0; i < 100000 && effort_of(&r).inside_ns - before < 20000000; i++) {
        /* works */
    }
    assert_true(effort_of(&r).inside_ns - before >= 20000000);
    assert_false(effort_of(&r).sleeps);
    assert_true(effort_of(&r).is_runnable);
    free(r.ring);
}

/* With a child that works on the same one, until it is killed. */
static pid_t share_a_processor(void)
{
    cpu_set_t first;
    int cpu = sched_getcpu();

    CPU_ZERO(&first);
    CPU_SET(cpu < 0 ? 0 : (unsigned)cpu, &first);
    assert_int_equal(sched_setaffinity(0, sizeof(first), &first), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    while (child == 0)
        sched_yield();
    return child;
}

/* It sleeps again and again, as for a page of its memory. */
static void a_thread_that_waits_does_not_look(void **state)
{
    struct rank r = {getpid(), aligned_alloc(4096, sizeof(*r.ring))};

    (void)state;
    assert_non_null(r.ring);
    memset((void *)r.ring, 0, offsetof(struct ork_ring, slot));
    atomic_store(&r.ring->threads, 1);
    atomic_store(&r.ring->thread[0].tid, (uint32_t)getpid());
    atomic_store(&r.ring->thread[0].word, ORK_STATE_BLOCKED);
    struct ork_effort before = effort_of(&r);
    for (int i = 0; i < 200; i++)
        usleep(100);
    assert_true(effort_of(&r).yields - before.yields < 100);
    free(r.ring);
}

/* It looks, and gives the processor up, as a library does that waits on a loaded machine. */
static void looks_that_yield_are_counted(void **state)
{
    struct rank r = {getpid(), aligned_alloc(4096, sizeof(*r.ring))};

    (void)state;
    assert_non_null(r.ring);
    memset((void *)r.ring, 0, offsetof(struct ork_ring, slot));
    atomic_store(&r.ring->threads, 1);
    atomic_store(&r.ring->thread[0].tid, (uint32_t)getpid());
    atomic_store(&r.ring->thread[0].word, ORK_STATE_BLOCKED);
    pid_t other = share_a_processor();
    struct ork_effort before = effort_of(&r), after;
    do {
        sched_yield();
        after = effort_of(&r);
    } while (after.yields < before.yields + 20);
    peer_end(other);
    assert_true(after.waited_ns >= before.waited_ns);
    assert_true(after.inside_ns > before.inside_ns);
    free(r.ring);
}

static void of_a_process_that_is_gone_nothing_is_known(void **state)
{
    struct rank r = rank_that(sleep_on);

    (void)state;
    peer_end(r.child);
    assert_true(effort_of(&r).inside_ns == 0);
    assert_false(effort_of(&r).sleeps);
    atomic_store(&r.ring->threads, UINT32_MAX);
    assert_false(effort_of(&r).sleeps);
    free(r.ring);
}

int test_effort(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_waits_in_the_kernel_sleeps),
        cmocka_unit_test(a_rank_that_is_stopped_does_not_sleep),
        cmocka_unit_test(a_rank_with_a_thread_at_work_does_not_sleep),
        cmocka_unit_test(the_time_of_a_thread_inside_counts),
        cmocka_unit_test(a_thread_that_waits_does_not_look),
        cmocka_unit_test(looks_that_yield_are_counted),
        cmocka_unit_test(of_a_process_that_is_gone_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
