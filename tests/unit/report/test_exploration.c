/* SPDX-License-Identifier: BSD-3-Clause */
#include "exploration_sample.h"
#include "sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *parsed(const struct ork_exploration *e)
{
    char *text = sample_exploration_json(e);
    json_t *value = json_loads(text, 0, NULL);

    assert_non_null(value);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    return value;
}

static const char *string_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));

    assert_non_null(text);
    return text;
}

static json_int_t number_of(const json_t *o, const char *key)
{
    assert_true(json_is_integer(json_object_get(o, key)));
    return json_integer_value(json_object_get(o, key));
}

static void complete_carries_what_it_assumes(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    json_t *value = parsed(&e);
    const json_t *x = json_object_get(value, "exploration");
    assert_int_equal(json_array_size(json_object_get(x, "assumes")), 0);
    json_decref(value);
    e.repeats_polls = true;
    e.site[0].is_endless = true;
    value = parsed(&e);
    x = json_object_get(value, "exploration");
    assert_true(json_is_true(json_object_get(x, "complete")));
    const json_t *assumes = json_object_get(x, "assumes");
    assert_int_equal(json_array_size(assumes), 2);
    assert_string_equal(json_string_value(json_array_get(assumes, 0)), "polls-are-not-counted");
    assert_string_equal(json_string_value(json_array_get(assumes, 1)), "loops-never-give-up");
    json_decref(value);
    ork_exploration_release(&e);
}

static void all_that_is_known_is_written(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    json_t *value = parsed(&e);
    const json_t *x = json_object_get(value, "exploration");
    assert_string_equal(string_of(value, "verdict"), "findings");
    assert_string_equal(string_of(x, "summary"),
                        "24 orders: 21 end with the same output, 2 with another, 1 deadlocks.");
    assert_int_equal(number_of(x, "runs"), 24);
    assert_true(json_is_true(json_object_get(x, "complete")));
    assert_true(json_is_null(json_object_get(x, "estimate")));
    const json_t *outcome = json_array_get(json_object_get(x, "outcomes"), 0);
    assert_string_equal(string_of(outcome, "kind"), "deadlock");
    assert_true(json_is_null(json_object_get(outcome, "result")));
    const json_t *choice = json_array_get(json_object_get(outcome, "choices"), 1);
    assert_int_equal(number_of(choice, "number"), 3);
    assert_string_equal(string_of(choice, "outcome"), "took the message of rank 4, tag 0");
    assert_string_equal(string_of(choice, "place"), "main (farm.c:40)");
    assert_int_equal(json_array_size(json_object_get(outcome, "switched")), 0);
    outcome = json_array_get(json_object_get(x, "outcomes"), 1);
    const json_t *switched = json_array_get(json_object_get(outcome, "switched"), 0);
    assert_int_equal(number_of(json_object_get(switched, "took"), "rank"), 4);
    assert_int_equal(number_of(json_object_get(switched, "first_took"), "rank"), 3);
    assert_string_equal(string_of(json_object_get(switched, "receive"), "call"), "MPI_Recv");
    const json_t *site = json_array_get(json_object_get(x, "sites"), 0);
    assert_string_equal(string_of(site, "ranks"), "0");
    assert_int_equal(number_of(site, "tried"), 30);
    const json_t *tree = json_object_get(x, "tree");
    assert_int_equal(json_array_size(tree), 24);
    assert_true(json_is_null(json_object_get(json_array_get(tree, 0), "parent")));
    assert_true(json_is_null(json_object_get(json_array_get(tree, 0), "change")));
    assert_int_equal(number_of(json_array_get(tree, 6), "outcome"), 1);
    json_decref(value);
    ork_exploration_release(&e);
}

static void an_exploration_looks_as_it_always_did(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.run[1].diverged = true;
    char *json = sample_exploration_json(&e);
    char *golden = sample_golden("farm.json");
    assert_string_equal(json, golden);
    free(golden);
    free(json);
    ork_exploration_release(&e);
}

static void whoever_reads_only_findings_sees_every_bad_outcome(void **state)
{
    struct ork_exploration e;
    struct ork_report report;
    char *error = NULL;

    (void)state;
    sample_farm(&e);
    char *text = sample_exploration_json(&e);
    assert_int_equal(ork_report_from_json(text, strlen(text), &report, &error), ORK_OK);
    assert_int_equal(report.num_findings, 2);
    assert_string_equal(report.finding[0].id, "deadlock");
    assert_int_equal(report.finding[0].class_, ORK_MANIFEST);
    assert_int_equal(report.finding[0].num_waits, 2);
    assert_string_equal(report.finding[1].id, "bad-outcome");
    assert_string_equal(report.finding[1].message, "result 2: the output differs");
    assert_true(report.complete);
    ork_report_release(&report);
    free(text);
    json_t *value = parsed(&e);
    const json_t *findings = json_object_get(value, "findings");
    assert_int_equal(number_of(json_array_get(findings, 0), "outcome"), 1);
    assert_int_equal(number_of(json_array_get(findings, 1), "outcome"), 2);
    json_decref(value);
    ork_exploration_release(&e);
}

static void a_verdict_needs_results(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    json_t *value = parsed(&e);
    assert_string_equal(string_of(value, "verdict"), "clean");
    assert_int_equal(json_array_size(json_object_get(value, "findings")), 0);
    json_decref(value);
    e.lost = 1;
    value = parsed(&e);
    assert_string_equal(string_of(value, "verdict"), "unknown");
    assert_true(json_is_false(json_object_get(value, "complete")));
    json_decref(value);
    ork_exploration_release(&e);
    value = parsed(&e);
    assert_string_equal(string_of(value, "verdict"), "not-checked");
    json_decref(value);
}

