/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/rates.h"

#include "common/text.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10 };

/* Ranks that make 100 calls a second; each stops after so many seconds. */
static struct ork_finding with_rates(const uint32_t *seconds, uint32_t ranks)
{
    struct ork_finding f = {.id = strdup("hang"), .rates_ago = 3};

    f.rates = calloc(ranks, sizeof(*f.rates));
    f.num_rates = ranks;
    for (uint32_t i = 0; i < ranks; i++) {
        f.rates[i].rank = i;
        f.rates[i].calls = (struct ork_u32s){calloc(SECONDS, sizeof(uint32_t)), SECONDS};
        for (uint32_t s = 0; s < seconds[i]; s++)
            f.rates[i].calls.item[s] = 100;
    }
    return f;
}

static char *drawing(const struct ork_finding *f)
{
    struct ork_text_stream stream;

    ork_rates_put(ork_text_open(&stream), f);
    return ork_text_close(&stream);
}

static void assert_sentence(const uint32_t *seconds, uint32_t ranks, const char *expected)
{
    struct ork_finding f = with_rates(seconds, ranks);
    char *text = ork_rates_sentence(&f);

    assert_string_equal(text, expected);
    free(text);
    ork_finding_release(&f);
}

static void the_rank_that_stopped_first_is_named(void **state)
{
    (void)state;
    assert_sentence((const uint32_t[]){10, 4, 10, 9}, 4,
                    "Rank 1 made its last call 5 s before the other ranks.");
    assert_sentence((const uint32_t[]){10, 4, 10, 5, 10}, 5,
                    "Ranks 1, 3 made their last calls 6 s before the other ranks.");
    assert_sentence((const uint32_t[]){10, 0, 9}, 3,
                    "Rank 1 made no call in this time, and the other ranks did.");
}

/* A second more or less is chance, and if most ranks stopped, none of them fell behind. */
static void no_rank_is_named_without_need(void **state)
{
    (void)state;
    assert_sentence((const uint32_t[]){10, 10, 9}, 3, "");
    assert_sentence((const uint32_t[]){4, 4, 10}, 3, "");
    assert_sentence((const uint32_t[]){4}, 1, "");
    assert_sentence((const uint32_t[]){0, 0}, 2, "");
}

static void each_rank_has_a_strip(void **state)
{
    struct ork_finding f = with_rates((const uint32_t[]){10, 4, 10}, 3);
    char *svg = drawing(&f);

    (void)state;
    assert_true(sample_contains(svg, ">rank 1<"));
    assert_true(sample_contains(svg, ">13 s before<"));
    assert_true(sample_contains(svg, ">3 s before<"));
    assert_true(sample_contains(svg, "M84.0 41.0h76.0v14.0h-76.0z")); /* four seconds of rank 1 */
    free(svg);
    for (uint32_t s = 0; s < SECONDS; s++)
        f.rates[0].calls.item[s] = f.rates[1].calls.item[s] = f.rates[2].calls.item[s] = 0;
    svg = drawing(&f);
    assert_string_equal(svg, "");
    free(svg);
    ork_finding_release(&f);
}

static void a_terminal_shows_the_same_in_signs(void **state)
{
    struct ork_finding f = with_rates((const uint32_t[]){10, 4, 10}, 3);
    struct ork_text_stream stream;

    (void)state;
    f.rates[1].calls.item[1] = 10;
    f.rates[1].calls.item[2] = 1;
    ork_rates_put_text(ork_text_open(&stream), &f, false);
    char *text = ork_text_close(&stream);
    assert_string_equal(text, "    calls in each of 10 seconds until 3 s ago, at most 100:\n"
                              "        |#+-#      | rank 1\n"
                              "        |##########| ranks 0, 2\n"
                              "        Rank 1 made its last call 6 s before the other ranks.\n");
    free(text);
    ork_finding_release(&f);
}

static char *strips(const struct ork_finding *f, struct ork_rates_style style)
{
    struct ork_text_stream stream;

    ork_rates_put_strips(ork_text_open(&stream), f, &style);
    return ork_text_close(&stream);
}

static void blocks_have_eight_heights(void **state)
{
    struct ork_finding f = with_rates((const uint32_t[]){10}, 1);

    (void)state;
    f.rates[0].calls.item[9] = 0;
    for (uint32_t s = 0; s < 9; s++)
        f.rates[0].calls.item[s] = 1u << s;
    char *text = strips(&f, (struct ork_rates_style){.has_blocks = true, .lines = 1, .seconds = 9});
    assert_string_equal(text, "|\u2582\u2583\u2584\u2584\u2585\u2586\u2587\u2588 | rank 0\n");
    free(text);
    ork_finding_release(&f);
}

/* By chance a call more or less is another level; but none at all is something else. */
static void ranks_that_differ_by_a_level_are_alike(void **state)
{
    struct ork_finding f = with_rates((const uint32_t[]){10, 10, 10, 9, 10}, 5);

    (void)state;
    f.rates[1].calls.item[3] = 60;
    f.rates[4].calls.item[3] = 10;
    char *text = strips(&f, (struct ork_rates_style){.lines = 8});
    assert_string_equal(text, "|######### | rank 3\n"
                              "|##########| ranks 0-2\n"
                              "|###+######| rank 4\n");
    free(text);
    text = strips(&f, (struct ork_rates_style){.indent = 2, .lines = 1});
    assert_string_equal(text, "  |######### | rank 3\n  ... and 4 more ranks\n");
    free(text);
    ork_finding_release(&f);
}

int test_rates(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rank_that_stopped_first_is_named),
        cmocka_unit_test(no_rank_is_named_without_need),
        cmocka_unit_test(each_rank_has_a_strip),
        cmocka_unit_test(a_terminal_shows_the_same_in_signs),
        cmocka_unit_test(blocks_have_eight_heights),
        cmocka_unit_test(ranks_that_differ_by_a_level_are_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
