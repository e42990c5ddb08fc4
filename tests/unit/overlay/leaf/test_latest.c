/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/latest.h"

#include "record/calls.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>
#include <string.h>

/* A ring as a rank leaves it. */
struct rank {
    struct ork_ring *ring;
    struct ork_latest latest;
};

static int set_up(void **state)
{
    struct rank *rank = calloc(1, sizeof(*rank));

    if (rank == NULL || (rank->ring = aligned_alloc(4096, sizeof(*rank->ring))) == NULL)
        return 1;
    memset(rank->ring, 0, sizeof(*rank->ring));
    rank->ring->threads = 1;
    *state = rank;
    return 0;
}

static int tear_down(void **state)
{
    struct rank *rank = *state;

    free(rank->ring);
    free(rank);
    return 0;
}

static void put(struct rank *rank, const struct ork_record *record)
{
    uint64_t head = atomic_load(&rank->ring->head);

    rank->ring->slot[head % ORK_RING_RECORDS] = *record;
    atomic_store(&rank->ring->head, head + 1);
}

static struct ork_record receive(int32_t tag)
{
    return (struct ork_record){
        .kind = ORK_KIND_RECV, .call = ORK_CALL_MPI_Recv, .site = 1, .peer = 1, .tag = tag};
}

static void put_receives(struct rank *rank, int32_t tag, unsigned times)
{
    struct ork_record r = receive(tag);

    for (unsigned i = 0; i < times; i++)
        put(rank, &r);
}

static const struct ork_latest_call *look(struct rank *rank, const struct ork_until *until)
{
    static const struct ork_until now = {.past = false};

    ork_latest_read(rank->ring, until != NULL ? until : &now, &rank->latest);
    return rank->latest.call;
}

static void equal_calls_in_a_row_are_one_with_a_count(void **state)
{
    struct rank *rank = *state;

    put_receives(rank, 1, 3);
    put_receives(rank, 2, 1);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 2);
    assert_int_equal(call[0].call.tag, 1);
    assert_int_equal(call[0].times, 3);
    assert_int_equal(call[1].times, 1);
    assert_false(call[1].inside);
}

static void the_call_that_a_rank_is_in_is_not_counted_with_others(void **state)
{
    struct rank *rank = *state;

    put_receives(rank, 1, 3);
    atomic_store(&rank->ring->thread[0].word, UINT64_C(3) << 8 | ORK_STATE_BLOCKED);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 2);
    assert_int_equal(call[0].times, 2);
    assert_true(call[1].inside);
}

static void only_the_latest_are_told(void **state)
{
    struct rank *rank = *state;

    for (int32_t i = 0; i < 100; i++)
        put_receives(rank, i, 1);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, ORK_LATEST_CALLS);
    assert_int_equal(call[ORK_LATEST_CALLS - 1].call.tag, 99);
    assert_int_equal(call[0].call.tag, 100 - ORK_LATEST_CALLS);
}

static void what_stands_beside_calls_is_none(void **state)
{
    struct rank *rank = *state;
    const struct ork_record site = {.kind = ORK_KIND_SITE, .call = ORK_CALL_MPI_Recv};
    const struct ork_record wait = {
        .kind = ORK_KIND_WAIT, .call = ORK_CALL_MPI_Waitall, .count = 2};
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 2};
    struct ork_record list;
    const struct ork_record exit = {.kind = ORK_KIND_EXIT};

    memcpy(&list, &cont, sizeof(list));
    put(rank, &site);
    put(rank, &wait);
    put(rank, &list);
    put(rank, &exit);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 1);
    assert_int_equal(call[0].call.call, ORK_CALL_MPI_Waitall);
}

