/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary of races of an ordinary run. */
#include "order/causality/races.h"
#include "record/calls.h"
#include "tests/unit/detector/memory.h"
#include "tests/unit/detector/unit.h"

#include <limits.h>
#include <string.h>

enum { MASTER = 0, RANKS = 4, SITE_RESULT = 7, SITE_TASK = 8, SITE_SEND = 9 };

struct script {
    struct ork_races *races;
};

static struct script begin(void)
{
    struct script s = {0};

    assert_int_equal(ork_races_create(RANKS, &s.races), ORK_OK);
    return s;
}

static void put(struct script *s, uint32_t rank, struct ork_record record)
{
    assert_int_equal(ork_races_feed(s->races, rank, &record, 1), ORK_OK);
}

static void put_send(struct script *s, uint32_t rank, int32_t to, int32_t tag)
{
    put(s, rank,
        (struct ork_record){.kind = ORK_KIND_SEND,
                            .call = ORK_CALL_MPI_Send,
                            .site = SITE_SEND,
                            .peer = to,
                            .tag = tag});
}

static void put_receive(struct script *s, uint32_t rank, int32_t from, int32_t tag)
{
    put(s, rank,
        (struct ork_record){.kind = ORK_KIND_RECV, .site = SITE_TASK, .peer = from, .tag = tag});
}

/* The master receives from any source, and takes a message of this one. */
static void put_result(struct script *s, int32_t from, int32_t tag)
{
    put(s, MASTER,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .call = ORK_CALL_MPI_Recv,
                            .site = SITE_RESULT,
                            .peer = ORK_ANY_SOURCE,
                            .tag = ORK_ANY_TAG});
    put(s, MASTER,
        (struct ork_record){.kind = ORK_KIND_EXIT, .peer = from, .tag = tag, .extra = 1});
}

struct found {
    unsigned count;
    struct ork_race last;
};

static bool take(void *context, const struct ork_race *race)
{
    struct found *f = context;

    f->count++;
    f->last = *race;
    return true;
}

static struct found end(struct script *s)
{
    struct found f = {0};

    for (uint32_t r = 0; r < RANKS; r++) {
        put(s, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_races_end(s->races, r);
    }
    ork_races_list(s->races, take, &f);
    ork_races_destroy(s->races);
    return f;
}

/* Each worker sends a result, and gets a task for it. */
static void put_round(struct script *s)
{
    for (int32_t w = 1; w < RANKS; w++)
        put_send(s, (uint32_t)w, MASTER, w);
    for (int32_t w = 1; w < RANKS; w++) {
        put_result(s, w, w);
        put_send(s, MASTER, w, 0);
        put_receive(s, (uint32_t)w, MASTER, 0);
    }
}

static void the_results_of_workers_race(void **state)
{
    struct script s = begin();

    (void)state;
    put_round(&s);
    struct found f = end(&s);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.last.rank, MASTER);
    assert_int_equal(f.last.site, SITE_RESULT);
    assert_int_equal(f.last.call, ORK_CALL_MPI_Recv);
    assert_false(f.last.is_probe);
    assert_int_equal(f.last.times, 3);
    assert_int_equal(f.last.raced, 2); /* the last one had no other message */
    assert_int_equal(f.last.sources, 2);
    assert_int_equal(f.last.source[0], 2);
    assert_int_equal(f.last.source[1], 3);
    assert_false(f.last.has_more_sources);
    assert_int_equal(f.last.took.sender, 1);
    assert_int_equal(f.last.took.tag, 1);
    assert_int_equal(f.last.took.site, SITE_SEND);
    assert_int_equal(f.last.took.call, ORK_CALL_MPI_Send);
    assert_int_equal(f.last.other.call, ORK_CALL_MPI_Send);
    assert_int_equal(f.last.other.sender, 2);
    assert_int_equal(f.last.other.source, 2);
    assert_int_equal(f.last.other.tag, 2);
}

/* A record of the master with a list. */
static void put_list(struct script *s, struct ork_record record, const struct ork_cont *list)
{
    struct ork_record pair[2] = {record};

    pair[0].count = list->words;
    memcpy(&pair[1], list, sizeof(*list));
    assert_int_equal(ork_races_feed(s->races, MASTER, pair, 2), ORK_OK);
}

