/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/threads.h"

#include "peer.h"
#include "unit.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Children that have one thread beside the first; how many strange ones the leaf sees is told by
 * its kind. Their own first threads are known, as if they had called MPI. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *compute(void *unused)
{
    volatile unsigned long n = 0;

    (void)unused;
    for (;;)
        n = n + 1;
    return NULL;
}

static void *sleep_on(void *unused)
{
    (void)unused;
    for (;;)
        sleep(100);
    return NULL;
}

static void *wait_for_a_signal(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    return NULL;
}

static void *wait_for_a_time(void *unused)
{
    struct timespec end;

    (void)unused;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 100;
    pthread_mutex_lock(&lock);
    while (pthread_cond_timedwait(&never, &lock, &end) == 0) {
        /* woken for nothing */
    }
    return NULL;
}

struct life {
    void *(*second)(void *);
};

static void live(void *argument)
{
    const struct life *life = argument;
    pthread_t second;

    pthread_create(&second, NULL, life->second, NULL);
}

/* Ask until the answer stays what it should be: the child's thread may have just been born. */
static uint32_t strange_in(pid_t child, const struct ork_ring *ring, uint32_t expected)
{
    uint32_t n = UINT32_MAX;

    for (int i = 0; i < 500 && n != expected; i++) {
        usleep(2000);
        n = ork_threads_strange((uint32_t)child, ring);
    }
    usleep(20000);
    return ork_threads_strange((uint32_t)child, ring);
}

static struct ork_ring *ring_of(pid_t child)
{
    struct ork_ring *ring = aligned_alloc(4096, sizeof(*ring));

    assert_non_null(ring);
    for (size_t i = 0; i < offsetof(struct ork_ring, slot); i++)
        ((volatile char *)ring)[i] = 0;
    atomic_store(&ring->any_thread, 1);
    atomic_store(&ring->threads, 1);
    atomic_store(&ring->thread[0].tid, (uint32_t)child);
    return ring;
}

static void assert_strange(void *(*second)(void *), uint32_t expected)
{
    struct life life = {second};
    pid_t child = peer_child(live, &life, 0);
    struct ork_ring *ring = ring_of(child);

    assert_int_equal(strange_in(child, ring, expected), expected);
    free(ring);
    peer_end(child);
}

static void a_thread_that_computes_may_yet_call(void **state)
{
    (void)state;
    assert_strange(compute, 1);
}

static void a_thread_that_sleeps_for_a_time_may_yet_call(void **state)
{
    (void)state;
    assert_strange(sleep_on, 1);
    assert_strange(wait_for_a_time, 1);
}

static void a_thread_that_waits_for_another_does_not_count(void **state)
{
    (void)state;
    assert_strange(wait_for_a_signal, 0);
}

static void threads_that_called_mpi_or_came_with_it_do_not_count(void **state)
{
    struct life life = {compute};
    pid_t child = peer_child(live, &life, 0);
    struct ork_ring *ring = ring_of(child);

    (void)state;
    assert_int_equal(strange_in(child, ring, 1), 1);
    atomic_store(&ring->thread[0].tid, 0);
    assert_int_equal(ork_threads_strange((uint32_t)child, ring), 2);
    atomic_store(&ring->num_started, 1);
    ring->started[0] = (uint32_t)child;
    assert_int_equal(ork_threads_strange((uint32_t)child, ring), 1);
    free(ring);
    peer_end(child);
}

static void where_only_the_first_thread_may_call_nobody_is_strange(void **state)
{
    struct life life = {compute};
    pid_t child = peer_child(live, &life, 0);
    struct ork_ring *ring = ring_of(child);

    (void)state;
    assert_int_equal(strange_in(child, ring, 1), 1);
    atomic_store(&ring->any_thread, 0);
    assert_int_equal(ork_threads_strange((uint32_t)child, ring), 0);
    free(ring);
    peer_end(child);
}

static void counts_out_of_range_and_processes_that_are_gone_do_no_harm(void **state)
{
    struct life life = {compute};
    pid_t child = peer_child(live, &life, 0);
    struct ork_ring *ring = ring_of(child);

    (void)state;
    atomic_store(&ring->num_started, UINT32_MAX);
    atomic_store(&ring->threads, UINT32_MAX);
    assert_int_equal(strange_in(child, ring, 1), 1);
    peer_end(child);
    assert_int_equal(ork_threads_strange((uint32_t)child, ring), 0);
    free(ring);
}

/* A thread of the child beside its first one. */
static uint32_t second_of(pid_t child)
{
    char path[64];
    uint32_t second = 0;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)child);
    for (int i = 0; i < 500 && second == 0; i++) {
        usleep(2000);
        DIR *tasks = opendir(path);
        assert_non_null(tasks);
        for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
            uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
            second = tid != 0 && tid != (uint32_t)child ? tid : second;
        }
        closedir(tasks);
    }
    return second;
}

/* The child's second thread has called MPI, its first one was there before. */
static uint64_t asleep_with(void *(*second)(void *), enum ork_state state, bool first_counts)
{
    struct life life = {second};
    pid_t child = peer_child(live, &life, 0);
    struct ork_ring *ring = ring_of(child);
    uint64_t asleep = UINT64_MAX;

    atomic_store(&ring->thread[0].tid, second_of(child));
    atomic_store(&ring->thread[0].word, (uint64_t)state);
    atomic_store(&ring->num_started, first_counts);
    ring->started[0] = (uint32_t)child;
    for (int i = 0; i < 50; i++) { /* it may have just been born */
        usleep(2000);
        asleep = ork_threads_asleep((uint32_t)child, ring);
    }
    free(ring);
    peer_end(child);
    return asleep;
}

static void a_thread_outside_mpi_that_waits_for_another_sleeps(void **state)
{
    (void)state;
    assert_int_equal(asleep_with(wait_for_a_signal, ORK_STATE_RUNNING, false), 1);
    assert_int_equal(asleep_with(wait_for_a_signal, ORK_STATE_BLOCKED, false), 0);
    assert_int_equal(asleep_with(wait_for_a_time, ORK_STATE_RUNNING, false), 0);
    assert_int_equal(asleep_with(sleep_on, ORK_STATE_RUNNING, false), 0);
    assert_int_equal(asleep_with(compute, ORK_STATE_RUNNING, false), 0);
}

static void nobody_sleeps_while_an_older_thread_may_wake_him(void **state)
{
    (void)state;
    assert_int_equal(asleep_with(wait_for_a_signal, ORK_STATE_RUNNING, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_outside_mpi_that_waits_for_another_sleeps),
        cmocka_unit_test(nobody_sleeps_while_an_older_thread_may_wake_him),
        cmocka_unit_test(a_thread_that_computes_may_yet_call),
        cmocka_unit_test(a_thread_that_sleeps_for_a_time_may_yet_call),
        cmocka_unit_test(a_thread_that_waits_for_another_does_not_count),
        cmocka_unit_test(threads_that_called_mpi_or_came_with_it_do_not_count),
        cmocka_unit_test(where_only_the_first_thread_may_call_nobody_is_strange),
        cmocka_unit_test(counts_out_of_range_and_processes_that_are_gone_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
