/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that hang in a call that is wrong: when they are ended, and when not. */
#include "bytes/datatype/sequence.h"
#include "record/usage.h"
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

#define INT    ((uint32_t)ORK_BASIC_MPI_INT << 8 | 4)
#define FLOAT  ((uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4)
#define DOUBLE ((uint32_t)ORK_BASIC_MPI_DOUBLE << 8 | 8)

/* A minute, and what the looks take. */
enum { ENOUGH_MS = 63000, STEP_MS = 100 };

static void find(struct script *s, enum ork_usage_id id, uint16_t call)
{
    script_text(s,
                (struct ork_record){.kind = ORK_KIND_USAGE,
                                    .call = call,
                                    .mode = (uint16_t)id,
                                    .site = 1,
                                    .peer = ORK_USAGE_FOUND},
                "buffer", sizeof("buffer"));
}

static void wait_for_unknown(struct script *s)
{
    const uint32_t unknown = ORK_REQUEST_UNKNOWN;

    find(s, ORK_USAGE_REQUEST_STALE, ORK_CALL_MPI_Waitall);
    script_list(
        s,
        (struct ork_record){
            .kind = ORK_KIND_WAIT, .call = ORK_CALL_MPI_Waitall, .mode = ORK_WAIT_ALL, .site = 1},
        &unknown, 1);
}

/* So much time passes, of which rank 0 has a processor for `share` percent, and the others, which
 * sleep in their calls, do not need one. True: the job is being ended. */
static bool wait_with(struct run *run, int ms, uint64_t share)
{
    for (; ms > 0; ms -= STEP_MS) {
        run->snapshot[0].inside_ns += (uint64_t)STEP_MS * 10000 * share;
        run_step(run, FINDINGS, STEP_MS);
    }
    return run->findings > 0 && run->reported[run->findings - 1].fatal;
}

static bool wait_for(struct run *run, int ms)
{
    return wait_with(run, ms, 100);
}

/* Rank 0 waits for a request that does not exist any more, and the others for rank 0. */
static void wait_for_stale_request(struct run *run)
{
    run_init(run);
    wait_for_unknown(&run->script[0]);
    script_coll(&run->script[1], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_recv(&run->script[2], 0, 0);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        run->snapshot[r].inside_ns = 1;
        run->snapshot[r].sleeps = r > 0;
    }
}

static void a_job_that_waits_for_a_stale_request_is_ended(void **state)
{
    struct run *run = *state;

    wait_for_stale_request(run);
    assert_false(wait_for(run, 59000));
    assert_int_equal(run->findings, 1); /* and no hang that nothing explains */
    assert_string_equal(run->reported[0].id, "request-misuse");
    assert_true(wait_for(run, ENOUGH_MS - 59000));
    assert_int_equal(run->findings, 2);
    assert_string_equal(run->reported[1].id, "hang");
    assert_non_null(strstr(run->reported[1].message, "rank 0 is in a call that is wrong"));
}

/* In half of the time nothing could move. */
static void time_without_a_processor_does_not_count(void **state)
{
    struct run *run = *state;

    wait_for_stale_request(run);
    assert_false(wait_with(run, 118000, 50));
    assert_true(wait_with(run, 12000, 50));
}

static void a_stopped_rank_is_no_reason(void **state)
{
    struct run *run = *state;

    wait_for_stale_request(run);
    assert_false(wait_with(run, 150000, 0));
}

static void the_minute_begins_anew_with_each_movement(void **state)
{
    struct run *run = *state;

    wait_for_stale_request(run);
    assert_false(wait_for(run, 50000));
    run->snapshot[2].word[0] += 256;
    assert_false(wait_for(run, 59000));
    assert_true(wait_for(run, 4000));
}

static void a_job_that_still_computes_is_not_ended(void **state)
{
    struct run *run = *state;

    wait_for_stale_request(run);
    run->snapshot[2].word[0] = run->snapshot[2].head << 8 | ORK_STATE_RUNNING;
    assert_false(wait_for(run, 150000));
}

