/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include "report/unlisted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Write, read, write: the caller's text of the second time equals that of the first, and *again is
 * the caller's report. */
static char *round_trip(const struct ork_report *report, struct ork_report *again)
{
    char *error = NULL;
    char *first = sample_json(report);

    assert_int_equal(ork_report_from_json(first, strlen(first), again, &error), ORK_OK);
    char *second = sample_json(again);
    assert_string_equal(first, second);
    free(first);
    return second;
}

static void a_small_report_looks_as_it_always_did(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_add_detail(&report.finding[0], "rank 1 came first");
    char *json = sample_json(&report);
    char *golden = sample_golden("pair.json");
    assert_string_equal(json, golden);
    free(golden);
    free(json);
    ork_report_release(&report);
}

static void assert_run(const struct ork_report *again)
{
    assert_int_equal(ork_report_repeats(again), 9);
    assert_int_equal(ork_report_total(again), again->num_findings + 1);
    assert_int_equal(ork_report_count(again, again->finding[0].severity), again->num_findings + 1);
    assert_true(again->finding[0].are_calls_gone);
    assert_int_equal(again->num_jobs, 1);
    assert_int_equal(again->job[0].first, 2);
    assert_int_equal(again->job[0].ranks, 3);
    assert_string_equal(again->job[0].origin, "spawned by rank 0");
    assert_int_equal(again->signal, 9);
    assert_int_equal(again->statistics.calls, 1204);
    assert_true(again->seconds == 1.9);
    assert_string_equal(again->note[0], "2 calls were not analysed");
}

static void assert_rows(const struct ork_rank_row *wait)
{
    const struct ork_position *now = &wait[1].now;

    assert_int_equal(now->ahead, ORK_AHEAD_INSIDE);
    assert_string_equal(now->call, "MPI_Barrier");
    assert_int_equal(now->where.line, 9);
    assert_int_equal(wait[0].now.ahead, ORK_AHEAD_NOT);
    assert_string_equal(wait[0].tag, "7");
    assert_string_equal(wait[1].tag, "MPI_ANY_TAG");
    assert_string_equal(wait[0].where.file, "a.c");
    assert_null(wait[0].where.module);
    assert_int_equal(wait[1].where.offset, 0x1234);
    assert_int_equal(wait[0].num_stack, 1);
    assert_null(wait[0].detail);
    assert_true(wait[0].stack[0].inlined);
    assert_int_equal(wait[0].num_callers, 1);
    assert_string_equal(wait[0].caller[0].function, "start");
    assert_int_equal(wait[0].caller[0].line, 7);
    assert_int_equal(wait[1].num_callers, 0);
}

static void assert_finding(const struct ork_finding *f)
{
    const struct ork_last_call *call = &f->last_calls[0].call[0];

    assert_int_equal(f->graph.num_arcs, 2);
    assert_null(f->graph.arc[1].label);
    assert_int_equal(f->class_, ORK_MANIFEST);
    assert_string_equal(f->summary, "Ranks 0 and 1 wait for each other.");
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "tag");
    assert_int_equal(f->near_miss[0].others, 2);
    assert_int_equal(f->near_miss[0].waits.where.line, 12);
    assert_int_equal(f->near_miss[0].pending.rank, 1);
    assert_int_equal(f->num_communicators, 1);
    assert_int_equal(f->communicator[0].member[0].last, 1);
    assert_string_equal(f->communicator[0].origin, "MPI_Send");
    assert_int_equal(f->num_last_calls, 1);
    assert_int_equal(f->last_calls[0].thread, 1);
    assert_string_equal(call->peer, "0");
    assert_string_equal(call->source_tag, "3");
    assert_int_equal(call->bytes, 40);
    assert_int_equal(call->times, 1204);
    assert_int_equal(call->error, 15);
    assert_int_equal(call->pending, 7);
    assert_int_equal(call->position, 9);
    assert_int_equal(f->num_arrows, 1);
    assert_int_equal(f->arrow[0].from_call, 2);
    assert_int_equal(f->arrow[0].to_call, 4);
    assert_int_equal(call->where.line, 13);
    assert_int_equal(f->num_remedies, 1);
    assert_int_equal(f->remedy[0].frees.count, 2);
    assert_int_equal(f->basis, ORK_BASIS_STRICT);
}

