/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/overlay/stage/wire_link.h"
#include "tests/unit/record/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- round trips ---- */

static void everything_that_is_said_is_heard(void **state)
{
    struct wire_link *link = *state;

    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < 3; k++)
            link_sayings[random_next(&link->seed) % LINK_SAYINGS](link);
        link_assert_heard(link);
    }
}

static void the_greatest_values_go_through(void **state)
{
    struct wire_link *link = *state;
    struct ork_record record[3];
    struct ork_snapshot s;

    memset(record, 0xff, sizeof(record));
    for (int i = 0; i < 3; i++)
        record[i].kind = i == 1 ? 1 : ORK_KIND_MAX - 1;
    memset(&record[1].flags, 0, sizeof(record[1]) - 1);
    link_note_batch(&link->said, (1 << 24) - 1, record, 3, 0);
    link_say(link, &(struct ork_event){
                       .kind = ORK_EVENT_RECORDS, .rank = (1 << 24) - 1, .records = {record, 3}});
    memset(&s, 0xff, sizeof(s));
    s.sleeps = s.is_runnable = s.is_halted = s.has_decisions = true;
    s.threads = ORK_RING_THREADS;
    s.others = ORK_OTHERS_ACT;
    link_note_snapshot(&link->said, (1 << 24) - 1, &s);
    link_say(link, &(struct ork_event){
                       .kind = ORK_EVENT_SNAPSHOT, .rank = (1 << 24) - 1, .snapshot = &s});
    link_assert_heard(link);
}

static void a_long_batch_comes_in_several_frames(void **state)
{
    struct wire_link *link = *state;
    enum { MANY = 900 };
    static struct ork_record record[MANY];

    memset(record, 0, sizeof(record));
    for (int i = 0; i < MANY; i++)
        random_record(&link->seed, &record[i]);
    link_note_batch(&link->said, 3, record, MANY, 0);
    link_say(link,
             &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 3, .records = {record, MANY}});
    link_assert_heard(link);
    memset(record, 0, sizeof(record)); /* of few bytes each */
    for (int i = 0; i < MANY; i++)
        record[i].kind = ORK_KIND_START;
    link_say(link,
             &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 3, .records = {record, MANY}});
    assert_true(link_deliver(link) >= 2);
}

static void frames_are_handed_on_as_they_are(void **state)
{
    struct wire_link *link = *state;
    struct ork_wire_writer *between;
    uint8_t copy[4096];
    size_t size = 0, used;
    enum ork_event_kind kind;

    assert_int_equal(ork_wire_writer_create(&link->out, 2, &between), ORK_OK);
    for (int i = 0; i < 500; i++) {
        if (i % 2 == 0)
            link_say_attach(link); /* of leaf LINK_LEAF, whoever hands it on */
        else
            link_say_batch(link);
        assert_int_equal(ork_wire_frame(link->buffer, link->n, &kind, &used), ORK_OK);
        assert_in_range(used, 4, sizeof(copy));
        size = link->n;
        memcpy(copy, link->buffer, size);
        memset(link->buffer, 0, size);
        link->n = 0;
        assert_int_equal(ork_wire_forward(between, copy, size), ORK_OK);
        assert_memory_equal(link->buffer, copy, size);
        link_assert_heard(link);
    }
    ork_wire_writer_destroy(between);
}

static void a_wave_can_be_read_alone(void **state)
{
    struct wire_link *link = *state;
    struct ork_wave wave;

    for (int i = 0; i < 200; i++) {
        link_say_wave(link);
        assert_int_equal(ork_wire_read_wave(link->reader, link->buffer, link->n, &wave), ORK_OK);
        link_note_wave(&link->heard, &wave);
        link->n = 0;
        link_assert_heard(link);
    }
}

/* ---- sizes ---- */

/* A loop of six calls of different sites, as of a stencil code. */
static struct ork_record loop_call(unsigned i)
{
    static const struct ork_record call[6] = {
        {.kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .call = 90, .site = 11, .peer = 3},
        {.kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .call = 90, .site = 12, .peer = 5},
        {.kind = ORK_KIND_SEND, .call = 120, .site = 13, .peer = 5, .bytes = 4096},
        {.kind = ORK_KIND_SEND, .call = 120, .site = 14, .peer = 3, .bytes = 4096},
        {.kind = ORK_KIND_WAIT, .call = 200, .site = 15, .mode = ORK_WAIT_ONE},
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_ALLREDUCE, .call = 12, .site = 16, .bytes = 8},
    };
    struct ork_record record = call[i % 6];

    if (i % 6 < 2)
        record.request = i / 6 % 2 * 2 + i % 6;
    record.tag = (int32_t)(i / 6 % 3);
    return record;
}

