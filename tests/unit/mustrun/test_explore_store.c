/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    char folder[64], path[96];
    struct ork_store *store;
    char error[ORK_STORE_ERROR];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    if (f == NULL)
        return 1;
    strcpy(f->folder, "/tmp/orknot-store-XXXXXX");
    if (mkdtemp(f->folder) == NULL)
        return 1;
    snprintf(f->path, sizeof(f->path), "%s/exploration.db", f->folder);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    static const char *const suffix[] = {"", "-wal", "-shm"};

    ork_store_close(f->store);
    for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s%s", f->path, suffix[i]);
        unlink(path);
    }
    rmdir(f->folder);
    free(f);
    return 0;
}

static enum ork_status open_it(struct fixture *f, enum ork_store_use use, const char *program,
                               const char *bounds)
{
    ork_store_close(f->store);
    f->store = NULL;
    return ork_store_open(f->path, use, program, bounds, &f->store, f->error);
}

static void begin_it(struct fixture *f, enum ork_store_use use, const char *program)
{
    assert_int_equal(open_it(f, use, program, "b"), ORK_OK);
    assert_int_equal(ork_store_begin_exploration(f->store, program, "b"), ORK_OK);
}

static void add_run(struct fixture *f, uint64_t number)
{
    struct ork_stored_run run = {.number = number,
                                 .node = (int64_t)number - 2,
                                 .index = 3,
                                 .outcome = 1,
                                 .diverged = number == 2,
                                 .seconds = 0.5,
                                 .order = {"order", 5}};

    assert_int_equal(ork_store_begin(f->store), ORK_OK);
    assert_int_equal(ork_store_add_run(f->store, &run), ORK_OK);
    assert_int_equal(ork_store_commit(f->store), ORK_OK);
}

static enum ork_status take_run(void *context, const struct ork_stored_run *run)
{
    uint64_t *count = context;

    assert_int_equal(run->number, ++*count);
    assert_int_equal(run->node, (int64_t)run->number - 2);
    assert_int_equal(run->index, 3);
    assert_int_equal(run->outcome, 1);
    assert_int_equal(run->diverged, run->number == 2);
    assert_true(run->seconds == 0.5);
    assert_int_equal(run->order.size, 5);
    assert_memory_equal(run->order.bytes, "order", 5);
    assert_int_equal(run->alternatives.size, 0);
    return ORK_OK;
}

static void runs_are_there_when_it_is_opened_again(void **state)
{
    struct fixture *f = *state;
    uint64_t count = 0;
    void *bytes;
    size_t size;

    begin_it(f, ORK_STORE_REPLACE, "p");
    add_run(f, 1);
    add_run(f, 2);
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
    assert_int_equal(ork_store_read_runs(f->store, take_run, &count), ORK_OK);
    assert_int_equal(count, 2);
    assert_int_equal(ork_store_read_order(f->store, 2, &bytes, &size), ORK_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "order", 5);
    free(bytes);
    assert_int_equal(ork_store_read_order(f->store, 3, &bytes, &size), ORK_NOTFOUND);
    assert_int_equal(ork_store_read_alternatives(f->store, 2, &bytes, &size), ORK_NOTFOUND);
}

static void what_was_not_committed_is_not_there(void **state)
{
    struct fixture *f = *state;
    uint64_t count = 0;

    begin_it(f, ORK_STORE_REPLACE, "p");
    add_run(f, 1);
    assert_int_equal(ork_store_begin(f->store), ORK_OK);
    assert_int_equal(ork_store_add_run(f->store, &(struct ork_stored_run){.number = 2}), ORK_OK);
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
    assert_int_equal(ork_store_read_runs(f->store, take_run, &count), ORK_OK);
    assert_int_equal(count, 1);
}

static uint64_t runs_of(struct fixture *f)
{
    uint64_t count = 0;

    assert_int_equal(ork_store_read_runs(f->store, take_run, &count), ORK_OK);
    return count;
}

static void an_exploration_is_removed_when_another_one_begins(void **state)
{
    struct fixture *f = *state;

    begin_it(f, ORK_STORE_NEW, "p");
    add_run(f, 1);
    assert_int_equal(open_it(f, ORK_STORE_REPLACE, "q", "b"), ORK_OK);
    assert_int_equal(runs_of(f), 1);
    begin_it(f, ORK_STORE_REPLACE, "q");
    assert_int_equal(runs_of(f), 0);
}

