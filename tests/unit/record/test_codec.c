/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/codec.h"
#include "tests/unit/record/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Padding behind the fields does not exist: fields.def fills the struct. */
static bool is_equal(const struct ork_record *a, const struct ork_record *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static struct ork_record as_record(struct ork_cont cont)
{
    struct ork_record record;

    memcpy(&record, &cont, sizeof(record));
    return record;
}

/* One record through both sides; returns its size in bytes. */
static size_t pass(struct ork_codec *writer, struct ork_codec *reader,
                   const struct ork_record *record)
{
    uint8_t bytes[ORK_ENCODED_MAX];
    struct ork_record back;
    size_t used;
    size_t size = ork_encode(writer, record, bytes);

    assert_in_range(size, 1, ORK_ENCODED_MAX);
    assert_int_equal(ork_decode(reader, bytes, size, &used, &back), ORK_OK);
    assert_int_equal(used, size);
    assert_true(is_equal(record, &back));
    return size;
}

static void random_records_come_back(void **state)
{
    uint64_t seed = 1;
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    struct ork_record record = {0};

    (void)state;
    for (int i = 0; i < 100000; i++) {
        random_record(&seed, &record);
        pass(&writer, &reader, &record);
    }
}

static void lists_come_back_and_do_not_disturb_the_records_around_them(void **state)
{
    uint64_t seed = 2;
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    struct ork_record record = {0};

    (void)state;
    for (int i = 0; i < 20000; i++) {
        random_record(&seed, &record);
        pass(&writer, &reader, &record);
        for (uint64_t conts = random_next(&seed) % 4; conts > 0; conts--) {
            struct ork_record list = as_record(random_cont(&seed));
            pass(&writer, &reader, &list);
        }
    }
}

/* Every field at its greatest or smallest value, told apart by `high`. */
static struct ork_record extreme(bool high)
{
    struct ork_record record = {0};

#define ORK_FIELD(type, name) record.name = high ? (type)UINT64_MAX : 0;
#include "record/fields.def"
#undef ORK_FIELD
    record.peer = high ? INT32_MAX : INT32_MIN;
    record.peer2 = high ? INT32_MIN : INT32_MAX;
    record.tag = high ? INT32_MAX : INT32_MIN;
    record.tag2 = high ? INT32_MIN : INT32_MAX;
    record.kind = high ? ORK_KIND_MAX - 1 : 1;
    return record;
}

static void fields_that_jump_between_their_extremes_come_back(void **state)
{
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    struct ork_record high = extreme(true);
    struct ork_record low = extreme(false);

    (void)state;
    for (int i = 0; i < 4; i++) {
        pass(&writer, &reader, &high);
        pass(&writer, &reader, &low);
    }
}

/* The most bytes that the difference of one field can take: 7 bits a byte, and one bit for the
 * sign. */
static size_t worst_size(size_t field_size)
{
    size_t bits = field_size == 8 ? 64 : field_size * 8 + 1;

    return (bits + 6) / 7;
}

static void no_record_takes_more_bytes_than_promised(void **state)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = ORK_CONT_WORDS};
    struct ork_codec codec = {0};
    uint8_t bytes[ORK_ENCODED_MAX];
    size_t worst = worst_size(4); /* the mask, of at most 32 bits */

    (void)state;
#define ORK_FIELD(type, name) worst += worst_size(sizeof(type));
#include "record/fields.def"
#undef ORK_FIELD
    assert_in_range(worst, 1, ORK_ENCODED_MAX);

    for (int i = 0; i < 4; i++) {
        struct ork_record record = extreme(i % 2 == 0);
        assert_in_range(ork_encode(&codec, &record, bytes), 1, worst);
    }
    for (unsigned i = 0; i < ORK_CONT_WORDS; i++)
        cont.word[i] = i % 2 == 0 ? UINT32_C(0x80000000) : 0;
    struct ork_record list = as_record(cont);
    assert_in_range(ork_encode(&codec, &list, bytes), 2 + ORK_CONT_WORDS * 5, ORK_ENCODED_MAX);
}

static void every_truncation_is_reported_and_changes_nothing(void **state)
{
    uint64_t seed = 3;
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    struct ork_record record = {0};

    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint8_t bytes[ORK_ENCODED_MAX];
        struct ork_record next;
        struct ork_record untouched = {.kind = 77};
        size_t used = 4711;

        random_record(&seed, &record);
        next = i % 3 == 0 ? as_record(random_cont(&seed)) : record;
        size_t size = ork_encode(&writer, &next, bytes);
        struct ork_codec before = reader;
        for (size_t cut = 0; cut < size; cut++) {
            assert_int_equal(ork_decode(&reader, bytes, cut, &used, &untouched), ORK_TRUNCATED);
            assert_int_equal(used, 4711);
            assert_int_equal(untouched.kind, 77);
            assert_memory_equal(&reader, &before, sizeof(reader));
        }
        assert_int_equal(ork_decode(&reader, bytes, size, &used, &untouched), ORK_OK);
        assert_true(is_equal(&untouched, &next));
    }
}

