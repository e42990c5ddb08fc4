/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/regions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { BYTES = 64, ROUNDS = 3000, STEPS = 40 };

/* A second implementation: the number of each byte's region, from 1, and of the region with this
 * base. */
struct model {
    unsigned owner[2 * BYTES];
    unsigned at[2 * BYTES];
};

static unsigned overlap(const struct model *m, uint64_t base, uint64_t bytes)
{
    for (uint64_t i = base; i < base + bytes; i++) {
        if (m->owner[i] != 0)
            return m->owner[i];
    }
    return 0;
}

static bool overlaps_somewhere(const struct model *m, uint64_t base, uint64_t bytes,
                               unsigned number)
{
    for (uint64_t i = base; i < base + bytes; i++) {
        if (m->owner[i] == number)
            return true;
    }
    return false;
}

static void add(struct model *m, uint64_t base, uint64_t bytes, unsigned number)
{
    for (uint64_t i = base; i < base + bytes; i++)
        m->owner[i] = number;
    m->at[base] = number;
}

static void remove_at(struct model *m, uint64_t base)
{
    unsigned number = m->at[base];

    m->at[base] = 0;
    for (uint64_t i = 0; i < 2 * BYTES; i++) {
        if (m->owner[i] == number)
            m->owner[i] = 0;
    }
}

static unsigned draw(unsigned *random, unsigned below)
{
    *random = *random * 1103515245u + 12345u;
    return *random / 65536u % below;
}

static void random_regions_agree_with_a_map_of_bytes(void **state)
{
    unsigned random = 1;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct ork_regions regions = {.count = 0};
        struct model model = {.owner = {0}};
        for (unsigned step = 1; step <= STEPS; step++) {
            uint64_t base = draw(&random, BYTES), bytes = draw(&random, 6);
            const struct ork_region *found = ork_regions_overlap(&regions, base, bytes);
            assert_int_equal(found != NULL, overlap(&model, base, bytes) != 0);
            assert_int_equal(ork_regions_has(&regions, base), model.at[base] > 0);
            if (found != NULL) {
                assert_true(overlaps_somewhere(&model, base, bytes, found->place.site));
            } else if (model.at[base] == 0) {
                struct ork_region r = {.base = base, .bytes = bytes, .place = {.site = step}};
                assert_true(ork_regions_add(&regions, &r));
                add(&model, base, bytes, step);
            }
            base = draw(&random, BYTES);
            if (draw(&random, 2) == 0 && model.at[base] > 0) {
                ork_regions_remove(&regions, base);
                remove_at(&model, base);
            }
        }
        free(regions.item);
    }
}

static void memory_may_reach_the_last_address(void **state)
{
    struct ork_regions regions = {.count = 0};
    struct ork_region r = {.base = UINT64_MAX - 9, .bytes = 10};

    (void)state;
    assert_true(ork_regions_add(&regions, &r));
    assert_non_null(ork_regions_overlap(&regions, UINT64_MAX - 20, 12));
    assert_null(ork_regions_overlap(&regions, UINT64_MAX - 20, 11));
    assert_non_null(ork_regions_overlap(&regions, UINT64_MAX, 1));
    assert_null(ork_regions_overlap(&regions, 0, 5));
    free(regions.item);
}

int test_regions(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_regions_agree_with_a_map_of_bytes),
        cmocka_unit_test(memory_may_reach_the_last_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
