/* SPDX-License-Identifier: BSD-3-Clause */
/* The period of one rank's records. */
#include "tests/unit/detector/unit.h"

#include "detector/fold/period.h"

enum { LONGEST = 64 };

static struct ork_record letter(char c)
{
    return (struct ork_record){.kind = ORK_KIND_SEND, .site = (uint32_t)c};
}

/* Take the letters as records, one at a time. Returns how many until the period is found. */
static unsigned watch(struct period *p, const char *letters)
{
    unsigned n = 0;

    for (; letters[n] != '\0' && p->stage != PERIOD_FOUND; n++) {
        struct ork_record rec = letter(letters[n]);
        assert_int_equal(ork_period_watch(p, &rec, 1, LONGEST), 1);
    }
    return n;
}

static unsigned match(struct period *p, const char *letters)
{
    struct ork_record rec[LONGEST];
    unsigned n = 0;

    for (; letters[n] != '\0'; n++)
        rec[n] = letter(letters[n]);
    return (unsigned)ork_period_match(p, rec, n);
}

static void a_loop_is_found_when_it_has_come_twice(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};

    (void)state;
    assert_int_equal(watch(&p, "abcabcabcabc"), 9);
    assert_int_equal(p.length, 3);
    assert_int_equal(match(&p, "abcab"), 5);
    assert_int_equal(p.at, 2);
    assert_int_equal(match(&p, "cax"), 2);
    ork_period_release(&p);
}

static void what_comes_before_the_loop_does_not_matter(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    char text[200] = "pqrst";

    (void)state;
    for (unsigned i = 0; i < 60; i++)
        strcat(text, "ab");
    watch(&p, text);
    assert_int_equal(p.stage, PERIOD_FOUND);
    assert_int_equal(p.length, 2);
    ork_period_release(&p);
}

static void the_loop_around_a_loop_is_found_by_what_is_rare_in_it(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};

    (void)state;
    watch(&p, "aaaab");
    assert_int_equal(p.length, 1);
    assert_int_equal(p.stage, PERIOD_FOUND);
    assert_int_equal(match(&p, "ab"), 1);
    ork_period_break(&p);
    assert_int_equal(watch(&p, "baaaaabaaaaabaaaaab"), 18);
    assert_int_equal(p.length, 6);
    assert_int_equal(match(&p, "baaaaab"), 7);
    ork_period_release(&p);
}

/* Two inner loops take turns, so no record is rare. Begin at each record of the outer loop. */
static void the_loop_around_two_loops_is_found(void **state)
{
    const char *loop = "abababababababcdcdcdcdcdcdcd";

    (void)state;
    for (size_t start = 0; start < strlen(loop); start++) {
        struct period p = {.stage = PERIOD_BEGIN};
        for (size_t i = 0; i < 40 * strlen(loop); i++) {
            struct ork_record rec = letter(loop[(start + i) % strlen(loop)]);
            if (p.stage == PERIOD_FOUND && ork_period_match(&p, &rec, 1) == 1)
                continue;
            if (p.stage == PERIOD_FOUND)
                ork_period_break(&p);
            ork_period_watch(&p, &rec, 1, 4 * LONGEST);
        }
        assert_int_equal(p.stage, PERIOD_FOUND);
        assert_int_equal(p.length, strlen(loop));
        ork_period_release(&p);
    }
}

/* RATIONALE: all ranks have to repeat as many iterations. */
static void after_a_break_the_period_is_still_the_shortest(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};

    (void)state;
    watch(&p, "abcabcabc");
    assert_int_equal(p.length, 3);
    ork_period_break(&p);
    char text[LONGEST * 4] = "X";
    for (unsigned k = 0; k < 60; k++)
        strcat(text, "abc");
    watch(&p, text);
    assert_int_equal(p.stage, PERIOD_FOUND);
    assert_int_equal(p.length, 3);
    ork_period_release(&p);
}

/* Begin at each record of the loop, in a later attempt: 13 records come four times, then something
 * else. */