static void every_field_comes_back(void **state)
{
    struct ork_report report;
    struct ork_report again;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    struct ork_position *now = &report.finding[0].waits[1].now;
    now->ahead = ORK_AHEAD_INSIDE;
    now->call = strdup("MPI_Barrier");
    sample_set_where(&now->where, "main", "a.c", 9);
    assert_int_equal(ork_report_add_job(&report, 2, 3, "spawned by rank 0"), ORK_OK);
    report.finding[0].repeats = 9;
    report.finding[0].are_calls_gone = true;
    assert_int_equal(ork_unlisted_add(&report, &report.finding[0]), ORK_OK);
    free(round_trip(&report, &again));
    assert_run(&again);
    assert_rows(again.finding[0].waits);
    assert_finding(&again.finding[0]);
    ork_report_release(&report);
    ork_report_release(&again);
}

static void each_flag_of_a_node_comes_back_by_itself(void **state)
{
    static const unsigned flag[] = {0, SAMPLE_DEAD, SAMPLE_ROOT, SAMPLE_CORE, SAMPLE_OR};
    struct ork_report report;
    struct ork_report again;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    uint32_t first = report.finding[0].graph.num_nodes;
    for (uint32_t i = 0; i < 5; i++)
        sample_add_node(&report.finding[0], 100 + i, ORK_NODE_RANK, i, "MPI_Recv", flag[i]);
    free(round_trip(&report, &again));
    for (uint32_t i = 0; i < 5; i++) {
        const struct ork_graph_node *node = &again.finding[0].graph.node[first + i];
        assert_int_equal(node->id, 100 + i);
        assert_int_equal(node->deadlocked, flag[i] == SAMPLE_DEAD);
        assert_int_equal(node->root, flag[i] == SAMPLE_ROOT);
        assert_int_equal(node->core, flag[i] == SAMPLE_CORE);
        assert_int_equal(node->is_or, flag[i] == SAMPLE_OR);
    }
    ork_report_release(&report);
    ork_report_release(&again);
}

static void nasty_strings_come_back_as_utf8(void **state)
{
    struct ork_report report;
    struct ork_report again;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_hostile());
    char *json = round_trip(&report, &again);
    assert_true(sample_contains(json, "\xef\xbf\xbd\xef\xbf\xbd("));
    assert_true(sample_contains(json, "\\u001B[2J"));
    const char *message = again.finding[0].message;
    assert_true(sample_contains(message, "\"q'&<script>alert(1)</script>\\N\\G&amp;]]>-->\x1b[2J"));
    assert_string_equal(again.finding[0].detail[1], "");
    free(json);
    ork_report_release(&report);
    ork_report_release(&again);
}

static void names_of_a_hundred_kilobytes_come_back(void **state)
{
    struct ork_report report;
    struct ork_report again;
    size_t size = 100 * 1000;
    char *name = malloc(size + 1);

    (void)state;
    assert_non_null(name);
    memset(name, 'x', size);
    name[size] = '\0';
    sample_run(&report);
    sample_take(&report, sample_pair());
    free(report.finding[0].waits[0].comm);
    report.finding[0].waits[0].comm = name;
    free(round_trip(&report, &again));
    assert_string_equal(again.finding[0].waits[0].comm, name);
    ork_report_release(&report);
    ork_report_release(&again);
}

static void numbers_are_numbers_only_if_they_come_back_the_same(void **state)
{
    static const struct {
        const char *peer;
        const char *json;
    } row[] = {
        {"17", "\"peer\":17,"},
        {"-1", "\"peer\":-1,"},
        {"007", "\"peer\":\"007\","},
        {"-0", "\"peer\":\"-0\","},
        {" 1", "\"peer\":\" 1\","},
        {"", "\"peer\":\"\","},
        {"99999999999999999999", "\"peer\":\"99999999999999999999\","},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct ork_finding f = sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y");
        struct ork_finding again;
        char *json = NULL;
        char *error = NULL;
        sample_add_wait(&f, 0, "MPI_Recv", row[i].peer, NULL, 0)->own_name = strdup("comm.recv");
        assert_int_equal(ork_finding_to_json(&f, &json), ORK_OK);
        assert_true(sample_contains(json, row[i].json));
        assert_int_equal(ork_finding_from_json(json, strlen(json), &again, &error), ORK_OK);
        assert_string_equal(again.waits[0].peer, row[i].peer);
        assert_string_equal(again.waits[0].own_name, "comm.recv");
        free(json);
        ork_finding_release(&f);
        ork_finding_release(&again);
    }
}

