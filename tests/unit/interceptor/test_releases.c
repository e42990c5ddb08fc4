/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/releases.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

enum { ROOM = 32, THREADS = 4, EACH = 20000 };

static struct ork_release of(uint64_t low, uint64_t high)
{
    return (struct ork_release){.low = low, .high = high, .how = "free"};
}

static void what_is_noted_first_is_taken_first(void **unused)
{
    (void)unused;
    for (uint64_t round = 0; round < 5; round++) {
        for (uint64_t i = 0; i < 20; i++) {
            struct ork_release r = of(round * 100 + i, round * 100 + i + 8);
            assert_true(ork_release_put(&r));
        }
        for (uint64_t i = 0; i < 20; i++) {
            const struct ork_release *r = ork_release_first();
            assert_non_null(r);
            assert_int_equal(r->low, round * 100 + i);
            assert_int_equal(r->high, round * 100 + i + 8);
            assert_string_equal(r->how, "free");
            ork_release_drop();
        }
        assert_null(ork_release_first());
    }
}

static void what_does_not_fit_is_refused(void **unused)
{
    struct ork_release r = of(1, 2);
    unsigned n = 0;

    (void)unused;
    while (ork_release_put(&r))
        n++;
    assert_int_equal(n, ROOM);
    ork_release_drop();
    assert_true(ork_release_put(&r));
    assert_false(ork_release_put(&r));
    while (ork_release_first() != NULL)
        ork_release_drop();
}

/* Each number once, until there is room for it. */
static void *note(void *first)
{
    for (uint64_t i = 0; i < EACH; i++) {
        struct ork_release r = of((uint64_t)(uintptr_t)first + i, 0);
        r.high = ~r.low;
        while (!ork_release_put(&r))
            sched_yield();
    }
    return NULL;
}

static void threads_lose_nothing_and_tear_nothing(void **unused)
{
    static unsigned char seen[THREADS * EACH];
    pthread_t thread[THREADS];

    (void)unused;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, note, (void *)(i * EACH)), 0);
    for (unsigned n = 0; n < THREADS * EACH;) {
        const struct ork_release *r = ork_release_first();
        if (r == NULL) {
            sched_yield();
            continue;
        }
        assert_true(r->low < THREADS * EACH);
        assert_true(r->high == ~r->low);
        assert_int_equal(seen[r->low]++, 0);
        ork_release_drop();
        n++;
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_null(ork_release_first());
}

static void two_reasons_are_kept_apart(void **unused)
{
    (void)unused;
    assert_int_equal(ork_releases_matter, 0);
    ork_releases_set(ORK_RELEASES_OF_BUFFERS, true);
    ork_releases_set(ORK_RELEASES_OF_WINDOWS, true);
    ork_releases_set(ORK_RELEASES_OF_BUFFERS, false);
    assert_int_equal(ork_releases_matter, ORK_RELEASES_OF_WINDOWS);
    ork_releases_set(ORK_RELEASES_OF_WINDOWS, false);
    assert_int_equal(ork_releases_matter, 0);
}

int test_releases(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_noted_first_is_taken_first),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(threads_lose_nothing_and_tear_nothing),
        cmocka_unit_test(two_reasons_are_kept_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
