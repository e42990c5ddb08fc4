/* SPDX-License-Identifier: BSD-3-Clause */
/* A deterministic run: what the arbiter decides goes down to the ranks. If it cannot decide, this
 * looks whether any rank can still move: docs/explanation/deterministic.md. */
#include "overlay/analysis/root_internal.h"

#include "arbiter/arbiter.h"
#include "common/text.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

/* A rank that waits has looked this often since the run stood still, and one inside a call of the
 * library has used this much processor time. RATIONALE: counts, not times: a rank that gets no
 * processor does not count as unable to move. */
enum { LOOKS = 4 };
#define INSIDE_NS UINT64_C(1000000)
/* How long until the next look. */
#define LOOK_NS UINT64_C(200000)
#define RUN_NS  UINT64_C(2000000)

/* A rank when the run stood still for the first time. */
struct still {
    uint64_t head;
    uint64_t word[ORK_RING_THREADS];
    uint32_t threads, wait;
    uint64_t looks, inside_ns;
};

struct root_decisions {
    struct ork_arbiter *arbiter;
    uint32_t nprocs;
    struct still *still;
    bool is_still; /* `still` is of all ranks */
    bool is_watched;
    bool has_stopped; /* the program itself cannot go on, after this change: */
    uint64_t change_ns;
    bool *is_free; /* ranks that do not follow decisions any more */
};

enum ork_status ork_root_decisions_create(uint32_t nprocs, struct root_decisions **out)
{
    struct root_decisions *d = calloc(1, sizeof(*d));

    if (d == NULL)
        return ORK_NOMEM;
    *out = d; /* whoever destroys the root destroys it */
    d->nprocs = nprocs;
    d->still = calloc(nprocs, sizeof(*d->still));
    d->is_free = calloc(nprocs, sizeof(*d->is_free));
    return d->still == NULL || d->is_free == NULL ? ORK_NOMEM
                                                  : ork_arbiter_create(nprocs, &d->arbiter);
}

void ork_root_decisions_destroy(struct root_decisions *d)
{
    if (d == NULL)
        return;
    ork_arbiter_destroy(d->arbiter);
    free(d->still);
    free(d->is_free);
    free(d);
}

/* The rank has said that it runs freely. */
static void note_free(struct root_decisions *d, uint32_t rank, const struct ork_record *record,
                      size_t n)
{
    for (size_t i = 0; i < n; i++)
        d->is_free[rank] |= record[i].kind == ORK_KIND_ASK && record[i].mode == ORK_ASK_MAX;
}

enum ork_status ork_root_decisions_feed(struct ork_root *root, uint32_t rank,
                                        const struct ork_record *record, size_t n)
{
    struct root_decisions *d = root->decisions;

    if (d == NULL || rank >= d->nprocs)
        return ORK_OK;
    note_free(d, rank, record, n);
    return ork_arbiter_feed(d->arbiter, rank, record, n);
}

void ork_root_decisions_end(struct ork_root *root, uint32_t rank)
{
    if (root->decisions != NULL && rank < root->decisions->nprocs)
        ork_arbiter_end(root->decisions->arbiter, rank);
}

/* ---- does the run stand still? ---- */

/* Has nothing come since there was nothing to decide? */
static bool has_stopped(const struct ork_root *root)
{
    const struct root_decisions *d = root->decisions;

    return d->has_stopped && d->change_ns == root->input.change_ns;
}

/* RATIONALE: while some rank runs, only an event of a rank matters, which rings the bell. */
uint64_t ork_root_awaited_ns(const struct ork_root *root)
{
    const struct root_decisions *d = root->decisions;

    if (d == NULL || !d->is_watched || has_stopped(root) || root->policy.state == ROOT_INTERRUPTED)
        return 0;
    return d->is_still ? LOOK_NS : RUN_NS;
}

static bool is_gone(const struct ork_snapshot *s)
{
    for (uint32_t t = 0; t < s->threads; t++) {
        if ((s->word[t] & 0xff) != ORK_STATE_DONE)
            return false;
    }
    return s->threads > 0;
}

static bool is_waiting(const struct ork_snapshot *s)
{
    return s->wait % 2 == 1;
}

/* Is the rank inside a call, with all its records taken? A poll that waits counts. */
static bool may_be_still(const struct ork_root *root, const struct ork_snapshot *s, uint32_t rank)
{
    return ork_snapshots_is_current(root->snapshots, s, rank) &&
           (is_gone(s) || (is_waiting(s) && s->has_decisions) ||
            (!is_waiting(s) && ork_snapshot_has_thread(s, ORK_STATE_BLOCKED) &&
             !ork_snapshot_has_thread(s, ORK_STATE_RUNNING)));
}

static bool is_same(const struct still *still, const struct ork_snapshot *s)
{
    return still->head == s->head && still->threads == s->threads && still->wait == s->wait &&
           memcmp(still->word, s->word, s->threads * sizeof(s->word[0])) == 0;
}