static void a_finding_is_one_line(void **state)
{
    struct ork_finding f = sample_hostile();
    char *json = NULL;

    (void)state;
    assert_int_equal(ork_finding_to_json(&f, &json), ORK_OK);
    assert_null(strpbrk(json, "\n\r"));
    free(json);
    ork_finding_release(&f);
}

static void an_empty_report_is_clean(void **state)
{
    struct ork_report report;
    struct ork_report again;

    (void)state;
    ork_report_init(&report);
    char *json = round_trip(&report, &again);
    assert_true(sample_contains(json, "\"verdict\": \"clean\""));
    assert_true(sample_contains(json, "\"seconds_to_verdict\": null"));
    assert_true(sample_contains(json, "\"exit_code\": null"));
    free(json);
    ork_report_release(&again);
}

static void how_the_run_was_started_comes_back(void **state)
{
    struct ork_report report;
    struct ork_report again;

    (void)state;
    ork_report_init(&report);
    report.run = (struct ork_run_facts){.started = strdup("2026-11-30 07:46:12 +0000"),
                                        .host = strdup("n1"),
                                        .folder = strdup("/home/u/a b"),
                                        .word = calloc(1, sizeof(char *)),
                                        .num_words = 1,
                                        .launcher = strdup("mpirun"),
                                        .mpi = strdup("Open MPI 4.1.4"),
                                        .exit_code = 66};
    report.run.word[0] = strdup("mustrun");
    char *json = round_trip(&report, &again);
    assert_string_equal(again.run.started, report.run.started);
    assert_string_equal(again.run.host, "n1");
    assert_string_equal(again.run.folder, "/home/u/a b");
    assert_string_equal(again.run.word[0], "mustrun");
    assert_string_equal(again.run.launcher, "mpirun");
    assert_string_equal(again.run.mpi, "Open MPI 4.1.4");
    assert_int_equal(again.run.exit_code, 66);
    free(json);
    ork_report_release(&again);
    report.run.exit_code = -1;
    json = round_trip(&report, &again);
    assert_int_equal(again.run.exit_code, -1);
    free(json);
    ork_report_release(&again);
    ork_report_release(&report);
}

static void accesses_come_back(void **state)
{
    struct ork_finding f = sample_finding("rma-conflict", ORK_CLASS_NONE, ORK_ERROR, "m");
    struct ork_report report;
    struct ork_report again;

    (void)state;
    f.access = calloc(2, sizeof(*f.access));
    f.num_accesses = 2;
    f.window_size = 128;
    f.access[0] = (struct ork_window_access){.rank = 1,
                                             .target = 3,
                                             .call = strdup("MPI_Get"),
                                             .epoch = strdup("an epoch of MPI_Win_fence"),
                                             .low = -8,
                                             .high = INT64_MAX,
                                             .is_address = true,
                                             .has_gaps = true,
                                             .is_read = true};
    sample_set_where(&f.access[0].where, "main", "a.c", 7);
    f.access[1] = (struct ork_window_access){.call = strdup("load"), .low = 1, .high = 2};
    ork_report_init(&report);
    sample_take(&report, f);
    free(round_trip(&report, &again));
    const struct ork_window_access *a = again.finding[0].access;
    assert_int_equal(again.finding[0].num_accesses, 2);
    assert_true(again.finding[0].window_size == 128);
    assert_true(a[0].rank == 1 && a[0].target == 3 && a[0].low == -8 && a[0].high == INT64_MAX);
    assert_true(a[0].is_address && a[0].has_gaps && a[0].is_read);
    assert_string_equal(a[0].epoch, "an epoch of MPI_Win_fence");
    assert_int_equal(a[0].where.line, 7);
    assert_string_equal(a[1].call, "load");
    assert_null(a[1].epoch);
    ork_report_release(&again);
    ork_report_release(&report);
}

