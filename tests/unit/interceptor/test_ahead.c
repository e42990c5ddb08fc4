/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a sender is ahead of a receiver, with a clock of its own. */
#include "interceptor/forcing/ahead.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MICROSECOND = 1000, MILLISECOND = 1000000 };

/* One that sends a message each microsecond, unless it waits; and one that posts a receive each
 * `period`, or 0: none. */
struct pair {
    uint64_t now, period, next;
    int64_t sent, posted, allowed;
    int64_t most; /* the greatest length */
    uint32_t waits;
    uint64_t longest; /* wait */
};

static int64_t length_of(const struct pair *p)
{
    return p->sent - p->posted;
}

static void pass(struct pair *p, uint64_t ns)
{
    p->now += ns;
    for (; p->period != 0 && p->next <= p->now; p->next += p->period)
        p->posted += length_of(p) > 0;
}

static void wait_once(struct pair *p)
{
    struct ork_ahead_wait w;
    uint64_t begun = p->now;
    enum ork_ahead_state state = ORK_AHEAD_WAITS;

    ork_ahead_begin(&w, p->allowed, (uint64_t)p->posted, p->now);
    for (int i = 0; state == ORK_AHEAD_WAITS; i++) {
        assert_true(i < 1000000); /* it ends */
        pass(p, 20 * MICROSECOND);
        state = ork_ahead_look(&w, length_of(p), (uint64_t)p->posted, p->now);
    }
    p->allowed = ork_ahead_end(p->allowed, length_of(p), state);
    p->waits++;
    if (p->now - begun > p->longest)
        p->longest = p->now - begun;
}

static void send_messages(struct pair *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (ork_ahead_is_long(p->allowed, length_of(p)))
            wait_once(p);
        p->sent++;
        if (length_of(p) > p->most)
            p->most = length_of(p);
        pass(p, MICROSECOND);
    }
}

/* From now on. */
static void post_each(struct pair *p, uint64_t period)
{
    p->period = period;
    p->next = p->now + period;
}

static void who_is_little_ahead_does_not_wait(void **state)
{
    struct pair p = {.now = 5};

    (void)state;
    assert_false(ork_ahead_is_long(0, -100000)); /* receives wait */
    send_messages(&p, (uint32_t)ORK_AHEAD);
    post_each(&p, MICROSECOND);
    send_messages(&p, 100000);
    assert_int_equal(p.waits, 0);
}

static void the_length_is_bounded_if_the_receiver_is_slow(void **state)
{
    struct pair p = {.now = 5};

    (void)state;
    post_each(&p, 10 * MICROSECOND);
    send_messages(&p, 1000000);
    assert_int_equal(p.most, ORK_AHEAD + 1);
    assert_true(p.waits > 100);
    assert_true(p.longest < ORK_AHEAD_STALLED_NS); /* it ends when half of them are received */
}

/* Who posts nothing may wait for what the sender does after its sends. */
static void a_receiver_that_posts_nothing_delays_little(void **state)
{
    struct pair p = {.now = 5};

    (void)state;
    send_messages(&p, 100000);
    assert_int_equal(p.waits, 100000 / (ORK_AHEAD + 1));
    assert_true(p.longest > ORK_AHEAD_STALLED_NS);
    assert_true(p.longest <= ORK_AHEAD_STALLED_NS + 20 * MICROSECOND);
}

static void no_wait_takes_longer_than_a_second(void **state)
{
    struct pair p = {.now = 5};

    (void)state;
    post_each(&p, 40 * MILLISECOND); /* never stalled, but too slow */
    send_messages(&p, 3 * (uint32_t)ORK_AHEAD);
    assert_true(p.longest > ORK_AHEAD_LIMIT_NS);
    assert_true(p.longest <= ORK_AHEAD_LIMIT_NS + 20 * MICROSECOND);
}

static void the_bound_is_back_when_the_receiver_is(void **state)
{
    struct pair p = {.now = 5};

    (void)state;
    send_messages(&p, 100000);
    assert_true(p.most > 90000);
    post_each(&p, 10 * MICROSECOND);
    send_messages(&p, 300000);
    p.most = 0;
    send_messages(&p, 100000);
    assert_true(p.most <= ORK_AHEAD + 2); /* half of the rest goes with each wait */
}

int test_ahead(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_little_ahead_does_not_wait),
        cmocka_unit_test(the_length_is_bounded_if_the_receiver_is_slow),
        cmocka_unit_test(a_receiver_that_posts_nothing_delays_little),
        cmocka_unit_test(no_wait_takes_longer_than_a_second),
        cmocka_unit_test(the_bound_is_back_when_the_receiver_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
