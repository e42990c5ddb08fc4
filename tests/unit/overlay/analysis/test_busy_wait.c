/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/activity.h"
#include "overlay/root/busy_wait.h"

#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { RANKS = 2, LOOKS = 320 };

/* Rank 0 polls, rank 1 is in its last call. */
struct job {
    struct ork_detector *d;
    struct ork_busy_wait *busy_wait;
    struct ork_snapshot snapshot[RANKS];
    struct ork_down down;
    struct ork_snapshots *snapshots;
    struct script script[RANKS];
    uint64_t now_ns;
    struct ork_suspicion found; /* by the latest look; its search is gone */
    bool news;                  /* that one is told */
    struct ork_rank_view poller;
};

/* A leaf: answers at once. */
static enum ork_status collect(void *context, const struct ork_order *order)
{
    const struct job *job = context;

    assert_int_equal(order->kind, ORK_ORDER_COLLECT);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_snapshots_take(job->snapshots, r, &job->snapshot[r]), ORK_OK);
    ork_snapshots_collected(job->snapshots, order->round);
    return ORK_OK;
}

static int set_up(void **state)
{
    static struct job job;

    memset(&job, 0, sizeof(job));
    job.down = (struct ork_down){.context = &job, .send = collect};
    job.now_ns = ORK_BUSY_WAIT_NS;
    *state = &job;
    if (ork_snapshots_create(&job.down, 1, &job.snapshots) != ORK_OK)
        return 1;
    for (uint32_t r = 0; r < RANKS; r++) {
        script_init(&job.script[r], r, RANKS);
        job.snapshot[r].threads = 1;
        job.snapshot[r].polled = (struct ork_polled){
            .call = ORK_CALL_MPI_Iprobe, .peer = ORK_ANY_SOURCE, .tag = 5, .comm = ORK_COMM_WORLD};
    }
    return ork_detector_create(RANKS, &job.d) != ORK_OK ||
           ork_busy_wait_create(RANKS, &job.busy_wait) != ORK_OK;
}

static int tear_down(void **state)
{
    struct job *job = *state;

    ork_busy_wait_destroy(job->busy_wait);
    ork_detector_destroy(job->d);
    ork_snapshots_destroy(job->snapshots);
    return 0;
}

/* The root has taken `n` more records of `rank`. */
static void take_in(struct job *job, uint32_t rank, size_t n)
{
    assert_int_equal(ork_snapshots_records(job->snapshots, rank, n), ORK_OK);
}

static void play(struct job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        job->snapshot[r].head += s->n;
        take_in(job, r, s->n);
        s->n = 0;
    }
}

/* What rank 0 did in an interval. */
struct doing {
    uint64_t polls;
    uint64_t busy;    /* gaps between polls in which it worked, of LOOKS */
    uint64_t timed;   /* gaps in which it read a clock */
    uint64_t work_ns; /* beside its polls */
    uint64_t slept_ns;
};

/* One interval later. Is there a suspicion? */
static bool look_at(struct job *job, struct doing doing)
{
    job->snapshot[0].polls += doing.polls;
    job->snapshot[0].probes += doing.polls;
    job->snapshot[0].looks += LOOKS;
    job->snapshot[0].busy += doing.busy;
    job->snapshot[0].timed += doing.timed;
    job->snapshot[0].work_ns += doing.work_ns;
    job->snapshot[0].cpu_ns += ORK_BUSY_WAIT_NS - doing.slept_ns;
    job->snapshot[0].slept_ns += doing.slept_ns;
    job->now_ns += ORK_BUSY_WAIT_NS;
    assert_int_equal(
        ork_busy_wait_observe(job->busy_wait, job->d, job->snapshots, job->now_ns, &job->found),
        ORK_OK);
    if (job->found.search == NULL)
        return false;
    assert_int_equal(ork_wfg_num_deadlocked(job->found.search->wfg), RANKS);
    bool knots[RANKS] = {false};
    job->news = ork_busy_wait_news(job->busy_wait, job->d, job->found.search, knots);
    job->poller = ork_detector_rank(job->d, 0);
    ork_search_destroy(job->found.search);
    ork_busy_wait_forget(job->busy_wait, job->d);
    return true;
}