/* Its call site is that of MPI_Start. */
static void a_persistent_receive_is_at_its_start(void **state)
{
    const struct ork_cont request = {.kind = ORK_KIND_CONT, .words = 1, .word = {0}};
    struct script s = begin();

    (void)state;
    put(&s, MASTER,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .flags = ORK_F_PERSISTENT,
                            .call = ORK_CALL_MPI_Recv_init,
                            .site = SITE_TASK,
                            .peer = ORK_ANY_SOURCE,
                            .tag = ORK_ANY_TAG});
    for (int32_t w = 1; w < RANKS; w++)
        put_send(&s, (uint32_t)w, MASTER, w);
    for (int32_t w = 1; w < RANKS; w++) {
        const struct ork_cont taken = {
            .kind = ORK_KIND_CONT, .words = 3, .word = {0, (uint32_t)w, (uint32_t)w}};
        put_list(&s,
                 (struct ork_record){
                     .kind = ORK_KIND_START, .call = ORK_CALL_MPI_Start, .site = SITE_RESULT},
                 &request);
        put_list(&s, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, &request);
        put_list(&s, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}, &taken);
    }
    struct found f = end(&s);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.last.raced, 2);
    assert_int_equal(f.last.site, SITE_RESULT);
    assert_int_equal(f.last.call, ORK_CALL_MPI_Start);
}

/* Each worker sends only after the master has had the result of the one before. */
static void messages_that_depend_on_a_receive_do_not_race_with_it(void **state)
{
    struct script s = begin();

    (void)state;
    for (int32_t w = 1; w < RANKS; w++) {
        put_send(&s, MASTER, w, 0);
        put_receive(&s, (uint32_t)w, MASTER, 0);
        put_send(&s, (uint32_t)w, MASTER, w);
        put_result(&s, w, w);
    }
    assert_int_equal(end(&s).count, 0);
}

/* The second result of a worker follows its first one. */
static void messages_of_the_same_source_do_not_race(void **state)
{
    struct script s = begin();

    (void)state;
    put_send(&s, 1, MASTER, 1);
    put_send(&s, 1, MASTER, 2);
    put_result(&s, 1, 1);
    put_result(&s, 1, 2);
    assert_int_equal(end(&s).count, 0);
}

/* The master takes the message of rank 1 first. Rank 2 sends after `what` has told it of that. */
struct told {
    bool asks;     /* for the status of its pending receive from the master */
    uint8_t coll;  /* a persistent operation; 0: none */
    uint8_t start; /* ranks that start it, a bit each */
};

static void put_one(struct script *s, uint32_t rank, struct ork_record record, uint32_t word)
{
    struct ork_record pair[2] = {record};
    const struct ork_cont list = {.kind = ORK_KIND_CONT, .words = 1, .word = {word}};

    pair[0].count = 1;
    memcpy(&pair[1], &list, sizeof(list));
    assert_int_equal(ork_races_feed(s->races, rank, pair, 2), ORK_OK);
}

static void put_persistent(struct script *s, uint32_t rank, const struct told *t)
{
    /* counts: rank 0 sends to rank 2 only */
    const struct ork_cont counts = {.kind = ORK_KIND_CONT,
                                    .words = 2 * RANKS,
                                    .word = {0, 0, rank == 0, 0, rank == 2, 0, 0, 0}};
    struct ork_record record[2] = {{.kind = ORK_KIND_COLL,
                                    .flags = ORK_F_PERSISTENT | ORK_F_SENDS | ORK_F_RECEIVES,
                                    .mode = t->coll,
                                    .tag = 4, /* sizes of the types */
                                    .tag2 = 4,
                                    .request = 1,
                                    .count = t->coll == ORK_COLL_ALLTOALLV ? counts.words : 0}};

    memcpy(&record[1], &counts, sizeof(counts));
    assert_int_equal(ork_races_feed(s->races, rank, record, record[0].count > 0 ? 2 : 1), ORK_OK);
    if ((t->start >> rank & 1) == 0)
        return;
    put_one(s, rank, (struct ork_record){.kind = ORK_KIND_START}, 1);
    put_one(s, rank, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 1);
}

