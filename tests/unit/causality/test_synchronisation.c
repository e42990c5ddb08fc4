/* SPDX-License-Identifier: BSD-3-Clause */
/* What orders events besides messages and collective operations: rank 0 receives from any source,
 * first from rank 1. Rank 2 sends when it has synchronised with rank 0: is that a race? */
#include "order/causality/races.h"
#include "record/access.h"
#include "tests/unit/detector/unit.h"

#include <string.h>

enum { RANKS = 3, WINDOW = 5 };

struct script {
    struct ork_races *races;
};

static void put(struct script *s, uint32_t rank, struct ork_record record)
{
    assert_int_equal(ork_races_feed(s->races, rank, &record, 1), ORK_OK);
}

/* A window of all ranks. */
static struct script begin(void)
{
    struct script s = {0};

    assert_int_equal(ork_races_create(RANKS, &s.races), ORK_OK);
    for (uint32_t r = 0; r < RANKS; r++)
        put(&s, r,
            (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                .flags = ORK_F_SAME_GROUP,
                                .mode = ORK_COLL_WIN_CREATE,
                                .comm = WINDOW,
                                .extra = 77});
    return s;
}

static void put_send(struct script *s, uint32_t rank)
{
    put(s, rank, (struct ork_record){.kind = ORK_KIND_SEND, .peer = 0});
}

static void put_receive(struct script *s, int32_t from)
{
    put(s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .site = 1, .peer = ORK_ANY_SOURCE});
    put(s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = from, .extra = 1});
}

static bool take(void *context, const struct ork_race *race)
{
    *(uint64_t *)context += race->raced;
    return true;
}

