/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/suspect.h"

#include "script.h"
#include "unit.h"

#include <string.h>

enum { RANKS = 2 };

/* Rank 0 polls, rank 1 is in its last call. */
struct job {
    struct ork_detector *d;
    struct ork_suspect *suspect;
    struct ork_snapshot snapshot[RANKS];
    struct ork_down down;
    struct script script[RANKS];
    uint64_t now_ns;
};

static enum ork_status collect(void *context, uint32_t rank, struct ork_snapshot *snapshot)
{
    const struct job *job = context;

    assert_in_range(rank, 0, RANKS - 1);
    *snapshot = job->snapshot[rank];
    return job->snapshot[rank].present ? ORK_OK : ORK_NOTFOUND;
}

static int set_up(void **state)
{
    static struct job job;

    memset(&job, 0, sizeof(job));
    job.down = (struct ork_down){.context = &job, .collect = collect};
    job.now_ns = ORK_SUSPECT_NS;
    *state = &job;
    for (uint32_t r = 0; r < RANKS; r++) {
        script_init(&job.script[r], r, RANKS);
        job.snapshot[r].present = true;
        job.snapshot[r].threads = 1;
        job.snapshot[r].poll_call = ORK_CALL_MPI_Iprobe;
    }
    return ork_detector_create(RANKS, &job.d) != ORK_OK ||
           ork_suspect_create(RANKS, &job.suspect) != ORK_OK;
}

static int tear_down(void **state)
{
    struct job *job = *state;

    ork_suspect_destroy(job->suspect);
    ork_detector_destroy(job->d);
    return 0;
}

static void play(struct job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        job->snapshot[r].head += s->n;
        job->snapshot[r].taken = job->snapshot[r].head;
        s->n = 0;
    }
}

/* One interval later, in which rank 0 polled so often. Is there a suspicion? */
static bool look(struct job *job, uint64_t polls)
{
    struct ork_search *search = NULL;

    job->snapshot[0].polls += polls;
    job->snapshot[0].probes += polls;
    job->now_ns += ORK_SUSPECT_NS;
    assert_int_equal(ork_suspect_look(job->suspect, job->d, &job->down, job->now_ns, &search),
                     ORK_OK);
    if (search == NULL)
        return false;
    assert_int_equal(ork_wfg_num_deadlocked(search->wfg), RANKS);
    ork_search_destroy(search);
    ork_suspect_forget(job->suspect, job->d);
    return true;
}

static void polling_for_what_never_comes_is_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS)); /* nothing to compare with */
    assert_true(look(job, ORK_SUSPECT_POLLS));
    assert_int_equal(ork_detector_rank(job->d, 0).status, ORK_RANK_RUNNING); /* forgotten */
}

static void a_few_polls_are_no_reason(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, 1));
    assert_false(look(job, ORK_SUSPECT_POLLS - 1));
}

static void a_partner_that_runs_may_still_send(void **state)
{
    struct job *job = *state;

    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_false(look(job, ORK_SUSPECT_POLLS));
}

static void whoever_moved_in_between_is_not_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[1].head = ++job->snapshot[1].taken;
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].head++; /* published, not taken yet */
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].taken++;
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_true(look(job, ORK_SUSPECT_POLLS));
}

static void a_thread_that_may_yet_call_clears_the_rank(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    job->snapshot[1].strangers = 1;
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_false(look(job, ORK_SUSPECT_POLLS));
}

static void nobody_looks_more_often_than_agreed(void **state)
{
    struct job *job = *state;
    struct ork_search *search = NULL;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].polls += ORK_SUSPECT_POLLS;
    assert_int_equal(ork_suspect_look(job->suspect, job->d, &job->down,
                                      job->now_ns + ORK_SUSPECT_NS - 1, &search),
                     ORK_OK);
    assert_null(search);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(polling_for_what_never_comes_is_suspected),
        CASE(a_few_polls_are_no_reason),
        CASE(a_partner_that_runs_may_still_send),
        CASE(whoever_moved_in_between_is_not_suspected),
        CASE(a_thread_that_may_yet_call_clears_the_rank),
        CASE(nobody_looks_more_often_than_agreed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
