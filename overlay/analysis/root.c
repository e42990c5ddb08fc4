/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/analysis/root_internal.h"

#include "common/log.h"
#include "common/vec.h"
#include "overlay/analysis/interleaving.h"
#include "overlay/findings/phrase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Records of 64 bytes that are kept for exploring alternative matches. */
enum { HISTORY_LIMIT = 1 << 18 };

enum ork_status ork_root_create(const struct ork_root_options *options,
                                const struct ork_report_sink *sink, struct ork_root **out)
{
    struct ork_root *root = calloc(1, sizeof(*root));
    enum ork_status status = ORK_OK;

    if (root == NULL)
        return ORK_NOMEM;
    root->options = *options;
    root->sink = sink;
    root->time.clock = options->clock != NULL ? options->clock : &ork_system_clock;
    root->input.early_end = &root->input.early;
    ork_policy_init(&root->policy);
    root->reports.seconds_to_verdict = -1;
    if (options->trace != NULL)
        status = ork_trace_create(options->trace, &root->input.trace);
    if (status != ORK_OK) {
        ork_error("cannot write the trace %s: %s", options->trace,
                  status == ORK_IO ? strerror(errno) : ork_status_text(status));
        free(root);
        return ORK_IO;
    }
    *out = root;
    return ORK_OK;
}

void ork_root_destroy(struct ork_root *root)
{
    if (root == NULL)
        return;
    while (root->input.early != NULL) {
        struct early *next = root->input.early->next;
        free(root->input.early);
        root->input.early = next;
    }
    if (ork_trace_close(root->input.trace) != ORK_OK)
        ork_error("the trace %s is incomplete: it could not be written", root->options.trace);
    ork_root_forget_hang(root);
    ork_root_forget_mismatch(root);
    free(root->reports.is_early);
    free(root->reports.end);
    ork_root_forget_stacks(root);
    ork_root_forget_held(root);
    ork_root_forget_question(root);
    ork_root_forget_hold(root);
    ork_fold_destroy(root->fold);
    ork_detector_destroy(root->detector);
    ork_call_sites_destroy(root->sites);
    ork_classifier_destroy(root->classifier);
    ork_busy_wait_destroy(root->busy_wait);
    ork_activity_destroy(root->activity);
    ork_recording_destroy(root->recording);
    ork_root_decisions_destroy(root->decisions);
    ork_root_alternatives_destroy(root->alternatives);
    ork_root_races_destroy(root->races);
    ork_root_conflicts_destroy(root->conflicts);
    ork_usages_destroy(root->usages);
    free(root->input.last_ns);
    free(root->reports.knot);
    free(root->reports.send);
    ork_snapshots_destroy(root->snapshots);
    ork_rank_numbering_release(&root->input.numbers);
    ork_ends_release(&root->abnormal.ends);
    free(root->input.lost);
    free(root);
}

enum ork_status ork_root_set_down(struct ork_root *root, const struct ork_down *down,
                                  uint32_t leaves)
{
    root->down = *down;
    root->input.leaves = leaves;
    return ork_snapshots_create(&root->down, leaves, &root->snapshots);
}

bool ork_root_is_over(const struct ork_root *root)
{
    return root->input.attached > 0 && root->input.ended == root->input.attached;
}

bool ork_root_has_ranks(const struct ork_root *root)
{
    return root->input.ended < root->input.attached;
}

void ork_root_add_waits(struct ork_root *root, uint64_t count)
{
    root->input.tool_waits += count;
}

uint64_t ork_root_quiet_ns(struct ork_root *root)
{
    return ork_root_now(root) - root->input.change_ns;
}