/* The receives that could have taken another message. */
static uint64_t end(struct script *s)
{
    uint64_t raced = 0;

    for (uint32_t r = 0; r < RANKS; r++) {
        put(s, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_races_end(s->races, r);
        assert_null(ork_races_lost(s->races, r));
    }
    ork_races_list(s->races, take, &raced);
    ork_races_destroy(s->races);
    return raced;
}

/* ---- fences ---- */

static uint64_t races_with_fence(uint8_t flags)
{
    struct ork_record fence = {.kind = ORK_KIND_COLL,
                               .flags = flags,
                               .mode = ORK_COLL_WIN_FENCE,
                               .comm = WINDOW,
                               .peer = ORK_NO_PEER};
    struct script s = begin();

    put(&s, 2, fence);
    put_send(&s, 2);
    put_send(&s, 1);
    put(&s, 1, fence);
    put_receive(&s, 1);
    put(&s, 0, fence);
    put_receive(&s, 2);
    return end(&s);
}

static void a_fence_is_a_barrier_unless_it_ends_no_epoch(void **state)
{
    (void)state;
    assert_int_equal(races_with_fence(0), 0);
    assert_int_equal(races_with_fence(ORK_F_NO_PRECEDE), 1);
}

/* ---- MPI_Comm_create_group ---- */

/* A record with a group: `count` ranks from `first` on, `stride` apart. */
static void put_group(struct script *s, uint32_t rank, struct ork_record record, uint32_t first,
                      uint32_t stride, uint32_t count)
{
    struct ork_cont list = {.kind = ORK_KIND_CONT, .words = 3, .word = {first, stride, count}};
    struct ork_record raw;

    record.count = 3;
    put(s, rank, record);
    memcpy(&raw, &list, sizeof(raw));
    put(s, rank, raw);
}

static void put_create_group(struct script *s, uint32_t rank, int32_t tag, uint32_t first,
                             uint32_t stride)
{
    put_group(s, rank,
              (struct ork_record){.kind = ORK_KIND_COLL,
                                  .mode = ORK_COLL_COMM_CREATE_GROUP,
                                  .peer = ORK_NO_PEER,
                                  .tag = tag},
              first, stride, 2);
}

static void who_creates_a_group_waits_for_its_members(void **state)
{
    struct script s = begin();

    (void)state;
    put_create_group(&s, 2, 3, 0, 2);
    put_send(&s, 2);
    put_send(&s, 1);
    put_receive(&s, 1);
    put_create_group(&s, 0, 3, 0, 2);
    put_receive(&s, 2);
    assert_int_equal(end(&s), 0);
}

/* Rank 0 creates one with rank 2 before and after it receives, with other tags. Rank 2 sends in
 * between. */
static void groups_with_other_tags_are_other_groups(void **state)
{
    struct script s = begin();

    (void)state;
    put_create_group(&s, 2, 4, 0, 2);
    put_send(&s, 2);
    put_create_group(&s, 2, 3, 0, 2);
    put_send(&s, 1);
    put_create_group(&s, 0, 4, 0, 2);
    put_receive(&s, 1);
    put_create_group(&s, 0, 3, 0, 2);
    put_receive(&s, 2);
    assert_int_equal(end(&s), 1);
}

static void others_do_not_take_part_in_a_group(void **state)
{
    struct script s = begin();

    (void)state;
    put_create_group(&s, 2, 3, 1, 1);
    put_send(&s, 2);
    put_send(&s, 1);
    put_create_group(&s, 1, 3, 1, 1);
    put_receive(&s, 1);
    put_receive(&s, 2);
    assert_int_equal(end(&s), 1);
}

/* ---- post and start ---- */

static void put_window(struct script *s, uint32_t rank, enum ork_kind kind)
{
    put(s, rank, (struct ork_record){.kind = (uint8_t)kind, .comm = WINDOW, .peer = ORK_NO_PEER});
}

/* The epoch with one partner begins. */
static void put_epoch(struct script *s, uint32_t rank, enum ork_kind kind, uint32_t partner)
{
    put_group(s, rank,
              (struct ork_record){.kind = (uint8_t)kind, .comm = WINDOW, .peer = ORK_NO_PEER},
              partner, 0, 1);
}

static void expose(struct script *s, uint32_t target, uint32_t origin, enum ork_kind last)
{
    put_epoch(s, target, ORK_KIND_WIN_POST, origin);
    put_window(s, target, last);
}

static void start(struct script *s, uint32_t origin, uint32_t target, uint16_t access)
{
    put_epoch(s, origin, ORK_KIND_WIN_START, target);
    if (access != ORK_ACCESS_MAX)
        put(s, origin,
            (struct ork_record){.kind = ORK_KIND_ACCESS,
                                .mode = access,
                                .comm = WINDOW,
                                .peer = (int32_t)target,
                                .bytes = 4});
    put_window(s, origin, ORK_KIND_WIN_COMPLETE);
}

static uint64_t races_of_a_target(enum ork_kind last)
{
    struct script s = begin();

    expose(&s, 2, 0, last);
    put_send(&s, 2);
    put_send(&s, 1);
    put_receive(&s, 1);
    start(&s, 0, 2, ORK_ACCESS_MAX);
    put_receive(&s, 2);
    return end(&s);
}

static void a_target_waits_until_its_origin_has_completed(void **state)
{
    (void)state;
    assert_int_equal(races_of_a_target(ORK_KIND_WIN_WAIT), 0);
    assert_int_equal(races_of_a_target(ORK_KIND_WIN_TESTED), 0);
}

static uint64_t races_of_an_origin(uint16_t access)
{
    struct script s = begin();

    start(&s, 2, 0, access);
    put_send(&s, 2);
    put_send(&s, 1);
    put_receive(&s, 1);
    expose(&s, 0, 2, ORK_KIND_WIN_WAIT);
    put_receive(&s, 2);
    return end(&s);
}

static void an_origin_waits_for_its_target_if_it_gets_data(void **state)
{
    (void)state;
    assert_int_equal(races_of_an_origin(ORK_ACCESS_MAX), 1);
    assert_int_equal(races_of_an_origin(ORK_ACCESS_PUT), 1);
    assert_int_equal(races_of_an_origin(ORK_ACCESS_GET), 0);
    assert_int_equal(races_of_an_origin(ORK_ACCESS_FETCH), 0);
    assert_int_equal(races_of_an_origin(ORK_ACCESS_SWAP), 0);
}

/* The second epochs come after the receive. Rank 2 sends after its first or second one. */
static uint64_t races_of_epochs(bool is_after_first)
{
    struct script s = begin();

    expose(&s, 2, 0, ORK_KIND_WIN_WAIT);
    if (is_after_first)
        put_send(&s, 2);
    expose(&s, 2, 0, ORK_KIND_WIN_WAIT);
    if (!is_after_first)
        put_send(&s, 2);
    put_send(&s, 1);
    start(&s, 0, 2, ORK_ACCESS_MAX);
    put_receive(&s, 1);
    start(&s, 0, 2, ORK_ACCESS_MAX);
    put_receive(&s, 2);
    return end(&s);
}

static void epochs_belong_together_in_their_order(void **state)
{
    (void)state;
    assert_int_equal(races_of_epochs(true), 1);
    assert_int_equal(races_of_epochs(false), 0);
}

/* An epoch in which nothing is read from the target does not take the stamp of its post away. */
static uint64_t races_of_a_second_get(bool posts_late)
{
    struct script s = begin();

    start(&s, 2, 0, ORK_ACCESS_PUT);
    start(&s, 2, 0, ORK_ACCESS_GET);
    put_send(&s, 2);
    put_send(&s, 1);
    expose(&s, 0, 2, ORK_KIND_WIN_WAIT);
    if (!posts_late)
        expose(&s, 0, 2, ORK_KIND_WIN_WAIT);
    put_receive(&s, 1);
    if (posts_late)
        expose(&s, 0, 2, ORK_KIND_WIN_WAIT);
    put_receive(&s, 2);
    return end(&s);
}

static void a_second_epoch_waits_for_the_second_post(void **state)
{
    (void)state;
    assert_int_equal(races_of_a_second_get(true), 0);
    assert_int_equal(races_of_a_second_get(false), 1);
}

/* ---- window locks ---- */

static uint64_t races_with_lock(uint32_t rank)
{
    struct script s = begin();

    put_window(&s, rank, ORK_KIND_WIN_LOCK);
    put_window(&s, rank, ORK_KIND_WIN_UNLOCK);
    put_send(&s, 2);
    put_send(&s, 1);
    put_receive(&s, 1);
    put_receive(&s, 2);
    return end(&s);
}

static void a_sender_that_locks_windows_may_know_more(void **state)
{
    (void)state;
    assert_int_equal(races_with_lock(2), 0);
    assert_int_equal(races_with_lock(1), 1);
}

int test_synchronisation(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_is_a_barrier_unless_it_ends_no_epoch),
        cmocka_unit_test(who_creates_a_group_waits_for_its_members),
        cmocka_unit_test(groups_with_other_tags_are_other_groups),
        cmocka_unit_test(others_do_not_take_part_in_a_group),
        cmocka_unit_test(a_target_waits_until_its_origin_has_completed),
        cmocka_unit_test(an_origin_waits_for_its_target_if_it_gets_data),
        cmocka_unit_test(epochs_belong_together_in_their_order),
        cmocka_unit_test(a_second_epoch_waits_for_the_second_post),
        cmocka_unit_test(a_sender_that_locks_windows_may_know_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
