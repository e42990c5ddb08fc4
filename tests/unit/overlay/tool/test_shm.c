/* SPDX-License-Identifier: BSD-3-Clause */
/* Real processes with memory in common. Each test forks a root, which becomes the tree, and reads
 * how it ended: 0, or the line of the check that failed. */
#include "overlay/tool/transport_shm.h"

#include "tests/unit/overlay/stage/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 40, ORDERS = 500 };

/* Exit codes have 8 bits; line numbers of this file fit. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            _exit(__LINE__ & 0xff);                                                                \
    } while (0)

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void step(struct ork_transport *t)
{
    size_t moved = 0;

    CHECK(ork_transport_step(t, &moved) == ORK_OK);
}

/* A batch of its own with a number in it, of a size that depends on it. */
static void write_batch(struct ork_transport *t, uint32_t number)
{
    struct ork_wire_out out = ork_transport_out(t);
    size_t size = ORK_BATCH_MAX - number % 7 * 1000;

    while (out.room(out.context) == 0) {
        CHECK(ork_transport_flush(t) == ORK_OK);
        step(t);
        rest();
    }
    uint8_t *bytes = out.reserve(out.context, size);
    CHECK(bytes != NULL);
    memset(bytes, (int)number, size);
    memcpy(bytes, &number, sizeof(number));
    out.commit(out.context, size);
    CHECK(ork_transport_flush(t) == ORK_OK);
}

/* Take a batch of child `i`, if there is one: it has to be this number. */
static bool take_batch(struct ork_transport *t, uint32_t i, uint32_t number)
{
    size_t size;
    const uint8_t *bytes = ork_transport_front(t, i, &size);
    uint32_t found;

    if (bytes == NULL)
        return false;
    memcpy(&found, bytes, sizeof(found));
    CHECK(found == number && size == ORK_BATCH_MAX - number % 7 * 1000);
    CHECK(bytes[size - 1] == (uint8_t)number);
    CHECK(ork_transport_pop(t, i) == ORK_OK);
    return true;
}

static void take_all(struct ork_transport *t)
{
    uint32_t children = t->tree.num_children, next[16] = {0}, open = children;

    CHECK(children <= 16);
    while (open > 0) {
        step(t);
        for (uint32_t i = 0; i < children; i++) {
            while (next[i] < BATCHES && take_batch(t, i, next[i]))
                open -= ++next[i] == BATCHES;
        }
        rest();
    }
}

static struct ork_order next_order(struct ork_transport *t)
{
    struct ork_order order;

    while (!ork_transport_next_order(t, &order)) {
        step(t);
        rest();
    }
    return order;
}

static struct ork_transport *start(uint32_t processes, uint32_t fanin)
{
    struct ork_transport *t;

    CHECK(ork_transport_shm_create(processes, fanin, &t) == ORK_OK);
    CHECK(ork_transport_barrier(t) == ORK_OK);
    return t;
}

/* Fork, run, and return how the root ended. */
static int run(void (*root)(void))
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(300);
        root();
        _exit(0);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* ---- what is sent arrives ---- */

static void send_up_and_down(void)
{
    struct ork_transport *t = start(13, 3);

    if (t->tree.me != 0) {
        for (uint32_t i = 0; i < BATCHES; i++)
            write_batch(t, i);
    }
    take_all(t);
    if (t->tree.me != 0) {
        struct ork_order order = next_order(t);
        CHECK(order.kind == ORK_ORDER_END && order.is_orderly);
        CHECK(ork_transport_send_order(t, &order) == ORK_OK);
        ork_transport_destroy(t, true);
        _exit(0);
    }
    CHECK(strcmp(ork_transport_host(t, 0), ork_transport_host(t, 12)) == 0);
    CHECK(ork_transport_send_order(
              t, &(struct ork_order){.kind = ORK_ORDER_END, .is_orderly = true}) == ORK_OK);
    ork_transport_destroy(t, true);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void batches_go_up_in_order_and_orders_down(void **state)
{
    (void)state;
    assert_int_equal(run(send_up_and_down), 0);
}

static void send_more_orders_than_there_is_room_for(void)
{
    struct ork_transport *t = start(2, 2);

    if (t->tree.me == 1) {
        for (uint32_t i = 0; i < ORDERS; i++) {
            struct ork_order order = next_order(t);
            CHECK(order.kind == ORK_ORDER_COLLECT && order.round == i);
            if (i % 50 == 0)
                rest();
        }
        write_batch(t, 0);
        CHECK(next_order(t).kind == ORK_ORDER_END);
        _exit(0);
    }
    for (uint32_t i = 0; i < ORDERS; i++)
        CHECK(ork_transport_send_order(
                  t, &(struct ork_order){.kind = ORK_ORDER_COLLECT, .round = i}) == ORK_OK);
    while (!take_batch(t, 0, 0)) {
        step(t);
        rest();
    }
    CHECK(ork_transport_send_order(t, &(struct ork_order){.kind = ORK_ORDER_END}) == ORK_OK);
    ork_transport_destroy(t, true);
}

static void no_order_is_lost(void **state)
{
    (void)state;
    assert_int_equal(run(send_more_orders_than_there_is_room_for), 0);
}

/* ---- ends ---- */

static void lose_a_child(void)
{
    struct ork_transport *t = start(3, 2);
    uint32_t number = 0;

    if (t->tree.me == 1) {
        write_batch(t, 0);
        write_batch(t, 1);
        raise(SIGKILL);
    }
    if (t->tree.me == 2) {
        CHECK(next_order(t).kind == ORK_ORDER_END);
        _exit(0);
    }
    while (number < 2) {
        CHECK(ork_transport_next_dead(t) == UINT32_MAX);
        step(t);
        number += take_batch(t, 0, number);
        rest();
    }
    uint32_t dead;
    while ((dead = ork_transport_next_dead(t)) == UINT32_MAX) {
        step(t);
        rest();
    }
    CHECK(dead == 0);
    CHECK(ork_transport_next_dead(t) == UINT32_MAX);
    CHECK(ork_transport_send_order(t, &(struct ork_order){.kind = ORK_ORDER_END}) == ORK_OK);
    ork_transport_destroy(t, true);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void what_a_killed_child_has_sent_comes_before_its_death(void **state)
{
    (void)state;
    assert_int_equal(run(lose_a_child), 0);
}

static void destroy_with_children_that_do_nothing(void)
{
    struct ork_transport *t = start(7, 2);

    while (t->tree.me != 0)
        pause();
    ork_transport_destroy(t, false);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void children_without_an_order_to_end_are_killed(void **state)
{
    (void)state;
    assert_int_equal(run(destroy_with_children_that_do_nothing), 0);
}

static void kill_the_root(void)
{
    struct ork_transport *t = start(7, 2);

    if (t->tree.me == 0)
        raise(SIGKILL);
    for (;;)
        pause();
}

static void no_process_outlives_the_root(void **state)
{
    int ends[2];
    char c;

    (void)state;
    assert_int_equal(pipe(ends), 0); /* all processes of the tree have its write end */
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        kill_the_root();
    }
    close(ends[1]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(read(ends[0], &c, 1), 0); /* waits until the last one has gone */
    close(ends[0]);
}

int test_shm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_go_up_in_order_and_orders_down),
        cmocka_unit_test(no_order_is_lost),
        cmocka_unit_test(what_a_killed_child_has_sent_comes_before_its_death),
        cmocka_unit_test(children_without_an_order_to_end_are_killed),
        cmocka_unit_test(no_process_outlives_the_root),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
