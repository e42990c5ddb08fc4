/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/call_sites.h"
#include "tests/unit/record/random.h"

#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "solver/a file.py\0step";

static struct ork_call_sites *fresh(void)
{
    struct ork_call_sites *sites;

    assert_int_equal(ork_call_sites_create(2, &sites), ORK_OK);
    return sites;
}

static void release(struct ork_where *where)
{
    free(where->function);
    free(where->file);
    free(where->module);
}

static void assert_module(struct ork_call_sites *sites, uint32_t site, const char *path,
                          uint64_t offset)
{
    struct ork_where where;

    assert_int_equal(ork_call_sites_find(sites, 1, site, &where), ORK_OK);
    assert_non_null(where.module);
    assert_string_equal(where.module, path);
    assert_int_equal(where.offset, offset);
    assert_null(where.file);
    assert_int_equal(where.line, 0);
    release(&where);
}

static void assert_unknown(struct ork_call_sites *sites, uint32_t rank, uint32_t site)
{
    struct ork_where where;

    assert_int_equal(ork_call_sites_find(sites, rank, site, &where), ORK_OK);
    assert_null(where.function);
    assert_null(where.file);
    assert_null(where.module);
    assert_int_equal(where.line, 0);
}

static void assert_text(struct ork_call_sites *sites, uint32_t site, uint32_t line)
{
    struct ork_where where;

    assert_int_equal(ork_call_sites_find(sites, 1, site, &where), ORK_OK);
    assert_non_null(where.file);
    assert_string_equal(where.file, "solver/a file.py");
    assert_string_equal(where.function, "step");
    assert_int_equal(where.line, line);
    assert_null(where.module);
    release(&where);
}

static void feed(struct ork_call_sites *sites, const struct script *s)
{
    assert_int_equal(ork_call_sites_feed(sites, 1, s->record, s->n), ORK_OK);
}

static void add_text_site(struct script *s, uint32_t site, uint32_t line)
{
    script_text(s,
                (struct ork_record){
                    .kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = site, .arg2 = line},
                text, sizeof(text) - 1);
}

static void add_module(struct script *s, uint32_t module, const char *path)
{
    script_text(s, (struct ork_record){.kind = ORK_KIND_MODULE, .arg = module}, path, strlen(path));
}

static void add_site(struct script *s, uint32_t site, uint32_t module, uint64_t offset)
{
    script_add(s, (struct ork_record){
                      .kind = ORK_KIND_SITE, .site = site, .arg = module, .extra = offset});
}

static void add_called_site(struct script *s, uint32_t site, uint64_t offset, uint32_t caller)
{
    script_add(s,
               (struct ork_record){
                   .kind = ORK_KIND_SITE, .site = site, .arg = 1, .extra = offset, .arg2 = caller});
}