static bool look(struct job *job, uint64_t polls)
{
    return look_at(job, (struct doing){.polls = polls});
}

/* So many looks that the next one like them makes a suspicion, if there is reason to. */
static void look_for_long(struct job *job, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        assert_false(look(job, ORK_BUSY_WAIT_POLLS));
}

static void receive_from_poller(struct job *job)
{
    script_recv(&job->script[1], 0, 0);
    play(job);
}

/* Of the polls that it needs, it makes some at each look, and none at others. */
static void who_waits_for_a_processor_is_suspected_when_it_has_polled_enough(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    assert_false(look(job, ORK_BUSY_WAIT_POLLS));
    job->snapshot[0].is_runnable = true;
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++) {
        assert_false(look(job, 0));
        assert_false(look(job, ORK_BUSY_WAIT_POLLS / 2));
        assert_int_equal(look(job, ORK_BUSY_WAIT_POLLS / 2), i == ORK_BUSY_WAIT_LOOKS - 1);
    }
}

/* It has got a tenth of a processor. */
static bool look_on_crowded(struct job *job, uint64_t work_ns)
{
    job->snapshot[0].cpu_ns -= ORK_BUSY_WAIT_NS / 10 * 9;
    return look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS, .work_ns = work_ns});
}

static void a_little_work_on_a_crowded_machine_is_none(void **state)
{
    const uint64_t lump = ORK_BUSY_WAIT_NS / 10 / (ORK_ACTIVITY_WORK / 2);
    struct job *job = *state;

    receive_from_poller(job);
    job->snapshot[0].cpu_ns = ORK_BUSY_WAIT_NS;
    assert_false(look_on_crowded(job, 0));
    for (uint32_t i = 1; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_on_crowded(job, i == 2 ? lump : 0));
    assert_true(look_on_crowded(job, 0));
}

static void a_little_work_at_each_look_is_work(void **state)
{
    const uint64_t lump = ORK_BUSY_WAIT_NS / 10 / (ORK_ACTIVITY_WORK / 2);
    struct job *job = *state;

    receive_from_poller(job);
    job->snapshot[0].cpu_ns = ORK_BUSY_WAIT_NS;
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_on_crowded(job, lump));
}

/* It sleeps between its polls, and each sleep costs it some processor time. */
static bool look_at_sleeper(struct job *job, uint64_t work_ns)
{
    return look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS,
                                       .work_ns = work_ns,
                                       .slept_ns = ORK_BUSY_WAIT_NS / 20 * 19});
}

static void what_sleeping_costs_is_no_work(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at_sleeper(job, ORK_BUSY_WAIT_NS / 100));
    assert_true(look_at_sleeper(job, ORK_BUSY_WAIT_NS / 100));
}

static void who_works_between_sleeps_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at_sleeper(job, ORK_BUSY_WAIT_NS / ORK_ACTIVITY_WORK + 1));
}

static void who_polls_seldom_but_gets_its_processor_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look(job, ORK_BUSY_WAIT_POLLS / 2));
}

static void polling_for_what_never_comes_is_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS); /* with the first there is nothing to compare */
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(ork_detector_rank(job->d, 0).status, ORK_RANK_RUNNING); /* forgotten */
}

/* ---- the partner got past a buffered send ---- */

static void go_on_to_finalize(struct script *s)
{
    script_finalize(s);
}

static void go_on_to_receive(struct script *s)
{
    script_recv(s, 0, 9);
}

static void go_on_to_barrier(struct script *s)
{
    script_coll(s, ORK_COMM_WORLD, ORK_COLL_BARRIER);
}

/* Rank 1 sends what rank 0 does not poll for, and goes on. */
static void send_and_go_on(struct job *job, void (*go_on)(struct script *s), enum ork_state in)
{
    for (int i = 0; i < 3; i++)
        script_send(&job->script[1], 0, 4 + i);
    go_on(&job->script[1]);
    play(job);
    job->snapshot[1].word[0] = job->snapshot[1].head << 8 | (uint64_t)in;
}

