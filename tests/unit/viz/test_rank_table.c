/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/rank_table.h"

#include <stdlib.h>
#include <string.h>

static char *for_of(const struct ork_row *row)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    ork_row_put_for(out, row, 9);
    fclose(out);
    return buffer;
}

static void expect_for(const struct ork_row *row, const char *wanted)
{
    char *text = for_of(row);

    assert_string_equal(text, wanted);
    free(text);
}

static void waits_that_differ_in_the_rank_only_share_a_row(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    sample_add_wait(&f, 3, "MPI_Barrier", NULL, NULL, 1);
    sample_add_wait(&f, 1, "MPI_Recv", "0", "7", 0);
    sample_add_wait(&f, 0, "MPI_Barrier", NULL, NULL, 1);
    sample_add_wait(&f, 2, "MPI_Barrier", NULL, NULL, 1);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.num_ranks, 4);
    assert_int_equal(rows.row[0].count, 3);
    assert_int_equal(rows.row[0].rank[0], 0);
    assert_int_equal(rows.row[0].rank[2], 3);
    assert_string_equal(rows.row[1].wait->call, "MPI_Recv");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void any_other_difference_makes_another_row(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        sample_add_wait(&f, i, "MPI_Recv", "9", "7", 9);
    struct ork_rank_row *wait = f.waits;
    sample_set_where(&wait[1].where, "f", NULL, 0);
    free(wait[2].tag);
    wait[2].tag = NULL;
    wait[3].is_or = true;
    wait[4].waits_for.item[0] = 8;
    wait[5].stack = calloc(1, sizeof(*wait[5].stack));
    wait[5].num_stack = 1;
    sample_add_root(&f, 6, 6);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 7);
    assert_int_equal(rows.row[0].count, 2);
    assert_int_equal(rows.row[0].rank[1], 7);
    assert_true(rows.row[6].root);
    assert_false(rows.row[5].root);
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void everybody_waiting_for_everybody_else_is_one_row(void **state)
{
    static const uint32_t set[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) /* rank 3 is waited for, but waits for nobody */
        sample_set_for(sample_add_wait(&f, i, "MPI_Recv", "MPI_ANY_SOURCE", "7", 9), true, 3,
                       set[i]);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 1);
    expect_for(&rows.row[0], "any other of 0-3");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void what_a_row_waits_for_reads_as_a_sentence(void **state)
{
    static const uint32_t set[] = {1, 2, 3};
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    sample_add_wait(&f, 4, "MPI_Recv", "1", "7", 1);
    sample_set_for(sample_add_wait(&f, 5, "MPI_Waitall", NULL, NULL, 1), false, 3, set);
    sample_set_for(sample_add_wait(&f, 6, "MPI_Waitany", NULL, NULL, 1), true, 3, set);
    sample_set_for(sample_add_wait(&f, 7, "MPI_Recv", "MPI_ANY_SOURCE", NULL, 1), true, 0, set);
    sample_set_for(sample_add_wait(&f, 8, "", NULL, NULL, 1), false, 0, set);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 5);
    expect_for(&rows.row[0], "1");
    expect_for(&rows.row[1], "all of 1-3");
    expect_for(&rows.row[2], "any of 1-3");
    expect_for(&rows.row[3], "no rank: none can complete this call");
    expect_for(&rows.row[4], "");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void add_neighbours(struct ork_finding *f, uint32_t ranks, uint32_t line)
{
    for (uint32_t i = 0; i < ranks; i++) {
        char peer[16];
        snprintf(peer, sizeof(peer), "%u", i + 2);
        struct ork_rank_row *wait = sample_add_wait(f, i, "MPI_Recv", peer, "7", i + 2);
        sample_set_where(&wait->where, "main", "a.c", line);
    }
}

static void a_call_of_several_parts_is_not_said_to_wait_for_all(void **state)
{
    static const uint32_t set[] = {1, 2, 3};
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    struct ork_rank_row *wait = sample_add_wait(&f, 4, "MPI_Sendrecv", NULL, NULL, 1);
    wait->detail = strdup("send to 1, tag 0; receive from MPI_ANY_SOURCE, tag 0");
    sample_set_for(wait, false, 3, set);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    expect_for(&rows.row[0], "1-3");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void many_that_wait_for_their_neighbours_share_a_row(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    add_neighbours(&f, 20, 3);
    free(f.waits[19].peer); /* its number says something else in its communicator */
    f.waits[19].peer = strdup("0");
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.row[0].count, 19);
    assert_true(rows.row[0].shifted);
    assert_false(rows.row[1].shifted);
    expect_for(&rows.row[0], "rank+2");
    expect_for(&rows.row[1], "21");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void few_that_wait_for_their_neighbours_stay_apart(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    struct ork_rank_table rows;

    (void)state;
    add_neighbours(&f, 8, 3);
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 8);
    expect_for(&rows.row[7], "9");
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

static void no_waits_make_no_rows(void **state)
{
    struct ork_finding f = sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "m");
    struct ork_rank_table rows;

    (void)state;
    assert_int_equal(ork_rank_table_init(&rows, &f), ORK_OK);
    assert_int_equal(rows.count, 0);
    ork_rank_table_release(&rows);
    ork_finding_release(&f);
}

int test_rank_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_that_differ_in_the_rank_only_share_a_row),
        cmocka_unit_test(any_other_difference_makes_another_row),
        cmocka_unit_test(everybody_waiting_for_everybody_else_is_one_row),
        cmocka_unit_test(what_a_row_waits_for_reads_as_a_sentence),
        cmocka_unit_test(a_call_of_several_parts_is_not_said_to_wait_for_all),
        cmocka_unit_test(many_that_wait_for_their_neighbours_share_a_row),
        cmocka_unit_test(few_that_wait_for_their_neighbours_stay_apart),
        cmocka_unit_test(no_waits_make_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
