/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tool says: protocol.c and line_reader.c. */
#include "common/line_reader.h"
#include "report/protocol.h"
#include "tests/unit/report/sample.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static enum ork_status parse(const char *line, struct ork_message *message)
{
    return ork_message_parse(line, strlen(line), message);
}

static void short_messages_have_their_type(void **state)
{
    static const struct {
        const char *line;
        enum ork_message_type type;
    } cases[] = {{"{\"type\":\"ready\"}", ORK_MESSAGE_READY},
                 {"{\"type\":\"gone\",\"more\":1}", ORK_MESSAGE_GONE},
                 {"{\"type\":\"later\"}", ORK_MESSAGE_UNKNOWN}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ork_message message;

        assert_int_equal(parse(cases[i].line, &message), ORK_OK);
        assert_int_equal(message.type, cases[i].type);
        ork_message_release(&message);
    }
}

static void the_tree_is_described_as_far_as_there_is_room(void **state)
{
    static const char begin[] = "{\"type\":\"ready\",\"tree\":\"";
    struct ork_message message;
    char line[3000];

    (void)state;
    assert_int_equal(parse("{\"type\":\"ready\",\"tree\":\"1 process\"}", &message), ORK_OK);
    assert_int_equal(message.type, ORK_MESSAGE_READY);
    assert_string_equal(message.tree, "1 process");
    ork_message_release(&message);
    assert_int_equal(parse("{\"type\":\"ready\",\"tree\":7}", &message), ORK_OK);
    assert_string_equal(message.tree, "");
    ork_message_release(&message);
    memset(line, 'x', sizeof(line));
    memcpy(line, begin, sizeof(begin) - 1);
    strcpy(line + sizeof(line) - 3, "\"}");
    assert_int_equal(parse(line, &message), ORK_OK);
    assert_int_equal(strlen(message.tree), sizeof(message.tree) - 1);
    ork_message_release(&message);
}

static void a_finding_comes_whole(void **state)
{
    struct ork_message message;

    (void)state;
    assert_int_equal(
        parse("{\"type\":\"finding\",\"finding\":{\"id\":\"deadlock\",\"class\":\"manifest\","
              "\"severity\":\"error\",\"message\":\"m\",\"ranks\":[0,2]}}",
              &message),
        ORK_OK);
    assert_int_equal(message.type, ORK_MESSAGE_FINDING);
    assert_string_equal(message.finding.id, "deadlock");
    assert_int_equal(message.finding.class_, ORK_MANIFEST);
    assert_int_equal(message.finding.severity, ORK_ERROR);
    assert_int_equal(message.finding.ranks.count, 2);
    assert_int_equal(message.finding.ranks.item[1], 2);
    ork_message_release(&message);
}

static void the_tool_says_whether_the_job_hangs(void **state)
{
#define FINDING(class_)                                                                            \
    ",\"finding\":{\"id\":\"d\",\"message\":\"m\",\"severity\":\"error\",\"class\":" class_ "}}"
    static const struct {
        const char *line;
        bool fatal;
    } cases[] = {
        {"{\"type\":\"finding\",\"fatal\":true" FINDING("null"), true},
        {"{\"type\":\"finding\",\"fatal\":false" FINDING("\"manifest\""), false},
        {"{\"type\":\"finding\",\"fatal\":1" FINDING("\"manifest\""), true},
        {"{\"type\":\"finding\"" FINDING("\"potential\""), false},
    };
#undef FINDING

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ork_message message;

        assert_int_equal(parse(cases[i].line, &message), ORK_OK);
        assert_int_equal(message.fatal, cases[i].fatal);
        ork_message_release(&message);
    }
}

