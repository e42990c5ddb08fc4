/* SPDX-License-Identifier: BSD-3-Clause */
/* ORDER records become counts, hashes and a file. */
#include "overlay/root/order.h"
#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_HERE = 3, ROOM = 4096 };

/* A recording, and the stream of one rank as an interceptor would encode it. */
struct stage {
    struct ork_recording *recording;
    struct ork_call_sites *sites;
    struct ork_detector *detector;
    struct ork_order_encoder *encoder;
    struct ork_order_hash hash;
    uint8_t byte[ROOM];
    size_t size;
    struct script script;
    char path[64];
};

static int set_up(void **state)
{
    static struct stage s;

    memset(&s, 0, sizeof(s));
    snprintf(s.path, sizeof(s.path), "order-%ld.part", (long)getpid());
    *state = &s;
    s.encoder = ork_order_encoder_create();
    return s.encoder == NULL ||
           ork_recording_create(RANKS_HERE, s.path, "farm", &s.recording) != ORK_OK ||
           ork_call_sites_create(RANKS_HERE, &s.sites) != ORK_OK ||
           ork_detector_create(RANKS_HERE, &s.detector) != ORK_OK;
}

static int tear_down(void **state)
{
    struct stage *s = *state;

    ork_recording_destroy(s->recording);
    ork_call_sites_destroy(s->sites);
    ork_detector_destroy(s->detector);
    ork_order_encoder_destroy(s->encoder);
    ork_order_hash_release(&s->hash);
    unlink(s->path);
    return 0;
}

static void choose(struct stage *s, enum ork_choice_kind kind, int32_t source, uint64_t polls)
{
    const struct ork_choice choice = {
        .kind = (uint8_t)kind, .site = 1, .place = 5, .polls = polls, .source = source};

    s->size += ork_order_encode(s->encoder, &choice, s->byte + s->size);
    s->size += ork_order_encode_pending(s->encoder, s->byte + s->size);
    assert_int_equal(ork_order_hash_add(&s->hash, &choice), ORK_OK);
}

static void feed(struct stage *s, uint32_t rank)
{
    assert_int_equal(ork_call_sites_feed(s->sites, rank, s->script.record, s->script.n), ORK_OK);
    assert_int_equal(ork_recording_feed(s->recording, rank, s->script.record, s->script.n), ORK_OK);
    s->script.n = 0;
}

/* The bytes `from` up to `to` of the stream. */
static void send(struct stage *s, uint32_t rank, size_t from, size_t to, uint32_t threads)
{
    script_text(&s->script,
                (struct ork_record){.kind = ORK_KIND_ORDER, .arg = threads, .extra = from},
                (const char *)s->byte + from, to - from);
    feed(s, rank);
}

static void finish(struct stage *s)
{
    assert_int_equal(ork_recording_finish(s->recording, s->sites, s->detector, true), ORK_OK);
}

/* The caller's. */
static struct ork_order_file *read_file(const struct stage *s)
{
    char error[ORK_ORDER_ERROR];
    struct ork_order_file *file;

    assert_int_equal(ork_order_file_read(s->path, &file, error), ORK_OK);
    assert_string_equal(file->header.program, "farm");
    assert_int_equal(file->header.ranks, RANKS_HERE);
    return file;
}

static void assert_stream(const struct stage *s, const struct ork_order_file *file, uint32_t rank)
{
    assert_true(rank < file->num_ranks);
    assert_int_equal(file->rank[rank].size, s->size);
    assert_memory_equal(file->rank[rank].stream, s->byte, s->size);
}

static struct ork_report summary_of(const struct stage *s)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_recording_summary(s->recording, true, &report), ORK_OK);
    return report;
}

/* ---- what is right ---- */

static void records_that_overlap_become_a_file_counts_and_hashes(void **state)
{
    struct stage *s = *state;

    script_text(
        &s->script,
        (struct ork_record){.kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = 1, .arg2 = 40},
        "/x/farm.py\0work", 16);
    for (int32_t i = 0; i < 50; i++)
        choose(s, ORK_CHOICE_RECEIVE, i * i % 7, (uint64_t)i % 3);
    send(s, 1, 0, 20, 1);
    send(s, 1, 10, 31, 1); /* in the middle of a choice */
    send(s, 1, 0, 31, 1);  /* nothing new */
    send(s, 1, 31, s->size, 1);
    finish(s);
    assert_true(ork_recording_has_file(s->recording));
    struct ork_order_file *file = read_file(s);
    assert_true(file->complete);
    assert_stream(s, file, 1);
    assert_string_equal(ork_order_file_place(file, 1, 1), "farm.py:40 in work");
    ork_order_file_destroy(file);
    struct ork_report report = summary_of(s);
    assert_int_equal(report.num_choices, RANKS_HERE);
    assert_int_equal(report.choices[1].count, 50);
    assert_true(report.choices[1].hash == ork_order_hash_value(&s->hash));
    assert_int_equal(report.choices[0].count, 0);
    assert_int_equal(report.num_notes, 0);
    ork_report_release(&report);
}

static void a_run_without_choices_makes_no_file(void **state)
{
    struct stage *s = *state;

    choose(s, ORK_CHOICE_END, 0, 9);
    send(s, 0, 0, s->size, 1);
    finish(s);
    assert_false(ork_recording_has_file(s->recording));
    assert_int_not_equal(access(s->path, F_OK), 0);
    struct ork_report report = summary_of(s);
    assert_int_equal(report.num_choices, 0);
    ork_report_release(&report);
}

