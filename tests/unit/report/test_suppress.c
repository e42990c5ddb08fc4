/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/enum_names.h"
#include "report/finding_kind.h"
#include "report/suppress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A finding of three ranks: 0 and 1 are its cause, in other functions; 2 waits for them. */
struct sample {
    struct ork_finding finding;
    struct ork_rank_row row[3];
    struct ork_u32s root;
    uint32_t cause[2], all[3];
};

static struct sample make(void)
{
    static char deadlock[] = "deadlock", call[] = "MPI_Send", state[] = "blocked";
    static char east[] = "send_east", west[] = "send_west", main_[] = "main";
    static char file[] = "/src/halo/swap.c", world[] = "MPI_COMM_WORLD";
    struct sample s = {.cause = {0, 1}, .all = {0, 1, 2}};

    for (uint32_t i = 0; i < 3; i++)
        s.row[i] = (struct ork_rank_row){.rank = i,
                                         .call = call,
                                         .state = state,
                                         .comm = world,
                                         .where = {.function = i == 0   ? east
                                                               : i == 1 ? west
                                                                        : main_,
                                                   .file = file,
                                                   .line = 10 + i}};
    s.finding = (struct ork_finding){
        .id = deadlock, .class_ = ORK_POTENTIAL, .num_roots = 1, .num_waits = 3};
    return s;
}

/* What a struct points to inside of itself. */
static void tie(struct sample *s)
{
    s->root = (struct ork_u32s){s->cause, 2};
    s->finding.roots = s->finding.num_roots > 0 ? &s->root : NULL;
    s->finding.ranks = (struct ork_u32s){s->all, 3};
    s->finding.waits = s->finding.num_waits > 0 ? s->row : NULL;
}

static bool is_known(struct sample *s, const char *text)
{
    char error[ORK_SUPPRESS_ERROR] = "";
    struct ork_suppress *suppress = NULL;

    tie(s);
    assert_int_equal(ork_suppress_parse("known", text, &suppress, error), ORK_OK);
    bool known = ork_suppress_matches(suppress, &s->finding);
    ork_suppress_destroy(suppress);
    return known;
}

static void every_cause_needs_a_line(void **state)
{
    struct sample s = make();

    (void)state;
    assert_false(is_known(&s, ""));
    assert_false(is_known(&s, "deadlock in send_east\n"));
    assert_true(is_known(&s, "deadlock in send_east\ndeadlock in send_west\n"));
    assert_true(is_known(&s, "# both\n\n  deadlock in send_*  # east and west\n"));
    assert_true(is_known(&s, "deadlock\n"));
    assert_false(is_known(&s, "deadlock in main\n")); /* who only waits is not the cause */
}

static void id_and_class_must_fit(void **state)
{
    struct sample s = make();

    (void)state;
    assert_true(is_known(&s, "deadlock:potential"));
    assert_false(is_known(&s, "deadlock:manifest"));
    assert_false(is_known(&s, "lost-message"));
}

static void the_file_is_its_name_or_its_whole_path(void **state)
{
    struct sample s = make();

    (void)state;
    assert_true(is_known(&s, "deadlock at swap.c"));
    assert_true(is_known(&s, "deadlock at /src/*/swap.c"));
    assert_true(is_known(&s, "deadlock at s*.[ch]"));
    assert_false(is_known(&s, "deadlock at /usr/*/swap.c"));
    assert_false(is_known(&s, "deadlock at swap.c:10")); /* rank 1 is in line 11 */
    assert_true(is_known(&s, "deadlock at swap.c:10\ndeadlock at swap.c:11"));
}

static void all_parts_of_a_line_must_fit(void **state)
{
    struct sample s = make();

    (void)state;
    assert_true(is_known(&s, "deadlock comm MPI_COMM_WORLD in send_* at swap.c"));
    assert_false(is_known(&s, "deadlock comm MPI_COMM_SELF in send_* at swap.c"));
    s.row[1].comm = NULL;
    assert_false(is_known(&s, "deadlock comm *"));
    s.row[1].where.function = NULL;
    assert_false(is_known(&s, "deadlock in *"));
}

