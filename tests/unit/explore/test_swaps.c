/* SPDX-License-Identifier: BSD-3-Clause */
/* A run in which a decided MPI_Compare_and_swap failed: an order, or a wait of which another run
 * shows all. Two ranks make one ordered atomic each; that of rank 1 came second, and is to be
 * first.
 */
#include "order/explore/search.h"
#include "tests/unit/detector/unit.h"

#include <stdlib.h>

enum { RANKS = 2, ROOM = 4 * ORK_CHOICE_ROOM(0) };

/* Rank 1 makes its atomics after so many of rank 0. */
static struct ork_trace trace_of(const int32_t *after, uint32_t num)
{
    uint8_t stream[RANKS][ROOM];
    struct ork_order_rank rank[RANKS] = {{.stream = stream[0]}, {.rank = 1, .stream = stream[1]}};
    struct ork_order_file file = {.header = {.ranks = RANKS}, .rank = rank, .num_ranks = RANKS};
    struct ork_trace trace;

    for (uint32_t r = 0; r < RANKS; r++) {
        struct ork_order_encoder *e = ork_order_encoder_create();
        assert_non_null(e);
        for (uint32_t i = 0; i < (r == 0 ? 1 : num); i++) {
            struct ork_choice c = {.kind = ORK_CHOICE_LOCK,
                                   .call = 1,
                                   .place = 40 + r,
                                   .post = i + 1,
                                   .tag = r == 0 ? 0 : after[i]};
            rank[r].size += ork_order_encode(e, &c, stream[r] + rank[r].size);
        }
        rank[r].size += ork_order_encode_pending(e, stream[r] + rank[r].size);
        ork_order_encoder_destroy(e);
    }
    assert_int_equal(ork_trace_read(&file, &trace), ORK_OK);
    return trace;
}

static struct ork_alternatives *nothing(void)
{
    struct ork_alternatives *a = calloc(1, sizeof(*a));

    assert_non_null(a);
    a->change = calloc(1, sizeof(*a->change));
    a->locked = calloc(1, sizeof(*a->locked));
    assert_non_null(a->change);
    assert_non_null(a->locked);
    return a;
}

static struct ork_alternatives *come_first(void)
{
    struct ork_alternatives *a = nothing();
    uint64_t *keep = calloc(2 * RANKS, sizeof(*keep));

    assert_non_null(keep);
    a->change[a->num++] = (struct ork_change){
        .rank = 1, .number = 1, .kind = ORK_CHOICE_LOCK, .keep = keep, .keep_polls = keep + RANKS};
    return a;
}

/* The second run: its first atomic is first, and was made again or not. */
static void check(bool is_repeated, bool expected)
{
    const struct ork_search_bounds none = {0};
    const int32_t second[] = {1}, first[] = {0, 1};
    struct ork_search *s;
    struct ork_decision_of_run d;
    bool is_new;

    assert_int_equal(ork_search_create(RANKS, &none, &s), ORK_OK);
    struct ork_trace trace = trace_of(second, 1);
    assert_int_equal(ork_search_add(s, NULL, &trace, come_first(), &is_new), ORK_OK);
    assert_true(is_new);
    assert_true(ork_search_next(s, &d));
    struct ork_alternatives *a = nothing();
    a->locked[a->num_locked++] =
        (struct ork_locked_choice){.rank = 1, .number = 1, .is_repeated = is_repeated};
    trace = trace_of(first, 2);
    assert_int_equal(ork_search_add(s, &d, &trace, a, &is_new), ORK_OK);
    assert_int_equal(is_new, expected);
    assert_int_equal(ork_search_count(s).orders, expected ? 2 : 1);
    assert_int_equal(ork_search_num_sites(s), 2);
    assert_false(ork_search_site(s, 0).is_endless);
    assert_int_equal(ork_search_site(s, 1).is_endless, !expected);
    assert_false(ork_search_next(s, &d));
    ork_search_destroy(s);
}

static void a_swap_that_failed_once_is_an_order(void **state)
{
    (void)state;
    check(false, true);
}

static void a_swap_that_failed_and_is_made_again_is_a_wait(void **state)
{
    (void)state;
    check(true, false);
}

int test_swaps(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swap_that_failed_once_is_an_order),
        cmocka_unit_test(a_swap_that_failed_and_is_made_again_is_a_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
