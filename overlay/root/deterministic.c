/* SPDX-License-Identifier: BSD-3-Clause */
/* A deterministic run: what the arbiter decides goes down to the ranks. If it cannot decide, this
 * looks whether any rank can still move: docs/explanation/deterministic.md. */
#include "overlay/root/root_internal.h"

#include "order/arbiter/arbiter.h"
#include "common/assert.h"
#include "common/text.h"

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
/* The root only looks when it has heard of no rank for so long. RATIONALE: a look reads files of
 * the kernel for each rank, which takes longer than a decision. But from time to time it looks
 * anyway, since the processor time of a rank may matter. */
#define QUIET_NS  UINT64_C(100000)
#define ANYWAY_NS UINT64_C(100000000)
/* A rank that has not attached by then runs unobserved. RATIONALE: on a machine with a high load, a
 * process may need many seconds for that, and without it the run would not be deterministic. */
#define ATTACH_NS UINT64_C(30000000000)

/* A lock that would be granted if another rank could not ask for an earlier one, and nothing
 * changes of that for so long, although this rank uses so much processor time. RATIONALE: it may
 * poll the memory of a window, without a call, until the lock has been granted. Then the run would
 * hang, which it does not without the tool; so all run freely, and the report says so. A rank that
 * is stopped in a debugger uses no time. */
#define HELD_UP_NS      UINT64_C(30000000000)
#define HELD_UP_CPU_NS  UINT64_C(100000000)
#define HELD_UP_LOOK_NS UINT64_C(1000000000)

/* A rank that waits for such a lock. */
struct held_up {
    bool is;
    uint32_t by;
    uint64_t bound, since_ns, cpu_ns;
};

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
    struct held_up *held_up;
    uint64_t held_up_ns; /* of the latest look at these */
    struct still *still;
    bool is_still; /* `still` is of all ranks */
    bool is_watched;
    bool has_moved;     /* something was heard or sent since the latest look for a decision */
    bool is_quiet;      /* nothing was for QUIET_NS */
    uint64_t moved_ns;  /* when `has_moved` was last seen */
    uint64_t looked_ns; /* when the root last looked at the ranks */
    /* Why there are no further decisions. RATIONALE: all ranks run freely then, because a decision
     * for one depends on what is known of all others. */
    enum { FREE_NOT, FREE_THREADS, FREE_UNHOOKED, FREE_UNSEEN, FREE_STOPPED, FREE_HELD_UP } free;
    uint32_t free_rank; /* THREADS, UNHOOKED: the one that did so; HELD_UP: the one that waited */
    bool has_gone_on;   /* STOPPED: ranks made further calls */
};

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    struct root_decisions *d = calloc(1, sizeof(*d));

    ORK_ASSERT(root->decisions == NULL && nprocs > 0);
    if (d == NULL)
        return ORK_NOMEM;
    root->decisions = d;
    d->nprocs = nprocs;
    d->still = calloc(nprocs, sizeof(*d->still));
    d->held_up = calloc(nprocs, sizeof(*d->held_up));
    return d->still == NULL || d->held_up == NULL ? ORK_NOMEM
                                                  : ork_arbiter_create(nprocs, &d->arbiter);
}

static void destroy(struct ork_root *root)
{
    struct root_decisions *d = root->decisions;

    if (d == NULL)
        return;
    ork_arbiter_destroy(d->arbiter);
    free(d->still);
    free(d->held_up);
    free(d);
}

static enum ork_status send(struct ork_root *root, uint32_t rank,
                            const struct ork_decision *decision)
{
    ORK_ASSERT(rank < root->decisions->nprocs);
    root->decisions->is_still = false;
    root->decisions->has_moved = true;
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_DECISION,
                                                          .decision = {rank, *decision}});
}

static enum ork_status free_all(struct ork_root *root)
{
    const struct ork_decision none = {.decided = ORK_DECIDED_FREE};
    enum ork_status status = ORK_OK;

