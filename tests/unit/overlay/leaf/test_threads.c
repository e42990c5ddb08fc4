/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/threads.h"
#include "overlay/leaf/threads_kernel.h"

#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/unit.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Children that have one thread beside the first, which is in an MPI call that can block. What the
 * second one does decides; docs/explanation/wait-states.md has the table of which each row is a
 * case here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_t first;

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

static void *wait_for_a_thread(void *unused)
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

static void *wait_for_a_post(void *unused)
{
    static sem_t semaphore;

    (void)unused;
    sem_init(&semaphore, 0, 0);
    sem_wait(&semaphore);
    return NULL;
}

static void *wait_for_a_process(void *unused)
{
    sem_t *semaphore =
        mmap(NULL, sizeof(*semaphore), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)unused;
    sem_init(semaphore, 1, 0);
    sem_wait(semaphore);
    return NULL;
}

static void *wait_for_the_first(void *unused)
{
    (void)unused;
    pthread_join(first, NULL);
    return NULL;
}

static void *wait_for_input(void *unused)
{
    int ends[2];
    char byte;

    (void)unused;
    if (pipe(ends) == 0)
        while (read(ends[0], &byte, 1) >= 0) {
            /* nobody writes */
        }
    return NULL;
}

static void *poll_for_ever(void *unused)
{
    (void)unused;
    poll(NULL, 0, -1);
    return NULL;
}

static void *poll_for_a_time(void *unused)
{
    (void)unused;
    poll(NULL, 0, 100000);
    return NULL;
}

static void *wait_for_a_signal(void *unused)
{
    (void)unused;
    pause();
    return NULL;
}

static void *end(void *unused)
{
    return unused;
}

static void handle(int signal)
{
    (void)signal;
}

struct life {
    void *(*second)(void *);
    int handled; /* signal; 0: none */
};

/* Shared with the children: the second thread runs. */
static atomic_bool *begun;

static void *begin(void *argument)
{
    const struct life *life = argument;

    atomic_store(begun, true);
    return life->second(NULL);
}

static void live(void *argument)
{
    const struct life *life = argument;
    pthread_t second;

    first = pthread_self();
    if (life->handled != 0)
        signal(life->handled, handle);
    pthread_create(&second, NULL, begin, argument);
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
    atomic_store(&ring->thread[0].word, ORK_STATE_BLOCKED);
    return ring;
}

/* Such a child with its ring. */
struct rank {
    pid_t child;
    struct ork_ring *ring;
    bool computes; /* its second thread */
};

static struct rank rank_that(void *(*second)(void *), int handled)
{
    struct life life = {second, handled};

    atomic_store(begun, false);
    pid_t child = peer_child(live, &life, 0);
    return (struct rank){child, ring_of(child), second == compute};
}

static void rank_end(struct rank *r)
{
    peer_end(r->child);
    free(r->ring);
}

/* A thread of the child beside its first one; 0: there is none. */
static uint32_t second_of(pid_t child)
{
    char path[64];
    uint32_t second = 0;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)child);
    DIR *tasks = opendir(path);
    assert_non_null(tasks);
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        second = tid != 0 && tid != (uint32_t)child ? tid : second;
    }
    closedir(tasks);
    return second;
}

static struct ork_snapshot look(const struct rank *r)
{
    struct ork_snapshot s = {.threads = atomic_load(&r->ring->threads)};

    if (s.threads > ORK_RING_THREADS)
        s.threads = ORK_RING_THREADS;
    for (uint32_t t = 0; t < s.threads; t++)
        s.word[t] = atomic_load(&r->ring->thread[t].word);
    ork_threads_observe((uint32_t)r->child, r->ring, &s);
    return s;
}

static bool is_asleep(pid_t child, uint32_t thread)
{
    char text[512];

    if (!ork_kernel_read_thread((uint32_t)child, thread, "stat", text, sizeof(text)))
        return false;
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'S';
}

/* Until the first thread is asleep, and the second one does what it does: between its first step
 * and its wait it never sleeps. */
static void let_settle(const struct rank *r)
{
    while (!is_asleep(r->child, (uint32_t)r->child) || !atomic_load(begun) ||
           (!r->computes && !is_asleep(r->child, second_of(r->child))))
        usleep(1000);
}

