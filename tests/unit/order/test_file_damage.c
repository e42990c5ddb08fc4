/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that contain anything. */
#include "tests/unit/order/file_stage.h"
#include "tests/unit/order/random_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAGIC_SIZE = 8, VERSION_AT = 13 };

static void other_files_are_refused(void **state)
{
    (void)state;
    save((const uint8_t *)"", 0);
    expect_refusal(other, "it is not an order file");
    save((const uint8_t *)"ORKTRACE and more", 17);
    expect_refusal(other, "it is not an order file");
}

static void another_version_is_refused(void **state)
{
    size_t size;
    char sentence[100];

    (void)state;
    write_sample();
    uint8_t *bytes = load(&size);
    assert_memory_equal(bytes + VERSION_AT, ORKNOT_VERSION, strlen(ORKNOT_VERSION));
    bytes[VERSION_AT] = '9';
    save(bytes, size);
    snprintf(sentence, sizeof(sentence), "it is from orknot 9%s, and this is %s",
             &ORKNOT_VERSION[1], ORKNOT_VERSION);
    expect_refusal(other, sentence);
    bytes[VERSION_AT] = '\033';
    save(bytes, size);
    expect_refusal(other, "its header is damaged");
    bytes[VERSION_AT] = (uint8_t)ORKNOT_VERSION[0];
    bytes[MAGIC_SIZE] = 2;
    save(bytes, size);
    expect_refusal(other, "it has format 2, and this program reads format 1");
    free(bytes);
}

static bool is_prefix(const struct ork_order_rank *a, const struct ork_order_rank *whole)
{
    return a->size <= whole->size && (a->size == 0 || !memcmp(a->stream, whole->stream, a->size));
}

static void a_file_can_end_at_every_byte(void **state)
{
    size_t size, headers = 0, cut_off = 0;

    (void)state;
    write_sample();
    uint8_t *bytes = load(&size);
    struct ork_order_file *whole = read_file(path);
    for (size_t end = 0; end < size; end++) {
        struct ork_order_file *file = NULL;
        char error[ORK_ORDER_ERROR] = "";
        save(bytes, end);
        enum ork_status status = ork_order_file_read(other, &file, error);
        if (status == ORK_INVALID) {
            assert_string_equal(error, end < MAGIC_SIZE ? "it is not an order file"
                                                        : "its header is cut off");
            assert_int_equal(headers++, end);
            continue;
        }
        assert_int_equal(status, ORK_OK);
        assert_false(file->complete);
        for (uint32_t i = 0; i < file->num_ranks; i++)
            assert_true(is_prefix(&file->rank[i], &whole->rank[i]));
        cut_off++;
        ork_order_file_destroy(file);
    }
    assert_true(headers > MAGIC_SIZE && cut_off > 100);
    save(bytes, size);
    struct ork_order_file *file = read_file(other);
    assert_true(file->complete);
    ork_order_file_destroy(file);
    ork_order_file_destroy(whole);
    free(bytes);
}

static void every_damaged_byte_is_noticed(void **state)
{
    size_t size;

    (void)state;
    write_sample();
    uint8_t *bytes = load(&size);
    for (size_t at = 0; at < size; at++) {
        struct ork_order_file *file = NULL;
        char error[ORK_ORDER_ERROR] = "";
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[at] ^= (uint8_t)(1 << bit);
            save(bytes, size);
            assert_int_equal(ork_order_file_read(other, &file, error), ORK_INVALID);
            assert_non_null(strstr(error, " "));
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    bytes = realloc(bytes, size + 1);
    assert_non_null(bytes);
    bytes[size] = 0;
    save(bytes, size + 1); /* something after the end */
    struct ork_order_file *file = NULL;
    char error[ORK_ORDER_ERROR];
    assert_int_equal(ork_order_file_read(other, &file, error), ORK_INVALID);
    free(bytes);
}

/* The header of a file of `path`, then one intact block with these entries. */
static void save_entries(const uint8_t *start, size_t start_size, const uint8_t *entries, size_t n)
{
    uint8_t out[4096];
    uint8_t *frame = out + start_size + ORK_ORDER_BLOCK_HEADER;
    size_t size = ZSTD_compress(frame, 2048, entries, n, 1);

    assert_false(ZSTD_isError(size));
    memcpy(out, start, start_size);
    uint8_t *p = ork_order_put_u32(out + start_size, (uint32_t)size);
    ork_order_put_u32(p, ork_order_block_check(0, (uint32_t)size));
    save(out, start_size + ORK_ORDER_BLOCK_HEADER + size);
}

static void intact_blocks_with_any_entries_do_no_harm(void **state)
{
    size_t size;
    uint64_t seed = 1;
    unsigned refused = 0, accepted = 0;

    (void)state;
    assert_int_equal(ork_order_writer_close(create(), false), ORK_OK);
    uint8_t *start = load(&size);
    for (int i = 0; i < 1000; i++) {
        struct ork_order_file *file = NULL;
        char error[ORK_ORDER_ERROR] = "";
        uint8_t entries[40];
        uint32_t n = 1 + random_below(&seed, sizeof(entries));
        for (uint32_t k = 0; k < n; k++)
            entries[k] = (uint8_t)random_value(&seed);
        entries[0] = (uint8_t)random_below(&seed, 4);
        save_entries(start, size, entries, n);
        if (ork_order_file_read(other, &file, error) == ORK_OK) {
            ork_order_file_destroy(file);
            accepted++;
        } else {
            assert_string_equal(error, "block 1 is damaged");
            refused++;
        }
    }
    assert_true(refused > 10 && accepted > 10);
    free(start);
}

static void entries_beyond_the_limits_are_refused(void **state)
{
    size_t size;
    const uint8_t no_kind[] = {9, 1, 1}, far[] = {ORK_ORDER_STREAM, 0x80, 0x80, 0x40, 0},
                  long_stream[] = {ORK_ORDER_STREAM, 1, 5, 1, 2, 3, 4},
                  long_number[] = {ORK_ORDER_JOB, 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 1},
                  early_end[] = {ORK_ORDER_END, ORK_ORDER_END};

    (void)state;
    assert_int_equal(ork_order_writer_close(create(), false), ORK_OK);
    uint8_t *start = load(&size);
    save_entries(start, size, no_kind, sizeof(no_kind));
    expect_refusal(other, "block 1 is damaged");
    save_entries(start, size, far, sizeof(far));
    expect_refusal(other, "block 1 is damaged");
    save_entries(start, size, long_stream, sizeof(long_stream));
    expect_refusal(other, "block 1 is damaged");
    save_entries(start, size, long_number, sizeof(long_number));
    expect_refusal(other, "block 1 is damaged");
    save_entries(start, size, early_end, sizeof(early_end));
    expect_refusal(other, "block 1 is damaged");
    free(start);
}

int test_file_damage(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(other_files_are_refused),
        FILE_TEST(another_version_is_refused),
        FILE_TEST(a_file_can_end_at_every_byte),
        FILE_TEST(every_damaged_byte_is_noticed),
        FILE_TEST(intact_blocks_with_any_entries_do_no_harm),
        FILE_TEST(entries_beyond_the_limits_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
