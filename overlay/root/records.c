/* SPDX-License-Identifier: BSD-3-Clause */
/* Records and collective calls that come to the root: for the detector and for all else that
 * follows them. */
#include "overlay/root/interleaving.h"
#include "overlay/root/input.h"

#include "common/assert.h"
#include "common/vec.h"

#include <stdlib.h>

/* Records of 64 bytes that are kept for exploring alternative matches. */
enum { HISTORY_LIMIT = 1 << 18 };

/* ---- jobs ---- */

static enum ork_status grow(struct ork_root *root, uint32_t nprocs)
{
    enum ork_status status = ork_root_fold_stop(root); /* it knows the ranks of one job */

    if (status != ORK_OK)
        return status;
    ORK_ASSERT(nprocs > root->nprocs);
    if (!ork_vec_extend(&root->input.last_ns, root->nprocs, nprocs, sizeof(*root->input.last_ns)) ||
        !ork_vec_extend(&root->input.order_conts, root->nprocs, nprocs,
                        sizeof(*root->input.order_conts)))
        return ORK_NOMEM;
    if ((status = ork_call_sites_grow(root->sites, nprocs)) != ORK_OK ||
        (status = ork_classifier_grow(root->classifier, nprocs)) != ORK_OK ||
        (status = ork_busy_wait_grow(root->busy_wait, nprocs)) != ORK_OK ||
        (status = ork_activity_grow(root->activity, nprocs)) != ORK_OK ||
        (status = ork_call_rates_grow(root->rates, nprocs)) != ORK_OK ||
        (status = ork_recording_grow(root->recording, nprocs)) != ORK_OK)
        return status;
    root->nprocs = nprocs;
    return ORK_OK;
}

static enum ork_status add_job(struct ork_root *root, uint32_t first, uint32_t size,
                               uint32_t number)
{
    enum ork_status status = ork_detector_add_job(root->detector, first, size, number);

    if (status != ORK_OK)
        return status == ORK_INVALID ? ORK_OK : status;
    struct ork_job_view last =
        ork_detector_job(root->detector, ork_detector_num_jobs(root->detector) - 1);
    return last.first + last.size > root->nprocs ? grow(root, last.first + last.size) : ORK_OK;
}

/* RATIONALE: the first records of several jobs arrive in any order. */
static enum ork_status add_numbered_jobs(struct ork_root *root)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = ork_detector_num_jobs(root->detector);
         i < root->input.numbers.count && status == ORK_OK; i++) {
        const struct ork_numbered_job *job = &root->input.numbers.job[i];
        status = add_job(root, job->first, job->name.size, ork_job_number(job->name.name));
    }
    return status;
}

/* The first record of a rank names its job; the first rank of a job adds all its ranks. */
static enum ork_status take_job(struct ork_root *root, uint32_t rank,
                                const struct ork_record *record, size_t n)
{
    if (n == 0)
        return ORK_OK;

    int64_t first = (int64_t)rank - record->peer;

    if (record->kind != ORK_KIND_JOB || record->peer < 0 || first < 0 ||
        record->extra >= UINT32_MAX || record->arg2 >= ORK_RANKS_MAX ||
        (first > 0 && record->arg2 <= (uint32_t)record->peer))
        return ORK_OK;
    root->input.other_runtimes += (record->flags & ORK_F_OTHER_RUNTIME) != 0;
    if (record->arg != 0 && root->input.refusing++ == 0)
        root->input.first_refusing = rank;
    enum ork_status status = add_numbered_jobs(root);
    return status == ORK_OK ? add_job(root, (uint32_t)first, record->arg2, (uint32_t)record->extra)
                            : status;
}

enum ork_status ork_root_on_job(struct ork_root *root, const struct ork_job_name *job)
{
    uint32_t first;
    enum ork_status status = ork_rank_numbering_give(&root->input.numbers, job, &first);

    if (status != ORK_OK && status != ORK_NOTFOUND)
        return status;
    bool known = status == ORK_OK;
    status = known && root->detector != NULL ? add_numbered_jobs(root) : ORK_OK;
    if (status != ORK_OK)
        return status;
    return ork_down_send(&root->down,
                         &(struct ork_order){.kind = ORK_ORDER_NUMBER,
                                             .number = {*job, known ? first : UINT32_MAX}});
}