static void calls_of_a_loop_cost_a_few_bytes(void **state)
{
    struct wire_link *link = *state;
    struct ork_record record[480];

    for (unsigned i = 0; i < 480; i++)
        record[i] = loop_call(i);
    link_say(link,
             &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, 480}});
    link->n = 0; /* the first one pays for what is new */
    link_say(link,
             &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, 480}});
    print_message("%.2f bytes a record\n", (double)link->n / 480);
    assert_in_range(link->n, 480, 6 * 480);
}

static void a_wave_of_all_costs_no_more_than_one_call(void **state)
{
    struct wire_link *link = *state;
    const struct ork_span span = {0, 100000};
    struct ork_group_record group_record = {loop_call(5), &span, 1};

    for (uint32_t i = 0; i < 10; i++) {
        struct ork_wave wave = {i, 0, &group_record, 1};
        link->n = 0;
        link_say(link, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = &wave});
    }
    assert_in_range(link->n, 1, 16);
}

static void credit_is_what_there_is_room_for_at_worst(void **state)
{
    struct wire_link *link = *state;
    struct ork_record record[ORK_FRAME_MAX / 64] = {{0}};
    size_t credit = ork_up_credit(&link->up);

    assert_in_range(credit, 100, sizeof(record) / sizeof(*record));
    for (size_t i = 0; i < credit; i++) { /* every field differs as much as can be */
        memset(&record[i], i % 2 == 0 ? 0x55 : 0xaa, sizeof(record[i]));
        record[i].kind = i % 2 == 0 ? 1 : 33; /* in the same slot */
        record[i].site = 0;
    }
    link_say(link, &(struct ork_event){
                       .kind = ORK_EVENT_RECORDS, .rank = 0, .records = {record, credit}});
    assert_in_range(link->n, credit * 60, ORK_FRAME_MAX);
    link->room = 0;
    assert_int_equal(ork_up_credit(&link->up), 0);
}

/* ---- bytes that no writer writes ---- */

/* A copy of its own size, so that the address sanitizer sees what lies beyond. */
static enum ork_status read_copy(struct wire_link *link, const uint8_t *frame, size_t size)
{
    enum ork_event_kind kind;
    size_t used = 0;
    uint8_t *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, frame, size);
    enum ork_status status = ork_wire_frame(copy, size, &kind, &used);
    if (status == ORK_OK) {
        assert_in_range(used, 1, size);
        status = ork_wire_read(link->reader, copy, used);
    }
    free(copy);
    link->heard.n = link->said.n = 0;
    return status;
}

static void a_frame_cut_anywhere_is_refused(void **state)
{
    struct wire_link *link = *state;

    for (unsigned i = 0; i < LINK_SAYINGS * 20; i++) {
        link_sayings[i % LINK_SAYINGS](link);
        for (size_t cut = 1; cut < link->n && cut < 700; cut++)
            assert_int_equal(read_copy(link, link->buffer, cut), ORK_INVALID);
        link->n = 0;
    }
}

/* The length says that it ends there, and what is in it does not. */
static void a_body_cut_anywhere_gives_a_status(void **state)
{
    struct wire_link *link = *state;
    unsigned refused = 0;

    for (unsigned i = 0; i < LINK_SAYINGS * 20; i++) {
        link_sayings[i % LINK_SAYINGS](link);
        for (size_t body = 0; body + 4 < link->n && body < 700; body++) {
            link->buffer[1] = (uint8_t)body;
            link->buffer[2] = (uint8_t)(body >> 8);
            link->buffer[3] = 0;
            enum ork_status status = read_copy(link, link->buffer, body + 4);
            assert_true(status == ORK_OK || status == ORK_INVALID);
            refused += status == ORK_INVALID;
        }
        link->n = 0;
    }
    assert_true(refused > 1000);
}

static void damaged_bytes_give_a_status(void **state)
{
    struct wire_link *link = *state;
    unsigned refused = 0;

    for (unsigned i = 0; i < LINK_SAYINGS * 1500; i++) {
        link_sayings[i % LINK_SAYINGS](link);
        for (unsigned k = 0; k <= i % 4; k++) /* the kind and the length too */
            link->buffer[random_next(&link->seed) % link->n] = (uint8_t)random_next(&link->seed);
        enum ork_status status = read_copy(link, link->buffer, link->n);
        assert_true(status == ORK_OK || status == ORK_INVALID);
        refused += status != ORK_OK;
        link->n = 0;
        if (i % 100 == 0) { /* ranks near 2^24 were named: give the memory back */
            void *again = link;
            uint64_t seed = link->seed;
            link_tear_down(&again);
            link_set_up(&again);
            link->seed = seed;
        }
    }
    assert_true(refused > 1000);
}