static void set_still(struct still *still, const struct ork_snapshot *s)
{
    *still = (struct still){.head = s->head,
                            .threads = s->threads,
                            .wait = s->wait,
                            .looks = s->waiting_looks,
                            .inside_ns = s->inside_ns};
    memcpy(still->word, s->word, s->threads * sizeof(s->word[0]));
}

static bool has_tried(const struct still *still, const struct ork_snapshot *s)
{
    if (is_gone(s))
        return true;
    if (is_waiting(s))
        return s->waiting_looks - still->looks >= LOOKS;
    return s->sleeps || s->inside_ns - still->inside_ns >= INSIDE_NS;
}

/* A rank that was lost, or has not attached, may do anything. */
static bool is_unseen(const struct ork_root *root)
{
    return root->input.attached < root->nprocs || root->input.lost != NULL;
}

/* Compare all ranks with what they were. *moved: the run does not stand still. */
static bool have_all_tried(struct ork_root *root, bool *moved)
{
    struct root_decisions *d = root->decisions;
    bool all = true;

    *moved = false;
    for (uint32_t r = 0; r < d->nprocs; r++) {
        const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, r);
        if (s == NULL && ork_detector_rank(root->detector, r).status == ORK_RANK_DONE)
            continue;
        *moved |=
            s == NULL || !may_be_still(root, s, r) || (d->is_still && !is_same(&d->still[r], s));
        if (*moved)
            return false;
        if (d->is_still)
            all = all && has_tried(&d->still[r], s);
        else
            set_still(&d->still[r], s);
    }
    return d->is_still && all;
}

/* Is the state quiescent? If not, ask again. */
static bool is_quiescent(struct ork_root *root, uint64_t at)
{
    struct root_decisions *d = root->decisions;
    bool moved;

    if (is_unseen(root) || !ork_snapshots_is_fresh(root->snapshots, 1, at))
        return false;
    bool all = have_all_tried(root, &moved);
    ork_snapshots_expire(root->snapshots);
    d->is_still = !moved;
    return all;
}

/* ---- decisions ---- */

static enum ork_status send(struct ork_root *root, uint32_t rank,
                            const struct ork_decision *decision)
{
    root->decisions->is_still = false;
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_DECISION,
                                                          .decision = {rank, *decision}});
}

/* *any: there were some. */
static enum ork_status take_decisions(struct ork_root *root, bool *any)
{
    struct ork_decision decision;
    uint32_t rank;
    enum ork_status status = ORK_OK;

    *any = false;
    while (status == ORK_OK &&
           (status = ork_arbiter_decide(root->decisions->arbiter, &rank, &decision)) == ORK_OK) {
        *any = true;
        status = send(root, rank, &decision);
    }
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

static enum ork_status watch(struct ork_root *root, bool is_watched)
{
    if (root->decisions->is_watched == is_watched)
        return ORK_OK;
    root->decisions->is_watched = is_watched;
    return ork_down_send(&root->down,
                         &(struct ork_order){.kind = ORK_ORDER_WATCH, .is_watched = is_watched});
}

static enum ork_status break_quiescence(struct ork_root *root)
{
    struct ork_decision decision;
    uint32_t rank;
    enum ork_status status = ork_arbiter_break(root->decisions->arbiter, &rank, &decision);

    root->decisions->has_stopped = status == ORK_NOTFOUND;
    root->decisions->change_ns = root->input.change_ns;
    if (status == ORK_OK)
        status = send(root, rank, &decision);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

enum ork_status ork_root_decide(struct ork_root *root, uint64_t at)
{
    bool any;

    if (root->decisions == NULL)
        return ORK_OK;
    enum ork_status status = take_decisions(root, &any);
    bool waiting = ork_arbiter_is_waiting(root->decisions->arbiter);
    if (status == ORK_OK)
        status = watch(root, waiting);
    if (status != ORK_OK || any || !waiting || has_stopped(root) || !is_quiescent(root, at))
        return status;
    status = break_quiescence(root);
    return status == ORK_OK ? take_decisions(root, &any) : status;
}

enum ork_status ork_root_decisions_summary(const struct ork_root *root, struct ork_report *report)
{
    const struct root_decisions *d = root->decisions;
    uint32_t *rank = d != NULL ? malloc((d->nprocs + (size_t)1) * sizeof(*rank)) : NULL;
    uint32_t count = 0;

    if (d == NULL)
        return ORK_OK;
    for (uint32_t r = 0; rank != NULL && r < d->nprocs; r++) {
        if (d->is_free[r])
            rank[count++] = r;
    }
    char *ranks = rank != NULL && count > 0 ? ork_phrase_ranks(rank, count) : NULL;
    bool failed = rank == NULL || (count > 0 && ranks == NULL);
    free(rank);
    if (failed || count == 0)
        return failed ? ORK_NOMEM : ORK_OK;
    char *note = ork_text("the order of messages of %s was not decided by the tool "
                          "(--must:deterministic), because several threads called MPI",
                          ranks);
    free(ranks);
    enum ork_status status = note == NULL ? ORK_NOMEM : ork_report_add_note(report, note);
    free(note);
    return status;
}