static void iterations_come_back(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_report report;
    struct ork_report again;

    (void)state;
    f.last_calls = calloc(1, sizeof(*f.last_calls));
    f.num_last_calls = 1;
    f.last_calls[0].call = calloc(2, sizeof(*f.last_calls[0].call));
    f.last_calls[0].num_calls = 2;
    f.last_calls[0].call[0] =
        (struct ork_last_call){.call = strdup("MPI_Send"), .iteration = 2, .iterations = 10};
    f.last_calls[0].call[1] =
        (struct ork_last_call){.call = strdup("MPI_Recv"), .own_name = strdup("comm.recv")};
    ork_report_init(&report);
    sample_take(&report, f);
    free(round_trip(&report, &again));
    const struct ork_last_call *call = again.finding[0].last_calls[0].call;
    assert_int_equal(call[0].iteration, 2);
    assert_int_equal(call[0].iterations, 10);
    assert_int_equal(call[1].iteration, 0);
    assert_null(call[0].own_name);
    assert_string_equal(call[1].own_name, "comm.recv");
    ork_report_release(&again);
    ork_report_release(&report);
}

static void calls_by_second_come_back(void **state)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");
    struct ork_report report;
    struct ork_report again;

    (void)state;
    f.rates = calloc(1, sizeof(*f.rates));
    f.num_rates = 1;
    f.rates_ago = 2.5;
    f.rates[0] = (struct ork_rank_rates){7, {calloc(2, sizeof(uint32_t)), 2}};
    f.rates[0].calls.item[1] = 40;
    ork_report_init(&report);
    sample_take(&report, f);
    free(round_trip(&report, &again));
    const struct ork_finding *g = &again.finding[0];
    assert_true(g->rates_ago == 2.5);
    assert_int_equal(g->num_rates, 1);
    assert_int_equal(g->rates[0].rank, 7);
    assert_int_equal(g->rates[0].calls.count, 2);
    assert_int_equal(g->rates[0].calls.item[0], 0);
    assert_int_equal(g->rates[0].calls.item[1], 40);
    ork_report_release(&again);
    ork_report_release(&report);
}

static void a_note_is_a_finding_too(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.ended = true;
    report.exit_code = 3;
    sample_take(&report, sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y"));
    char *json = sample_json(&report);
    assert_true(sample_contains(json, "\"verdict\": \"findings\""));
    assert_true(sample_contains(json, "\"class\": null"));
    assert_true(sample_contains(json, "\"exit_code\": 3"));
    free(json);
    ork_report_release(&report);
}

static void numbers_that_json_has_not_do_not_stop_the_report(void **state)
{
    struct ork_report report;
    struct ork_report again;
    char *error = NULL;

    (void)state;
    ork_report_init(&report);
    report.seconds = (double)NAN;
    report.statistics.calls = UINT64_MAX;
    report.statistics.seconds_to_verdict = (double)INFINITY;
    char *json = sample_json(&report);
    assert_true(sample_contains(json, "\"seconds\": null"));
    assert_int_equal(ork_report_from_json(json, strlen(json), &again, &error), ORK_OK);
    assert_true(again.seconds == 0);
    assert_true(again.statistics.calls == INT64_MAX);
    assert_true(again.statistics.seconds_to_verdict == -1);
    free(json);
    ork_report_release(&again);
}

int test_json_write(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_report_looks_as_it_always_did),
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(how_the_run_was_started_comes_back),
        cmocka_unit_test(accesses_come_back),
        cmocka_unit_test(iterations_come_back),
        cmocka_unit_test(calls_by_second_come_back),
        cmocka_unit_test(each_flag_of_a_node_comes_back_by_itself),
        cmocka_unit_test(nasty_strings_come_back_as_utf8),
        cmocka_unit_test(names_of_a_hundred_kilobytes_come_back),
        cmocka_unit_test(numbers_are_numbers_only_if_they_come_back_the_same),
        cmocka_unit_test(a_finding_is_one_line),
        cmocka_unit_test(an_empty_report_is_clean),
        cmocka_unit_test(a_note_is_a_finding_too),
        cmocka_unit_test(numbers_that_json_has_not_do_not_stop_the_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