static void what_comes_in_some_iterations_only_belongs_to_the_period(void **state)
{
    const char *loop = "abcdefghijklmabcdefghijklmabcdefghijklmabcdefghijklmX";

    (void)state;
    for (size_t start = 0; start < strlen(loop); start++) {
        struct period p = {.stage = PERIOD_BEGIN, .failures = 4};
        for (size_t i = 0; i < 20 * strlen(loop); i++) {
            struct ork_record rec = letter(loop[(start + i) % strlen(loop)]);
            if (p.stage == PERIOD_FOUND && ork_period_match(&p, &rec, 1) == 1)
                continue;
            if (p.stage == PERIOD_FOUND)
                ork_period_break(&p);
            ork_period_watch(&p, &rec, 1, LONGEST);
        }
        assert_int_equal(p.stage, PERIOD_FOUND);
        assert_int_equal(p.length, strlen(loop));
        ork_period_release(&p);
    }
}

static void a_period_that_is_too_long_is_given_up(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    struct ork_record rec = {.kind = ORK_KIND_SEND};
    bool has_rested = false;

    (void)state;
    for (rec.site = 0; rec.site < 8 * LONGEST; rec.site++) {
        assert_int_equal(ork_period_watch(&p, &rec, 1, LONGEST), 1);
        has_rested |= p.stage == PERIOD_REST;
    }
    assert_true(has_rested);
    assert_null(p.block);
    ork_period_release(&p);
}

static void the_rests_become_longer(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    uint32_t before = 0;

    (void)state;
    for (unsigned i = 0; i < 10; i++)
        ork_period_give_up(&p);
    before = p.left;
    ork_period_give_up(&p);
    assert_true(p.left > before);
    for (unsigned i = 0; i < 100; i++)
        ork_period_give_up(&p);
    assert_true(p.left <= UINT32_C(1) << 20); /* a loop is found some time */
    ork_period_release(&p);
}

static void what_never_repeats_is_in_no_block(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    struct ork_record rec[2] = {letter('a'), {.kind = ORK_KIND_COMM_DEF}};

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        ork_period_watch(&p, rec, 2, LONGEST);
        assert_true(p.stage != PERIOD_CHECK && p.stage != PERIOD_FOUND);
    }
    ork_period_release(&p);
}

static void a_block_begins_with_no_outcome(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    struct ork_record rec[2] = {{.kind = ORK_KIND_EXIT}, letter('a')};

    (void)state;
    for (unsigned i = 0; i < 20; i++)
        ork_period_watch(&p, rec, 2, LONGEST);
    assert_int_equal(p.stage, PERIOD_FOUND);
    assert_int_equal(p.length, 2);
    assert_int_equal(p.block[0].kind, rec[1].kind);
    ork_period_release(&p);
}

static void a_block_begins_with_no_continuation(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 2};
    struct ork_record rec[2] = {{.kind = ORK_KIND_WAIT, .count = 2}};

    (void)state;
    memcpy(&rec[1], &cont, sizeof(cont));
    ork_period_watch(&p, &rec[1], 1, LONGEST);
    for (unsigned i = 0; i < 4; i++)
        ork_period_watch(&p, rec, 2, LONGEST);
    assert_int_equal(p.stage, PERIOD_FOUND);
    assert_int_equal(p.block[0].kind, ORK_KIND_WAIT);
    ork_period_release(&p);
}

static void a_period_that_is_doubted_has_to_come_once_more(void **state)
{
    struct period p = {.stage = PERIOD_BEGIN};

    (void)state;
    watch(&p, "abababab");
    assert_int_equal(p.stage, PERIOD_FOUND);
    ork_period_skip(&p, 3);
    ork_period_doubt(&p, 0);
    assert_int_equal(watch(&p, "bab"), 2);
    assert_int_equal(p.stage, PERIOD_FOUND);
    ork_period_doubt(&p, 0);
    watch(&p, "bx");
    assert_true(p.stage != PERIOD_FOUND);
    ork_period_release(&p);
}

int test_period(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_found_when_it_has_come_twice),
        cmocka_unit_test(what_comes_before_the_loop_does_not_matter),
        cmocka_unit_test(the_loop_around_a_loop_is_found_by_what_is_rare_in_it),
        cmocka_unit_test(the_loop_around_two_loops_is_found),
        cmocka_unit_test(after_a_break_the_period_is_still_the_shortest),
        cmocka_unit_test(what_comes_in_some_iterations_only_belongs_to_the_period),
        cmocka_unit_test(a_period_that_is_too_long_is_given_up),
        cmocka_unit_test(the_rests_become_longer),
        cmocka_unit_test(what_never_repeats_is_in_no_block),
        cmocka_unit_test(a_block_begins_with_no_outcome),
        cmocka_unit_test(a_block_begins_with_no_continuation),
        cmocka_unit_test(a_period_that_is_doubted_has_to_come_once_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