static void random_bytes_give_a_status(void **state)
{
    struct wire_link *link = *state;

    for (unsigned i = 0; i < 30000; i++) {
        size_t body = random_next(&link->seed) % 120;
        uint8_t frame[128] = {(uint8_t)(random_next(&link->seed) % 12), (uint8_t)body};
        for (size_t k = 0; k < body; k++) /* mostly small numbers, which make sense more often */
            frame[4 + k] = (uint8_t)(random_next(&link->seed) % (k % 5 == 0 ? 256 : 24));
        enum ork_status status = read_copy(link, frame, 4 + body);
        assert_true(status == ORK_OK || status == ORK_INVALID);
    }
}

static void wrong_numbers_are_refused(void **state)
{
    static const struct {
        uint8_t kind, size, body[12];
    } wrong[] = {
        {ORK_EVENT_ATTACH, 6, {0x80, 0x80, 0x80, 0x08, 1, 1}},    /* rank 2^24 */
        {ORK_EVENT_RECORDS, 4, {0x80, 0x80, 0x80, 0x08}},         /* the same */
        {ORK_EVENT_RECORDS, 4, {0, 0, 32, 0}},                    /* slot 32 */
        {ORK_EVENT_RECORDS, 7, {0, 0x81, 0x80, 0x08, 0, 2, 2}},   /* again 2^17 + 1 */
        {ORK_EVENT_END, 8, {0, 4, 0, 1, 0, 0, 0, 0}},             /* no way to die */
        {ORK_EVENT_END, 8, {0, 1, 0, 5, 0, 0, 0, 0}},             /* no such note */
        {ORK_EVENT_END, 8, {0, 1, 0, 1, 0, 0, 0, 0}},             /* without its record */
        {ORK_EVENT_COLLECTED, 5, {0x80, 0x80, 0x80, 0x80, 0x10}}, /* 2^32 */
        {ORK_EVENT_SNAPSHOT, 9, {0, 1, 1, 1, 1, 1, 1, 1, 65}},    /* threads */
        {ORK_EVENT_WAVE, 2, {0, 0}},                              /* of nobody */
        {ORK_EVENT_WAVE, 7, {0, 1, 0, 2, 2, 1, 0}},               /* a group record of nobody */
        {ORK_EVENT_WAVE, 9, {0, 1, 0, 2, 2, 1, 1, 0, 0}},         /* a span of nobody */
        {ORK_EVENT_WAVE, 12, {0, 1, 0, 2, 2, 1, 0, 0x80, 0x80, 0x80, 0x08, 1}}, /* beyond all */
    };
    struct wire_link *link = *state;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        uint8_t frame[16] = {wrong[i].kind, wrong[i].size};
        memcpy(frame + 4, wrong[i].body, wrong[i].size);
        assert_int_equal(read_copy(link, frame, 4u + wrong[i].size), ORK_INVALID);
    }
    const uint8_t most[] = {ORK_EVENT_RECORDS, 7, 0, 0, 0, 0x80, 0x80, 0x08, 0, 2, 2};
    assert_int_equal(read_copy(link, most, sizeof(most)), ORK_OK); /* again 2^17 */
    assert_int_equal(read_copy(link, (const uint8_t *)"\0\0\0\0", 4), ORK_INVALID);
    assert_int_equal(read_copy(link, (const uint8_t *)"\xff\0\0\0", 4), ORK_INVALID);
}

/* ---- the writer has no room ---- */

static void without_room_nothing_is_half_written(void **state)
{
    struct wire_link *link = *state;
    const struct ork_record record = {.kind = ORK_KIND_START};

    link->n = LINK_ROOM - 8;
    assert_int_equal(ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                   .rank = 0,
                                                                   .records = {&record, 1}}),
                     ORK_NOMEM);
    assert_int_equal(
        ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_END,
                                                      .rank = 0,
                                                      .ending = &(struct ork_ending){.sender = 1}}),
        ORK_NOMEM);
    assert_int_equal(
        ork_up_deliver(&link->up, &(struct ork_event){.kind = ORK_EVENT_LOST, .lost = {0, 1}}),
        ORK_NOMEM);
    assert_int_equal(link->n, LINK_ROOM - 8);
    link->n = 0;
    ork_wire_writer_destroy(NULL);
    ork_wire_reader_destroy(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, link_set_up, link_tear_down)

int test_wire(void)
{
    const struct CMUnitTest tests[] = {
        CASE(everything_that_is_said_is_heard),
        CASE(the_greatest_values_go_through),
        CASE(a_long_batch_comes_in_several_frames),
        CASE(frames_are_handed_on_as_they_are),
        CASE(a_wave_can_be_read_alone),
        CASE(calls_of_a_loop_cost_a_few_bytes),
        CASE(a_wave_of_all_costs_no_more_than_one_call),
        CASE(credit_is_what_there_is_room_for_at_worst),
        CASE(a_frame_cut_anywhere_is_refused),
        CASE(a_body_cut_anywhere_gives_a_status),
        CASE(damaged_bytes_give_a_status),
        CASE(random_bytes_give_a_status),
        CASE(wrong_numbers_are_refused),
        CASE(without_room_nothing_is_half_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