/* What the second thread can do, if it has (`called`) or has not called MPI. */
static struct ork_snapshot second_does(void *(*second)(void *), int handled, bool called)
{
    struct rank r = rank_that(second, handled);

    let_settle(&r);
    if (called) {
        atomic_store(&r.ring->threads, 2);
        atomic_store(&r.ring->thread[1].tid, second_of(r.child));
    }
    struct ork_snapshot s = look(&r);
    rank_end(&r);
    return s;
}

static void assert_others(void *(*second)(void *), int handled, enum ork_others expected)
{
    assert_int_equal(second_does(second, handled, false).others, expected);
}

static void a_thread_that_runs_or_waits_for_a_time_may_call(void **state)
{
    (void)state;
    assert_others(compute, 0, ORK_OTHERS_ACT);
    assert_others(sleep_on, 0, ORK_OTHERS_ACT);
    assert_others(wait_for_a_time, 0, ORK_OTHERS_ACT);
    assert_others(poll_for_a_time, 0, ORK_OTHERS_ACT);
}

static void a_thread_that_only_others_of_the_rank_can_wake_does_nothing_before(void **state)
{
    (void)state;
    assert_others(wait_for_a_thread, 0, ORK_OTHERS_NONE);
    assert_others(wait_for_a_post, 0, ORK_OTHERS_NONE);
    assert_others(wait_for_the_first, 0, ORK_OTHERS_NONE);
}

static void a_signal_handler_may_wake_it_unless_it_joins(void **state)
{
    (void)state;
    assert_others(wait_for_a_post, SIGUSR1, ORK_OTHERS_UNKNOWN);
    assert_others(wait_for_a_thread, SIGTERM, ORK_OTHERS_UNKNOWN);
    assert_others(wait_for_the_first, SIGUSR1, ORK_OTHERS_NONE);
}

static void handlers_of_the_interceptor_wake_nobody(void **state)
{
    struct rank r = rank_that(wait_for_a_post, SIGUSR1);

    (void)state;
    let_settle(&r);
    atomic_store(&r.ring->own_signals, UINT64_C(1) << (SIGUSR2 - 1));
    assert_int_equal(look(&r).others, ORK_OTHERS_UNKNOWN);
    atomic_store(&r.ring->own_signals, UINT64_C(1) << (SIGUSR1 - 1));
    assert_int_equal(look(&r).others, ORK_OTHERS_NONE);
    rank_end(&r);
}

static void handlers_of_signals_by_which_programs_fail_wake_nobody(void **state)
{
    (void)state;
    assert_others(wait_for_a_post, SIGSEGV, ORK_OTHERS_NONE);
    assert_others(wait_for_a_post, SIGQUIT, ORK_OTHERS_NONE);
}

static void who_waits_for_something_outside_the_process_is_not_known(void **state)
{
    (void)state;
    assert_others(wait_for_a_process, 0, ORK_OTHERS_UNKNOWN);
    assert_others(wait_for_input, 0, ORK_OTHERS_UNKNOWN);
    assert_others(poll_for_ever, 0, ORK_OTHERS_UNKNOWN);
    assert_others(wait_for_a_signal, 0, ORK_OTHERS_UNKNOWN);
}

static void a_thread_that_has_called_rests_if_it_waits(void **state)
{
    (void)state;
    assert_int_equal(second_does(wait_for_a_thread, 0, true).resting, 2);
    assert_int_equal(second_does(wait_for_input, 0, true).resting, 2);
    assert_int_equal(second_does(wait_for_input, 0, true).others, ORK_OTHERS_UNKNOWN);
    assert_int_equal(second_does(sleep_on, 0, true).resting, 0);
    assert_int_equal(second_does(sleep_on, 0, true).others,
                     ORK_OTHERS_NONE); /* its state says so */
    assert_int_equal(second_does(compute, 0, true).resting, 0);
}

static void a_thread_of_the_ring_that_has_ended_rests(void **state)
{
    struct rank r = rank_that(end, 0);

    (void)state;
    while (second_of(r.child) != 0)
        usleep(1000);
    atomic_store(&r.ring->threads, 2);
    atomic_store(&r.ring->thread[1].tid, 1); /* a thread of another process */
    assert_int_equal(look(&r).resting, 2);
    assert_int_equal(look(&r).others, ORK_OTHERS_NONE);
    rank_end(&r);
}