static void the_last_word_brings_the_statistics(void **state)
{
    struct ork_message message;

    (void)state;
    assert_int_equal(
        parse("{\"type\":\"final\",\"statistics\":{\"calls\":1,\"records\":2,\"messages\":3,"
              "\"collectives\":4,\"searches\":5,\"full_waits\":6,\"tool_ranks\":7,"
              "\"seconds_to_verdict\":0.5},\"notes\":[\"a\",7,\"b\"],"
              "\"jobs\":[{\"first\":5,\"ranks\":3,\"origin\":\"spawned\"},{}],"
              "\"complete\":true,\"ranks\":8}",
              &message),
        ORK_OK);
    const struct ork_statistics *statistics = &message.final.statistics;
    assert_int_equal(statistics->calls, 1);
    assert_int_equal(statistics->records, 2);
    assert_int_equal(statistics->messages, 3);
    assert_int_equal(statistics->collectives, 4);
    assert_int_equal(statistics->searches, 5);
    assert_int_equal(statistics->full_waits, 6);
    assert_int_equal(statistics->tool_ranks, 7);
    assert_true(statistics->seconds_to_verdict > 0.49 && statistics->seconds_to_verdict < 0.51);
    assert_int_equal(message.final.ranks, 8);
    assert_int_equal(message.final.num_jobs, 2);
    assert_int_equal(message.final.job[0].first, 5);
    assert_int_equal(message.final.job[0].ranks, 3);
    assert_string_equal(message.final.job[0].origin, "spawned");
    assert_string_equal(message.final.job[1].origin, "");
    assert_true(message.final.complete);
    assert_int_equal(message.final.num_notes, 2);
    assert_string_equal(message.final.note[1], "b");
    ork_message_release(&message);
}

static void what_is_missing_in_the_last_word_is_not_complete(void **state)
{
    struct ork_message message;

    (void)state;
    assert_int_equal(parse("{\"type\":\"final\",\"ranks\":-4,\"statistics\":{\"calls\":-1,"
                           "\"tool_ranks\":99999999999,\"seconds_to_verdict\":null}}",
                           &message),
                     ORK_OK);
    assert_false(message.final.complete);
    assert_int_equal(message.final.ranks, 0);
    assert_int_equal(message.final.statistics.calls, 0);
    assert_int_equal(message.final.statistics.tool_ranks, UINT32_MAX);
    assert_true(message.final.statistics.seconds_to_verdict < 0);
    ork_message_release(&message);
}

static void what_is_no_message_is_refused(void **state)
{
    static const char *const lines[] = {"",
                                        "x",
                                        "{",
                                        "[]",
                                        "7",
                                        "null",
                                        "{}",
                                        "{\"type\":7}",
                                        "{\"type\":\"finding\"}",
                                        "{\"type\":\"finding\",\"finding\":[]}",
                                        "{\"type\":\"state\",\"finding\":{\"ranks\":\"x\"}}",
                                        "{\"type\":\"ready\"} x",
                                        "\xff\xfe",
                                        "{\"type\":\"ready\",\"type\":\"gone\"}"};

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct ork_message message;

        assert_int_equal(parse(lines[i], &message), ORK_INVALID);
    }
}