static void a_partner_behind_buffered_sends_is_suspected_where_it_waits(void **state)
{
    struct job *job = *state;
    void (*const next[])(struct script * s) = {go_on_to_finalize, go_on_to_receive,
                                               go_on_to_barrier};
    const enum ork_kind kind[] = {ORK_KIND_FINALIZE, ORK_KIND_RECV, ORK_KIND_COLL};

    for (unsigned i = 0; i < 3; i++) {
        send_and_go_on(job, next[i], ORK_STATE_BLOCKED);
        look_for_long(job, ORK_BUSY_WAIT_LOOKS);
        assert_true(look(job, ORK_BUSY_WAIT_POLLS));
        assert_true(job->found.polls);
        assert_true(job->found.rests); /* so the deadlocks that follow are searched, too */
        assert_int_equal(ork_detector_rank(job->d, 1).call.kind, kind[i]);
        assert_false(ork_detector_rank(job->d, 1).moved);
        assert_int_equal(tear_down(state), 0);
        assert_int_equal(set_up(state), 0);
        job = *state;
    }
}

/* It may still send, so the analysis keeps its place: a potential deadlock may follow there. */
static void a_partner_that_runs_behind_a_buffered_send_is_not_suspected(void **state)
{
    struct job *job = *state;

    send_and_go_on(job, go_on_to_finalize, ORK_STATE_RUNNING);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
    assert_true(ork_detector_rank(job->d, 1).moved);
    assert_int_equal(ork_detector_rank(job->d, 1).call.kind, ORK_KIND_SEND);
}

static void a_partner_that_moves_behind_a_buffered_send_is_not_suspected(void **state)
{
    struct job *job = *state;

    send_and_go_on(job, go_on_to_receive, ORK_STATE_BLOCKED);
    for (unsigned i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++) {
        job->snapshot[1].word[0] += 256;
        assert_false(look(job, ORK_BUSY_WAIT_POLLS));
    }
    assert_int_equal(ork_detector_rank(job->d, 1).call.kind, ORK_KIND_SEND);
}

static void a_suspicion_shows_what_was_probed_for(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.status, ORK_RANK_POLLING);
    assert_int_equal(job->poller.call.kind, ORK_KIND_PROBED);
    assert_int_equal(job->poller.call.peer, ORK_ANY_SOURCE);
    assert_int_equal(job->poller.call.tag, 5);
    assert_int_equal(job->poller.comm, ORK_COMM_WORLD);
    job->snapshot[0].polled = (struct ork_polled){
        .call = ORK_CALL_MPI_Iprobe, .peer = 1, .tag = 6, .comm = 7 /* which nobody has made */};
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.call.peer, 1);
    assert_int_equal(job->poller.call.tag, 6);
    assert_int_equal(job->poller.comm, UINT32_MAX);
    job->snapshot[0].polled = (struct ork_polled){.call = ORK_CALL_MPI_Test, .peer = ORK_NO_PEER};
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.call.kind, ORK_KIND_TESTED);
}

static void a_few_polls_are_no_reason(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look(job, ORK_BUSY_WAIT_POLLS - 1));
}

static void who_works_between_polls_is_not_suspected(void **state)
{
    const struct doing works = {.polls = ORK_BUSY_WAIT_POLLS, .busy = LOOKS / ORK_ACTIVITY_BUSY};
    const struct doing is_disturbed = {.polls = ORK_BUSY_WAIT_POLLS,
                                       .busy = LOOKS / ORK_ACTIVITY_BUSY - 1};
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_false(look_at(job, works));
    for (uint32_t i = 1; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at(job, is_disturbed));
    assert_true(look_at(job, is_disturbed));
}

/* Many polls in a row, and then something else for a moment. */
static void who_works_now_and_then_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(
            look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS,
                                        .work_ns = ORK_BUSY_WAIT_NS / ORK_ACTIVITY_WORK + 1}));
}

