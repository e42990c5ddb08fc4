/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/order/file_stage.h"
#include "tests/unit/order/random_choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 22 };

/* ---- what was written is read ---- */

static void an_empty_order_has_its_ranks(void **state)
{
    (void)state;
    assert_int_equal(ork_order_writer_close(create(), true), ORK_OK);
    struct ork_order_file *file = read_file(path);
    assert_true(file->complete);
    assert_int_equal(file->header.ranks, 3);
    assert_string_equal(file->header.program, "farm");
    assert_int_equal(file->num_ranks, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(file->rank[i].rank, i);
        assert_int_equal(file->rank[i].rank_in_job, i);
        assert_int_equal(file->rank[i].job, 0);
        assert_int_equal(file->rank[i].size, 0);
    }
    assert_null(ork_order_file_place(file, 0, 1));
    ork_order_file_destroy(file);
}

static void streams_places_and_jobs_come_back(void **state)
{
    (void)state;
    write_sample();
    struct ork_order_file *file = read_file(path);
    assert_true(file->complete);
    assert_int_equal(file->num_ranks, 6);
    assert_int_equal(file->rank[0].size, 36);
    assert_memory_equal(file->rank[0].stream, "0123456789abcdefghijklmnopqrstuvwxyz", 36);
    assert_int_equal(file->rank[1].size, 0);
    assert_int_equal(file->rank[2].size, 12);
    assert_memory_equal(file->rank[2].stream, "012012012012", 12);
    assert_int_equal(file->rank[5].job, 1);
    assert_int_equal(file->rank[5].rank_in_job, 2);
    assert_string_equal(ork_order_file_place(file, 0, 7), "farm.c:40 in main()");
    assert_string_equal(ork_order_file_place(file, 5, 7), "child.c:3");
    assert_null(ork_order_file_place(file, 0, 8));
    assert_null(ork_order_file_place(file, 1, 7));
    ork_order_file_destroy(file);
}

static void without_its_end_it_is_cut_off(void **state)
{
    (void)state;
    struct ork_order_writer *writer = create();
    assert_int_equal(ork_order_writer_add(writer, 1, 0, (const uint8_t *)"xy", 2), ORK_OK);
    assert_int_equal(ork_order_writer_close(writer, false), ORK_OK);
    struct ork_order_file *file = read_file(path);
    assert_false(file->complete);
    assert_int_equal(file->rank[1].size, 2);
    ork_order_file_destroy(file);
}

static void bytes_are_taken_once_and_gaps_refused(void **state)
{
    (void)state;
    struct ork_order_writer *writer = create();
    const uint8_t bytes[] = "abcdef";
    assert_int_equal(ork_order_writer_add(writer, 0, 1, bytes, 1), ORK_INVALID);
    assert_int_equal(ork_order_writer_add(writer, 0, 0, bytes, 3), ORK_OK);
    assert_int_equal(ork_order_writer_add(writer, 0, 0, bytes, 3), ORK_OK);
    assert_int_equal(ork_order_writer_add(writer, 0, 1, bytes + 1, 4), ORK_OK);
    assert_int_equal(ork_order_writer_add(writer, 0, 6, bytes, 1), ORK_INVALID);
    assert_int_equal(ork_order_writer_flush(writer), ORK_OK);
    assert_int_equal(ork_order_writer_add(writer, 0, 2, bytes + 2, 4), ORK_OK);
    assert_int_equal(ork_order_writer_add(writer, ORK_ORDER_RANKS, 0, bytes, 1), ORK_INVALID);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
    struct ork_order_file *file = read_file(path);
    assert_int_equal(file->rank[0].size, 6);
    assert_memory_equal(file->rank[0].stream, "abcdef", 6);
    ork_order_file_destroy(file);
}

/* More than a block at once, and more ranks than a block has room for. */
static void large_streams_and_many_ranks_come_back(void **state)
{
    (void)state;
    enum { LARGE = 1000000, RANKS = 20000 };
    struct ork_order_writer *writer = create();
    uint8_t *bytes = malloc(LARGE);
    uint64_t seed = 1;

    assert_non_null(bytes);
    for (uint32_t i = 0; i < LARGE; i++)
        bytes[i] = (uint8_t)random_next(&seed);
    assert_int_equal(ork_order_writer_add(writer, 0, 0, bytes, LARGE), ORK_OK);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 1; i < RANKS; i++)
            assert_int_equal(ork_order_writer_add(writer, i, round * 20, bytes + i, 20), ORK_OK);
    }
    for (uint32_t i = 1; i < RANKS; i++)
        assert_int_equal(ork_order_writer_site(writer, i, i, "far.c:1"), ORK_OK);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
    struct ork_order_file *file = read_file(path);
    assert_int_equal(file->num_ranks, RANKS);
    assert_int_equal(file->rank[0].size, LARGE);
    assert_memory_equal(file->rank[0].stream, bytes, LARGE);
    for (uint32_t i = 1; i < RANKS; i++) {
        assert_int_equal(file->rank[i].size, 60);
        assert_memory_equal(file->rank[i].stream + 20, bytes + i, 20);
        assert_string_equal(ork_order_file_place(file, i, i), "far.c:1");
    }
    ork_order_file_destroy(file);
    free(bytes);
}