static void a_receive_says_what_it_took(void **state)
{
    struct rank *rank = *state;
    struct ork_record any = receive(ORK_ANY_TAG);
    const struct ork_record took = {.kind = ORK_KIND_EXIT, .peer = 3, .tag = 8};
    const struct ork_record failed = {.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR, .arg = 15};

    any.peer = ORK_ANY_SOURCE;
    put(rank, &any);
    put(rank, &took);
    put(rank, &any);
    put(rank, &failed);
    put(rank, &any);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 3);
    assert_int_equal(call[0].took, 3);
    assert_int_equal(call[0].took_tag, 8);
    assert_int_equal(call[1].error, 15);
    assert_int_equal(call[1].took, ORK_NO_PEER);
    assert_int_equal(call[2].took, ORK_NO_PEER);
}

static void put_list(struct rank *rank, uint8_t kind, uint16_t call, uint16_t mode,
                     const uint32_t *word, uint8_t words)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = words};
    struct ork_record list;

    put(rank, &(struct ork_record){.kind = kind, .call = call, .mode = mode, .count = words});
    memcpy(cont.word, word, words * sizeof(*word));
    memcpy(&list, &cont, sizeof(list));
    put(rank, &list);
}

static void put_started(struct rank *rank, uint32_t request, int32_t tag)
{
    struct ork_record r = receive(tag);

    r.call = ORK_CALL_MPI_Irecv;
    r.flags = ORK_F_NONBLOCKING;
    r.request = request;
    put(rank, &r);
}

static void a_request_says_which_call_waited_for_it(void **state)
{
    struct rank *rank = *state;
    const uint32_t all[] = {5, ORK_REQUEST_NULL, 6}, any[] = {7, 8}, tested[] = {7, 1, 2};

    put_started(rank, 5, 1);
    put_started(rank, 6, 2);
    put_list(rank, ORK_KIND_WAIT, ORK_CALL_MPI_Waitall, ORK_WAIT_ALL, all, 3);
    put_started(rank, 5, 3);
    put_started(rank, 7, 4);
    put_list(rank, ORK_KIND_WAIT, ORK_CALL_MPI_Waitany, ORK_WAIT_ANY, any, 2);
    put_list(rank, ORK_KIND_TESTED, ORK_CALL_MPI_Test, ORK_WAIT_ONE, tested, 3);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 7);
    assert_int_equal(call[0].awaited_after, 2);
    assert_int_equal(call[1].awaited_after, 1);
    assert_int_equal(call[2].awaited_after, 0);
    assert_int_equal(call[3].awaited_after, 0); /* nobody has waited for the second number 5 */
    assert_int_equal(call[4].awaited_after, 2); /* not the one that waited for any of several */
}

static void equal_requests_are_awaited_together_or_it_is_unknown(void **state)
{
    struct rank *rank = *state;
    const uint32_t all[] = {1, 2}, last[] = {4};

    put_started(rank, 1, 1);
    put_started(rank, 2, 1);
    put_list(rank, ORK_KIND_WAIT, ORK_CALL_MPI_Waitall, ORK_WAIT_ALL, all, 2);
    put_started(rank, 3, 1);
    put_started(rank, 4, 1);
    put_list(rank, ORK_KIND_WAIT, ORK_CALL_MPI_Wait, ORK_WAIT_ONE, last, 1);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 4);
    assert_int_equal(call[0].times, 2);
    assert_int_equal(call[0].awaited_after, 1);
    assert_int_equal(call[2].times, 2);
    assert_int_equal(call[2].awaited_after, 0);
}

static void polls_in_vain_are_told_where_they_were(void **state)
{
    struct rank *rank = *state;
    struct ork_thread_state *line = &rank->ring->thread[0];

    put_receives(rank, 1, 2);
    atomic_store(&line->polls, 1303);
    atomic_store(&line->poll_since, UINT64_C(1) << 32 | 100); /* after the first receive */
    ork_polled_write(line, &(struct ork_polled){.call = ORK_CALL_MPI_Test, .peer = ORK_NO_PEER});
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 3);
    assert_int_equal(call[1].call.call, ORK_CALL_MPI_Test);
    assert_int_equal(call[1].times, 1204);
    assert_int_equal(call[1].call.peer, ORK_NO_PEER);
    assert_int_equal(call[2].call.call, ORK_CALL_MPI_Recv);
}