/* The message from rank 1 to rank 2 may take minutes. */
static void ranks_that_do_not_wait_for_the_call_may_go_on(void **state)
{
    struct run *run = *state;

    run_init(run);
    wait_for_unknown(&run->script[0]);
    script_send(&run->script[1], 2, 0);
    script_recv(&run->script[2], 1, 0);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].sleeps = true;
    assert_false(wait_for(run, 100000));
}

/* MPI_Put does not block, so the rank publishes only that this call is wrong. */
static void put_without_buffer(struct run *run, uint64_t wrong)
{
    run_init(run);
    find(&run->script[0], ORK_USAGE_NULL_BUFFER, ORK_CALL_MPI_Put);
    script_coll(&run->script[1], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_coll(&run->script[2], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED);
    run->snapshot[0].wrong = wrong;
    for (uint32_t r = 0; r < RANKS; r++) {
        run->snapshot[r].inside_ns = 1;
        run->snapshot[r].sleeps = r > 0;
    }
}

static void a_call_that_does_not_block_can_be_what_the_job_hangs_in(void **state)
{
    struct run *run = *state;

    put_without_buffer(run, 1);
    assert_true(wait_for(run, ENOUGH_MS));
    assert_string_equal(run->reported[0].id, "invalid-buffer");
}

static void a_rank_that_has_left_the_call_is_outside_of_mpi(void **state)
{
    struct run *run = *state;

    put_without_buffer(run, 0);
    assert_false(wait_for(run, 100000));
}

/* The watchdog need not wait for that long. */
static void the_watchdog_counts_the_rank_as_inside(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    run_create_as(run, &(struct ork_root_options){.deadlocks = true,
                                                  .hang_after_ns = UINT64_C(3000000000),
                                                  .hang_is_fatal = true});
    put_without_buffer(run, 1);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].cpu_ns = 1;
    assert_true(wait_for(run, 8000));
}

/* ---- messages that do not fit together ---- */

static void broadcast(struct script *s, uint64_t bytes, uint32_t type)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_COLL,
                                      .call = ORK_CALL_MPI_Bcast,
                                      .mode = ORK_COLL_BCAST,
                                      .flags = ORK_F_SENDS,
                                      .site = 70,
                                      .peer = 0,
                                      .bytes = bytes,
                                      .arg2 = type});
}

/* Rank 0 has left, rank 1 is still inside, and rank 2, which passes the right type, too. */
static void broadcast_to(struct run *run, uint64_t bytes, uint32_t type)
{
    run_init(run);
    broadcast(&run->script[0], 16, INT);
    broadcast(&run->script[1], bytes, type);
    broadcast(&run->script[2], 16, INT);
    script_recv(&run->script[0], 1, 0);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].sleeps = true;
}

static void a_collective_call_whose_sizes_differ_is_such_a_call(void **state)
{
    struct run *run = *state;

    broadcast_to(run, 32, DOUBLE);
    assert_false(wait_for(run, 59000));
    assert_int_equal(run->findings, 0);
    assert_true(wait_for(run, ENOUGH_MS - 59000));
    assert_int_equal(run->findings, 2);
    assert_string_equal(run->reported[0].id, "type-mismatch");
    assert_non_null(strstr(run->reported[1].message, "ranks 1 and 2 are in calls that are wrong"));
}

static void a_collective_call_whose_sizes_are_the_same_can_complete(void **state)
{
    struct run *run = *state;

    broadcast_to(run, 16, FLOAT);
    assert_false(wait_for(run, 100000));
}

/* The same call in a later iteration, in which all is right. */
static void a_later_call_at_that_place_is_another_one(void **state)
{
    struct run *run = *state;

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        broadcast(&run->script[r], r == 1 ? 32 : 16, r == 1 ? DOUBLE : INT);
        broadcast(&run->script[r], 16, INT);
    }
    script_recv(&run->script[0], 1, 0);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].sleeps = true;
    assert_false(wait_for(run, 100000));
}