static void a_place_is_written_once_and_cut_off_if_long(void **state)
{
    (void)state;
    char *text = malloc(5001);
    struct ork_order_writer *writer = create();

    assert_non_null(text);
    memset(text, 'x', 5000);
    text[5000] = '\0';
    assert_int_equal(ork_order_writer_site(writer, 1, 0, text), ORK_OK);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(ork_order_writer_site(writer, 1, 1, "a.c:1"), ORK_OK);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
    assert_in_range(size_of(path), 1, 200);
    struct ork_order_file *file = read_file(path);
    assert_int_equal(strlen(ork_order_file_place(file, 1, 0)), 1024);
    assert_string_equal(ork_order_file_place(file, 1, 1), "a.c:1");
    ork_order_file_destroy(file);
    free(text);
}

static void many_flushes_cost_little(void **state)
{
    (void)state;
    struct ork_order_writer *writer = create();
    size_t empty = size_of(path);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(ork_order_writer_add(writer, 1, i, (const uint8_t *)"a", 1), ORK_OK);
        assert_int_equal(ork_order_writer_flush(writer), ORK_OK);
        assert_int_equal(ork_order_writer_flush(writer), ORK_OK);
    }
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
    assert_in_range(size_of(path) - empty, 1, 1001 * 30);
}

/* ---- bytes for each choice ---- */

/* Write the choices that `make` gives; returns bytes for 1000 choices. */
static size_t cost(void (*make)(uint64_t *seed, uint32_t i, struct ork_choice *, uint32_t *index))
{
    enum { CHOICES = 100000 };
    struct ork_order_writer *writer = create();
    struct ork_order_encoder *encoder = ork_order_encoder_create();
    uint8_t bytes[ORK_CHOICE_ROOM(RANDOM_INDICES)];
    uint32_t index[RANDOM_INDICES];
    uint64_t seed = 1, offset = 0;

    assert_non_null(encoder);
    for (uint32_t i = 0; i < CHOICES; i++) {
        struct ork_choice choice = {.index = index};
        make(&seed, i, &choice, index);
        size_t size = ork_order_encode(encoder, &choice, bytes);
        assert_int_equal(ork_order_writer_add(writer, 0, offset, bytes, size), ORK_OK);
        offset += size;
    }
    size_t size = ork_order_encode_pending(encoder, bytes);
    assert_int_equal(ork_order_writer_add(writer, 0, offset, bytes, size), ORK_OK);
    ork_order_encoder_destroy(encoder);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
    size = size_of(path) * 1000 / CHOICES;
    print_message("%.3f bytes for each choice\n", (double)size / 1000);
    remove_files(NULL);
    return size;
}

/* A receive of one of 7 workers at random. */
static void make_master(uint64_t *seed, uint32_t i, struct ork_choice *c, uint32_t *index)
{
    (void)i;
    (void)index;
    c->call = 1;
    c->place = 77;
    c->source = 1 + (int32_t)random_below(seed, 7);
    c->tag = 1;
}

/* A probe for any tag: mostly a result, seldom a message; and the receive of it. */
static void make_farm(uint64_t *seed, uint32_t i, struct ork_choice *c, uint32_t *index)
{
    static int32_t source, tag;

    (void)index;
    if (i % 2 == 0) {
        source = 1 + (int32_t)random_below(seed, 4);
        tag = random_below(seed, 10) == 0 ? 2 : 1;
    }
    c->kind = i % 2 == 0 ? ORK_CHOICE_PROBE : ORK_CHOICE_RECEIVE;
    c->place = 77 + i % 2;
    c->source = i % 2 == 0 ? source : 0;
    c->tag = i % 2 == 0 ? tag : 0;
}

/* Iprobe until there is a message, which mostly takes up to 3 polls. */
static void make_polls(uint64_t *seed, uint32_t i, struct ork_choice *c, uint32_t *index)
{
    (void)i;
    (void)index;
    c->kind = ORK_CHOICE_PROBE;
    c->place = 5;
    c->source = 1 + (int32_t)random_below(seed, 4);
    c->polls = random_below(seed, 3);
}