enum ork_status ork_root_lose(struct ork_root *root, const char *who, uint32_t leaves,
                              const uint32_t *rank, uint32_t num_ranks)
{
    char *ranks = ork_phrase_ranks(rank, num_ranks);
    const char *before = root->input.lost != NULL ? root->input.lost : "";
    const char *between = root->input.lost != NULL ? "; " : "";
    char *text =
        ranks == NULL ? NULL
        : num_ranks > 0
            ? ork_text("%s%s%s ended early: the later calls of %s were not observed", before,
                       between, who, ranks)
            : ork_text("%s%s%s ended early; it was not watching any rank", before, between, who);
    enum ork_status status = ORK_OK;

    free(ranks);
    if (text == NULL)
        return ORK_NOMEM;
    if ((status = ork_root_unfold(root)) != ORK_OK) {
        free(text);
        return status;
    }
    ork_error("%s", text + strlen(before) + strlen(between));
    free(root->input.lost);
    root->input.lost = text;
    ork_snapshots_lose(root->snapshots, leaves);
    root->policy.is_dirty = root->input.has_moved = true;
    for (uint32_t i = 0; i < num_ranks && status == ORK_OK && rank[i] < root->nprocs; i++)
        status = ork_detector_lose(root->detector, rank[i]);
    return status;
}

/* ---- incoming records ---- */

/* All that comes between two steps has the same time. */
static uint64_t taken_at(struct ork_root *root)
{
    if (root->input.taken_ns == 0)
        root->input.taken_ns = ork_root_now(root);
    return root->input.taken_ns;
}

static enum ork_status grow(struct ork_root *root, uint32_t nprocs)
{
    enum ork_status status = ork_root_fold_stop(root); /* it knows the ranks of one job */

    if (status != ORK_OK)
        return status;
    if (!ork_vec_extend(&root->input.last_ns, root->nprocs, nprocs, sizeof(*root->input.last_ns)))
        return ORK_NOMEM;
    if ((status = ork_call_sites_grow(root->sites, nprocs)) != ORK_OK ||
        (status = ork_classifier_grow(root->classifier, nprocs)) != ORK_OK ||
        (status = ork_busy_wait_grow(root->busy_wait, nprocs)) != ORK_OK ||
        (status = ork_activity_grow(root->activity, nprocs)) != ORK_OK ||
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
    enum ork_status status = add_numbered_jobs(root);
    return status == ORK_OK ? add_job(root, (uint32_t)first, record->arg2, (uint32_t)record->extra)
                            : status;
}

/* Feed records to the detector and to all else that follows them. */
static enum ork_status feed(void *context, uint32_t rank, const struct ork_record *record, size_t n)
{
    struct ork_root *root = context;

    root->policy.is_dirty = true;
    enum ork_status status = ork_call_sites_feed(root->sites, rank, record, n);
    if (status == ORK_OK)
        status = ork_recording_feed(root->recording, rank, record, n);
    if (status == ORK_OK && root->options.replay != NULL)
        status = ork_root_report_divergence(root, rank, record, n);
    if (status == ORK_OK)
        status = ork_root_decisions_feed(root, rank, record, n);
    if (status == ORK_OK)
        status = ork_root_alternatives_feed(root->alternatives, rank, record, n);
    if (status == ORK_OK)
        status = ork_root_races_feed(root->races, rank, record, n);
    if (status == ORK_OK)
        status = ork_root_conflicts_feed(root->conflicts, rank, record, n);
    if (status == ORK_OK)
        status = ork_usages_feed(root->usages, root->sites, rank, record, n, taken_at(root));
    if (status == ORK_OK && root->options.stop.choice != 0)
        status = ork_root_take_holds(root, rank, record, n);
    return status == ORK_OK ? ork_detector_feed(root->detector, rank, record, n) : status;
}

static enum ork_status take(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    enum ork_status status = take_job(root, rank, record, n);

    if (status != ORK_OK || rank >= root->nprocs)
        return status;
    root->input.last_ns[rank] = root->input.change_ns = taken_at(root);
    ork_activity_records(root->activity, rank, record, n);
    return root->fold != NULL ? ork_fold_take(root->fold, rank, record, n)
                              : feed(root, rank, record, n);
}

static enum ork_status take_end(struct ork_root *root, uint32_t rank, enum ork_end end,
                                enum ork_causal_end how)
{
    ork_root_decisions_end(root, rank);
    ork_root_alternatives_end(root->alternatives, rank, how);
    ork_root_races_end(root->races, rank);
    enum ork_status status = ork_root_conflicts_end(root->conflicts, rank);
    return status == ORK_OK && rank < root->nprocs ? ork_detector_end(root->detector, rank, end)
                                                   : status;
}

static enum ork_status start(struct ork_root *root, uint32_t nprocs)
{
    enum ork_status status;

