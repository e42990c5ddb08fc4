/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/stack_tree.h"

#include <stdlib.h>

static void add_frame(struct ork_rank_row *wait, const char *function, uint32_t line)
{
    wait->stack = realloc(wait->stack, (wait->num_stack + 1) * sizeof(*wait->stack));
    assert_non_null(wait->stack);
    wait->stack[wait->num_stack] = (struct ork_where){.function = NULL};
    sample_set_where(&wait->stack[wait->num_stack++], function, "a.c", line);
}

/* Ranks 0-5 receive in exchange(), 6 is outside MPI in work(). The rows begin with rank 3. */
static struct ork_finding with_stacks(void)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");

    for (uint32_t i = 0; i < 7; i++) {
        uint32_t r = i < 6 ? (i + 3) % 6 : 6;
        struct ork_rank_row *wait = sample_add_wait(&f, r, r < 6 ? "MPI_Recv" : "", NULL, NULL, 6);
        add_frame(wait, r < 6 ? "exchange" : "work", r < 6 ? 12 : 31);
        add_frame(wait, "step", 50);
        add_frame(wait, "main", 60);
    }
    return f;
}

static void equal_ways_are_told_once(void **state)
{
    static const struct {
        const char *function; /* NULL: the call */
        uint32_t depth, count;
    } wanted[] = {{"main", 0, 7}, {"step", 1, 7}, {"exchange", 2, 6},
                  {NULL, 3, 6},   {"work", 2, 1}, {NULL, 3, 1}};
    struct ork_finding f = with_stacks();
    struct ork_stack_tree t;

    (void)state;
    assert_int_equal(ork_stack_tree_init(&t, &f), ORK_OK);
    assert_int_equal(t.count, 6);
    assert_int_equal(t.stacks, 7);
    assert_int_equal(t.left_out, 0);
    for (uint32_t i = 0; i < 6; i++) {
        const struct ork_stack_node *node = &t.node[t.order[i]];
        assert_int_equal(node->depth, wanted[i].depth);
        assert_int_equal(node->count, wanted[i].count);
        for (uint32_t k = 1; k < node->count; k++)
            assert_true(node->rank[k - 1] < node->rank[k]);
        if (wanted[i].function != NULL)
            assert_string_equal(node->frame->function, wanted[i].function);
        else
            assert_null(node->frame);
    }
    ork_stack_tree_release(&t);
    ork_finding_release(&f);
}

static void the_page_has_them_as_lists(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, with_stacks());
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<h3>Call stacks of 7 ranks, merged</h3>"));
    assert_true(sample_contains(html, "<b class=\"call\">MPI_Recv</b> <span "
                                      "class=\"ranks\">ranks 0-5</span>"));
    assert_true(sample_contains(html, "<b class=\"call\">outside MPI</b> <span "
                                      "class=\"ranks\">rank 6</span>"));
    assert_int_equal(sample_count(html, "<ul"), sample_count(html, "</ul>"));
    assert_int_equal(sample_count(html, "<li>"), sample_count(html, "</li>"));
    free(html);
    ork_report_release(&report);
}

static void any_number_of_frames_fits(void **state)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");
    struct ork_stack_tree t;

    (void)state;
    for (uint32_t r = 0; r < 40; r++) {
        struct ork_rank_row *wait = sample_add_wait(&f, r, "MPI_Recv", NULL, NULL, 0);
        for (uint32_t i = 0; i < 100; i++)
            add_frame(wait, "f", 1000 * r + i);
    }
    assert_int_equal(ork_stack_tree_init(&t, &f), ORK_OK);
    assert_int_equal(t.stacks + t.left_out, 40);
    assert_int_equal(t.count, t.stacks * 65);
    assert_in_range(t.left_out, 1, 39);
    ork_stack_tree_release(&t);
    ork_finding_release(&f);
}

int test_stack_tree(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_ways_are_told_once),
        cmocka_unit_test(the_page_has_them_as_lists),
        cmocka_unit_test(any_number_of_frames_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