/* ---- records ---- */

/* Feed records to the detector and to all else that follows them. */
static enum ork_status feed(void *context, uint32_t rank, const struct ork_record *record, size_t n)
{
    struct ork_root *root = context;

    ORK_ASSERT(rank < root->nprocs);
    root->policy.is_dirty = true;
    enum ork_status status = ork_call_sites_feed(root->sites, rank, record, n);
    if (status == ORK_OK)
        status = ork_followers_feed(root, rank, record, n);
    if (status == ORK_OK)
        status =
            ork_usages_feed(root->usages, root->sites, rank, record, n, ork_root_taken_at(root));
    return status == ORK_OK ? ork_detector_feed(root->detector, rank, record, n) : status;
}

/* How many of these records are the rest of an ORDER record, or begin with one. RATIONALE: the
 * recording has taken them, and nobody else needs them. They come now and then in a loop that makes
 * other choices each time, for example after more or fewer unsuccessful polls, and are no reason
 * not to fold it. */
static size_t count_order(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                          size_t n)
{
    uint32_t *left = &root->input.order_conts[rank];
    size_t i = 0;

    if (record[0].kind == ORK_KIND_ORDER) {
        *left = ork_record_conts(record[0].count);
        i = 1;
    }
    for (; i < n && *left != 0 && record[i].kind == ORK_KIND_CONT; i++)
        --*left;
    if (i < n)
        *left = 0;
    return i;
}

static size_t count_others(const struct ork_record *record, size_t n)
{
    size_t i = 0;

    while (i < n && record[i].kind != ORK_KIND_ORDER)
        i++;
    return i;
}

static enum ork_status take(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    enum ork_status status = take_job(root, rank, record, n);

    if (status != ORK_OK || rank >= root->nprocs)
        return status;
    root->input.last_ns[rank] = root->input.change_ns = ork_root_taken_at(root);
    ork_activity_records(root->activity, rank, record, n, 1);
    status = ork_recording_feed(root->recording, rank, record, n);
    while (n > 0 && status == ORK_OK) {
        size_t order = count_order(root, rank, record, n);
        size_t others = order == 0 ? count_others(record, n) : 0;
        ORK_ASSERT(order + others > 0 && order + others <= n);
        if (others > 0)
            status = root->fold != NULL ? ork_fold_take(root->fold, rank, record, others)
                                        : feed(root, rank, record, others);
        record += order + others;
        n -= order + others;
    }
    return status;
}

static enum ork_status start(struct ork_root *root, uint32_t nprocs)
{
    enum ork_status status;

    ORK_ASSERT(root->detector == NULL && nprocs > 0);
    root->nprocs = nprocs;
    root->input.last_ns = calloc(nprocs, sizeof(*root->input.last_ns));
    root->input.order_conts = calloc(nprocs, sizeof(*root->input.order_conts));
    if (root->input.last_ns == NULL || root->input.order_conts == NULL)
        return ORK_NOMEM;
    if ((status = ork_detector_create(nprocs, &root->detector)) != ORK_OK ||
        (status = ork_call_sites_create(nprocs, &root->sites)) != ORK_OK ||
        (status = ork_classifier_create(nprocs, &root->classifier)) != ORK_OK ||
        (status = ork_busy_wait_create(nprocs, &root->busy_wait)) != ORK_OK ||
        (status = ork_activity_create(nprocs, &root->activity)) != ORK_OK ||
        (status = ork_call_rates_create(nprocs, ork_root_now(root), &root->rates)) != ORK_OK ||
        (status = ork_usages_create(&root->usages)) != ORK_OK ||
        (status = ork_recording_create(nprocs, root->options.record, root->options.program,
                                       &root->recording)) != ORK_OK ||
        (status = ork_followers_create(root, nprocs)) != ORK_OK ||
        (status = ork_root_fold_create(root, feed)) != ORK_OK)
        return status;
    ork_detector_set_model(root->detector, &root->options.model);
    if (root->options.deadlocks && root->options.probing != ORK_PROBING_OFF)
        ork_detector_set_history(root->detector, HISTORY_LIMIT);
    for (struct early *e = root->input.early; e != NULL && status == ORK_OK; e = e->next)
        status = e->is_end ? ork_root_take_end(root, e->rank, e->end, ORK_CAUSAL_OUTSIDE)
                           : take(root, e->rank, e->record, e->n);
    return status;
}