static void assert_callers(struct ork_call_sites *sites, uint32_t site, uint32_t n,
                           const uint64_t *offset)
{
    struct ork_rank_row row = {0};

    assert_int_equal(ork_call_sites_fill(sites, 1, site, &row), ORK_OK);
    assert_int_equal(row.num_callers, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(row.caller[i].offset, offset[i]);
    ork_rank_row_release(&row);
}

static void a_site_has_its_callers(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script s = {0};
    struct ork_where plain, first, second;

    (void)state;
    add_module(&s, 1, "/no/such/file");
    add_site(&s, 1, 1, 0x10);
    add_called_site(&s, 2, 0x20, 1);
    add_called_site(&s, 3, 0x30, 2);
    add_called_site(&s, 4, 0x30, 1);
    add_site(&s, 5, 1, 0x30);
    add_called_site(&s, 6, 0x60, 6);  /* invalid: its own caller */
    add_called_site(&s, 7, 0x70, 99); /* invalid: a later one */
    feed(sites, &s);
    assert_callers(sites, 1, 0, NULL);
    assert_callers(sites, 3, 2, (const uint64_t[]){0x20, 0x10});
    assert_callers(sites, 4, 1, (const uint64_t[]){0x10});
    assert_callers(sites, 6, 0, NULL);
    assert_callers(sites, 7, 0, NULL);
    assert_callers(sites, 8, 0, NULL);
    assert_int_equal(ork_call_sites_find(sites, 1, 5, &plain), ORK_OK);
    assert_int_equal(ork_call_sites_find(sites, 1, 3, &first), ORK_OK);
    assert_int_equal(ork_call_sites_find(sites, 1, 4, &second), ORK_OK);
    assert_true(first.path != second.path && first.path != plain.path);
    assert_int_equal(first.offset, second.offset);
    release(&plain);
    release(&first);
    release(&second);
    ork_call_sites_destroy(sites);
}

/* What calls main is left out, and so is the C library at the end. */
static void callers_end_with_main(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script s = {0};

    (void)state;
    add_module(&s, 1, "/no/such/file");
    script_text(&s, (struct ork_record){.kind = ORK_KIND_MODULE, .arg = 2}, "/lib/libc.so.6", 14);
    add_site(&s, 1, 2, 0x10);
    script_text(
        &s, (struct ork_record){.kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = 2, .arg2 = 5},
        "a.c\0main", 8);
    add_called_site(&s, 3, 0x30, 1);
    add_called_site(&s, 4, 0x40, 3);
    add_called_site(&s, 5, 0x50, 2);
    feed(sites, &s);
    assert_callers(sites, 4, 1, (const uint64_t[]){0x30});
    assert_callers(sites, 5, 1, (const uint64_t[]){0});
    assert_callers(sites, 2, 0, NULL);
    ork_call_sites_destroy(sites);
}

static void places_are_known_however_the_records_are_cut(void **state)
{
    const char *path = "/no/such/folder, with a name of more than sixty bytes/so that/it is long";
    struct script s = {0};

    (void)state;
    add_module(&s, 1, path);
    add_site(&s, 1, 1, 0x1234);
    add_text_site(&s, 2, 77);
    script_recv(&s, 0, 0);
    for (size_t cut = 0; cut <= s.n; cut++) {
        struct ork_call_sites *sites = fresh();
        assert_int_equal(ork_call_sites_feed(sites, 1, s.record, cut), ORK_OK);
        assert_int_equal(ork_call_sites_feed(sites, 1, s.record + cut, s.n - cut), ORK_OK);
        assert_module(sites, 1, path, 0x1234);
        assert_text(sites, 2, 77);
        ork_call_sites_destroy(sites);
    }
}

static void a_place_is_known_of_its_own_rank_only(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script s = {0};

    (void)state;
    add_text_site(&s, 5, 1);
    feed(sites, &s);
    assert_text(sites, 5, 1);
    assert_unknown(sites, 0, 5);
    assert_unknown(sites, 1, 4);
    assert_unknown(sites, 1, 0);
    assert_unknown(sites, 1, UINT32_MAX);
    assert_unknown(sites, 7, 5);
    assert_int_equal(ork_call_sites_feed(sites, 7, s.record, s.n), ORK_INVALID);
    ork_call_sites_destroy(sites);
}

static void a_site_of_an_unknown_module_is_unknown(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script s = {0};

    (void)state;
    add_site(&s, 1, 9, 100);
    feed(sites, &s);
    assert_unknown(sites, 1, 1);
    ork_call_sites_destroy(sites);
}

static void the_latest_definition_counts(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script s = {0};

    (void)state;
    add_module(&s, 1, "/one");
    add_module(&s, 1, "/two");
    add_site(&s, 3, 1, 10);
    add_text_site(&s, 3, 4);
    add_text_site(&s, 4, 4);
    add_site(&s, 4, 1, 11);
    feed(sites, &s);
    assert_text(sites, 3, 4);
    assert_module(sites, 4, "/two", 11);
    ork_call_sites_destroy(sites);
}

static void a_text_without_its_separator_has_no_function(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct ork_where where;
    struct script s = {0};

    (void)state;
    script_text(&s, (struct ork_record){.kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = 1},
                "12345678", 8);
    feed(sites, &s);
    assert_int_equal(ork_call_sites_find(sites, 1, 1, &where), ORK_OK);
    assert_string_equal(where.file, "12345678");
    assert_string_equal(where.function, "");
    release(&where);
    ork_call_sites_destroy(sites);
}

static void numbers_that_count_on_are_all_known(void **state)
{
    struct ork_call_sites *sites = fresh();

    (void)state;
    for (uint32_t site = 1; site <= 100000; site++) {
        struct script s = {.n = 0};
        if (site == 1)
            add_module(&s, 1, "/one");
        add_site(&s, site, 1, site * 16);
        feed(sites, &s);
    }
    assert_module(sites, 100000, "/one", 1600000);
    assert_module(sites, 4097, "/one", 4097 * 16);
    ork_call_sites_destroy(sites);
}

static void huge_numbers_are_ignored_and_cost_no_memory(void **state)
{
    const uint32_t number[] = {UINT32_MAX, UINT32_MAX - 1, 1u << 31,
                               1u << 22,   (1u << 22) - 1, 100000};
    struct ork_call_sites *sites = fresh();
    struct script s = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
        add_site(&s, number[i], 1, 1);
        add_text_site(&s, number[i], 1);
        add_module(&s, number[i], "/one");
    }
    add_text_site(&s, 6, 3);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    feed(sites, &s);
    size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    assert_true(after - before < 100000);
    assert_text(sites, 6, 3);
    for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
        assert_unknown(sites, 1, number[i]);
    ork_call_sites_destroy(sites);
}

