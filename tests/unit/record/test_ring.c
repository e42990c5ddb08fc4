/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/ring.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    struct ork_ring *ring = aligned_alloc(4096, sizeof(*ring));

    if (ring == NULL)
        return 1;
    memset(ring, 0, offsetof(struct ork_ring, slot));
    ring->threads = 1;
    *state = ring;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* One that differs from each other in all that it says. */
static struct ork_polled poll_of(uint32_t i)
{
    return (struct ork_polled){
        .site = i, .call = i + 1, .peer = (int32_t)i + 2, .tag = (int32_t)i + 3, .comm = i + 4};
}

static void assert_whole(const struct ork_polled *p)
{
    const struct ork_polled whole = poll_of(p->site);

    assert_memory_equal(p, &whole, sizeof(whole));
}

static void the_latest_poll_is_read(void **state)
{
    struct ork_ring *ring = *state;

    for (uint32_t i = 1; i < 5; i++) {
        const struct ork_polled p = poll_of(i);
        ork_polled_write(&ring->thread[0], &p);
        const struct ork_polled read = ork_polled_read(ring, 0);
        assert_memory_equal(&read, &p, sizeof(p));
        assert_int_equal(ring->thread[0].polls, i);
    }
}

/* A rank that is stopped there stays there. */
static void a_poll_that_is_half_written_does_not_count(void **state)
{
    struct ork_ring *ring = *state;
    const struct ork_polled p = poll_of(7);

    ork_polled_write(&ring->thread[0], &p);
    ring->thread[0].polled[1].peer = 99;
    const struct ork_polled read = ork_polled_read(ring, 0);
    assert_memory_equal(&read, &p, sizeof(p));
}

static void threads_that_share_a_line_are_told_by_call_and_place_only(void **state)
{
    struct ork_ring *ring = *state;
    const struct ork_polled p = poll_of(7);

    ring->threads = ORK_RING_THREADS;
    ork_polled_write(&ring->thread[ORK_RING_THREADS - 1], &p);
    struct ork_polled read = ork_polled_read(ring, ORK_RING_THREADS - 1);
    assert_int_equal(read.peer, p.peer);
    ring->threads = ORK_RING_THREADS + 1;
    read = ork_polled_read(ring, ORK_RING_THREADS - 1);
    assert_int_equal(read.peer, ORK_NO_PEER);
    assert_int_equal(read.call, p.call);
}

struct writer {
    struct ork_ring *ring;
    atomic_bool over;
};

static void *poll_in_a_loop(void *argument)
{
    struct writer *w = argument;

    for (uint32_t i = 0; !atomic_load(&w->over); i++) {
        const struct ork_polled p = poll_of(i % 1000);
        ork_polled_write(&w->ring->thread[0], &p);
    }
    return NULL;
}

static void what_is_read_of_a_loop_with_many_probes_is_one_of_them(void **state)
{
    struct writer w = {.ring = *state};
    const struct ork_polled first = poll_of(0);
    pthread_t thread;
    unsigned told = 0;

    ork_polled_write(&w.ring->thread[0], &first);
    assert_int_equal(pthread_create(&thread, NULL, poll_in_a_loop, &w), 0);
    for (unsigned i = 0; i < 20000; i++) {
        struct ork_polled p = ork_polled_read(w.ring, 0);
        if (p.peer == ORK_NO_PEER)
            continue;
        told++;
        assert_whole(&p);
    }
    atomic_store(&w.over, true);
    pthread_join(thread, NULL);
    assert_true(told > 0);
}

static void a_job_has_the_number_that_the_library_gives_it(void **state)
{
    static const struct {
        const char *name;
        uint32_t number;
    } cases[] = {
        {"3891134465", 3891134465},        /* Open MPI 4 */
        {"prterun-vm-9529@1", 3891134465}, /* Open MPI 5: as its messages print it */
        {"prterun-vm-9529@2", 3891134466},
        {"", 0},
        {"kvs_9529_0_1_vm", 0}, /* unknown */
        {"slurm.pmix.1.0", 0},
        {"prterun-vm-9529@", 0},
        {"prterun-vm-9529@x", 0},
        {"prterun-vm-9529@32768", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(ork_job_number(cases[i].name), cases[i].number);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_ring(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_latest_poll_is_read),
        CASE(a_poll_that_is_half_written_does_not_count),
        CASE(threads_that_share_a_line_are_told_by_call_and_place_only),
        CASE(what_is_read_of_a_loop_with_many_probes_is_one_of_them),
        cmocka_unit_test(a_job_has_the_number_that_the_library_gives_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