/* ---- after calls that did not fit together ---- */

/* All ranks are in their last call for so long, and use a processor there. */
static void spin(struct run *run, int ms)
{
    run_play_all(run);
    for (; ms > 0; ms -= STEP_MS) {
        for (uint32_t r = 0; r < RANKS; r++) {
            run->snapshot[r].inside_ns += (uint64_t)STEP_MS * 1000000;
            run->snapshot[r].cpu_ns += (uint64_t)STEP_MS * 1000000;
        }
        run_step(run, FINDINGS, STEP_MS);
    }
}

/* All ranks have left calls of different collectives, and spin in one call for so long. True: the
 * job is being ended. */
static bool go_on_after_mismatch(struct run *run, struct ork_record next, int ms)
{
    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_coll(&run->script[r], 0, r == 1 ? ORK_COLL_ALLGATHER : ORK_COLL_ALLREDUCE);
        if (next.kind == ORK_KIND_SENDRECV) {
            next.peer = (int32_t)((r + 1) % RANKS);
            next.peer2 = (int32_t)((r + RANKS - 1) % RANKS);
        }
        script_add(&run->script[r], next);
    }
    spin(run, ms);
    assert_string_equal(run->reported[0].id, "collective-mismatch");
    return run->reported[run->findings - 1].fatal;
}

static void a_collective_call_after_it_may_hang_because_of_it(void **state)
{
    assert_true(go_on_after_mismatch(*state,
                                     (struct ork_record){.kind = ORK_KIND_COLL,
                                                         .call = ORK_CALL_MPI_Barrier,
                                                         .mode = ORK_COLL_BARRIER,
                                                         .site = 71,
                                                         .peer = ORK_NO_PEER},
                                     5000));
}

/* Then the mistake is that of the threads, but the job is still to be ended. */
static void it_may_also_hang_because_two_threads_made_the_call(void **state)
{
    struct run *run = *state;

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &run->script[r];
        if (r == 1)
            script_text(s,
                        (struct ork_record){.kind = ORK_KIND_USAGE,
                                            .call = ORK_CALL_MPI_Comm_create,
                                            .mode = ORK_USAGE_CONCURRENT_COLLECTIVES,
                                            .site = (uint32_t)s->n + 3,
                                            .peer = ORK_USAGE_FOUND},
                        "", 1);
        script_coll(s, 0, r == 1 ? ORK_COLL_ALLGATHER : ORK_COLL_ALLREDUCE);
        script_coll(s, 0, ORK_COLL_BARRIER);
    }
    spin(run, 5000);
    assert_string_equal(run->reported[0].id, "thread-concurrency");
    assert_true(run->reported[run->findings - 1].fatal);
}

static void messages_after_it_may_take_their_time(void **state)
{
    assert_false(go_on_after_mismatch(
        *state,
        (struct ork_record){.kind = ORK_KIND_SENDRECV, .call = ORK_CALL_MPI_Sendrecv, .site = 71},
        100000));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_stuck(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_job_that_waits_for_a_stale_request_is_ended),
        CASE(time_without_a_processor_does_not_count),
        CASE(a_stopped_rank_is_no_reason),
        CASE(the_minute_begins_anew_with_each_movement),
        CASE(a_job_that_still_computes_is_not_ended),
        CASE(ranks_that_do_not_wait_for_the_call_may_go_on),
        CASE(a_call_that_does_not_block_can_be_what_the_job_hangs_in),
        CASE(a_rank_that_has_left_the_call_is_outside_of_mpi),
        CASE(the_watchdog_counts_the_rank_as_inside),
        CASE(a_collective_call_whose_sizes_differ_is_such_a_call),
        CASE(a_collective_call_whose_sizes_are_the_same_can_complete),
        CASE(a_later_call_at_that_place_is_another_one),
        CASE(a_collective_call_after_it_may_hang_because_of_it),
        CASE(it_may_also_hang_because_two_threads_made_the_call),
        CASE(messages_after_it_may_take_their_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
