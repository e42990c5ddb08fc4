/* SPDX-License-Identifier: BSD-3-Clause */
/* Every tree of up to SIZES processes is looked at as a whole. */
#include "common/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZES = 200 };

static const uint32_t fanins[] = {2, 3, 16, UINT32_MAX};

static void for_each_tree(void (*check)(uint32_t size, uint32_t fanin))
{
    for (size_t i = 0; i < sizeof(fanins) / sizeof(*fanins); i++) {
        for (uint32_t size = 1; size <= SIZES; size++)
            check(size, fanins[i]);
    }
}

static void check_agreement(uint32_t size, uint32_t fanin)
{
    for (uint32_t me = 0; me < size; me++) {
        struct ork_tree t = ork_tree_of(size, fanin, me);
        assert_int_equal(t.me, me);
        assert_int_equal(t.size, size);
        assert_in_range(t.num_children, 0, fanin);
        for (uint32_t i = 0; i < t.num_children; i++) {
            struct ork_tree child = ork_tree_of(size, fanin, ork_tree_child(&t, i));
            assert_int_equal(child.parent, me);
            assert_int_equal(child.end, ork_tree_child_end(&t, i));
            assert_int_equal(child.depth, t.depth + 1);
            assert_int_equal(child.layers, t.layers);
        }
    }
}

static void parent_and_child_agree(void **state)
{
    (void)state;
    for_each_tree(check_agreement);
}

/* A process and the ranges of its children are its own range, without a gap. */
static void check_ranges(uint32_t size, uint32_t fanin)
{
    uint32_t children = 0;

    for (uint32_t me = 0; me < size; me++) {
        struct ork_tree t = ork_tree_of(size, fanin, me);
        uint32_t next = me + 1;
        for (uint32_t i = 0; i < t.num_children; i++) {
            assert_int_equal(ork_tree_child(&t, i), next);
            assert_true(ork_tree_child_end(&t, i) > next);
            next = ork_tree_child_end(&t, i);
        }
        assert_int_equal(next, t.end);
        children += t.num_children;
    }
    assert_int_equal(children, size - 1); /* everybody but the root is somebody's child */
    assert_int_equal(ork_tree_of(size, fanin, 0).end, size);
    assert_int_equal(ork_tree_of(size, fanin, 0).parent, 0);
    assert_int_equal(ork_tree_of(size, fanin, 0).depth, 0);
}

static void subtrees_are_ranges_that_begin_with_their_head(void **state)
{
    (void)state;
    for_each_tree(check_ranges);
}

/* Processes that a tree of so many layers has room for. */
static uint64_t room(uint32_t layers, uint32_t fanin)
{
    uint64_t processes = 0, width = 1;

    for (uint32_t i = 0; i < layers && processes <= SIZES; i++, width *= fanin)
        processes += width;
    return processes;
}

static void check_layers(uint32_t size, uint32_t fanin)
{
    uint32_t deepest = 0;

    for (uint32_t me = 0; me < size; me++) {
        struct ork_tree t = ork_tree_of(size, fanin, me);
        deepest = t.depth > deepest ? t.depth : deepest;
    }
    uint32_t layers = ork_tree_of(size, fanin, 0).layers;
    assert_int_equal(layers, deepest + 1);
    assert_true(room(layers, fanin) >= size);
    assert_true(room(layers - 1, fanin) < size); /* none is shallower */
}

static void a_tree_has_as_few_layers_as_can_be(void **state)
{
    (void)state;
    for_each_tree(check_layers);
}

static void siblings_differ_by_one_process_at_most(void **state)
{
    struct ork_tree t = ork_tree_of(1000, 7, 0);
    uint32_t least = UINT32_MAX, most = 0;

    (void)state;
    assert_int_equal(t.num_children, 7);
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t width = ork_tree_child_end(&t, i) - ork_tree_child(&t, i);
        least = width < least ? width : least;
        most = width > most ? width : most;
    }
    assert_int_equal(most - least, 1); /* 999 is no multiple of 7 */
}

int test_tree(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parent_and_child_agree),
        cmocka_unit_test(subtrees_are_ranges_that_begin_with_their_head),
        cmocka_unit_test(a_tree_has_as_few_layers_as_can_be),
        cmocka_unit_test(siblings_differ_by_one_process_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