static void who_reads_a_clock_between_polls_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS, .timed = 1}));
}

static void a_suspicion_is_told_once(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++) {
        job->snapshot[0].polled.site++; /* another poll of its loop */
        assert_true(look(job, ORK_BUSY_WAIT_POLLS));
        assert_false(job->news);
    }
}

static void after_a_wrong_suspicion_the_next_one_takes_longer(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
    job->snapshot[0].head++; /* it went on */
    take_in(job, 0, 1);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
}

static void a_partner_that_runs_may_still_send(void **state)
{
    struct job *job = *state;

    play(job);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
}

static void whoever_moved_in_between_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    job->snapshot[1].head++;
    take_in(job, 1, 1);
    assert_false(look(job, ORK_BUSY_WAIT_POLLS));
    job->snapshot[0].head++; /* published, not taken yet */
    assert_false(look(job, ORK_BUSY_WAIT_POLLS));
    take_in(job, 0, 1);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(look(job, ORK_BUSY_WAIT_POLLS));
}

static void a_thread_that_may_yet_call_clears_the_rank(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    job->snapshot[1].others = ORK_OTHERS_ACT;
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
}

static void nobody_looks_more_often_than_agreed(void **state)
{
    struct job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    job->snapshot[0].polls += ORK_BUSY_WAIT_POLLS;
    assert_int_equal(ork_busy_wait_observe(job->busy_wait, job->d, job->snapshots,
                                           job->now_ns + ORK_BUSY_WAIT_NS - 1, &job->found),
                     ORK_OK);
    assert_null(job->found.search);
}

/* Both ranks: the second thread receives from the other rank, the first one is outside MPI. */
static void receive_in_second_threads(struct job *job, enum ork_others others)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->script[r].record[job->script[r].n - 1].thread = 1;
        job->snapshot[r].threads = 2;
        job->snapshot[r].word[1] = ORK_STATE_BLOCKED;
        job->snapshot[r].resting = 1;
        job->snapshot[r].others = others;
    }
    play(job);
}

static uint32_t strictly_deadlocked(struct job *job)
{
    struct ork_search *search;

    assert_int_equal(ork_detector_search(job->d, ORK_STRICT, &search), ORK_OK);
    uint32_t n = ork_wfg_num_deadlocked(search->wfg);
    ork_search_destroy(search);
    return n;
}

static void threads_that_wait_for_threads_that_wait_are_for_the_judge(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    assert_false(look(job, 0));
    assert_false(job->found.rests);
    assert_false(look(job, 0));
    assert_true(job->found.rests);
    assert_int_equal(strictly_deadlocked(job), RANKS);
    assert_false(look(job, 0));
    assert_false(job->found.rests); /* it knows */
}

static void a_thread_that_woke_in_between_is_not_resting(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    for (uint32_t i = 0; i < 20; i++) {
        job->snapshot[i % 2].stirred++;
        assert_false(look(job, 0));
        assert_int_equal(strictly_deadlocked(job), 0);
    }
}

static void threads_that_anybody_may_wake_are_suspected(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_UNKNOWN);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(look(job, 0));
    assert_true(look(job, 0));
    assert_false(job->found.polls);
    assert_false(job->found.is_certain);
    assert_true(ork_busy_wait_unsure(job->busy_wait)[0]);
    assert_int_equal(strictly_deadlocked(job), 0); /* forgotten */
}

static void a_thread_that_never_called_and_anybody_may_wake_makes_it_a_suspicion(void **state)
{
    struct job *job = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->snapshot[r].word[0] = ORK_STATE_BLOCKED;
    }
    job->snapshot[1].others = ORK_OTHERS_UNKNOWN;
    play(job);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(look(job, 0));
    assert_true(look(job, 0));
    assert_false(ork_busy_wait_unsure(job->busy_wait)[0]);
    assert_true(ork_busy_wait_unsure(job->busy_wait)[1]);
}

