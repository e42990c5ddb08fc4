/* SPDX-License-Identifier: BSD-3-Clause */
/* The fixture programs say where they are, in addresses; their sources say it in lines. */
#include "overlay/stacktrace/symbols.h"

#include "tests/unit/overlay/stage/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char name[64];
    unsigned long address;
    char path[1024];
};

static struct ork_symbols *symbols;

static int set_up(void **state)
{
    (void)state;
    return ork_symbols_create(&symbols) != ORK_OK;
}

static int tear_down(void **state)
{
    (void)state;
    ork_symbols_destroy(symbols);
    return 0;
}

/* What `program` prints. */
static size_t places_of(const char *program, struct place *place, size_t room)
{
    char command[1200];
    size_t n = 0;

    snprintf(command, sizeof(command), "'%s'", program);
    FILE *out = popen(command, "re");
    assert_non_null(out);
    while (n < room &&
           fscanf(out, "%63s %lx %1023s", place[n].name, &place[n].address, place[n].path) == 3)
        n++;
    assert_int_equal(pclose(out), 0);
    return n;
}

/* Number of the line of fixture `source` that has `"name"` in it. */
static uint32_t line_of(const char *source, const char *name)
{
    char path[1024], word[80], text[512];
    uint32_t line = 0;

    snprintf(path, sizeof(path), "%s/%s", ORK_FIXTURE_SOURCES, source);
    snprintf(word, sizeof(word), "\"%s\"", name);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    bool found = false;
    while (!found && fgets(text, sizeof(text), file) != NULL) {
        line++;
        found = strstr(text, word) != NULL;
    }
    fclose(file);
    assert_true(found);
    return line;
}

static void release(struct ork_where *where)
{
    free(where->function);
    free(where->file);
    free(where->module);
}

static void assert_place(const struct place *place, const char *source)
{
    struct ork_where where = {0};

    assert_int_equal(ork_symbols_find(symbols, place->path, place->address, &where), ORK_OK);
    assert_non_null(where.function);
    assert_string_equal(where.function, place->name);
    assert_non_null(where.file);
    const char *slash = strrchr(where.file, '/');
    assert_string_equal(slash != NULL ? slash + 1 : where.file, source);
    assert_int_equal(where.file[0], '/');
    assert_int_equal(access(where.file, R_OK), 0);
    assert_int_equal(where.line, line_of(source, place->name));
    release(&where);
}

static void assert_program(const char *program, const char *source, size_t places)
{
    struct place place[8];

    assert_int_equal(places_of(program, place, 8), places);
    for (size_t i = 0; i < places; i++)
        assert_place(&place[i], source);
}

static void calls_in_a_position_independent_program_are_found(void **state)
{
    (void)state;
    assert_program(ORK_FIXTURE_PIE, "program.c", 4);
}

/* RATIONALE: a run with thousands of findings names each place many thousand times. */
static void a_place_that_was_found_is_known_without_its_file(void **state)
{
    char link[] = "/tmp/orknot-symbols-XXXXXX";
    struct place place[8];
    size_t n = places_of(ORK_FIXTURE_PIE, place, 8);

    (void)state;
    int fd = mkstemp(link);
    assert_true(fd >= 0 && n > 0);
    close(fd);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink(place[0].path, link), 0);
    for (size_t i = 0; i < n; i++)
        strcpy(place[i].path, link);
    assert_place(&place[0], "program.c");
    assert_int_equal(unlink(link), 0);
    assert_place(&place[0], "program.c");
    struct ork_where where = {0};
    assert_int_equal(ork_symbols_find(symbols, link, place[1].address, &where), ORK_NOTFOUND);
}

static void calls_in_a_program_without_a_table_of_its_units_are_found(void **state)
{
    (void)state;
    assert_program(ORK_FIXTURE_TABLELESS, "program.c", 4);
}

static void names_of_sources_that_are_relative_are_found(void **state)
{
    (void)state;
    assert_program(ORK_FIXTURE_RELATIVE, "program.c", 4);
}

static void calls_in_a_program_at_a_fixed_address_are_found(void **state)
{
    struct place place[4];

    (void)state;
    assert_program(ORK_FIXTURE_FIXED, "program.c", 4);
    assert_int_equal(places_of(ORK_FIXTURE_FIXED, place, 4), 4);
    assert_in_range(place[0].address, 0x400000, UINT32_MAX); /* not moved by the loader */
}

static void an_inlined_call_has_the_name_of_its_source(void **state)
{
    struct place place[4];

    (void)state;
    assert_int_equal(places_of(ORK_FIXTURE_PIE, place, 4), 4);
    assert_string_equal(place[1].name, "innermost");
    assert_place(&place[1], "program.c");
    assert_string_equal(place[2].name, "middle");
    assert_place(&place[2], "program.c");
}

static void calls_in_a_shared_library_are_found(void **state)
{
    (void)state;
    assert_program(ORK_FIXTURE_LIBRARY_USER, "library.c", 1);
}

static void calls_in_a_fortran_program_are_found(void **state)
{
    (void)state;
    if (access(ORK_FIXTURE_FORTRAN, X_OK) != 0)
        skip();
    assert_program(ORK_FIXTURE_FORTRAN, "fortran.f90", 3);
}

static void a_stripped_program_has_no_lines(void **state)
{
    struct place place[4];
    struct ork_where where = {.line = 0};

    (void)state;
    assert_int_equal(places_of(ORK_FIXTURE_STRIPPED, place, 4), 4);
    for (int i = 0; i < 4; i++) {
        ork_symbols_find(symbols, place[i].path, place[i].address, &where);
        assert_null(where.file);
        assert_int_equal(where.line, 0);
        release(&where);
        where = (struct ork_where){0};
    }
}