    ORK_ASSERT(root->decisions->free != FREE_NOT);
    for (uint32_t r = 0; r < root->decisions->nprocs && status == ORK_OK; r++)
        status = send(root, r, &none);
    return status;
}

/* Has the rank said that it runs freely, or may it have sent and received anything? */
static enum ork_status note_free(struct ork_root *root, uint32_t rank,
                                 const struct ork_record *record, size_t n)
{
    struct root_decisions *d = root->decisions;

    ORK_ASSERT(rank < d->nprocs && d->free == FREE_NOT);
    for (size_t i = 0; i < n && d->free == FREE_NOT; i++) {
        d->free_rank = rank;
        if (record[i].kind == ORK_KIND_ASK && record[i].mode == ORK_ASK_MAX)
            d->free = FREE_THREADS;
        else if (record[i].kind == ORK_KIND_UNHOOKED)
            d->free = FREE_UNHOOKED;
    }
    return d->free != FREE_NOT ? free_all(root) : ORK_OK;
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_decisions *d = root->decisions;

    d->has_moved = true;
    for (size_t i = 0; i < n; i++)
        d->has_gone_on |= d->free != FREE_NOT && ork_record_is_call(&record[i]);
    if (d->free != FREE_NOT)
        return ORK_OK;
    enum ork_status status = note_free(root, rank, record, n);
    return status == ORK_OK ? ork_arbiter_feed(d->arbiter, rank, record, n) : status;
}

static enum ork_status end(struct ork_root *root, uint32_t rank, enum ork_causal_end how)
{
    (void)how;
    ork_arbiter_end(root->decisions->arbiter, rank);
    return ORK_OK;
}

/* ---- does the run stand still? ---- */