static void an_unfinished_exploration_is_only_replaced_if_the_user_says_so(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_OK);
    assert_true(ork_store_is_empty(f->store));
    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_OK); /* it has not begun */
    begin_it(f, ORK_STORE_NEW, "p");
    add_run(f, 1);
    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_EXISTS);
    assert_non_null(strstr(f->error, "it is unfinished"));
    assert_int_equal(open_it(f, ORK_STORE_REPLACE, "p", "b"), ORK_OK);
    assert_int_equal(ork_store_finish_exploration(f->store), ORK_OK);
    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_OK);
    assert_int_equal(runs_of(f), 1);
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_EXISTS); /* it goes on */
}

static void nobody_else_uses_it(void **state)
{
    struct fixture *f = *state;
    struct ork_store *other = NULL;

    assert_int_equal(open_it(f, ORK_STORE_NEW, "p", "b"), ORK_OK);
    assert_int_equal(ork_store_open(f->path, ORK_STORE_REPLACE, "p", "b", &other, f->error),
                     ORK_IO);
    assert_string_equal(f->error, "another mustrun is using it");
    begin_it(f, ORK_STORE_NEW, "p");
    assert_int_equal(ork_store_open(f->path, ORK_STORE_REPLACE, "p", "b", &other, f->error),
                     ORK_IO);
}

static enum ork_status take_outcome(void *context, const struct ork_stored_outcome *outcome)
{
    uint32_t *count = context;

    assert_int_equal(outcome->number, (*count)++);
    assert_string_equal(outcome->key, outcome->number == 0 ? "first" : "second");
    if (outcome->number == 0)
        assert_null(outcome->message);
    else
        assert_string_equal(outcome->message, "it's \"bad\"");
    assert_int_equal(outcome->kind, 4);
    assert_int_equal(outcome->first, 7);
    return ORK_OK;
}

static void outcomes_are_there_when_it_is_opened_again(void **state)
{
    struct fixture *f = *state;
    uint32_t count = 0;
    struct ork_stored_outcome o = {.number = 0, .kind = 4, .key = "first", .first = 7};

    begin_it(f, ORK_STORE_REPLACE, "p");
    assert_int_equal(ork_store_put_outcome(f->store, &o), ORK_OK);
    o = (struct ork_stored_outcome){
        .number = 1, .kind = 4, .key = "second", .message = "it's \"bad\"", .first = 7};
    assert_int_equal(ork_store_put_outcome(f->store, &o), ORK_OK);
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
    assert_int_equal(ork_store_read_outcomes(f->store, take_outcome, &count), ORK_OK);
    assert_int_equal(count, 2);
}

static void only_the_same_exploration_is_continued(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_NOTFOUND);
    begin_it(f, ORK_STORE_REPLACE, "p");
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "q", "b"), ORK_INVALID);
    assert_non_null(strstr(f->error, "another program"));
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "c"), ORK_INVALID);
    assert_non_null(strstr(f->error, "bounds"));
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
}

/* The file has its version in the bytes 60 to 63 (sqlite.org/fileformat.html, section 1.3). */
static void an_exploration_of_another_version_is_only_replaced(void **state)
{
    struct fixture *f = *state;

    begin_it(f, ORK_STORE_REPLACE, "p");
    ork_store_close(f->store);
    f->store = NULL;
    FILE *file = fopen(f->path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 63, SEEK_SET), 0);
    fputc(99, file);
    fclose(file);
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_INVALID);
    assert_non_null(strstr(f->error, "of this version"));
    begin_it(f, ORK_STORE_REPLACE, "p");
    assert_int_equal(open_it(f, ORK_STORE_RESUME, "p", "b"), ORK_OK);
}

static void another_file_is_left_as_it_is(void **state)
{
    struct fixture *f = *state;
    FILE *out = fopen(f->path, "w");
    char text[16] = "";

    assert_non_null(out);
    fputs("a user's file", out);
    fclose(out);
    assert_int_equal(open_it(f, ORK_STORE_REPLACE, "p", "b"), ORK_INVALID);
    assert_true(f->error[0] != '\0');
    FILE *in = fopen(f->path, "r");
    assert_non_null(fgets(text, sizeof(text), in));
    fclose(in);
    assert_string_equal(text, "a user's file");
}

int test_explore_store(void)
{
#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        STORE_TEST(runs_are_there_when_it_is_opened_again),
        STORE_TEST(what_was_not_committed_is_not_there),
        STORE_TEST(an_exploration_is_removed_when_another_one_begins),
        STORE_TEST(an_unfinished_exploration_is_only_replaced_if_the_user_says_so),
        STORE_TEST(nobody_else_uses_it),
        STORE_TEST(outcomes_are_there_when_it_is_opened_again),
        STORE_TEST(only_the_same_exploration_is_continued),
        STORE_TEST(an_exploration_of_another_version_is_only_replaced),
        STORE_TEST(another_file_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