static void what_one_side_writes_the_other_reads(void **state)
{
    struct ork_rank_progress progress[2] = {
        {.rank = 0, .seconds = 1.5, .calls = 7, .more = 2, .polls = 3, .processors = 0.5},
        {.rank = 1, .processors = -1}};
    struct ork_message said = {.type = ORK_MESSAGE_STATE, .progress = progress, .num_progress = 2};
    struct ork_message heard;
    char *line;

    (void)state;
    said.finding = sample_finding("status", ORK_CLASS_NONE, ORK_NOTE, "where all ranks are");
    sample_add_wait(&said.finding, 1, "MPI_Recv", "0", "7", 0);
    assert_int_equal(ork_message_write(&said, &line), ORK_OK);
    assert_int_equal(ork_message_parse(line, strlen(line), &heard), ORK_OK);
    assert_int_equal(heard.type, ORK_MESSAGE_STATE);
    assert_int_equal(heard.num_progress, 2);
    assert_int_equal(heard.progress[0].calls, 7);
    assert_true(heard.progress[1].processors < 0);
    assert_int_equal(heard.finding.num_waits, 1);
    assert_string_equal(heard.finding.waits[0].call, "MPI_Recv");
    ork_message_release(&heard);
    free(line);
    ork_finding_release(&said.finding);

    said = (struct ork_message){.type = ORK_MESSAGE_FIGURES,
                                .figures = {.ranks = 4,
                                            .collectives = 9,
                                            .is_blocked = true,
                                            .waiting = 3,
                                            .rank = 2,
                                            .call = "MPI_Recv at a.c:4"}};
    said.finding.rates = calloc(1, sizeof(*said.finding.rates));
    said.finding.num_rates = 1;
    said.finding.rates[0].rank = 3;
    said.finding.rates[0].calls = (struct ork_u32s){calloc(2, sizeof(uint32_t)), 2};
    said.finding.rates[0].calls.item[1] = 700;
    assert_int_equal(ork_message_write(&said, &line), ORK_OK);
    assert_int_equal(line[strlen(line) - 1], '\n');
    assert_int_equal(ork_message_parse(line, strlen(line), &heard), ORK_OK);
    assert_memory_equal(&heard.figures, &said.figures, sizeof(said.figures));
    assert_int_equal(heard.finding.num_rates, 1);
    assert_int_equal(heard.finding.rates[0].rank, 3);
    assert_int_equal(heard.finding.rates[0].calls.item[1], 700);
    ork_message_release(&heard);
    ork_finding_release(&said.finding);
    free(line);
}

static void held_ranks_are_read_as_they_were_written(void **state)
{
    struct ork_paused_rank ranks[] = {
        {.rank = 0, .pid = 17, .host = "node1", .doing = "held in MPI_Recv at a.c:4"},
        {.rank = 1, .doing = "not observed"},
    };
    struct ork_message said = {.type = ORK_MESSAGE_PAUSED,
                               .held = {.thread = 2,
                                        .choice = 5000000000,
                                        .call = "MPI_Recv at a.c:4",
                                        .ranks = ranks,
                                        .num_ranks = 2}};
    struct ork_message heard;
    char *line;

    (void)state;
    assert_int_equal(ork_message_write(&said, &line), ORK_OK);
    assert_int_equal(ork_message_parse(line, strlen(line), &heard), ORK_OK);
    assert_int_equal(heard.type, ORK_MESSAGE_PAUSED);
    assert_int_equal(heard.held.thread, 2);
    assert_true(heard.held.choice == said.held.choice);
    assert_string_equal(heard.held.call, said.held.call);
    assert_int_equal(heard.held.num_ranks, 2);
    assert_memory_equal(heard.held.ranks, ranks, sizeof(ranks));
    ork_message_release(&heard);
    free(line);
}

static void the_last_message_is_read_as_it_was_written(void **state)
{
    struct ork_message said = {.type = ORK_MESSAGE_FINAL, .has_order = true};
    struct ork_message heard;
    char *line;

    (void)state;
    ork_report_init(&said.final);
    said.final.complete = true;
    said.final.ranks = 8;
    said.final.statistics =
        (struct ork_statistics){.calls = 1, .tool_waits = 2, .seconds_to_verdict = -1};
    assert_int_equal(ork_report_add_note(&said.final, "a note"), ORK_OK);
    assert_int_equal(ork_report_add_job(&said.final, 5, 3, "spawned"), ORK_OK);
    said.final.num_choices = 2;
    said.final.choices = calloc(2, sizeof(*said.final.choices));
    assert_non_null(said.final.choices);
    said.final.choices[1] = (struct ork_rank_choices){.count = 7, .hash = UINT64_MAX - 1};
    assert_int_equal(ork_message_write(&said, &line), ORK_OK);
    assert_int_equal(ork_message_parse(line, strlen(line), &heard), ORK_OK);
    assert_memory_equal(&heard.final.statistics, &said.final.statistics,
                        sizeof(heard.final.statistics));
    assert_true(heard.final.complete);
    assert_int_equal(heard.final.ranks, 8);
    assert_string_equal(heard.final.note[0], "a note");
    assert_string_equal(heard.final.job[0].origin, "spawned");
    assert_true(heard.has_order);
    assert_int_equal(heard.final.num_choices, 2);
    assert_int_equal(heard.final.choices[0].count, 0);
    assert_int_equal(heard.final.choices[1].count, 7);
    assert_true(heard.final.choices[1].hash == UINT64_MAX - 1);
    ork_message_release(&heard);
    free(line);
    ork_report_release(&said.final);
}

