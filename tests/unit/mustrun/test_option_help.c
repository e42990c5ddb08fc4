/* SPDX-License-Identifier: BSD-3-Clause */
/* What --must:help prints. */
#include "parsing.h"

#include <stdlib.h>

/* What is printed about the topic; the caller frees it. */
static char *help_of(const char *topic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    ork_options_help(out, topic);
    assert_int_equal(fclose(out), 0);
    return text;
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static const char *const names[] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help) "\n  --must:" name,
#include "mustrun/options/options.def"
};
enum { OPTIONS = sizeof(names) / sizeof(names[0]) };

static const struct {
    const char *word, *title;
} groups[] = {
#define ORK_OPTION_GROUP(id, word, title) {word, title ":\n"},
#include "mustrun/options/options.def"
};
enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

/* Does an option of the help begin with this text: its name, and not only the head of it? */
static bool lists(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name))
        if (at[length] == ' ' || at[length] == '\n')
            return true;
    return false;
}

static void help_about_all_names_each_option_under_its_group(void **state)
{
    char *text = help_of("all");

    (void)state;
    for (size_t i = 0; i < OPTIONS; i++)
        assert_true(lists(text, names[i]));
    for (size_t i = 0; i < GROUPS; i++)
        assert_int_equal(count_of(text, groups[i].title), 1);
    free(text);
}

static void each_option_is_in_one_group(void **state)
{
    unsigned found = 0;

    (void)state;
    for (size_t g = 0; g < GROUPS; g++) {
        char *text = help_of(groups[g].word);
        unsigned here = 0;

        assert_memory_equal(text, groups[g].title, strlen(groups[g].title));
        for (size_t i = 0; i < OPTIONS; i++)
            here += lists(text, names[i]);
        assert_int_equal(here, count_of(text, "\n  --must:"));
        found += here;
        free(text);
    }
    assert_int_equal(found, OPTIONS);
}

static void help_shows_a_dozen_options_and_the_groups(void **state)
{
    char *text = help_of(NULL);

    (void)state;
    assert_int_equal(count_of(text, "\n  --must:"), 12);
    assert_true(lists(text, "\n  --must:explore"));
    assert_false(lists(text, "\n  --must:fanin"));
    for (size_t i = 0; i < GROUPS; i++) {
        char line[100];
        snprintf(line, sizeof(line), "\n  %-10s ", groups[i].word);
        assert_non_null(strstr(text, line));
    }
    free(text);
}

static void help_about_an_option_is_its_entry(void **state)
{
    char *text = help_of("fanin");

    (void)state;
    assert_memory_equal(text, "  --must:fanin K\n", 17);
    assert_int_equal(count_of(text, "--must:"), 1);
    free(text);
    text = help_of("--must:fanin");
    assert_memory_equal(text, "  --must:fanin K\n", 17);
    free(text);
}

static void a_key_is_under_its_option_with_its_old_name(void **state)
{
    char *text = help_of("hangs");

    (void)state;
    const char *key = strstr(text, "\n      divergence=report|abort\n");
    assert_non_null(key);
    assert_true(strstr(text, "\n  --must:on ") < key && key < strstr(text, "\n  --must:poll"));
    assert_int_equal(count_of(text, "[old"), 4);
    free(text);
    text = help_of("on-divergence");
    assert_memory_equal(text, "  --must:on ", 12);
    free(text);
}

static void a_topic_is_the_next_word_or_follows_an_equals_sign(void **state)
{
    static char *const topic[] = {"report", "all", "fanin"};
    char joined[50];
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof(topic) / sizeof(topic[0]); i++) {
        snprintf(joined, sizeof(joined), "--must:help=%s", topic[i]);
        assert_int_equal(parse(&f, WORDS(joined), nothing), ORK_OK);
        assert_true(f.options.help);
        assert_string_equal(f.options.help_topic, topic[i]);
        ork_argv_release(&f.rest);
        assert_int_equal(parse(&f, WORDS("--must:help", topic[i]), nothing), ORK_OK);
        assert_string_equal(f.options.help_topic, topic[i]);
        assert_int_equal(f.rest.count, 0);
        ork_argv_release(&f.rest);
    }
}

static void help_takes_no_other_word(void **state)
{
    static char *const other[] = {"-n", "--must:quiet", "./a"};
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        assert_int_equal(parse(&f, WORDS("--must:help", other[i], "4"), nothing), ORK_OK);
        assert_true(f.options.help);
        assert_null(f.options.help_topic);
        ork_argv_release(&f.rest);
    }
    check_refused(WORDS("--must:help=hang"), nothing,
                  "--must:help: \"hang\" is no group of options; the groups are report, hangs, "
                  "checks, order, explore, launcher, developer, and all");
}

int test_option_help(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_about_all_names_each_option_under_its_group),
        cmocka_unit_test(each_option_is_in_one_group),
        cmocka_unit_test(help_shows_a_dozen_options_and_the_groups),
        cmocka_unit_test(help_about_an_option_is_its_entry),
        cmocka_unit_test(a_key_is_under_its_option_with_its_old_name),
        cmocka_unit_test(a_topic_is_the_next_word_or_follows_an_equals_sign),
        cmocka_unit_test(help_takes_no_other_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