static void without_causes_all_rows_count_and_without_rows_no_place_fits(void **state)
{
    struct sample s = make();

    (void)state;
    s.finding.num_roots = 0;
    assert_false(is_known(&s, "deadlock in send_*"));
    assert_true(is_known(&s, "deadlock in send_*\ndeadlock in main"));
    s.finding.num_waits = 0;
    assert_false(is_known(&s, "deadlock in *"));
    assert_true(is_known(&s, "deadlock"));
}

static void a_cause_without_a_row_hides_nothing(void **state)
{
    struct sample s = make();

    (void)state;
    s.cause[1] = 7;
    assert_false(is_known(&s, "deadlock in send_*"));
}

static void a_place_without_a_file_is_an_address(void **state)
{
    static char module[] = "/opt/lib/libx.so";
    struct sample s = make();

    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        s.row[i].where = (struct ork_where){.module = module, .offset = 0x1f20};
    assert_true(is_known(&s, "deadlock at libx.so+0x1f20"));
    assert_true(is_known(&s, "deadlock at /opt/*+0x1f20"));
    assert_false(is_known(&s, "deadlock at libx.so+0x1f2"));
}

static void nothing_suppresses_nothing(void **state)
{
    struct sample s = make();

    (void)state;
    tie(&s);
    assert_false(ork_suppress_matches(NULL, &s.finding));
}

static void a_bad_line_is_named(void **state)
{
    static const char *const bad[][2] = {
        {"deadlock in", "f:1: \"in\" needs a value"},
        {"hang\n\n deadlock on rank", "f:3: \"on\" is not one of in, at, comm, since and because"},
        {"deadlock:potentail",
         "f:1: \"potentail\" is not a class of \"deadlock\"; the nearest one is \"potential\""},
        {"lock-order:manifest",
         "f:1: \"manifest\" is not a class of \"lock-order\"; the nearest one is \"potential\""},
        {"lost-message:potential", "f:1: findings of id \"lost-message\" have no class"},
        {"deadlock:", "f:1: \"\" is not a class of \"deadlock\"; the nearest one is \"manifest\""},
        {"hang\nlost-mesage in f",
         "f:2: \"lost-mesage\" is not the id of a finding; the nearest one is \"lost-message\""},
        {"Deadlock",
         "f:1: \"Deadlock\" is not the id of a finding; the nearest one is \"deadlock\""},
        {"hang\033[2J",
         "f:1: \"hang?[2J\" is not the id of a finding; the nearest one is \"hang\""},
        {"deadlock in a in b", "f:1: \"in\" is given twice"},
        {"deadlock at a.c:", "f:1: \"at\" needs FILE or FILE:LINE, not \"a.c:\""},
        {"deadlock at a.c:x", "f:1: \"at\" needs FILE or FILE:LINE, not \"a.c:x\""},
        {"deadlock at :7", "f:1: \"at\" needs FILE or FILE:LINE, not \":7\""},
        {"deadlock in \"f", "f:1: a quotation mark is missing"},
        {"deadlock in \"\"", "f:1: a pattern is empty"},
        {"deadlock since", "f:1: \"since\" needs a value"},
        {"deadlock since 2026-1-1",
         "f:1: \"since\" needs a date like 2026-11-30, not \"2026-1-1\""},
        {"deadlock since 2026-11-301",
         "f:1: \"since\" needs a date like 2026-11-30, not \"2026-11-301\""},
        {"deadlock because \"x", "f:1: a quotation mark is missing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char error[ORK_SUPPRESS_ERROR] = "";
        struct ork_suppress *suppress = NULL;
        assert_int_equal(ork_suppress_parse("f", bad[i][0], &suppress, error), ORK_INVALID);
        assert_string_equal(error, bad[i][1]);
        assert_null(suppress);
    }
}

static void every_kind_of_finding_can_stand_in_a_line(void **state)
{
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        char line[100], error[ORK_SUPPRESS_ERROR] = "";
        const char *class = ork_class_word(kind[i].class_);
        struct ork_suppress *suppress = NULL;
        snprintf(line, sizeof(line), "%s%s%s", kind[i].id, class != NULL ? ":" : "",
                 class != NULL ? class : "");
        assert_int_equal(ork_suppress_parse("f", line, &suppress, error), ORK_OK);
        ork_suppress_destroy(suppress);
    }
}