    root->nprocs = nprocs;
    root->input.last_ns = calloc(nprocs, sizeof(*root->input.last_ns));
    if (root->input.last_ns == NULL)
        return ORK_NOMEM;
    if ((status = ork_detector_create(nprocs, &root->detector)) != ORK_OK ||
        (status = ork_call_sites_create(nprocs, &root->sites)) != ORK_OK ||
        (status = ork_classifier_create(nprocs, &root->classifier)) != ORK_OK ||
        (status = ork_busy_wait_create(nprocs, &root->busy_wait)) != ORK_OK ||
        (status = ork_activity_create(nprocs, &root->activity)) != ORK_OK ||
        (status = ork_usages_create(&root->usages)) != ORK_OK ||
        (status = ork_recording_create(nprocs, root->options.record, root->options.program,
                                       &root->recording)) != ORK_OK ||
        (root->options.is_deterministic &&
         (status = ork_root_decisions_create(nprocs, &root->decisions)) != ORK_OK) ||
        (root->options.alternatives != NULL &&
         (status = ork_root_alternatives_create(nprocs, root->options.alternatives,
                                                &root->alternatives)) != ORK_OK) ||
        (root->options.races && (status = ork_root_races_create(nprocs, &root->races)) != ORK_OK) ||
        (root->options.rma != ORK_RMA_OFF &&
         (status = ork_root_conflicts_create(nprocs, &root->options, &root->conflicts)) != ORK_OK))
        return status;
    if ((status = ork_root_fold_create(root, feed)) != ORK_OK)
        return status;
    ork_detector_set_model(root->detector, &root->options.model);
    if (root->options.deadlocks && root->options.probing != ORK_PROBING_OFF)
        ork_detector_set_history(root->detector, HISTORY_LIMIT);
    for (struct early *e = root->input.early; e != NULL && status == ORK_OK; e = e->next)
        status = e->is_end ? take_end(root, e->rank, e->end, ORK_CAUSAL_OUTSIDE)
                           : take(root, e->rank, e->record, e->n);
    return status;
}

static struct early *add_early(struct ork_root *root, uint32_t rank, size_t n)
{
    struct early *e = calloc(1, sizeof(*e) + n * sizeof(e->record[0]));

    if (e == NULL)
        return NULL;
    e->rank = rank;
    e->n = n;
    *root->input.early_end = e;
    root->input.early_end = &e->next;
    return e;
}

/* RATIONALE: untrusted like every record, but it sets the size of all that follows. */
static bool is_init(uint32_t rank, const struct ork_record *record)
{
    return record->kind == ORK_KIND_INIT && record->arg2 > rank && record->arg2 < ORK_RANKS_MAX &&
           record->peer == (int32_t)rank;
}

/* The size of the first job, by the first record of a rank; 0: unknown. */
static uint32_t size_of_job(const struct ork_root *root)
{
    for (const struct early *e = root->input.early; e != NULL; e = e->next) {
        const struct ork_record *r = e->record;
        if (e->n > 0 && r->kind == ORK_KIND_JOB && r->peer == (int32_t)e->rank &&
            r->arg2 > e->rank && r->arg2 < ORK_RANKS_MAX)
            return r->arg2;
    }
    return 0;
}

/* RATIONALE: a rank that finds a wrong call before MPI_Init may not live to return from it. */
static enum ork_status keep_early(struct ork_root *root, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    struct early *e = add_early(root, rank, n);

    if (e == NULL)
        return ORK_NOMEM;
    memcpy(e->record, record, n * sizeof(*record));
    for (size_t i = 0; i < n; i++) {
        uint32_t size = record[i].kind == ORK_KIND_USAGE ? size_of_job(root)
                        : is_init(rank, &record[i])      ? record[i].arg2
                                                         : 0;
        if (size > 0)
            return start(root, size);
    }
    return ORK_OK;
}

static enum ork_status keep_early_end(struct ork_root *root, uint32_t rank, enum ork_end end)
{
    struct early *e = add_early(root, rank, 0);

