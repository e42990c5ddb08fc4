/* SPDX-License-Identifier: BSD-3-Clause */
#include "judged_job.h"

#include "unit.h"

#include <string.h>

/* A leaf: answers at once. */
static enum ork_status collect(void *context, const struct ork_order *order)
{
    struct judged_job *job = context;

    assert_int_equal(order->kind, ORK_ORDER_COLLECT);
    if (++job->collects == job->moves_at)
        job->snapshot[0].head++;
    for (uint32_t r = 0; r < RANKS; r++) {
        if (!job->absent[r])
            assert_int_equal(ork_snapshots_take(job->snapshots, r, &job->snapshot[r]), ORK_OK);
    }
    ork_snapshots_collected(job->snapshots, order->round);
    return ORK_OK;
}

void judged_set_state(struct judged_job *job, uint32_t rank, uint32_t thread, enum ork_state state)
{
    job->snapshot[rank].word[thread] = job->snapshot[rank].head << 8 | (uint64_t)state;
}

void judged_take_in(struct judged_job *job, uint32_t rank, size_t n)
{
    assert_int_equal(ork_snapshots_records(job->snapshots, rank, n), ORK_OK);
}

void judged_play(struct judged_job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        assert_int_equal(ork_usages_feed(job->usages, job->sites, r, s->record, s->n, 0), ORK_OK);
        judged_take_in(job, r, s->n);
        job->snapshot[r].head += s->n;
        job->snapshot[r].threads = 1;
        job->snapshot[r].inside_ns = 1000;
        judged_set_state(job, r, 0, ORK_STATE_BLOCKED);
        s->n = 0;
    }
}

int judged_set_up(void **state)
{
    static struct judged_job job;

    memset(&job, 0, sizeof(job));
    job.down = (struct ork_down){.context = &job, .send = collect};
    job.now_ns = SECOND;
    *state = &job;
    if (ork_snapshots_create(&job.down, 1, &job.snapshots) != ORK_OK)
        return 1;
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&job.script[r], r, RANKS);
    return ork_detector_create(RANKS, &job.d) != ORK_OK ||
           ork_classifier_create(RANKS, &job.classifier) != ORK_OK ||
           ork_call_sites_create(RANKS, &job.sites) != ORK_OK ||
           ork_usages_create(&job.usages) != ORK_OK;
}

int judged_tear_down(void **state)
{
    struct judged_job *job = *state;

    ork_detector_destroy(job->d);
    ork_classifier_destroy(job->classifier);
    ork_snapshots_destroy(job->snapshots);
    ork_usages_destroy(job->usages);
    ork_call_sites_destroy(job->sites);
    return 0;
}

enum ork_verdict judged_classify_at(struct judged_job *job, uint64_t now_ns, bool final)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *root = NULL;

    assert_int_equal(ork_classifier_run(job->classifier, job->d, job->snapshots, job->usages,
                                        now_ns, final, &verdict, &search, &root),
                     ORK_OK);
    if (verdict == ORK_VERDICT_MANIFEST || verdict == ORK_VERDICT_POTENTIAL) {
        assert_non_null(search);
        assert_true(root[0]);
    } else {
        assert_null(search);
    }
    ork_search_destroy(search);
    return verdict;
}

enum ork_verdict judged_classify(struct judged_job *job)
{
    return judged_classify_at(job, SECOND, false);
}

void judged_recv_recv(struct judged_job *job)
{
    script_recv(&job->script[0], 1, 0);
    script_recv(&job->script[1], 0, 0);
    script_recv(&job->script[2], 0, 0);
    judged_play(job);
}

void judged_send_send(struct judged_job *job)
{
    script_send(&job->script[0], 1, 0);
    script_send(&job->script[1], 0, 0);
    judged_play(job);
}
