/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller_job.h"

#include "unit.h"

#include <string.h>

/* A leaf: answers at once. */
static enum ork_status collect(void *context, const struct ork_order *order)
{
    const struct poller_job *job = context;

    assert_int_equal(order->kind, ORK_ORDER_COLLECT);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_snapshots_take(job->snapshots, r, &job->snapshot[r]), ORK_OK);
    ork_snapshots_collected(job->snapshots, order->round);
    return ORK_OK;
}

int poller_set_up(void **state)
{
    static struct poller_job job;

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

int poller_tear_down(void **state)
{
    struct poller_job *job = *state;

    ork_busy_wait_destroy(job->busy_wait);
    ork_detector_destroy(job->d);
    ork_snapshots_destroy(job->snapshots);
    return 0;
}

void poller_take_in(struct poller_job *job, uint32_t rank, size_t n)
{
    assert_int_equal(ork_snapshots_records(job->snapshots, rank, n), ORK_OK);
}

void poller_play(struct poller_job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        job->snapshot[r].head += s->n;
        poller_take_in(job, r, s->n);
        s->n = 0;
    }
}

bool poller_look_at(struct poller_job *job, struct doing doing)
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

bool poller_look(struct poller_job *job, uint64_t polls)
{
    return poller_look_at(job, (struct doing){.polls = polls});
}