static void probe_on(struct rank *rank, uint32_t comm)
{
    struct ork_thread_state *line = &rank->ring->thread[0];
    uint64_t head = atomic_load(&rank->ring->head);

    atomic_store(&line->poll_since, head << 32 | (uint32_t)atomic_load(&line->polls));
    ork_polled_write(
        line, &(struct ork_polled){
                  .call = ORK_CALL_MPI_Iprobe, .peer = ORK_ANY_SOURCE, .tag = 9, .comm = comm});
}

static void probes_in_vain_say_what_for(void **state)
{
    struct rank *rank = *state;

    put_receives(rank, 1, 1);
    probe_on(rank, 2);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 2);
    assert_int_equal(call[1].call.kind, ORK_KIND_PROBED);
    assert_int_equal(call[1].call.peer, ORK_ANY_SOURCE);
    assert_int_equal(call[1].call.tag, 9);
    assert_int_equal(call[1].call.comm, 2);
    put(rank, &(struct ork_record){.kind = ORK_KIND_COMM_DEF, .comm = 2});
    put_receives(rank, 2, 1);
    call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 3);
    assert_int_equal(call[1].call.tag, 9);
    assert_int_equal(call[1].call.comm, ORK_COMM_UNKNOWN);
}

static void threads_have_lists_of_their_own(void **state)
{
    struct rank *rank = *state;
    struct ork_record second = receive(5);

    rank->ring->threads = 2;
    second.thread = 1;
    put(rank, &second);
    for (int32_t i = 0; i < 1000; i++)
        put_receives(rank, i, 1);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, ORK_LATEST_CALLS + 1);
    assert_int_equal(call[ORK_LATEST_CALLS].call.thread, 1);
    assert_int_equal(call[ORK_LATEST_CALLS].call.tag, 5);
}

static void a_number_that_means_another_communicator_by_now_is_not_told(void **state)
{
    struct rank *rank = *state;
    struct ork_record r = receive(1);
    const struct ork_record definition = {.kind = ORK_KIND_COMM_DEF, .comm = 2};

    r.comm = 2;
    put(rank, &r);
    put(rank, &definition);
    put(rank, &r);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 2);
    assert_int_equal(call[0].call.comm, ORK_COMM_UNKNOWN);
    assert_int_equal(call[1].call.comm, 2);
}

static void the_latest_of_the_past_end_where_it_was_asked(void **state)
{
    struct rank *rank = *state;
    const struct ork_record site = {.kind = ORK_KIND_SITE};
    const struct ork_until until = {.past = true, .records = 5, .skip = 2};

    put_receives(rank, 1, 1);
    put_receives(rank, 2, 1); /* held here; behind it two records wait, and a definition does not */
    put_receives(rank, 3, 1);
    put(rank, &site);
    put_receives(rank, 4, 1);
    put_receives(rank, 5, 1);
    atomic_store(&rank->ring->thread[0].word, UINT64_C(6) << 8 | ORK_STATE_BLOCKED);
    const struct ork_latest_call *call = look(rank, &until);
    assert_int_equal(rank->latest.num_calls, 2);
    assert_int_equal(call[1].call.tag, 2);
    assert_false(call[1].inside);
}

/* Of a halo exchange. */
static void put_exchange(struct rank *rank, uint32_t request)
{
    const uint32_t all[] = {request, request + 1};

    put_started(rank, request, 1);
    put_started(rank, request + 1, 2);
    put_list(rank, ORK_KIND_WAIT, ORK_CALL_MPI_Waitall, ORK_WAIT_ALL, all, 2);
}

