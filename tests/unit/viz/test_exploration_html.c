/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/exploration_sample.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

#define TWO_MEGABYTES (2u << 20)

static char *page_of(const struct ork_exploration *e)
{
    char *html = NULL;

    assert_int_equal(ork_viz_exploration_html(e, &html), ORK_OK);
    assert_true(sample_contains(html, "<meta name=\"generator\" content=\"orknot "));
    assert_string_equal(html + strlen(html) - 8, "</html>\n");
    return html;
}

static void expect(const char *html, const char *part)
{
    if (!sample_contains(html, part))
        fail_msg("the page does not contain %s", part);
}

static void the_page_goes_from_the_summary_to_the_outcomes_to_the_rest(void **state)
{
    static const char *const part[] = {
        "<title>24 orders: farm</title>",
        "<h1 class=\"error\">24 orders: 21 end with the same output, 2 with another, 1 "
        "deadlocks.</h1>",
        "<code>farm</code> &middot; 5 ranks &middot; 24 runs &middot; 31.5 s</p>",
        "<p class=\"extent\">Every order was run.</p>",
        "<p>3 outcomes</p>",
        "<rect class=\"look deadlock\" x=\"0.0\"",
        "<li><span class=\"tag look deadlock\">deadlock</span> <a href=\"#o1\">deadlock of ranks "
        "0-1: all wait in MPI_Recv</a> <span class=\"soft\">1 run</span></li>",
        "<section id=\"o1\" class=\"outcome deadlock\">",
        "<h3>Deciding choices</h3>\n<p class=\"soft\">Without any one of them, the outcome was "
        "different. 2 runs that forced only these choices had the same outcome.</p>",
        "<th scope=\"row\">rank 0, choice 3</th><td data-label=\"call\"><span "
        "class=\"call\">MPI_Recv</span></td><td data-label=\"place\"><code>main "
        "(farm.c:40)</code>\n</td><td data-label=\"outcome\">took the message of rank 4, tag "
        "0</td><td data-label=\"first run\">of rank 3</td>",
        "<p class=\"command\"><code>mustrun --must:replay MUST_Exploration/outcome-7/order -np 5 "
        "./farm</code>",
        "<section id=\"f1\" class=\"finding error\">",
        "aria-label=\"Wait-for graph.",
        "<section id=\"o2\" class=\"outcome another\">",
        "<h3>The message that changes</h3>\n<figure class=\"lanes-box\">",
        ">message that this run took<",
        ">message that the first run took there<",
        "<section id=\"o3\" class=\"outcome ended\">",
        "<h2>Where the order of messages decides</h2>",
        "<td data-label=\"choices\">41</td>",
        "30 of 40<span class=\"soft\"> (75%)</span>",
        "<span class=\"soft\">no other outcome</span>",
        "<h2>The tree of decisions</h2>",
        "aria-label=\"Tree of decisions.",
        "<a href=\"#o1\"><g data-outcome=\"1\" class=\"node deadlock bad\">",
        "<li class=\"deadlock\">",
        "<li class=\"ended\">",
        "<h2>What was run, and what was not</h2>\n<ul class=\"details\">\n<li>Every order was "
        "run.</li>",
        "<dt id=\"about-deadlock-manifest\">",
        "<dt>seconds of one run, on average</dt><dd>1.250</dd>",
        "<dt>--must:explore-bounds runs</dt><dd>1000</dd>",
    };
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    char *html = page_of(&e);
    const char *at = html;
    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        at = strstr(at, part[i]);
        if (at == NULL)
            fail_msg("the page does not contain %s, or not in this place", part[i]);
    }
    assert_false(sample_contains(html, "too large to be drawn"));
    assert_false(sample_contains(html, "several runs"));
    free(html);
    ork_exploration_release(&e);
}

static void a_difference_is_two_lines(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    char *html = page_of(&e);
    expect(html,
           "<ul class=\"diff\">\n<li><span>rank 0, line 3</span>\n<del>&quot;4.25&quot;</del>\n"
           "<ins>&quot;4.5&quot;</ins>\n</li>\n");
    expect(html, "<del>&quot;done&quot;</del>\n<ins>no line</ins>\n");
    free(html);
    free(e.outcome[1].difference[0]);
    e.outcome[1].difference[0] =
        strdup("a: b instead of c instead of d"); /* where is its middle? */
    html = page_of(&e);
    expect(html, "<li>a: b instead of c instead of d</li>");
    free(html);
    ork_exploration_release(&e);
}