static void calls_are_found_by_debug_information_in_a_file_beside_the_program(void **state)
{
    (void)state;
    assert_program(ORK_FIXTURE_LINKED, "program.c", 4);
}

/* Is a file whose path has `part` in it mapped in this process? */
static bool is_mapped(const char *part)
{
    char line[2048];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");

    assert_non_null(maps);
    while (!found && fgets(line, sizeof(line), maps) != NULL)
        found = strstr(line, part) != NULL;
    fclose(maps);
    return found;
}

static void assert_function_only(const struct place *place, const char *function)
{
    struct ork_where where = {0};

    assert_int_equal(ork_symbols_find(symbols, place->path, place->address, &where), ORK_OK);
    assert_non_null(where.function);
    assert_string_equal(where.function, function);
    assert_null(where.file);
    assert_int_equal(where.line, 0);
    release(&where);
}

static void without_debug_information_functions_are_named_and_nobody_is_asked_for_it(void **state)
{
    struct place place[4];

    (void)state;
    assert_int_equal(places_of(ORK_FIXTURE_BARE, place, 4), 4);
    assert_function_only(&place[0], "plain_function");
    assert_function_only(&place[1], "main"); /* of the inlined functions nothing is known */
    assert_function_only(&place[3], "main");
    assert_true(is_mapped("/libdw")); /* the name of a library is seen */
    assert_false(is_mapped("/libdebuginfod"));
}

static void what_is_not_known_stays_as_it_was(void **state)
{
    struct ork_where where = {.function = strdup("f"), .file = strdup("g"), .line = 3};

    (void)state;
    assert_int_equal(ork_symbols_find(symbols, "/no/such/file", 100, &where), ORK_NOTFOUND);
    assert_string_equal(where.function, "f");
    assert_string_equal(where.file, "g");
    assert_int_equal(where.line, 3);
    release(&where);
}

static void assert_no_file(const char *path)
{
    struct ork_where where = {0};

    assert_int_equal(ork_symbols_find(symbols, path, 4096, &where), ORK_NOTFOUND);
    assert_int_equal(ork_symbols_find(symbols, path, 4097, &where), ORK_NOTFOUND);
    assert_null(where.file);
    assert_null(where.function);
}

static void what_is_no_program_is_not_found_and_not_waited_for(void **state)
{
    char pipe_path[64];

    (void)state;
    snprintf(pipe_path, sizeof(pipe_path), "/tmp/orknot-unit-pipe-%d", (int)getpid());
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    alarm(60); /* opening a pipe without a writer would wait for ever */
    assert_no_file(pipe_path);
    alarm(0);
    unlink(pipe_path);
    assert_no_file("/dev/zero");
    assert_no_file("/tmp");
    assert_no_file("");
    assert_no_file("/proc/self/mem");
    assert_no_file(ORK_FIXTURE_SOURCES "/program.c");
}

static void addresses_outside_the_program_are_not_known(void **state)
{
    const uint64_t address[] = {0, 1, UINT32_MAX, UINT64_C(1) << 47, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof(address) / sizeof(*address); i++) {
        struct ork_where where = {0};
        enum ork_status status = ork_symbols_find(symbols, ORK_FIXTURE_PIE, address[i], &where);
        assert_true(status == ORK_OK || status == ORK_NOTFOUND);
        assert_null(where.file);
        assert_int_equal(where.line, 0);
        release(&where);
    }
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    char *bytes = malloc(1 << 20);

    assert_non_null(file);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void half_a_program_does_no_harm(void **state)
{
    struct place place[4];
    size_t size;
    char *bytes = read_all(ORK_FIXTURE_PIE, &size);

    (void)state;
    assert_int_equal(places_of(ORK_FIXTURE_PIE, place, 4), 4);
    for (size_t cut = 0; cut < size; cut += size / 50 + 1) {
        struct ork_where where = {0};
        char path[64];
        snprintf(path, sizeof(path), "/tmp/orknot-unit-half-%d-%zu", (int)getpid(), cut);
        FILE *file = fopen(path, "wxe");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, cut, file), cut);
        fclose(file);
        enum ork_status status = ork_symbols_find(symbols, path, place[0].address, &where);
        assert_true(status == ORK_OK || status == ORK_NOTFOUND);
        assert_true(where.file == NULL || where.line > 0);
        release(&where);
        unlink(path);
    }
    free(bytes);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_symbols(void)
{
    const struct CMUnitTest tests[] = {
        CASE(calls_in_a_position_independent_program_are_found),
        CASE(a_place_that_was_found_is_known_without_its_file),
        CASE(calls_in_a_program_without_a_table_of_its_units_are_found),
        CASE(names_of_sources_that_are_relative_are_found),
        CASE(calls_in_a_program_at_a_fixed_address_are_found),
        CASE(names_of_sources_that_are_relative_are_found),
        CASE(an_inlined_call_has_the_name_of_its_source),
        CASE(calls_in_a_shared_library_are_found),
        CASE(calls_in_a_fortran_program_are_found),
        CASE(a_stripped_program_has_no_lines),
        CASE(calls_are_found_by_debug_information_in_a_file_beside_the_program),
        CASE(without_debug_information_functions_are_named_and_nobody_is_asked_for_it),
        CASE(what_is_not_known_stays_as_it_was),
        CASE(what_is_no_program_is_not_found_and_not_waited_for),
        CASE(addresses_outside_the_program_are_not_known),
        CASE(half_a_program_does_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