static void calls_of_iterations_are_told_once_with_a_count(void **state)
{
    struct rank *rank = *state;

    put_receives(rank, 9, 1);
    for (uint32_t i = 0; i < 100; i++)
        put_exchange(rank, 10 + 2 * i);
    put_started(rank, 5, 1);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 5);
    assert_int_equal(call[0].iteration, 0);
    assert_int_equal(call[1].iteration, 3);
    assert_int_equal(call[1].iterations, 100);
    assert_int_equal(call[1].awaited_after, 2);
    assert_int_equal(call[2].awaited_after, 1);
    assert_int_equal(call[3].call.call, ORK_CALL_MPI_Waitall);
    assert_int_equal(call[3].iteration, 0);
    assert_int_equal(call[4].call.tag, 1);
}

static void an_iteration_with_another_count_is_not_one_of_them(void **state)
{
    struct rank *rank = *state;

    for (unsigned i = 0; i < 4; i++) {
        put_receives(rank, 1, i == 0 ? 3 : 2);
        put_receives(rank, 2, 1);
    }
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls,
                     3); /* the third one of the first iteration, and four */
    assert_int_equal(call[0].times, 1);
    assert_int_equal(call[0].iteration, 0);
    assert_int_equal(call[1].times, 2);
    assert_int_equal(call[1].iteration, 2);
    assert_int_equal(call[1].iterations, 4);
}

static void iterations_are_folded_once(void **state)
{
    struct rank *rank = *state;

    for (unsigned i = 0; i < 6; i++) {
        put_receives(rank, 1, 1);
        put_receives(rank, 2, 1);
        if (i % 3 == 2)
            put_receives(rank, 3, 1);
    }
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(call[i].iterations, i % 3 == 0 ? 3 : 0);
}

static void what_was_overwritten_is_not_told(void **state)
{
    struct rank *rank = *state;
    const struct ork_until until = {.past = true, .records = 10};

    put_receives(rank, 1, ORK_RING_RECORDS + 50);
    look(rank, &until);
    assert_int_equal(rank->latest.num_calls, 0);
    const struct ork_latest_call *call = look(rank, NULL);
    assert_int_equal(rank->latest.num_calls, 1);
    assert_int_equal(call[0].times, ORK_RING_RECORDS - 1);
}

static void any_bytes_give_calls_that_have_a_name(void **state)
{
    struct rank *rank = *state;
    uint32_t seed = 1;
    uint8_t *bytes = (uint8_t *)rank->ring;

    for (unsigned round = 0; round < 20; round++) {
        for (size_t i = 0; i < sizeof(*rank->ring); i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(round % 2 == 0 ? seed >> 24 : (seed >> 24) % 64);
        }
        const struct ork_until until = {.past = round % 3 == 0, .records = seed, .skip = seed >> 8};
        const struct ork_latest_call *call = look(rank, &until);
        for (uint32_t i = 0; i < rank->latest.num_calls; i++) {
            assert_true(call[i].call.call < ORK_CALL_MAX);
            assert_true(call[i].times > 0);
            assert_true(call[i].awaited_after <= ORK_LATEST_CALLS);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_latest(void)
{
    const struct CMUnitTest tests[] = {
        CASE(equal_calls_in_a_row_are_one_with_a_count),
        CASE(the_call_that_a_rank_is_in_is_not_counted_with_others),
        CASE(only_the_latest_are_told),
        CASE(what_stands_beside_calls_is_none),
        CASE(a_receive_says_what_it_took),
        CASE(a_request_says_which_call_waited_for_it),
        CASE(equal_requests_are_awaited_together_or_it_is_unknown),
        CASE(polls_in_vain_are_told_where_they_were),
        CASE(probes_in_vain_say_what_for),
        CASE(threads_have_lists_of_their_own),
        CASE(a_number_that_means_another_communicator_by_now_is_not_told),
        CASE(the_latest_of_the_past_end_where_it_was_asked),
        CASE(calls_of_iterations_are_told_once_with_a_count),
        CASE(an_iteration_with_another_count_is_not_one_of_them),
        CASE(iterations_are_folded_once),
        CASE(what_was_overwritten_is_not_told),
        CASE(any_bytes_give_calls_that_have_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
