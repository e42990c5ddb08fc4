/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "mustview/diff.h"

#include <stdlib.h>
#include <string.h>

/* Ranks first..last receive from each other at halo.c:<line>. */
static struct ork_finding deadlock(uint32_t first, uint32_t last, uint32_t line)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "they wait");

    for (uint32_t r = first; r <= last; r++) {
        struct ork_rank_row *wait = sample_add_wait(&f, r, "MPI_Recv", "1", "7", r);
        sample_set_where(&wait->where, "exchange", "src/halo.c", line);
    }
    return f;
}

static void change_place(struct ork_finding *f, uint32_t wait, const char *file, uint32_t line)
{
    ork_where_release(&f->waits[wait].where);
    sample_set_where(&f->waits[wait].where, "other", file, line);
}

static struct ork_report report(void)
{
    struct ork_report r;

    ork_report_init(&r);
    return r;
}

static char *text_of(const struct ork_diff *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    ork_diff_put_text(d, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Compare and release both. */
static void assert_diff(struct ork_report *before, struct ork_report *after, bool equal,
                        const char *expected)
{
    struct ork_diff d;
    char *json = NULL;

    assert_int_equal(ork_diff_init(&d, before, after), ORK_OK);
    char *text = text_of(&d);
    assert_string_equal(text, expected);
    assert_int_equal(ork_diff_is_equal(&d), equal);
    assert_int_equal(ork_diff_to_json(&d, &json), ORK_OK);
    assert_true(sample_contains(json, equal ? "\"equal\": true" : "\"equal\": false"));
    free(json);
    free(text);
    ork_diff_release(&d);
    ork_report_release(before);
    ork_report_release(after);
}

static void nothing_and_nothing_are_equal(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();

    (void)state;
    assert_diff(&a, &b, true, "no findings in either report\n");
}

static void order_times_and_graphs_do_not_count(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();

    (void)state;
    b.seconds = 7;
    sample_take(&a, deadlock(0, 1, 40));
    sample_take(&a, deadlock(2, 3, 50));
    sample_take(&b, deadlock(2, 3, 50));
    struct ork_finding f = deadlock(0, 1, 40);
    sample_add_node(&f, 0, ORK_NODE_RANK, 0, "MPI_Recv", SAMPLE_ALL);
    sample_take(&b, f);
    assert_diff(&a, &b, true,
                "= error: deadlock (manifest): they wait\n"
                "= error: deadlock (manifest): they wait\n"
                "findings: 2 stayed\n");
}

static void findings_appear_and_disappear(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();

    (void)state;
    sample_take(&a, sample_finding("leak", ORK_CLASS_NONE, ORK_WARNING, "a request is left"));
    sample_take(&b, deadlock(0, 1, 40));
    assert_diff(&a, &b, false,
                "+ error: deadlock (manifest): they wait\n"
                "- warning: leak: a request is left\n"
                "findings: 1 appeared, 1 disappeared\n");
}

static void more_ranks_at_the_same_place_are_the_same_finding(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();

    (void)state;
    sample_take(&a, deadlock(0, 3, 40));
    sample_take(&b, deadlock(2, 8, 40));
    assert_diff(&a, &b, false,
                "~ error: deadlock (manifest): they wait\n"
                "    ranks 0, 1 gone, were in MPI_Recv at halo.c:40\n"
                "    ranks 4-8 new, in MPI_Recv at halo.c:40\n"
                "finding: 1 changed\n");
}

static void a_rank_at_another_place_is_named(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();
    struct ork_finding f = deadlock(0, 2, 40);

    (void)state;
    change_place(&f, 1, "solve.c", 7);
    sample_take(&a, deadlock(0, 2, 40));
    sample_take(&b, f);
    assert_diff(&a, &b, false,
                "~ error: deadlock (manifest): they wait\n"
                "    rank 1 was in MPI_Recv at halo.c:40, now in MPI_Recv at solve.c:7\n"
                "finding: 1 changed\n");
}

static void class_severity_and_words_are_compared(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();
    struct ork_finding f = deadlock(0, 1, 40);

    (void)state;
    f.class_ = ORK_POTENTIAL;
    f.severity = ORK_WARNING;
    f.message[0] = 'T';
    sample_take(&a, deadlock(0, 1, 40));
    sample_take(&b, f);
    assert_diff(&a, &b, false,
                "~ warning: deadlock (potential): They wait\n"
                "    class was manifest, now potential\n"
                "    severity was error, now warning\n"
                "    was: they wait\n"
                "finding: 1 changed\n");
}

static void an_edited_file_moves_lines_and_no_more(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();

    (void)state;
    sample_take(&a, deadlock(0, 7, 40));
    sample_take(&b, deadlock(0, 3, 44));
    assert_diff(&a, &b, false,
                "~ error: deadlock (manifest): they wait\n"
                "    ranks 0-3 were in MPI_Recv at halo.c:40, now in MPI_Recv at halo.c:44\n"
                "    ranks 4-7 gone, were in MPI_Recv at halo.c:40\n"
                "finding: 1 changed\n");
}

static void the_closest_one_is_taken(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();
    struct ork_diff d;

    (void)state;
    sample_take(&a, deadlock(0, 1, 44));
    sample_take(&a, deadlock(4, 5, 40));
    sample_take(&b, deadlock(0, 3, 40));
    sample_take(&b, deadlock(0, 1, 44));
    assert_int_equal(ork_diff_init(&d, &a, &b), ORK_OK);
    assert_int_equal(d.num_findings, 2);
    assert_int_equal(d.finding[0].before, 1);
    assert_int_equal(d.finding[1].before, 0);
    assert_false(ork_diff_is_changed(&d.finding[1]));
    ork_diff_release(&d);
    ork_report_release(&a);
    ork_report_release(&b);
}

static void another_kind_is_never_the_same(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();
    struct ork_finding f = deadlock(0, 1, 40);

    (void)state;
    f.id[0] = 'D';
    sample_take(&a, deadlock(0, 1, 40));
    sample_take(&b, f);
    assert_diff(&a, &b, false,
                "+ error: Deadlock (manifest): they wait\n"
                "- error: deadlock (manifest): they wait\n"
                "findings: 1 appeared, 1 disappeared\n");
}

static void hostile_words_are_hidden(void **state)
{
    struct ork_report a = report();
    struct ork_report b = report();
    struct ork_diff d;

    (void)state;
    sample_take(&a, sample_hostile());
    assert_int_equal(ork_diff_init(&d, &a, &b), ORK_OK);
    char *text = text_of(&d);
    assert_false(sample_contains(text, "\x1b"));
    free(text);
    ork_diff_release(&d);
    ork_report_release(&a);
    ork_report_release(&b);
}

int test_diff(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_nothing_are_equal),
        cmocka_unit_test(order_times_and_graphs_do_not_count),
        cmocka_unit_test(findings_appear_and_disappear),
        cmocka_unit_test(more_ranks_at_the_same_place_are_the_same_finding),
        cmocka_unit_test(a_rank_at_another_place_is_named),
        cmocka_unit_test(class_severity_and_words_are_compared),
        cmocka_unit_test(an_edited_file_moves_lines_and_no_more),
        cmocka_unit_test(the_closest_one_is_taken),
        cmocka_unit_test(another_kind_is_never_the_same),
        cmocka_unit_test(hostile_words_are_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