static void a_stream_is_decoded_record_by_record(void **state)
{
    enum { RECORDS = 50 };
    uint64_t seed = 4;
    static uint8_t stream[RECORDS * ORK_ENCODED_MAX];
    struct ork_record sent[RECORDS] = {{0}};
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    size_t size = 0;
    size_t at = 0;

    (void)state;
    for (int i = 0; i < RECORDS; i++) {
        random_record(&seed, &sent[i]);
        size += ork_encode(&writer, &sent[i], stream + size);
    }
    for (int i = 0; i < RECORDS; i++) {
        struct ork_record got;
        size_t used;
        assert_int_equal(ork_decode(&reader, stream + at, size - at, &used, &got), ORK_OK);
        assert_true(is_equal(&got, &sent[i]));
        at += used;
    }
    assert_int_equal(at, size);
}

static void assert_invalid(const uint8_t *bytes, size_t size)
{
    struct ork_codec codec = {.previous = {.kind = ORK_KIND_SEND}};
    struct ork_codec before = codec;
    struct ork_record record = {.kind = 77};
    size_t used = 4711;

    assert_int_equal(ork_decode(&codec, bytes, size, &used, &record), ORK_INVALID);
    assert_memory_equal(&codec, &before, sizeof(codec));
    assert_int_equal(record.kind, 77);
    assert_int_equal(used, 4711);
}

static void what_no_encoder_writes_is_invalid(void **state)
{
    uint8_t full[ORK_ENCODED_MAX];

    (void)state;
    memset(full, 0xff, sizeof(full));
    assert_invalid(full, sizeof(full));                       /* a varint of more than 64 bits */
    assert_invalid((uint8_t[]){0x03, 0x02}, 2);               /* a list and a field at once */
    assert_invalid((uint8_t[]){0x80, 0x80, 0x80, 0x01}, 4);   /* a field that does not exist */
    assert_invalid((uint8_t[]){0x01, 0x00}, 2);               /* an empty list */
    assert_invalid((uint8_t[]){0x01, ORK_CONT_WORDS + 1}, 2); /* a list that is too long */
    assert_invalid((uint8_t[]){0x02, 2 * ORK_KIND_SEND - 1},
                   2);                                      /* back to kind 0: no list follows */
    assert_invalid((uint8_t[]){0x02, 2 * ORK_KIND_MAX}, 2); /* a kind that does not exist */
}

static void junk_gives_records_or_a_status(void **state)
{
    uint64_t seed = 5;
    unsigned records = 0;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        uint8_t junk[64];
        struct ork_codec codec = {.previous = {.kind = ORK_KIND_SEND}};
        size_t size = random_next(&seed) % sizeof(junk);
        size_t at = 0;

        for (size_t k = 0; k < sizeof(junk); k++)
            junk[k] = (uint8_t)(random_next(&seed) >> (random_next(&seed) % 8 + 56));
        for (;;) {
            struct ork_record record;
            size_t used = 0;
            enum ork_status status = ork_decode(&codec, junk + at, size - at, &used, &record);
            if (status != ORK_OK) {
                assert_true(status == ORK_TRUNCATED || status == ORK_INVALID);
                break;
            }
            assert_in_range(used, 1, size - at);
            assert_true(record.kind < ORK_KIND_MAX);
            at += used;
            records++;
        }
    }
    assert_true(records > 10000); /* the junk is not all refused */
}

static void the_records_of_a_loop_take_few_bytes(void **state)
{
    struct ork_record loop[] = {
        {.kind = ORK_KIND_RECV, .call = 140, .site = 3, .peer = 1, .tag = 9, .bytes = 8000},
        {.kind = ORK_KIND_SEND, .call = 160, .site = 4, .peer = 3, .tag = 9, .bytes = 8000},
        {.kind = ORK_KIND_COLL, .call = 12, .mode = ORK_COLL_ALLREDUCE, .site = 5, .peer = -4},
    };
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};
    size_t total = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        for (size_t k = 0; k < sizeof(loop) / sizeof(*loop); k++)
            total += pass(&writer, &reader, &loop[k]);
    }
    assert_in_range(total / 3000, 1, 12); /* of 64 */
}

static void the_same_record_again_takes_one_byte(void **state)
{
    struct ork_record record = {.kind = ORK_KIND_SEND, .peer = 1, .bytes = 1 << 20};
    struct ork_codec writer = {0};
    struct ork_codec reader = {0};

    (void)state;
    pass(&writer, &reader, &record);
    assert_int_equal(pass(&writer, &reader, &record), 1);
}

int test_codec(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_records_come_back),
        cmocka_unit_test(lists_come_back_and_do_not_disturb_the_records_around_them),
        cmocka_unit_test(fields_that_jump_between_their_extremes_come_back),
        cmocka_unit_test(no_record_takes_more_bytes_than_promised),
        cmocka_unit_test(every_truncation_is_reported_and_changes_nothing),
        cmocka_unit_test(a_stream_is_decoded_record_by_record),
        cmocka_unit_test(what_no_encoder_writes_is_invalid),
        cmocka_unit_test(junk_gives_records_or_a_status),
        cmocka_unit_test(the_records_of_a_loop_take_few_bytes),
        cmocka_unit_test(the_same_record_again_takes_one_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