    if (e == NULL)
        return ORK_NOMEM;
    e->is_end = true;
    e->end = end;
    return ORK_OK;
}

static enum ork_status on_job(struct ork_root *root, const struct ork_job_name *job)
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

static enum ork_status on_snapshot(struct ork_root *root, uint32_t rank,
                                   const struct ork_snapshot *snapshot)
{
    return rank < ORK_RANKS_MAX ? ork_snapshots_take(root->snapshots, rank, snapshot) : ORK_OK;
}

static enum ork_status on_stack(struct ork_root *root, const struct ork_rank_row *row,
                                const char *reason)
{
    enum ork_status status = ork_root_answer_take_stack(root, row);

    return status == ORK_OK ? ork_root_take_stack(root, row, reason) : status;
}

static enum ork_status on_records(struct ork_root *root, uint32_t rank,
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
    return root->detector == NULL ? keep_early(root, rank, record, n) : take(root, rank, record, n);
}

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
                status = on_records(root, a->span[k].first + r, &a->call, 1);
        }
    }
    return status;
}

static enum ork_status on_wave(struct ork_root *root, const struct ork_wave *wave)
{
    if (root->input.trace != NULL || root->detector == NULL || root->decisions != NULL ||
        root->alternatives != NULL || root->races != NULL ||
        ork_root_conflicts_follow(root->conflicts) ||
        (root->fold != NULL && ork_fold_is_on(root->fold)) ||
        known_ranks(root, wave) != root->nprocs)
        return take_singly(root, wave);
    enum ork_status status =
        ork_detector_feed_bulk(root->detector, wave->group_record, wave->num_group_records);
    if (status == ORK_INVALID)
        return take_singly(root, wave);
    root->input.has_moved = root->policy.is_dirty = true;
    root->input.wave_ns = root->input.change_ns = taken_at(root);
    ork_snapshots_record_of_all(root->snapshots);
    ork_activity_call_of_all(root->activity);
    if (root->fold != NULL)
        ork_fold_note_wave(root->fold, wave->group_record, wave->num_group_records);
    return status;
}

/* RATIONALE: when a job is ended, or a rank of it has died, some rank may leave MPI_Finalize
 * because the rank that it waited for has gone. */
static bool is_let_go(const struct ork_root *root, uint32_t rank)
{
    return (ork_policy_is_ending(&root->policy) || root->abnormal.stage != ABNORMAL_NONE) &&
           root->detector != NULL && rank < root->nprocs &&
           ork_detector_rank(root->detector, rank).status == ORK_RANK_BLOCKED;
}

/* RATIONALE: a rank that died does not make others deadlocked. It counts as what it was when it
 * ended: in the call in which it died, or outside MPI and able to act. */
static enum ork_end end_of(const struct ork_root *root, uint32_t rank,
                           const struct ork_ending *ending)
{
    if (ending->how == ORK_DEATH_FINISHED && !is_let_go(root, rank))
        return ORK_END_FINISHED;
    return ending->kind == ORK_NOTE_ERROR ? ORK_END_FAILED : ORK_END_KILLED;
}