static void a_line_cut_anywhere_is_refused(void **state)
{
    static const char line[] =
        "{\"type\":\"finding\",\"finding\":{\"id\":\"d\",\"severity\":\"note\","
        "\"message\":\"m\",\"ranks\":[1]}}";

    (void)state;
    for (size_t size = 0; size < sizeof(line) - 1; size++) {
        struct ork_message message;

        assert_int_equal(ork_message_parse(line, size, &message), ORK_INVALID);
    }
}

/* A pipe to read lines from; [0] does not block. */
struct pipe_fixture {
    int fd[2];
    struct ork_line_reader lines;
};

static void open_pipe(struct pipe_fixture *f)
{
    *f = (struct pipe_fixture){0};
    assert_int_equal(pipe(f->fd), 0);
    assert_int_equal(fcntl(f->fd[0], F_SETFL, O_NONBLOCK), 0);
}

static void put(const struct pipe_fixture *f, const char *text)
{
    assert_int_equal(write(f->fd[1], text, strlen(text)), strlen(text));
}

static void check_line(struct pipe_fixture *f, const char *expected)
{
    size_t size = 0;
    const char *line = ork_line_reader_next(&f->lines, &size);

    if (expected == NULL) {
        assert_null(line);
        return;
    }
    assert_non_null(line);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(line, expected, size);
}

static void lines_come_whole_however_they_are_cut(void **state)
{
    struct pipe_fixture f;

    (void)state;
    open_pipe(&f);
    check_line(&f, NULL);
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_AGAIN);
    put(&f, "on");
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_OK);
    check_line(&f, NULL);
    put(&f, "e\n\ntwo\nthr");
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_OK);
    check_line(&f, "one");
    check_line(&f, "");
    check_line(&f, "two");
    check_line(&f, NULL);
    put(&f, "ee\n");
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_OK);
    check_line(&f, "three");
    check_line(&f, NULL);
    close(f.fd[1]);
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_CLOSED);
    close(f.fd[0]);
    ork_line_reader_release(&f.lines);
}

static void a_line_longer_than_any_buffer_comes_whole(void **state)
{
    struct pipe_fixture f;
    char piece[1001];
    size_t size = 0;

    (void)state;
    memset(piece, 'x', 1000);
    piece[1000] = '\0';
    open_pipe(&f);
    for (unsigned i = 0; i < 400; i++) {
        put(&f, piece);
        assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_OK);
        assert_null(ork_line_reader_next(&f.lines, &size));
    }
    put(&f, "\n");
    assert_int_equal(ork_line_reader_read(&f.lines, f.fd[0]), ORK_OK);
    assert_non_null(ork_line_reader_next(&f.lines, &size));
    assert_int_equal(size, 400000);
    close(f.fd[0]);
    close(f.fd[1]);
    ork_line_reader_release(&f.lines);
}

int test_protocol(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_messages_have_their_type),
        cmocka_unit_test(the_tree_is_described_as_far_as_there_is_room),
        cmocka_unit_test(a_finding_comes_whole),
        cmocka_unit_test(the_tool_says_whether_the_job_hangs),
        cmocka_unit_test(the_last_word_brings_the_statistics),
        cmocka_unit_test(what_is_missing_in_the_last_word_is_not_complete),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(what_one_side_writes_the_other_reads),
        cmocka_unit_test(held_ranks_are_read_as_they_were_written),
        cmocka_unit_test(the_last_message_is_read_as_it_was_written),
        cmocka_unit_test(a_line_cut_anywhere_is_refused),
        cmocka_unit_test(lines_come_whole_however_they_are_cut),
        cmocka_unit_test(a_line_longer_than_any_buffer_comes_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
