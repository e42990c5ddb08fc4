/* SPDX-License-Identifier: BSD-3-Clause */
/* Which accumulates to the same bytes conflict: MPI-3.1 sections 11.7.1 and 11.7.2. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

#include "bytes/datatype/basic.h"

/* As the interceptor writes them. */
enum {
    TYPE_INT = ORK_BASIC_IS_SIGNED << 16 | ORK_BASIC_MPI_INT << 8 | 4,
    TYPE_INT32 = ORK_BASIC_IS_SIGNED << 16 | ORK_BASIC_MPI_INT32_T << 8 | 4,
    TYPE_LONG = ORK_BASIC_IS_SIGNED << 16 | ORK_BASIC_MPI_LONG << 8 | 8,
    TYPE_FLOAT = ORK_BASIC_IS_REAL << 16 | ORK_BASIC_MPI_FLOAT << 8 | 4,
};

struct update {
    uint32_t rank;
    enum ork_access mode;
    enum ork_reduction op;
    uint32_t type;
    int64_t low; /* byte in the memory of rank 0 */
};

static void update(struct script *s, const struct update *u, uint32_t site)
{
    struct ork_access_list list = {.offset = u->low, .target_size = 8, .origin = 16};

    script_put_list(s, u->rank,
                    (struct ork_record){.kind = ORK_KIND_ACCESS,
                                        .mode = (uint16_t)u->mode,
                                        .site = site,
                                        .comm = WINDOW,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = 0,
                                        .arg = u->op,
                                        .arg2 = u->type},
                    &list, ORK_ACCESS_WORDS);
}

/* Both in one epoch; `flushes`: the first one is complete before the second. */
static enum ork_conflict_kind both(struct update first, struct update second, bool flushes)
{
    struct script s = script_begin();

    script_lock(&s, 1, 0, false);
    script_lock(&s, 2, 0, false);
    update(&s, &first, 7);
    if (flushes)
        script_flush(&s, first.rank, 0);
    update(&s, &second, 8);
    script_unlock(&s, 1, 0);
    script_unlock(&s, 2, 0);
    struct found f = script_end(&s);
    assert_true(f.conflicts <= 1);
    return f.conflicts == 0 ? ORK_CONFLICT_NONE : f.conflict.kind;
}

static struct update sum(uint32_t rank, uint32_t type, int64_t low)
{
    return (struct update){rank, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_SUM, type, low};
}

static void those_of_one_rank_are_ordered_for_each_datatype(void **state)
{
    struct update max = sum(1, TYPE_INT, 0);

    (void)state;
    max.op = ORK_REDUCTION_MPI_MAX;
    assert_int_equal(both(sum(1, TYPE_INT, 0), max, false), ORK_CONFLICT_NONE);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, TYPE_LONG, 0), false),
                     ORK_CONFLICT_UNORDERED);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, TYPE_FLOAT, 4), false),
                     ORK_CONFLICT_UNORDERED);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, TYPE_LONG, 8), false), ORK_CONFLICT_NONE);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, TYPE_LONG, 0), true), ORK_CONFLICT_NONE);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, 0, 0), false), ORK_CONFLICT_NONE);
}

static void what_only_reads_has_to_be_ordered_with_updates_only(void **state)
{
    struct update fetch = {1, ORK_ACCESS_FETCH, ORK_REDUCTION_MPI_NO_OP, TYPE_LONG, 0};
    struct update other = {1, ORK_ACCESS_FETCH, ORK_REDUCTION_MPI_NO_OP, TYPE_INT, 0};

    (void)state;
    assert_int_equal(both(sum(1, TYPE_INT, 0), fetch, false), ORK_CONFLICT_UNORDERED);
    assert_int_equal(both(other, fetch, false), ORK_CONFLICT_NONE);
}

static void one_representation_under_two_names_is_a_kind_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(1, TYPE_INT32, 0), false), ORK_CONFLICT_BY_NAME);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(2, TYPE_INT32, 0), false), ORK_CONFLICT_BY_NAME);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(2, TYPE_FLOAT, 0), false),
                     ORK_CONFLICT_UNORDERED);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(2, TYPE_INT, 0), false), ORK_CONFLICT_NONE);
}

static void elements_of_two_ranks_must_not_overlap_in_part(void **state)
{
    struct update byte = sum(1, ORK_BASIC_IS_BYTE << 16 | ORK_BASIC_MPI_BYTE << 8 | 1, 0);
    struct update shifted = byte;

    (void)state;
    shifted.rank = 2;
    shifted.low = 3;
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(2, TYPE_INT, 2), false), ORK_CONFLICT_UNORDERED);
    assert_int_equal(both(sum(1, TYPE_INT, 2), sum(2, TYPE_INT, 6), false), ORK_CONFLICT_NONE);
    assert_int_equal(both(sum(1, TYPE_INT, 0), sum(2, TYPE_INT, 10), false), ORK_CONFLICT_NONE);
    assert_int_equal(both(byte, shifted, false), ORK_CONFLICT_NONE);
}

int test_accumulates(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_of_one_rank_are_ordered_for_each_datatype),
        cmocka_unit_test(what_only_reads_has_to_be_ordered_with_updates_only),
        cmocka_unit_test(one_representation_under_two_names_is_a_kind_of_its_own),
        cmocka_unit_test(elements_of_two_ranks_must_not_overlap_in_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