/* RATIONALE: while some rank runs, only an event of a rank matters, which rings the bell. */
uint64_t ork_root_awaited_ns(const struct ork_root *root)
{
    const struct root_decisions *d = root->decisions;

    if (d == NULL || !d->is_watched || d->free != FREE_NOT ||
        root->policy.state == ROOT_INTERRUPTED)
        return 0;
    if (!d->is_quiet)
        return QUIET_NS;
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
    ORK_ASSERT(s->threads <= ORK_RING_THREADS);
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

/* A rank that was lost, or does not attach, may do anything, and nothing will be known of it. */
static bool is_unseen(const struct ork_root *root, uint64_t at)
{
    return root->input.lost != NULL || (root->input.attached < root->nprocs &&
                                        ork_elapsed_ns(at, root->input.change_ns) > ATTACH_NS);
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

    if (root->input.attached < root->nprocs || !ork_snapshots_is_fresh(root->snapshots, 1, at))
        return false;
    bool all = have_all_tried(root, &moved);
    ork_snapshots_expire(root->snapshots);
    d->is_still = !moved;
    return all;
}

/* ---- decisions ---- */

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

/* ---- locks that are held up ---- */

static bool is_held_up_for_long(const struct ork_root *root, uint32_t rank, uint64_t at)
{
    struct held_up *h = &root->decisions->held_up[rank];
    uint32_t by = 0;
    uint64_t bound = 0;
    bool is = ork_arbiter_is_held_up(root->decisions->arbiter, rank, &by, &bound);
    ORK_ASSERT(!is || (by != rank && by < root->decisions->nprocs));
    const struct ork_snapshot *s = is ? ork_snapshots_last(root->snapshots, by) : NULL;
    uint64_t cpu_ns = s != NULL ? s->cpu_ns : 0;

    if (is && h->is && h->by == by && h->bound == bound)
        return ork_elapsed_ns(at, h->since_ns) > HELD_UP_NS && cpu_ns >= h->cpu_ns + HELD_UP_CPU_NS;
    *h = (struct held_up){.is = is, .by = by, .bound = bound, .since_ns = at, .cpu_ns = cpu_ns};
    return false;
}

static enum ork_status look_for_held_up(struct ork_root *root, uint64_t at)
{
    struct root_decisions *d = root->decisions;

    if (ork_elapsed_ns(at, d->held_up_ns) < HELD_UP_LOOK_NS)
        return ORK_OK;
    d->held_up_ns = at;
    for (uint32_t r = 0; r < d->nprocs; r++) {
        if (!is_held_up_for_long(root, r, at))
            continue;
        d->free = FREE_HELD_UP;
        d->free_rank = r;
        return free_all(root);
    }
    return ORK_OK;
}

/* No rank can move. RATIONALE: if there is nothing to decide, either, it is the program's own
 * deadlock, and free ranks wait in it as in any run; or a program that this mode cannot follow goes
 * on. */
static enum ork_status break_quiescence(struct ork_root *root)
{
    struct root_decisions *d = root->decisions;
    struct ork_decision decision;
    uint32_t rank;
    enum ork_status status = ork_arbiter_break(d->arbiter, &rank, &decision);

    if (status == ORK_OK)
        return send(root, rank, &decision);
    if (status != ORK_NOTFOUND)
        return status;
    d->free = FREE_STOPPED;
    return free_all(root);
}

/* Is it time to look at the ranks? */
static bool is_due(struct root_decisions *d, uint64_t at)
{
    if (d->has_moved)
        d->moved_ns = at;
    d->has_moved = false;
    d->is_quiet = ork_elapsed_ns(at, d->moved_ns) >= QUIET_NS;
    if (!d->is_quiet && ork_elapsed_ns(at, d->looked_ns) < ANYWAY_NS)
        return false;
    d->looked_ns = at;
    return true;
}

enum ork_status ork_root_decide(struct ork_root *root, uint64_t at)
{
    struct root_decisions *d = root->decisions;
    bool any;

    if (d == NULL || d->free != FREE_NOT)
        return ORK_OK;
    if (is_unseen(root, at)) {
        d->free = FREE_UNSEEN;
        return free_all(root);
    }
    enum ork_status status = take_decisions(root, &any);
    bool waiting = ork_arbiter_is_waiting(d->arbiter);
    if (status == ORK_OK)
        status = watch(root, waiting);
    if (status != ORK_OK || any || !waiting)
        return status;
    return is_due(d, at) && is_quiescent(root, at) ? break_quiescence(root)
                                                   : look_for_held_up(root, at);
}

/* ---- summary ---- */

/* Why the order of the run was not decided, or not until its end; NULL: it was. */
static char *free_words(const struct ork_root *root)
{
    const struct root_decisions *d = root->decisions;

    if (d->free == FREE_THREADS)
        return ork_text(
            "several threads of rank %u called MPI: from then on, the order of messages "
            "was not decided (--must:deterministic)",
            d->free_rank);
    if (d->free == FREE_UNHOOKED)
        return ork_text("rank %u called a function that this version does not look at: from then "
                        "on, the order of messages was not decided (--must:deterministic)",
                        d->free_rank);
    if (d->free == FREE_UNSEEN)
        return ork_text("some ranks were not observed: from then on, the order of messages was not "
                        "decided (--must:deterministic)");
    if (d->free == FREE_HELD_UP)
        return ork_text(
            "rank %u waited %u s for a window lock or an atomic, because rank %u could still ask "
            "for an earlier one (it may read the memory of a window in a loop): from then on, the "
            "order of locks, atomics and messages was not decided (--must:deterministic)",
            d->free_rank, (unsigned)(HELD_UP_NS / UINT64_C(1000000000)),
            d->held_up[d->free_rank].by);
    if (d->free == FREE_STOPPED && d->has_gone_on)
        return ork_text(
            "no rank could go on with a decided order of messages: from then on, it was "
            "not decided (--must:deterministic)");
    return NULL;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    char *note = free_words(root);
    enum ork_status status = note != NULL ? ork_report_add_note(report, note) : ORK_OK;

    free(note);
    return status;
}

const struct ork_follower ork_follow_decisions = {.is_of_first_job = true,
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .feed = feed,
                                                  .end = end,
                                                  .need = ork_need_all,
                                                  .summary = summary};