static void a_thread_that_woke_is_not_suspected(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_UNKNOWN);
    for (uint32_t i = 0; i < 20; i++) {
        job->snapshot[i % 2].stirred += i % ORK_BUSY_WAIT_SLEEPS == 0;
        assert_false(look(job, 0));
    }
}

static void a_thread_that_runs_may_end_the_wait_of_another(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    job->snapshot[1].threads = 3; /* the third one called MPI and computes */
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(look(job, 0));
}

/* The second thread of rank 0 receives from rank 1, which is in MPI_Finalize; the first one runs.
 */
static void receive_from_finalize(struct job *job)
{
    script_coll(&job->script[0], ORK_COMM_SELF, ORK_COLL_BARRIER);
    script_recv(&job->script[0], 1, 0);
    job->script[0].record[job->script[0].n - 1].thread = 1;
    script_finalize(&job->script[1]);
    job->snapshot[0].threads = 2;
    job->snapshot[0].word[1] = 3 << 8 | ORK_STATE_BLOCKED;
    job->snapshot[1].word[0] = 1 << 8 | ORK_STATE_BLOCKED;
    play(job);
}

static void a_receive_from_a_rank_in_finalize_is_dead_whatever_others_do(void **state)
{
    struct job *job = *state;

    receive_from_finalize(job);
    job->snapshot[0].others = ORK_OTHERS_ACT;
    assert_false(look(job, 0));
    assert_true(look(job, 0));
    assert_true(job->found.is_certain);
    assert_false(ork_detector_is_busy(job->d, 0));
}

static void a_call_that_returned_meanwhile_was_not_dead(void **state)
{
    struct job *job = *state;

    receive_from_finalize(job);
    for (uint32_t i = 0; i < 4; i++) {
        job->snapshot[0].word[1] += 1 << 8;
        assert_false(look(job, 0));
    }
    job->snapshot[0].word[1] = ORK_STATE_RUNNING;
    assert_false(look(job, 0));
    assert_false(look(job, 0));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_busy_wait(void)
{
    const struct CMUnitTest tests[] = {
        CASE(polling_for_what_never_comes_is_suspected),
        CASE(who_waits_for_a_processor_is_suspected_when_it_has_polled_enough),
        CASE(who_polls_seldom_but_gets_its_processor_is_not_suspected),
        CASE(a_little_work_on_a_crowded_machine_is_none),
        CASE(what_sleeping_costs_is_no_work),
        CASE(who_works_between_sleeps_is_not_suspected),
        CASE(a_little_work_at_each_look_is_work),
        CASE(a_partner_behind_buffered_sends_is_suspected_where_it_waits),
        CASE(a_partner_that_runs_behind_a_buffered_send_is_not_suspected),
        CASE(a_partner_that_moves_behind_a_buffered_send_is_not_suspected),
        CASE(a_suspicion_shows_what_was_probed_for),
        CASE(a_few_polls_are_no_reason),
        CASE(who_works_between_polls_is_not_suspected),
        CASE(who_works_now_and_then_is_not_suspected),
        CASE(who_reads_a_clock_between_polls_is_not_suspected),
        CASE(a_suspicion_is_told_once),
        CASE(after_a_wrong_suspicion_the_next_one_takes_longer),
        CASE(a_partner_that_runs_may_still_send),
        CASE(whoever_moved_in_between_is_not_suspected),
        CASE(a_thread_that_may_yet_call_clears_the_rank),
        CASE(threads_that_wait_for_threads_that_wait_are_for_the_judge),
        CASE(a_thread_that_woke_in_between_is_not_resting),
        CASE(threads_that_anybody_may_wake_are_suspected),
        CASE(a_thread_that_never_called_and_anybody_may_wake_makes_it_a_suspicion),
        CASE(a_thread_that_woke_is_not_suspected),
        CASE(a_thread_that_runs_may_end_the_wait_of_another),
        CASE(a_receive_from_a_rank_in_finalize_is_dead_whatever_others_do),
        CASE(a_call_that_returned_meanwhile_was_not_dead),
        CASE(nobody_looks_more_often_than_agreed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