/* What is said of the lines that were not used, after a look at one finding; NULL: nothing. */
static void assert_unused(const char *text, const char *expected)
{
    char error[ORK_SUPPRESS_ERROR] = "", *sentence = NULL;
    struct ork_suppress *suppress = NULL;
    struct sample s = make();

    tie(&s);
    assert_int_equal(ork_suppress_parse("known.txt", text, &suppress, error), ORK_OK);
    ork_suppress_matches(suppress, &s.finding);
    assert_int_equal(ork_suppress_unused(suppress, &sentence), ORK_OK);
    if (expected == NULL)
        assert_null(sentence);
    else
        assert_string_equal(sentence, expected);
    free(sentence);
    ork_suppress_destroy(suppress);
}

static void lines_that_suppressed_nothing_are_counted(void **state)
{
    (void)state;
    assert_unused("", NULL);
    assert_unused("deadlock in send_east\n\n# both\ndeadlock in send_west\ndeadlock\n", NULL);
    assert_unused("deadlock in send_*\n\nhang\n",
                  "1 of 2 suppressions matched no finding: line 3 of known.txt");
    /* one cause is not known: the finding is shown, and the line was of no use */
    assert_unused("deadlock in send_east\n",
                  "1 of 1 suppression matched no finding: line 1 of known.txt");
    assert_unused(
        "hang since 2026-11-30 because \"version \\\"3\\\" fixes it\"\n"
        "deadlock since 2026-01-01\nhang because leave\nhang since 2026-12-01\n",
        "3 of 4 suppressions matched no finding: lines 1 (since 2026-11-30: version \"3\" "
        "fixes it), 3 (leave), 4 (since 2026-12-01) of known.txt");
    assert_unused("hang\nhang\nhang\nhang\nhang\nhang\nhang\nhang\nhang\nhang\n",
                  "10 of 10 suppressions matched no finding: lines 1, 2, 3, 4, 5, 6, 7, 8, ... of "
                  "known.txt");
}

static void assert_doubt(struct sample *s, const char *part)
{
    char *sentence = NULL;

    tie(s);
    char *lines = ork_suppress_lines(&s->finding, NULL, NULL);
    assert_int_equal(ork_suppress_doubt(lines, &s->finding, &sentence), ORK_OK);
    if (part == NULL)
        assert_null(sentence);
    else
        assert_non_null(strstr(sentence, part));
    free(sentence);
    free(lines);
}

static void lines_without_an_effect_are_doubted(void **state)
{
    static char state_id[] = "state", other_id[] = "of-later";
    struct sample s = make();

    (void)state;
    assert_doubt(&s, NULL);
    s.finding.class_ = ORK_MANIFEST;
    assert_doubt(&s, "--must:on deadlock=continue");
    s.finding.class_ = ORK_POTENTIAL;
    s.row[1].where = (struct ork_where){.function = NULL};
    assert_doubt(&s, "no line can name the place");
    s.finding.class_ = ORK_CLASS_NONE;
    s.finding.id = other_id;
    assert_doubt(&s, "\"of-later\" is not the id");
    s.finding.id = state_id;
    assert_doubt(&s, "cannot be suppressed");
}

static void a_file_that_is_not_there_is_a_sentence(void **state)
{
    char error[ORK_SUPPRESS_ERROR] = "";
    struct ork_suppress *suppress = NULL;

    (void)state;
    assert_int_equal(ork_suppress_load("/no/such/file", &suppress, error), ORK_INVALID);
    assert_string_equal(error, "cannot read /no/such/file: No such file or directory");
}

static void any_bytes_give_a_status(void **state)
{
    static const char bytes[] = "deadlock:potential in at comm \"\\#*[]\n\t :1a\377";
    uint32_t seed = 1;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        char error[ORK_SUPPRESS_ERROR] = "", text[48];
        struct ork_suppress *suppress = NULL;
        struct sample s = make();
        for (unsigned k = 0; k < sizeof(text); k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = bytes[(seed >> 8) % (sizeof(bytes) - 1)];
        }
        text[seed >> 16 & 31] = '\0';
        enum ork_status status = ork_suppress_parse("f", text, &suppress, error);
        assert_true(status == ORK_OK || (status == ORK_INVALID && strncmp(error, "f:", 2) == 0));
        tie(&s);
        ork_suppress_matches(suppress, &s.finding);
        ork_suppress_destroy(suppress);
    }
}