static void what_came_before_the_first_choice_is_in_the_file(void **state)
{
    struct stage *s = *state;

    choose(s, ORK_CHOICE_END, 0, 9);
    send(s, 0, 0, s->size, 1);
    send(s, 2, 0, s->size, 1);
    size_t before = s->size;
    choose(s, ORK_CHOICE_PROBE, 2, 0);
    send(s, 0, before, s->size, 1);
    finish(s);
    struct ork_order_file *file = read_file(s);
    assert_stream(s, file, 0);
    assert_int_equal(file->rank[2].size, before);
    ork_order_file_destroy(file);
}

static void the_file_can_be_read_while_the_run_goes_on(void **state)
{
    struct stage *s = *state;

    choose(s, ORK_CHOICE_WAIT, 1, 0);
    send(s, 0, 0, s->size, 1);
    for (uint64_t second = 1; second < 3; second++)
        assert_int_equal(
            ork_recording_step(s->recording, second * UINT64_C(1000000000), s->sites, s->detector),
            ORK_OK);
    struct ork_order_file *file = read_file(s);
    assert_false(file->complete);
    assert_stream(s, file, 0);
    ork_order_file_destroy(file);
}

static void ranks_with_several_threads_are_noted(void **state)
{
    struct stage *s = *state;

    choose(s, ORK_CHOICE_WAIT, 1, 0);
    send(s, 0, 0, s->size, 2);
    send(s, 2, 0, s->size, 1);
    struct ork_report report = summary_of(s);
    assert_int_equal(report.num_notes, 1);
    assert_non_null(strstr(report.note[0], "several threads of rank 0 called MPI"));
    ork_report_release(&report);
    ork_report_init(&report); /* nobody asked for an order */
    assert_int_equal(ork_recording_summary(s->recording, false, &report), ORK_OK);
    assert_int_equal(report.num_notes, 0);
    assert_int_equal(report.num_choices, RANKS_HERE);
    ork_report_release(&report);
}

/* ---- what is wrong ---- */

static void assert_note(const struct stage *s, const char *note)
{
    struct ork_report report = summary_of(s);

    assert_int_equal(report.num_notes, 1);
    if (strstr(report.note[0], note) == NULL)
        assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void a_gap_ends_the_order_of_its_rank(void **state)
{
    struct stage *s = *state;

    for (int32_t i = 0; i < 9; i++)
        choose(s, ORK_CHOICE_RECEIVE, i * 3, 0);
    send(s, 0, 0, s->size, 1);
    send(s, 1, 0, 8, 1);
    send(s, 1, 9, s->size, 1);
    finish(s);
    assert_note(s, "the order of rank 1 is incomplete: a part of its stream is missing");
    struct ork_order_file *file = read_file(s);
    assert_false(file->complete);
    assert_stream(s, file, 0);
    assert_int_equal(file->rank[1].size, 8);
    ork_order_file_destroy(file);
}

static void bytes_that_are_no_stream_are_noted(void **state)
{
    struct stage *s = *state;

    memset(s->byte, 0xff, 64);
    send(s, 1, 0, 64, 1);
    assert_note(s, "the order of rank 1 is incomplete: ");
}

static void lists_that_do_not_fit_are_skipped(void **state)
{
    struct stage *s = *state;
    const struct ork_record bad[] = {
        {.kind = ORK_KIND_ORDER, .count = 2, .bytes = 9},
        {.kind = ORK_KIND_ORDER, .count = UINT32_MAX, .bytes = 8},
        {.kind = ORK_KIND_ORDER, .count = 0, .bytes = 8},
        {.kind = ORK_KIND_ORDER, .count = 3, .bytes = 12, .extra = UINT64_MAX},
    };
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 2};
    struct ork_record raw;

    choose(s, ORK_CHOICE_RECEIVE, 1, 0);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cont.words = (uint8_t)(i == 3 ? 200 : 2);
        memcpy(&raw, &cont, sizeof(raw));
        script_add(&s->script, bad[i]);
        script_add(&s->script, raw);
        feed(s, 0);
    }
    send(s, 0, 0, s->size, 1);
    struct ork_report report = summary_of(s);
    assert_int_equal(report.choices[0].count, 1);
    assert_int_equal(report.num_notes, 0);
    ork_report_release(&report);
}

static void a_file_that_cannot_be_made_is_noted_once(void **state)
{
    struct stage *s = *state;

    ork_recording_destroy(s->recording);
    assert_int_equal(ork_recording_create(RANKS_HERE, "no/such/folder", "farm", &s->recording),
                     ORK_OK);
    for (int32_t i = 0; i < 9; i++)
        choose(s, ORK_CHOICE_RECEIVE, i * 3, 0);
    send(s, 0, 0, 4, 1);
    send(s, 0, 4, s->size, 1);
    finish(s);
    assert_false(ork_recording_has_file(s->recording));
    assert_note(s, "could not be written to no/such/folder: No such file or directory");
    struct ork_report report = summary_of(s);
    assert_int_equal(report.choices[0].count, 9);
    ork_report_release(&report);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_order(void)
{
    const struct CMUnitTest tests[] = {
        CASE(records_that_overlap_become_a_file_counts_and_hashes),
        CASE(a_run_without_choices_makes_no_file),
        CASE(what_came_before_the_first_choice_is_in_the_file),
        CASE(the_file_can_be_read_while_the_run_goes_on),
        CASE(ranks_with_several_threads_are_noted),
        CASE(a_gap_ends_the_order_of_its_rank),
        CASE(bytes_that_are_no_stream_are_noted),
        CASE(lists_that_do_not_fit_are_skipped),
        CASE(a_file_that_cannot_be_made_is_noted_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