/* Did the rank end by itself? A signal of another process is no such end. */
static enum ork_causal_end how_it_ended(const struct ork_root *root,
                                        const struct ork_ending *ending)
{
    bool is_own = ending->kind == ORK_NOTE_EXIT || ending->kind == ORK_NOTE_ERROR ||
                  ending->kind == ORK_NOTE_ABORT ||
                  (ending->kind == ORK_NOTE_SIGNAL && ending->sender == 0);

    if (is_own && !ork_policy_is_ending(&root->policy))
        return ORK_CAUSAL_OWN;
    return ending->how == ORK_DEATH_INSIDE ? ORK_CAUSAL_INSIDE : ORK_CAUSAL_OUTSIDE;
}

/* Under MPI_ERRORS_RETURN its latest call may have failed, unless something shows that it did not.
 * RATIONALE: the rank had left the call before it ended, and no record reports a failure. */
static enum ork_status confirm_last(struct ork_root *root, uint32_t rank,
                                    const struct ork_ending *ending)
{
    bool is_known = root->detector != NULL && rank < root->nprocs &&
                    ending->how == ORK_DEATH_OUTSIDE && ending->kind != ORK_NOTE_ERROR &&
                    ending->last.kind != ORK_KIND_CONT;

    if (!is_known || !ork_detector_rank(root->detector, rank).unsure)
        return ORK_OK;
    return ork_detector_returned(root->detector, rank, ending->last.thread);
}

static enum ork_status on_end(struct ork_root *root, uint32_t rank, const struct ork_ending *ending)
{
    enum ork_status status = ork_root_fold_stop(root);

    if (status != ORK_OK)
        return status;
    enum ork_end end = end_of(root, rank, ending);
    status = ork_root_take_ending(root, rank, ending);
    root->input.ended++;
    root->input.has_moved = true;
    root->input.full_waits += ending->full_waits;
    root->policy.is_dirty = true;
    root->input.change_ns = taken_at(root);
    if (root->usages != NULL && ork_ending_is_abnormal(ending) &&
        !ork_policy_is_ending(&root->policy))
        ork_usages_die(root->usages, rank);
    if (status == ORK_OK)
        status = confirm_last(root, rank, ending);
    if (status != ORK_OK)
        return status;
    if (root->input.trace != NULL && ork_trace_end(root->input.trace, rank, (uint8_t)end) != ORK_OK)
        root->input.trace_failed = true;
    return root->detector == NULL ? keep_early_end(root, rank, end)
                                  : take_end(root, rank, end, how_it_ended(root, ending));
}

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct ork_root *root = context;

    switch (e->kind) {
    case ORK_EVENT_JOB:
        return on_job(root, e->job);
    case ORK_EVENT_ATTACH:
        root->input.attached++;
        root->input.has_moved = true;
        return ORK_OK;
    case ORK_EVENT_RECORDS:
        return on_records(root, e->rank, e->records.record, e->records.count);
    case ORK_EVENT_WAVE:
        return on_wave(root, e->wave);
    case ORK_EVENT_END:
        return on_end(root, e->rank, e->ending);
    case ORK_EVENT_UNASSIGNED:
        root->input.unassigned++;
        return ORK_OK;
    case ORK_EVENT_SNAPSHOT:
        return on_snapshot(root, e->rank, e->snapshot);
    case ORK_EVENT_COLLECTED:
        ork_snapshots_collected(root->snapshots, e->round);
        return ORK_OK;
    case ORK_EVENT_STACK:
        return on_stack(root, e->stack.row, e->stack.reason);
    case ORK_EVENT_LATEST:
        return ork_root_take_latest(root, e->latest);
    case ORK_EVENT_LOST: /* the tool process knows names and ranks: see ork_root_lose() */
    case ORK_EVENT_WAITS:
        break;
    }
    return ORK_INVALID;
}

static size_t credit(void *context)
{
    (void)context; /* queued records are stored here, so no sender is held back */
    return SIZE_MAX;
}

struct ork_up ork_root_up(struct ork_root *root)
{
    return (struct ork_up){.context = root, .deliver = deliver, .credit = credit};
}

bool ork_root_has_order(const struct ork_root *root)
{
    return root->recording != NULL && ork_recording_has_file(root->recording);
}