/* The lines written for a finding suppress it, and nothing else. */
static void assert_lines(struct sample *s, const char *expected)
{
    tie(s);
    char *lines = ork_suppress_lines(&s->finding, NULL, NULL);
    assert_non_null(lines);
    assert_string_equal(lines, expected);
    assert_true(is_known(s, lines));
    free(lines);
}

static void lines_name_each_cause_once(void **state)
{
    struct sample s = make();

    (void)state;
    assert_lines(&s, "deadlock:potential in send_east at swap.c:10 comm MPI_COMM_WORLD\n"
                     "deadlock:potential in send_west at swap.c:11 comm MPI_COMM_WORLD\n");
    s.row[1].where = s.row[0].where;
    assert_lines(&s, "deadlock:potential in send_east at swap.c:10 comm MPI_COMM_WORLD\n");
}

static void lines_of_odd_names_fit_only_these(void **state)
{
    static char function[] = "grid<2>::operator[](char *, \"x\")", file[] = "a [1].cpp";
    static char comm[] = "MPI_Comm_split of MPI_COMM_WORLD, color 1, at a.c:31",
                other[] = "a 1.cpp";
    struct sample s = make();

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        s.row[i].where = (struct ork_where){.function = function, .file = file, .line = 4};
        s.row[i].comm = comm;
    }
    tie(&s);
    char *lines = ork_suppress_lines(&s.finding, NULL, NULL);
    assert_true(is_known(&s, lines));
    s.row[0].where.file = other;
    assert_false(is_known(&s, lines));
    free(lines);
}

static void a_rank_whose_place_is_not_known_is_said(void **state)
{
    struct sample s = make();

    (void)state;
    s.row[1].where = (struct ork_where){.function = NULL};
    tie(&s);
    char *lines = ork_suppress_lines(&s.finding, NULL, NULL);
    assert_non_null(strstr(lines, "\n# No line can name the place of rank 1."));
    assert_false(is_known(&s, lines));
    free(lines);
}

static void lines_carry_a_date_and_a_reason(void **state)
{
    struct sample s = make();
    char today[ORK_SUPPRESS_DATE];

    (void)state;
    s.row[1].where = s.row[0].where;
    tie(&s);
    char *lines = ork_suppress_lines(&s.finding, "2026-11-30", "a \"b\"\\\nc");
    assert_string_equal(lines, "deadlock:potential in send_east at swap.c:10 comm MPI_COMM_WORLD "
                               "since 2026-11-30 because \"a \\\"b\\\"\\\\ c\"\n");
    assert_true(is_known(&s, lines));
    free(lines);
    ork_suppress_today(today);
    assert_int_equal(strlen(today), 10);
    lines = ork_suppress_lines(&s.finding, today, NULL);
    assert_true(is_known(&s, lines));
    free(lines);
}

int test_suppress(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cause_needs_a_line),
        cmocka_unit_test(id_and_class_must_fit),
        cmocka_unit_test(the_file_is_its_name_or_its_whole_path),
        cmocka_unit_test(all_parts_of_a_line_must_fit),
        cmocka_unit_test(without_causes_all_rows_count_and_without_rows_no_place_fits),
        cmocka_unit_test(a_cause_without_a_row_hides_nothing),
        cmocka_unit_test(a_place_without_a_file_is_an_address),
        cmocka_unit_test(nothing_suppresses_nothing),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(every_kind_of_finding_can_stand_in_a_line),
        cmocka_unit_test(lines_that_suppressed_nothing_are_counted),
        cmocka_unit_test(lines_without_an_effect_are_doubted),
        cmocka_unit_test(a_file_that_is_not_there_is_a_sentence),
        cmocka_unit_test(any_bytes_give_a_status),
        cmocka_unit_test(lines_name_each_cause_once),
        cmocka_unit_test(lines_of_odd_names_fit_only_these),
        cmocka_unit_test(a_rank_whose_place_is_not_known_is_said),
        cmocka_unit_test(lines_carry_a_date_and_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
