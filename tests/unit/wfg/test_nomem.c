/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory runs out at every single allocation in turn: linked with --wrap for the allocation
 * functions. */
#include "unit.h"

#include "text.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);

static bool armed;
static long before_failure; /* allocations that succeed */
static long num_failures;
static long num_live; /* allocated and not freed while armed */

static bool fails(void)
{
    if (!armed || before_failure-- > 0)
        return false;
    num_failures++;
    return true;
}

static void *count_live(void *memory)
{
    num_live += armed && memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count_live(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : count_live(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    if (old == NULL)
        return count_live(__real_realloc(old, size));
    return __real_realloc(old, size);
}

void __wrap_free(void *memory)
{
    num_live -= armed && memory != NULL;
    __real_free(memory);
}

static void arm(long succeed)
{
    armed = true;
    before_failure = succeed;
    num_failures = 0;
    num_live = 0;
}

/* Enough of everything that each array has to grow, with a deadlock. */
static void build(struct ork_wfg *wfg)
{
    for (uint32_t h = 0; h < 40; h++) {
        ork_wfg_add_hub(wfg, ORK_WFG_OR, 0);
        ork_wfg_add_member(wfg, h, h);
    }
    for (uint32_t p = 0; p < 40; p++) {
        ork_wfg_begin(wfg, p);
        ork_wfg_open(wfg, ORK_WFG_AND, 0);
        ork_wfg_hub(wfg, p, 0);
        ork_wfg_open(wfg, ORK_WFG_OR, 0);
        ork_wfg_atom(wfg, 0, 0);
        ork_wfg_atom(wfg, p, 0);
        ork_wfg_close(wfg);
        ork_wfg_close(wfg);
        ork_wfg_end(wfg);
    }
}

static void assert_nothing_concluded(struct ork_wfg *wfg)
{
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 0);
    assert_int_equal(ork_wfg_num_nodes(wfg), 0);
    assert_int_equal(ork_wfg_num_bottom(wfg), 0);
    assert_int_equal(ork_wfg_num_maximal(wfg), 0);
    assert_false(ork_wfg_is_deadlocked(wfg, 0));
    assert_int_equal(ork_wfg_search(wfg), ORK_INVALID);
}

/* Returns whether all went well, because no allocation failed. */
static bool search_with(long succeed)
{
    struct ork_wfg *wfg = NULL;
    enum ork_status status = ORK_NOMEM;

    arm(succeed);
    enum ork_status created = ork_wfg_create(40, &wfg);
    if (created == ORK_OK) {
        build(wfg);
        status = ork_wfg_search(wfg);
    }
    armed = false;
    assert_int_equal(created == ORK_OK, wfg != NULL);
    assert_int_equal(status, num_failures > 0 ? ORK_NOMEM : ORK_OK);
    if (wfg != NULL && status != ORK_OK)
        assert_nothing_concluded(wfg);
    else if (wfg != NULL)
        assert_int_equal(ork_wfg_num_deadlocked(wfg), 40);
    armed = true;
    ork_wfg_destroy(wfg);
    armed = false;
    assert_int_equal(num_live, 0);
    return status == ORK_OK;
}

static void a_failed_allocation_never_gives_a_result_and_never_leaks(void **state)
{
    (void)state;
    long n = 0;

    while (!search_with(n))
        n++;
    assert_true(n > 30); /* so many places to fail at */
}

static void a_core_without_memory_is_an_error_and_never_leaks(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(4, "0 &(|10(0 1 2) |11(0 2 3)); 1 2; 2 0; 3 2");
    enum ork_status status;
    long n = 0;

    do {
        uint32_t node[6] = {99};
        uint32_t count = 99;
        arm(n++);
        status = ork_wfg_core(wfg, 0, node, &count);
        armed = false;
        assert_int_equal(num_live, 0);
        assert_int_equal(status, num_failures > 0 ? ORK_NOMEM : ORK_OK);
        assert_int_equal(count, num_failures > 0 ? 99 : 4);
        assert_int_equal(node[0], num_failures > 0 ? 99 : 0);
    } while (status != ORK_OK);
    assert_true(n > 10);
    ork_wfg_destroy(wfg);
}

int test_nomem(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_allocation_never_gives_a_result_and_never_leaks),
        cmocka_unit_test(a_core_without_memory_is_an_error_and_never_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