/* A record whose list is not what it says; a good site follows. */
static void assert_ignored(struct ork_record record, uint32_t words)
{
    const uint32_t list[64] = {0};
    struct ork_call_sites *sites = fresh();
    struct script s = {0};
    uint32_t says = record.count;

    script_list(&s, record, list, words);
    s.record[0].count = says;
    add_text_site(&s, 2, 8);
    feed(sites, &s);
    assert_unknown(sites, 1, 1);
    assert_text(sites, 2, 8);
    ork_call_sites_destroy(sites);
}

static void lists_that_are_not_as_long_as_they_say_are_ignored(void **state)
{
    const struct ork_record site = {.kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = 1};
    struct ork_record r = site;

    (void)state;
    r.count = 20;
    assert_ignored(r, 19);
    r.count = 19;
    assert_ignored(r, 20);
    r.count = 20;
    r.bytes = 81;
    assert_ignored(r, 20);
    r.bytes = UINT64_MAX;
    assert_ignored(r, 20);
    r.bytes = 0;
    r.count = UINT32_MAX;
    assert_ignored(r, 20);
}

static void random_records_do_no_harm(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct ork_record record = {0};
    uint64_t seed = 11;
    const uint8_t kind[] = {ORK_KIND_CONT, ORK_KIND_CONT, ORK_KIND_MODULE, ORK_KIND_SITE};

    (void)state;
    for (int i = 0; i < 200000; i++) {
        random_record(&seed, &record);
        record.kind = kind[random_next(&seed) % 4];
        record.arg %= 64;
        record.site %= 64;
        record.count = (uint32_t)(random_next(&seed) % 3 == 0 ? record.count : record.count % 40);
        if (record.kind == ORK_KIND_CONT && random_next(&seed) % 2)
            record.flags %= ORK_CONT_WORDS + 1; /* words */
        assert_int_equal(ork_call_sites_feed(sites, 1, &record, 1), ORK_OK);
    }
    for (uint32_t site = 0; site < 64; site++) {
        struct ork_where where;
        assert_int_equal(ork_call_sites_find(sites, 1, site, &where), ORK_OK);
        release(&where);
    }
    ork_call_sites_destroy(sites);
}

enum { LINES = 80 };

static uint32_t number_of(struct ork_call_sites *sites, uint32_t rank, uint32_t site)
{
    uint32_t number;

    assert_int_equal(ork_call_sites_number(sites, rank, site, &number), ORK_OK);
    assert_true(number > 0);
    return number;
}

static void equal_places_have_one_number(void **state)
{
    struct ork_call_sites *sites = fresh();
    struct script lines = {0}, s = {0}, late = {0}, other = {0};

    (void)state;
    for (uint32_t line = 1; line <= LINES; line++) { /* each has two sites */
        add_text_site(&lines, line, line);
        add_text_site(&lines, LINES + line, line);
    }
    feed(sites, &lines);
    add_site(&s, 601, 1, 0x10); /* its module is not known yet */
    add_site(&s, 602, 1, 0x20);
    feed(sites, &s);
    for (uint32_t line = 1; line <= LINES; line++) {
        assert_int_equal(number_of(sites, 1, line), line);
        assert_int_equal(number_of(sites, 1, LINES + line), line);
    }
    uint32_t unknown = number_of(sites, 1, 700);
    assert_int_equal(number_of(sites, 0, 1), unknown);
    assert_int_equal(number_of(sites, 1, 601), unknown);
    add_module(&late, 1, "/no/such/file");
    add_called_site(&late, 603, 0x10, 602);
    feed(sites, &late);
    add_module(&other, 7, "/no/such/file");
    add_site(&other, 5, 7, 0x10);
    assert_int_equal(ork_call_sites_feed(sites, 0, other.record, other.n), ORK_OK);
    uint32_t known = number_of(sites, 1, 601);
    assert_true(known != unknown && known != number_of(sites, 1, 602));
    assert_int_equal(number_of(sites, 0, 5), known);
    assert_true(number_of(sites, 1, 603) != known); /* called from elsewhere */
    ork_call_sites_destroy(sites);
}

int test_call_sites(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_has_its_callers),
        cmocka_unit_test(callers_end_with_main),
        cmocka_unit_test(places_are_known_however_the_records_are_cut),
        cmocka_unit_test(a_place_is_known_of_its_own_rank_only),
        cmocka_unit_test(a_site_of_an_unknown_module_is_unknown),
        cmocka_unit_test(the_latest_definition_counts),
        cmocka_unit_test(a_text_without_its_separator_has_no_function),
        cmocka_unit_test(numbers_that_count_on_are_all_known),
        cmocka_unit_test(huge_numbers_are_ignored_and_cost_no_memory),
        cmocka_unit_test(lists_that_are_not_as_long_as_they_say_are_ignored),
        cmocka_unit_test(random_records_do_no_harm),
        cmocka_unit_test(equal_places_have_one_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