static void check_told(struct told t, unsigned races)
{
    struct script s = begin();

    put(&s, 2,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .flags = ORK_F_NONBLOCKING,
                            .peer = MASTER,
                            .tag = 5,
                            .request = 0});
    put_send(&s, 1, MASTER, 1);
    put_result(&s, 1, 1);
    put_send(&s, MASTER, 2, 5);
    for (uint32_t r = 0; r < RANKS && t.coll != 0; r++)
        put_persistent(&s, r, &t);
    if (t.asks)
        put(&s, 2, (struct ork_record){.kind = ORK_KIND_STATUS, .request = 0, .extra = 1});
    put_send(&s, 2, MASTER, 2);
    put_one(&s, 2, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
    put_result(&s, 2, 2);
    assert_int_equal(end(&s).count, races);
}

static void a_status_orders_messages(void **state)
{
    (void)state;
    check_told((struct told){.asks = false}, 1);
    check_told((struct told){.asks = true}, 0);
}

static void persistent_collective_calls_order_messages(void **state)
{
    (void)state;
    check_told((struct told){.coll = ORK_COLL_BARRIER, .start = 0}, 1);
    check_told((struct told){.coll = ORK_COLL_BARRIER, .start = 15}, 0);
    check_told((struct told){.coll = ORK_COLL_ALLTOALLV, .start = 0}, 1);
    check_told((struct told){.coll = ORK_COLL_ALLTOALLV, .start = 15}, 0);
    check_told((struct told){.coll = ORK_COLL_ALLTOALLV, .start = 5}, 0);
}

/* The message of rank 1 is synchronous: when it has returned, rank 1 tells rank 2. The receive of
 * the master is complete before or after that. */
static void check_synchronous(uint16_t mode, bool is_late, unsigned races)
{
    struct script s = begin();

    put(&s, MASTER,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .flags = ORK_F_NONBLOCKING,
                            .peer = ORK_ANY_SOURCE,
                            .tag = ORK_ANY_TAG,
                            .request = 0});
    if (is_late)
        put(&s, MASTER,
            (struct ork_record){.kind = ORK_KIND_EARLY, .request = 0, .peer = 1, .tag = 1});
    put(&s, 1, (struct ork_record){.kind = ORK_KIND_SEND, .mode = mode, .peer = MASTER, .tag = 1});
    put_send(&s, 1, 2, 4);
    if (!is_late) {
        const struct ork_cont taken = {.kind = ORK_KIND_CONT, .words = 3, .word = {0, 1, 1}};
        put_one(&s, MASTER, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
        put_list(&s, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}, &taken);
    }
    put_receive(&s, 2, 1, 4);
    put_send(&s, 2, MASTER, 2);
    if (is_late) {
        const struct ork_cont taken = {.kind = ORK_KIND_CONT, .words = 3, .word = {0, 1, 1}};
        put_one(&s, MASTER, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
        put_list(&s, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}, &taken);
    }
    put_result(&s, 2, 2);
    assert_int_equal(end(&s).count, races);
}

static void a_synchronous_send_that_returned_orders_messages(void **state)
{
    (void)state;
    for (int is_late = 0; is_late < 2; is_late++) {
        check_synchronous(ORK_SEND_STANDARD, is_late, 1);
        check_synchronous(ORK_SEND_SYNCHRONOUS, is_late, 0);
    }
}

/* Synchronous sends whose status is asked for, and starts of persistent barriers that are made and
 * freed again. */