enum ork_status ork_root_on_records(struct ork_root *root, uint32_t rank,
                                    const struct ork_record *record, size_t n)
{
    if (root->input.trace != NULL &&
        ork_trace_records(root->input.trace, rank, record, n) != ORK_OK)
        root->input.trace_failed = true;
    root->input.has_moved = true;
    enum ork_status status =
        rank < ORK_RANKS_MAX ? ork_snapshots_records(root->snapshots, rank, n) : ORK_OK;
    if (status != ORK_OK)
        return status;
    if (root->detector != NULL) {
        status = take(root, rank, record, n);
        return status == ORK_OK ? ork_root_follow_records(root) : status;
    }
    uint32_t nprocs;
    status = ork_root_keep_early(root, rank, record, n, &nprocs);
    return status == ORK_OK && nprocs > 0 ? start(root, nprocs) : status;
}

enum ork_status ork_root_on_repeated(struct ork_root *root, uint32_t rank,
                                     const struct ork_record *record, size_t n, uint32_t times)
{
    enum ork_status status = ORK_OK;

    if (root->input.trace != NULL || root->detector == NULL || root->fold == NULL ||
        rank >= root->nprocs) {
        for (uint32_t i = 0; i < times && status == ORK_OK; i++)
            status = ork_root_on_records(root, rank, record, n);
        return status;
    }
    root->input.has_moved = true;
    root->input.last_ns[rank] = root->input.change_ns = ork_root_taken_at(root);
    ork_activity_records(root->activity, rank, record, n, times);
    status = ork_snapshots_records(root->snapshots, rank, n * times);
    if (status == ORK_OK)
        status = ork_fold_take_repeated(root->fold, rank, record, n, times);
    return status == ORK_OK ? ork_root_follow_records(root) : status;
}

/* ---- collective calls of many ranks ---- */

/* The ranks if all are known, each at most once. */
static uint32_t known_ranks(const struct ork_root *root, const struct ork_wave *wave)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        for (uint32_t k = 0; k < wave->group_record[i].num_spans; k++) {
            const struct ork_span *span = &wave->group_record[i].span[k];
            if (span->first >= root->nprocs || span->count > root->nprocs - span->first)
                return 0;
            n += span->count;
        }
    }
    return n <= root->nprocs ? (uint32_t)n : 0;
}

static enum ork_status take_singly(struct ork_root *root, const struct ork_wave *wave)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        for (uint32_t k = 0; k < a->num_spans; k++) {
            for (uint32_t r = 0; r < a->span[k].count && status == ORK_OK; r++)
                status = ork_root_on_records(root, a->span[k].first + r, &a->call, 1);
        }
    }
    return status;
}

enum ork_status ork_root_on_wave(struct ork_root *root, const struct ork_wave *wave)
{
    if (root->input.trace != NULL || root->detector == NULL ||
        ork_followers_need(root) != ORK_NEED_CHANGES ||
        (root->fold != NULL && ork_fold_is_on(root->fold)) ||
        known_ranks(root, wave) != root->nprocs)
        return take_singly(root, wave);
    enum ork_status status =
        ork_detector_feed_bulk(root->detector, wave->group_record, wave->num_group_records);
    if (status == ORK_INVALID)
        return take_singly(root, wave);
    root->input.has_moved = root->policy.is_dirty = true;
    root->input.wave_ns = root->input.change_ns = ork_root_taken_at(root);
    ork_snapshots_record_of_all(root->snapshots);
    ork_activity_call_of_all(root->activity);
    if (root->fold != NULL)
        ork_fold_note_wave(root->fold, wave->group_record, wave->num_group_records);
    return status;
}