static void hostile_strings_make_valid_json(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_hostile_exploration(&e);
    json_t *value = parsed(&e);
    assert_non_null(strstr(string_of(json_object_get(value, "exploration"), "resume"), "<script>"));
    json_decref(value);
    ork_exploration_release(&e);
}

/* Write, read, write. */
static void expect_round_trip(struct ork_exploration *e)
{
    struct ork_exploration again;
    char *error = NULL;
    char *first = sample_exploration_json(e);

    assert_int_equal(ork_exploration_from_json(first, strlen(first), &again, &error), ORK_OK);
    char *second = sample_exploration_json(&again);
    assert_string_equal(first, second);
    free(second);
    char *page = sample_exploration_page(e);
    char *page_again = sample_exploration_page(&again);
    assert_string_equal(page, page_again);
    free(page_again);
    free(page);
    free(first);
    ork_exploration_release(&again);
    ork_exploration_release(e);
}

static void what_was_written_can_be_read(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.repeats_polls = true;
    e.waiting = 6;
    e.left_waiting = 1;
    expect_round_trip(&e);
    sample_clean(&e);
    expect_round_trip(&e);
    sample_large(&e, 300);
    expect_round_trip(&e);
}

static void expect_refused(const char *json, enum ork_status wanted, const char *words)
{
    struct ork_exploration e;
    char *error = NULL;

    assert_int_equal(ork_exploration_from_json(json, strlen(json), &e, &error), wanted);
    if (words != NULL)
        assert_string_equal(error, words);
    assert_int_equal(e.num_outcomes, 0);
    free(error);
}

static void other_json_is_refused_with_a_sentence(void **state)
{
    (void)state;
    expect_refused("{\"findings\": []}", ORK_NOTFOUND, NULL);
    expect_refused("{\"findings\": [], \"exploration\": 3}", ORK_INVALID,
                   "\"exploration\" needs an object here");
    expect_refused("{\"exploration\": {\"outcomes\": [{\"kind\": \"odd\"}]}}", ORK_INVALID,
                   "outcome 1: \"kind\" has an unknown value");
    expect_refused("{\"exploration\": {\"outcomes\": [{}]}, \"findings\": [{\"outcome\": 2}]}",
                   ORK_INVALID, "finding 1: there is no such \"outcome\"");
    expect_refused("{\"exploration\": {\"outcomes\": [{}]}, \"findings\": [{\"outcome\": 1, "
                   "\"ranks\": 1}]}",
                   ORK_INVALID, "finding 1: \"ranks\" must be a list");
    expect_refused("{\"exploration\": {\"sites\": [{\"ranks\": \"0-4000000000\"}]}}", ORK_INVALID,
                   "\"ranks\" has too many ranks");
    expect_refused("{\"exploration\": {\"tree\": [3]}}", ORK_INVALID,
                   "\"tree\" needs an object here");
}

/* With one byte of the text changed, it is refused or read, and never more than that. */
static void damaged_text_does_no_harm(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    char *text = sample_exploration_json(&e);
    ork_exploration_release(&e);
    for (size_t i = 0, size = strlen(text); i < size; i += 41) {
        char *error = NULL;
        char was = text[i];
        text[i] = was == '9' ? '"' : '9';
        if (ork_exploration_from_json(text, strlen(text), &e, &error) == ORK_OK) {
            free(sample_exploration_json(&e));
            free(sample_exploration_text(&e));
        }
        ork_exploration_release(&e);
        free(error);
        text[i] = was;
    }
    free(text);
}

static void what_a_choice_was_is_told_without_the_common_words(void **state)
{
    static char place[] = "main (a.c:1)", call[] = "MPI_Recv";
    static const struct {
        const char *outcome, *instead, *wanted;
    } sample[] = {
        {"took the message of rank 2, tag 0", "took the message of rank 1, tag 0", "of rank 1"},
        {"took the message of rank 2, tag 0", "took the message of rank 2, tag 9",
         "of rank 2, tag 9"},
        {"completed request 1 of the array", "completed request 0 of the array",
         "completed request 0 of the array"},
        {"was successful", "", ""},
        {"a of b", "a of b", "of b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(sample) / sizeof(sample[0]); i++) {
        char *outcome = strdup(sample[i].outcome);
        char *instead = strdup(sample[i].instead);
        char *words = ork_forced_choice_instead(&(struct ork_forced_choice){
            .site = {call, place}, .outcome = outcome, .instead = instead});
        assert_string_equal(words, sample[i].wanted);
        free(words);
        free(outcome);
        free(instead);
    }
}

int test_exploration(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_known_is_written),
        cmocka_unit_test(complete_carries_what_it_assumes),
        cmocka_unit_test(an_exploration_looks_as_it_always_did),
        cmocka_unit_test(whoever_reads_only_findings_sees_every_bad_outcome),
        cmocka_unit_test(a_verdict_needs_results),
        cmocka_unit_test(hostile_strings_make_valid_json),
        cmocka_unit_test(what_was_written_can_be_read),
        cmocka_unit_test(other_json_is_refused_with_a_sentence),
        cmocka_unit_test(damaged_text_does_no_harm),
        cmocka_unit_test(what_a_choice_was_is_told_without_the_common_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