/* Testsome over 6 requests: one or two are complete, after no or one poll. */
static void make_testsome(uint64_t *seed, uint32_t i, struct ork_choice *c, uint32_t *index)
{
    (void)i;
    c->kind = ORK_CHOICE_TEST;
    c->place = 6;
    c->polls = random_below(seed, 4) == 0;
    index[0] = random_below(seed, 6);
    index[1] = index[0] + 1;
    c->count = random_below(seed, 4) == 0 ? 2 : 1;
}

/* Waitany over 4 wildcard receives, each posted again: two choices. */
static void make_waitany(uint64_t *seed, uint32_t i, struct ork_choice *c, uint32_t *index)
{
    static uint64_t post[4], last;
    static uint32_t slot;

    c->place = 9;
    if (i % 2 == 0) {
        slot = random_below(seed, 4);
        c->kind = ORK_CHOICE_WAIT;
        c->count = 1;
        index[0] = slot;
    } else {
        c->kind = ORK_CHOICE_RECEIVE;
        c->source = (int32_t)slot;
        c->post = i < 8 ? slot + 1 : post[slot];
        post[slot] = last = last < 4 ? 5 : last + 1;
    }
}

static void a_choice_of_a_master_is_less_than_a_byte(void **state)
{
    (void)state;
    assert_in_range(cost(make_master), 1, 600);
    assert_in_range(cost(make_farm), 1, 500);
    assert_in_range(cost(make_polls), 1, 1000);
    assert_in_range(cost(make_testsome), 1, 1000);
    assert_in_range(cost(make_waitany), 1, 1000);
}

/* ---- failures ---- */

static void an_existing_file_is_kept(void **state)
{
    struct ork_order_writer *writer = NULL;

    (void)state;
    write_sample();
    size_t size = size_of(path);
    assert_int_equal(ork_order_writer_create(path, &header, &writer), ORK_EXISTS);
    assert_null(writer);
    assert_int_equal(size_of(path), size);
}

static void a_folder_that_is_missing_is_an_error(void **state)
{
    struct ork_order_writer *writer = NULL;
    struct ork_order_file *file = NULL;
    char error[ORK_ORDER_ERROR];

    (void)state;
    errno = 0;
    assert_int_equal(ork_order_writer_create("/tmp/none/of/this", &header, &writer), ORK_IO);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(ork_order_file_read("/tmp/none/of/this", &file, error), ORK_IO);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(ork_order_file_read("/tmp", &file, error), ORK_IO);
    assert_int_equal(errno, EISDIR);
}

static void a_full_disk_fails_once_and_for_all(void **state)
{
    struct rlimit old, limit;
    const uint8_t bytes[300] = {1, 2, 3};

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct ork_order_writer *writer = create();
    limit = old;
    limit.rlim_cur = size_of(path) + 10;
    assert_int_equal(ork_order_writer_add(writer, 0, 0, bytes, sizeof(bytes)), ORK_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    enum ork_status status = ork_order_writer_flush(writer);
    int error = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, ORK_IO);
    assert_int_equal(error, EFBIG);
    errno = 0;
    assert_int_equal(ork_order_writer_add(writer, 0, 300, bytes, 1), ORK_IO);
    assert_int_equal(errno, EFBIG);
    assert_int_equal(ork_order_writer_site(writer, 0, 0, "a.c:1"), ORK_IO);
    assert_int_equal(ork_order_writer_job(writer, 0, 0, 0), ORK_IO);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_IO);
    struct ork_order_file *file = read_file(path); /* the part of a block is ignored */
    assert_false(file->complete);
    assert_int_equal(file->rank[0].size, 0);
    ork_order_file_destroy(file);
}

int test_file(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(an_empty_order_has_its_ranks),
        FILE_TEST(streams_places_and_jobs_come_back),
        FILE_TEST(without_its_end_it_is_cut_off),
        FILE_TEST(bytes_are_taken_once_and_gaps_refused),
        FILE_TEST(large_streams_and_many_ranks_come_back),
        FILE_TEST(a_place_is_written_once_and_cut_off_if_long),
        FILE_TEST(many_flushes_cost_little),
        FILE_TEST(a_choice_of_a_master_is_less_than_a_byte),
        FILE_TEST(an_existing_file_is_kept),
        FILE_TEST(a_folder_that_is_missing_is_an_error),
        FILE_TEST(a_full_disk_fails_once_and_for_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