static void a_clean_page_is_good_only_if_every_order_was_run(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    char *html = page_of(&e);
    expect(html, "<h1 class=\"good\">10 orders: all end with the same output.</h1>");
    assert_false(sample_contains(html, "What these findings mean"));
    free(html);
    e.is_complete = false;
    e.left = 5;
    html = page_of(&e);
    expect(html, "<h1 class=\"warning\">10 of 15 known orders were run: each ends with the same "
                 "output.</h1>");
    expect(html, "<title>10 of 15 known orders"); /* and the bar ends before its end */
    expect(html, "x=\"0.0\" y=\"1\" width=\"663.7\"");
    expect(html, "<p class=\"extent lost\">The exploration ended early: 5 known orders were not "
                 "run.</p>");
    free(html);
    ork_exploration_release(&e);
}

static void a_large_one_says_what_is_folded_and_stays_small(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_large(&e, 10000);
    char *html = page_of(&e);
    expect(html, "The tree of all 10,000 runs is too large to be drawn, so a node with a double "
                 "border stands for several runs");
    expect(html, "</svg> several runs</li>");
    expect(html, "</svg> several outcomes</li>");
    expect(html, "<h3>To go on</h3>\n<p class=\"command\"><code>mustrun --must:explore "
                 "--must:explore-resume -np 5 ./farm</code>");
    expect(html, "<dt>--must:explore-bounds symmetric</dt><dd>1-4</dd>");
    assert_true(strlen(html) < 300000);
    free(html);
    ork_exploration_release(&e);
}

/* 400 outcomes with a deadlock each: the page keeps to its size, and says what is missing. */
static void many_outcomes_are_cut_with_a_remark(void **state)
{
    struct ork_exploration e;
    const uint32_t count = 400;

    (void)state;
    sample_clean(&e);
    free(e.outcome[0].message);
    free(e.outcome[0].folder);
    free(e.outcome[0].order);
    free(e.outcome[0].replay);
    free(e.outcome);
    e.outcome = calloc(count, sizeof(*e.outcome));
    assert_non_null(e.outcome);
    e.num_outcomes = count;
    for (uint32_t i = 0; i < count; i++) {
        e.outcome[i] = (struct ork_outcome){
            .kind = ORK_OUTCOME_DEADLOCK, .is_bad = true, .runs = 1, .first = i + 1};
        e.outcome[i].message = strdup("deadlock");
        e.outcome[i].finding = calloc(1, sizeof(struct ork_finding));
        assert_non_null(e.outcome[i].finding);
        e.outcome[i].finding[0] = sample_pair();
        e.outcome[i].num_findings = 1;
    }
    char *html = page_of(&e);
    assert_true(strlen(html) < TWO_MEGABYTES);
    expect(html, " more outcomes: see MUST_Output.json.</p>");
    free(html);
    ork_exploration_release(&e);
}

static void a_finding_with_the_words_of_its_outcome_has_no_second_heading(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    free(e.outcome[0].message);
    e.outcome[0].message = strdup("ranks 0 and 1 wait for each other");
    char *html = page_of(&e);
    assert_int_equal(sample_count(html, "<h2>Ranks 0 and 1 wait for each other.</h2>"), 0);
    assert_int_equal(sample_count(html, "<h2>ranks 0 and 1 wait for each other</h2>"), 1);
    free(html);
    ork_exploration_release(&e);
}

static void hostile_strings_are_text(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_hostile_exploration(&e);
    char *html = page_of(&e);
    assert_false(sample_contains(html, "<script>alert"));
    expect(html, "&lt;script&gt;alert(1)&lt;/script&gt;");
    assert_false(sample_contains(html, "\x1b"));
    assert_false(sample_contains(html, "\xe2\x80\xae"));
    assert_int_equal(sample_count(html, "</main>"), 1);
    free(html);
    ork_exploration_release(&e);
}

static void nothing_was_run(void **state)
{
    struct ork_exploration e = {.is_interrupted = true};

    (void)state;
    char *html = page_of(&e);
    expect(html, "<title>0 orders</title>");
    expect(html, "<h1 class=\"warning\">No order was run to its end.</h1>");
    expect(html, "The exploration was interrupted: there may be more orders.");
    free(html);
}

int test_exploration_html(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_goes_from_the_summary_to_the_outcomes_to_the_rest),
        cmocka_unit_test(a_difference_is_two_lines),
        cmocka_unit_test(a_clean_page_is_good_only_if_every_order_was_run),
        cmocka_unit_test(a_large_one_says_what_is_folded_and_stays_small),
        cmocka_unit_test(many_outcomes_are_cut_with_a_remark),
        cmocka_unit_test(a_finding_with_the_words_of_its_outcome_has_no_second_heading),
        cmocka_unit_test(hostile_strings_are_text),
        cmocka_unit_test(nothing_was_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