static void processor_time_outside_counts_and_stirs(void **state)
{
    struct rank r = rank_that(compute, 0);

    (void)state;
    let_settle(&r);
    struct ork_snapshot before = look(&r);
    while (look(&r).others_ns <= before.others_ns)
        usleep(1000);
    rank_end(&r);
}

static void what_sleeps_does_not_stir(void **state)
{
    struct rank r = rank_that(wait_for_a_thread, 0);

    (void)state;
    let_settle(&r);
    uint64_t stirred;
    do { /* falling asleep counts, and may not be over */
        stirred = look(&r).stirred;
        usleep(20000);
    } while (look(&r).stirred != stirred);
    assert_true(stirred != 0);
    rank_end(&r);
}

static void threads_of_the_library_do_not_count(void **state)
{
    struct rank r = rank_that(compute, 0);

    (void)state;
    let_settle(&r);
    assert_int_equal(look(&r).others, ORK_OTHERS_ACT);
    atomic_store(&r.ring->num_started, 1);
    r.ring->started[0] = second_of(r.child);
    assert_int_equal(look(&r).others, ORK_OTHERS_NONE);
    assert_int_equal(look(&r).others_ns, 0);
    rank_end(&r);
}

static void where_only_the_first_thread_may_call_no_other_counts(void **state)
{
    struct rank r = rank_that(compute, 0);

    (void)state;
    let_settle(&r);
    assert_int_equal(look(&r).others, ORK_OTHERS_ACT);
    atomic_store(&r.ring->any_thread, 0);
    assert_int_equal(look(&r).others, ORK_OTHERS_NONE);
    rank_end(&r);
}

static void counts_out_of_range_and_processes_that_are_gone_do_no_harm(void **state)
{
    struct rank r = rank_that(compute, 0);

    (void)state;
    let_settle(&r);
    atomic_store(&r.ring->num_started, UINT32_MAX);
    atomic_store(&r.ring->threads, UINT32_MAX);
    assert_int_equal(look(&r).others, ORK_OTHERS_ACT);
    peer_end(r.child);
    assert_int_equal(look(&r).others, ORK_OTHERS_ACT);
    free(r.ring);
}

static void of_a_process_that_is_being_ended_nothing_is_known(void **state)
{
    struct rank r = rank_that(wait_for_a_thread, 0);

    (void)state;
    let_settle(&r);
    assert_int_equal(look(&r).others, ORK_OTHERS_NONE);
    kill(r.child, SIGKILL);
    while (second_of(r.child) != 0)
        usleep(1000);
    assert_int_equal(look(&r).others, ORK_OTHERS_ACT); /* its first thread is a zombie */
    rank_end(&r);
}

int test_threads(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_runs_or_waits_for_a_time_may_call),
        cmocka_unit_test(a_thread_that_only_others_of_the_rank_can_wake_does_nothing_before),
        cmocka_unit_test(a_signal_handler_may_wake_it_unless_it_joins),
        cmocka_unit_test(handlers_of_the_interceptor_wake_nobody),
        cmocka_unit_test(handlers_of_signals_by_which_programs_fail_wake_nobody),
        cmocka_unit_test(who_waits_for_something_outside_the_process_is_not_known),
        cmocka_unit_test(a_thread_that_has_called_rests_if_it_waits),
        cmocka_unit_test(a_thread_of_the_ring_that_has_ended_rests),
        cmocka_unit_test(processor_time_outside_counts_and_stirs),
        cmocka_unit_test(what_sleeps_does_not_stir),
        cmocka_unit_test(threads_of_the_library_do_not_count),
        cmocka_unit_test(where_only_the_first_thread_may_call_no_other_counts),
        cmocka_unit_test(of_a_process_that_is_being_ended_nothing_is_known),
        cmocka_unit_test(counts_out_of_range_and_processes_that_are_gone_do_no_harm),
    };

    begun = mmap(NULL, sizeof(*begun), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (begun == MAP_FAILED)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
