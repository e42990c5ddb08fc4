/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out at every allocation of a description in turn: there is no finding then. */
#include "tests/unit/overlay/stage/describe_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
int __real_vasprintf(char **text, const char *format, va_list args);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *format, va_list args);
FILE *__wrap_open_memstream(char **text, size_t *size);

static bool is_armed;
static long before_failure; /* allocations that succeed */
static long failures;

static bool fails(void)
{
    if (!is_armed || before_failure-- > 0)
        return false;
    failures++;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

int __wrap_vasprintf(char **text, const char *format, va_list args)
{
    return fails() ? -1 : __real_vasprintf(text, format, args);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return fails() ? NULL : __real_open_memstream(text, size);
}

/* Describes a deadlock of all ranks, with `succeed` allocations. */
static enum ork_status describe_with(struct state *s, struct ork_search *search, long succeed)
{
    bool root[RANKS] = {true, true, true, true};
    const struct ork_deadlock deadlock = {
        .search = search, .root = root, .class_ = ORK_POTENTIAL, .nprocs = RANKS};

    memset(&s->finding, 0, sizeof(s->finding));
    before_failure = succeed;
    failures = 0;
    is_armed = true;
    enum ork_status status = ork_describe_deadlock(s->d, s->sites, &deadlock, &s->finding);
    is_armed = false;
    return status;
}

/* RATIONALE: what is allocated once and kept, such as the names of places, makes later tries need
 * less; so the number of tries is that of the first. */
static void try_all(struct state *s)
{
    struct ork_search *search;
    long tries = 0;

    play(s);
    assert_int_equal(ork_detector_search(s->d, ORK_STRICT, &search), ORK_OK);
    while (describe_with(s, search, tries) != ORK_OK) {
        assert_true(failures > 0);
        assert_null(s->finding.id);
        assert_null(s->finding.message);
        assert_true(++tries < 100000);
    }
    assert_int_equal(failures, 0);
    assert_true(tries > 100);
    assert_non_null(s->finding.message);
    ork_search_destroy(search);
}

static void a_near_miss_and_a_collective(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        place(&s->script[r], 12 + r);
    script_send(&s->script[0], 1, 7);
    script_recv(&s->script[1], 0, 8);
    script_coll(&s->script[2], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_coll(&s->script[3], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    try_all(s);
    assert_non_null(strstr(s->finding.message, "rank 0 sends tag 7 to rank 1"));
}

static void requests_of_several(void **state)
{
    struct state *s = *state;
    const uint32_t both[] = {1, 2};

    script_irecv(&s->script[0], ORK_COMM_WORLD, ORK_ANY_SOURCE, 1);
    script_irecv(&s->script[0], ORK_COMM_WORLD, 1, 2);
    script_wait_all(&s->script[0], both, 2);
    for (uint32_t r = 1; r < RANKS; r++)
        script_recv(&s->script[r], 0, 0);
    try_all(s);
    assert_int_equal(s->finding.num_waits, RANKS);
}

int test_nomem(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_near_miss_and_a_collective, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(requests_of_several, describe_set_up, describe_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
