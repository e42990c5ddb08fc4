/* SPDX-License-Identifier: BSD-3-Clause */
/* Random items against a table of what each one is. */
#include "common/hash.h"
#include "windows/onesided/open.h"
#include "tests/unit/detector/unit.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 40, TARGETS = 5, REQUESTS = 7, STEPS = 20000 };

struct thing {
    struct open_item item;
    bool is_open;
    uint32_t target;
    enum open_kind kind;
    int request; /* -1: none */
};

static struct thing thing[ITEMS];
static struct open_set set;
static struct open_requests requests;
static uint64_t state;

static uint32_t any(uint32_t below)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(ork_hash_mix(state) % below);
}

static void open_one(struct thing *t)
{
    *t = (struct thing){
        .is_open = true, .target = any(TARGETS), .kind = any(OPEN_KINDS), .request = -1};
    assert_true(ork_open_add(&set, TARGETS, t->target, t->kind, &t->item));
    if (any(2) == 0) {
        t->request = (int)any(REQUESTS);
        assert_true(ork_open_name(&requests, (uint32_t)t->request, &t->item));
    }
}

static void change(struct thing *t)
{
    switch (any(3)) {
    case 0:
        t->kind = any(OPEN_KINDS);
        ork_open_move(&set, &t->item, t->kind);
        break;
    case 1:
        if (t->request >= 0)
            ork_open_forget_name(&requests, &t->item);
        t->request = -1;
        break;
    default:
        ork_open_remove(&set, &requests, &t->item);
        t->is_open = false;
        break;
    }
}

static void assert_is_in_target(uint32_t target, enum open_kind kind)
{
    unsigned expected = 0, found = 0;

    for (unsigned i = 0; i < ITEMS; i++)
        expected += thing[i].is_open && thing[i].target == target && thing[i].kind == kind;
    if (set.target == NULL)
        return;
    for (struct open_item *i = set.target[target].first[kind]; i != NULL; i = i->next) {
        const struct thing *t = (const struct thing *)i;
        assert_true(t->is_open && t->target == target && t->kind == kind);
        found++;
    }
    assert_int_equal(found, expected);
}

static void assert_is_named(int request)
{
    unsigned expected = 0, found = 0;

    for (unsigned i = 0; i < ITEMS; i++)
        expected += thing[i].is_open && thing[i].request == request;
    for (struct open_item *i = ork_open_named(&requests, (uint32_t)request); i != NULL;
         i = i->next_named) {
        assert_int_equal(((const struct thing *)i)->request, request);
        found++;
    }
    assert_int_equal(found, expected);
}

static void assert_busy_are_those_with_items(void)
{
    bool has[TARGETS] = {false};
    unsigned count = 0;

    for (unsigned i = 0; i < ITEMS; i++)
        has[thing[i].target] |= thing[i].is_open;
    for (unsigned t = 0; t < TARGETS; t++)
        count += has[t];
    assert_int_equal(set.num_busy, count);
    for (uint32_t i = 0; i < set.num_busy; i++) {
        assert_true(has[set.busy[i]]);
        assert_int_equal(set.target[set.busy[i]].place, i + 1);
    }
}

static void an_item_is_where_its_target_and_request_are(void **unused)
{
    (void)unused;
    for (unsigned step = 0; step < STEPS; step++) {
        struct thing *t = &thing[any(ITEMS)];
        if (!t->is_open)
            open_one(t);
        else
            change(t);
        for (uint32_t target = 0; target < TARGETS; target++) {
            assert_is_in_target(target, OPEN_AT_ORIGIN);
            assert_is_in_target(target, OPEN_AT_TARGET);
        }
        for (int request = 0; request < REQUESTS; request++)
            assert_is_named(request);
        assert_busy_are_those_with_items();
    }
    ork_open_release(&set);
    free(requests.first);
}

int test_open(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_where_its_target_and_request_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