static void put_other_round(struct script *s)
{
    put(s, 1,
        (struct ork_record){.kind = ORK_KIND_SEND,
                            .flags = ORK_F_NONBLOCKING,
                            .mode = ORK_SEND_SYNCHRONOUS,
                            .peer = MASTER,
                            .tag = 1,
                            .request = 0});
    put_result(s, 1, 1);
    put(s, 1, (struct ork_record){.kind = ORK_KIND_STATUS, .request = 0, .extra = 1});
    put_one(s, 1, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        put_persistent(s, r, &(struct told){.coll = ORK_COLL_BARRIER, .start = 15});
    for (uint32_t r = 0; r < RANKS; r++)
        put(s, r, (struct ork_record){.kind = ORK_KIND_REQUEST_FREE, .request = 1});
}

static void memory_does_not_grow_with_requests(void **state)
{
    struct script s;

    (void)state;
    memory_arm(LONG_MAX);
    s = begin();
    for (unsigned i = 0; i < 200; i++)
        put_other_round(&s);
    long bytes = memory_bytes();
    for (unsigned i = 0; i < 2000; i++)
        put_other_round(&s);
    assert_int_equal(memory_bytes(), bytes);
    assert_int_equal(end(&s).count, 0);
    assert_int_equal(memory_live(), 0);
    memory_disarm();
}

static void memory_does_not_grow(void **state)
{
    struct script s;

    (void)state;
    memory_arm(LONG_MAX);
    s = begin();
    for (unsigned i = 0; i < 200; i++)
        put_round(&s);
    long bytes = memory_bytes();
    for (unsigned i = 0; i < 2000; i++)
        put_round(&s);
    assert_int_equal(memory_bytes(), bytes);
    struct found f = end(&s);
    assert_int_equal(f.last.times, 3 * 2200);
    assert_int_equal(memory_live(), 0);
    memory_disarm();
}

/* A receive that is open until the end does not keep what comes after it. */
static void an_open_receive_does_not_keep_the_rest(void **state)
{
    struct script s;

    (void)state;
    memory_arm(LONG_MAX);
    s = begin();
    put(&s, MASTER,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .flags = ORK_F_NONBLOCKING,
                            .request = 0,
                            .peer = ORK_ANY_SOURCE,
                            .tag = 99});
    for (unsigned i = 0; i < 2000; i++)
        put_round(&s);
    long bytes = memory_bytes();
    for (unsigned i = 0; i < 2000; i++)
        put_round(&s);
    assert_true(memory_bytes() <= bytes + bytes / 8);
    struct found f = end(&s);
    assert_true(f.last.times > 3 * 3900);
    assert_int_equal(memory_live(), 0);
    memory_disarm();
}

static void without_memory_for_the_clocks_no_rank_is_followed_further(void **state)
{
    (void)state;
    for (unsigned little = 0; little < 2; little++) {
        struct script s = begin();
        ork_races_set_limit(s.races, little ? 1 : 1 << 20);
        for (unsigned i = 0; i < 10; i++)
            put_round(&s);
        for (uint32_t r = 0; r < RANKS; r++) {
            const char *why = ork_races_lost(s.races, r);
            assert_true((why != NULL) == (little != 0));
            if (why != NULL)
                assert_string_equal(why,
                                    "the vector clocks need more memory than --must:queue-limit");
        }
        assert_true((end(&s).last.times <= 3) == (little != 0));
    }
}

static void run_out(long allocations, long *failures)
{
    struct script s = {0};

    memory_arm(allocations);
    enum ork_status status = ork_races_create(RANKS, &s.races);
    for (int32_t w = 1; w < RANKS && status == ORK_OK; w++) {
        struct ork_record record = {.kind = ORK_KIND_SEND, .peer = MASTER, .tag = w};
        status = ork_races_feed(s.races, (uint32_t)w, &record, 1);
        record = (struct ork_record){
            .kind = ORK_KIND_RECV, .peer = ORK_ANY_SOURCE, .tag = ORK_ANY_TAG, .site = 1};
        if (status == ORK_OK)
            status = ork_races_feed(s.races, MASTER, &record, 1);
        record = (struct ork_record){.kind = ORK_KIND_EXIT, .peer = w, .tag = w, .extra = 1};
        if (status == ORK_OK)
            status = ork_races_feed(s.races, MASTER, &record, 1);
        record = (struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER};
        for (uint32_t r = 0; r < RANKS && status == ORK_OK; r++)
            status = ork_races_feed(s.races, r, &record, 1);
    }
    ork_races_destroy(s.races);
    *failures = memory_failures();
    assert_int_equal(memory_live(), 0);
    assert_true(status == ORK_OK ? *failures == 0 : status == ORK_NOMEM);
    memory_disarm();
}

static void memory_may_run_out(void **state)
{
    long failures = 1;

    (void)state;
    for (long allocations = 0; failures > 0; allocations++)
        run_out(allocations, &failures);
}

int test_races(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_results_of_workers_race),
        cmocka_unit_test(messages_that_depend_on_a_receive_do_not_race_with_it),
        cmocka_unit_test(messages_of_the_same_source_do_not_race),
        cmocka_unit_test(a_persistent_receive_is_at_its_start),
        cmocka_unit_test(a_status_orders_messages),
        cmocka_unit_test(persistent_collective_calls_order_messages),
        cmocka_unit_test(a_synchronous_send_that_returned_orders_messages),
        cmocka_unit_test(memory_does_not_grow_with_requests),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(an_open_receive_does_not_keep_the_rest),
        cmocka_unit_test(without_memory_for_the_clocks_no_rank_is_followed_further),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
