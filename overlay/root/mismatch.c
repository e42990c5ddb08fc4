/* SPDX-License-Identifier: BSD-3-Clause */
/* Mismatched collective calls. A mismatch is reported as soon as both calls were certainly made,
 * and the job is ended when it hangs because of it.
 * A call that was only entered may fail a check of its arguments and return an error. So a call
 * counts as made if its rank has passed it (the detector undoes a call that failed), or if the rank
 * stays inside it for longer than such a check takes. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "overlay/root/patience.h"
#include "overlay/findings/describe.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_NS (10 * MS)
/* Inside the call: processor time, or looks at which the rank sleeps there. Or it
 * has looked for messages: ORK_PACE_LOOKS. */
#define CHECK_NS (5 * MS)
enum { CHECK_LOOKS = 10 };
/* Time for other ranks to enter one of the calls: the finding then names them, too. */
#define OTHERS_NS (300 * MS)
/* Time without any movement, with a rank still inside one of the calls; and with all past them. */
#define UNCHANGED_NS       (500 * MS)
#define UNCHANGED_LATER_NS (3000 * MS)
/* Processor time that each byte of the calls may take until it is transferred. */
enum { NS_PER_BYTE = 10 };

struct side {
    uint64_t head;
    struct ork_pace since;
    uint32_t sleeps;
};

struct root_mismatch {
    uint32_t issue; /* the one that is being watched */
    uint64_t looked_ns, since_ns;
    struct side side[2];
    struct ork_finding finding; /* the first one reported; no id: none yet */
    bool over;                  /* the job is being ended */
    struct ork_patience *patience;
    enum ork_part *part;
    uint32_t nprocs; /* size of these two */
};

void ork_root_forget_mismatch(struct ork_root *root)
{
    struct root_mismatch *m = root->mismatch;

    if (m == NULL)
        return;
    ork_finding_release(&m->finding);
    ork_patience_destroy(m->patience);
    free(m->part);
    free(m);
    root->mismatch = NULL;
}

/* ---- were both calls made? ---- */

static bool is_at(const struct ork_rank_view *v, const struct ork_record *call)
{
    return v->call.kind == call->kind && v->call.mode == call->mode && v->call.site == call->site &&
           v->call.comm == call->comm;
}

/* Has the rank been inside the call for longer than a check of arguments takes? */
static bool stays_inside(struct side *side, const struct ork_snapshot *now)
{
    const struct ork_pace pace = ork_pace_of(now);

    if (side->since.inside_ns == 0 || side->head != now->head ||
        pace.inside_ns < side->since.inside_ns) {
        *side = (struct side){.head = now->head, .since = pace};
        return false;
    }
    side->sleeps = now->is_halted ? 0 : side->sleeps + now->sleeps;
    return pace.inside_ns - side->since.inside_ns >= CHECK_NS || side->sleeps >= CHECK_LOOKS ||
           ork_pace_looks(&side->since, &pace) >= ORK_PACE_LOOKS;
}

static bool was_made(struct ork_root *root, const struct ork_issue_side *call, struct side *side)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, call->rank);
    const struct ork_snapshot *now = ork_snapshots_of(root->snapshots, 0, call->rank);

    if ((call->call.flags & ORK_F_NONBLOCKING) != 0 || v.status == ORK_RANK_DONE || v.moved ||
        !is_at(&v, &call->call))
        return true;
    if (now == NULL || !ork_snapshots_is_current(root->snapshots, now, call->rank))
        return false;
    return !ork_snapshot_has_thread(now, ORK_STATE_BLOCKED) || stays_inside(side, now);
}

/* Have all members of the communicator entered the call, or had time to? */
static bool is_whole(struct ork_root *root, const struct ork_issue *issue, uint64_t at)
{
    struct root_mismatch *m = root->mismatch;
    uint32_t size = ork_detector_comm(root->detector, issue->side[0].comm).size;
    uint32_t entered = 0;

    for (unsigned i = 0; i < issue->num_sides; i++)
        entered += issue->side[i].num_ranks;
    if (m->since_ns == 0)
        m->since_ns = at;
    return entered >= size || ork_elapsed_ns(at, m->since_ns) >= OTHERS_NS;
}

/* It is reported again, with call stacks, if the job hangs because of it. */
static enum ork_status copy(const struct ork_finding *finding, struct ork_finding *to)
{
    char *text = NULL, *error = NULL;
    enum ork_status status = ork_finding_to_json(finding, &text);

    if (status == ORK_OK)
        status = ork_finding_from_json(text, strlen(text), to, &error);
    ORK_ASSERT(status != ORK_INVALID);
    free(error);
    free(text);
    return status;
}

static enum ork_status report(struct ork_root *root, uint32_t i)
{
    struct root_mismatch *m = root->mismatch;
    const struct ork_issue *issue = ork_detector_issue(root->detector, i);
    struct ork_finding finding;

    if (ork_root_is_by_threads(root, i)) /* it stays to be reported if the job hangs */
        return ORK_OK;
    enum ork_status status = ork_root_mark_issue(root, i);
    if (status != ORK_OK || issue->quiet || ork_root_is_second_crossed(root, i) ||
        ork_root_is_doubtful_shift(root, issue))
        return status;
    status = ork_describe_issue(root->detector, root->sites, issue, &finding);
    if (status != ORK_OK)
        return status;
    if (m->finding.id == NULL)
        status = copy(&finding, &m->finding);
    struct shown_ranks shown = ork_root_shown_ranks(root, &issue, 1, &finding);
    if (status == ORK_OK)
        status =
            ork_root_report_with_calls(root, &finding, &(struct ork_u32s){shown.item, shown.count});
    ork_finding_release(&finding);
    return status;
}

/* Mismatches are reported in order: the first is the cause, later ones may follow from it. */
static enum ork_status look_at(struct ork_root *root, uint64_t at)
{
    struct root_mismatch *m = root->mismatch;
    const struct ork_issue *issue = ork_detector_issue(root->detector, m->issue);

    /* RATIONALE: all of their calls have returned */
    if (issue->kind == ORK_ISSUE_GRAPH || issue->kind == ORK_ISSUE_SHIFT) {
        enum ork_status status = report(root, m->issue);
        if (status != ORK_OK)
            return status;
    }
    if (issue->kind == ORK_ISSUE_MISMATCH && !issue->withdrawn) {
        bool first = was_made(root, &issue->side[0], &m->side[0]);
        bool second = was_made(root, &issue->side[1], &m->side[1]);
        if (!first || !second || !is_whole(root, issue, at))
            return ORK_OK;
        enum ork_status status = report(root, m->issue);
        if (status != ORK_OK)
            return status;
    }
    m->issue++;
    m->since_ns = 0;
    memset(m->side, 0, sizeof(m->side));
    return ORK_OK;
}

/* ---- does the job hang because of it? ---- */

static enum ork_status reserve(struct root_mismatch *m, uint32_t nprocs)
{
    if (m->patience != NULL && m->nprocs == nprocs)
        return ORK_OK;
    enum ork_part *part = realloc(m->part, nprocs * sizeof(*part));
    if (part == NULL)
        return ORK_NOMEM;
    m->part = part;
    m->nprocs = nprocs;
    return m->patience == NULL ? ork_patience_create(nprocs, &m->patience)
                               : ork_patience_grow(m->patience, nprocs);
}

/* Every remaining rank is inside a call, and has had time to return from it. */
static bool is_for_good(struct ork_root *root, uint64_t at)
{
    struct root_mismatch *m = root->mismatch;
    uint64_t ns = 0;

    if (root->input.attached < root->nprocs || !ork_root_is_all_inside(root))
        return false;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        bool is_there = ork_snapshots_of(root->snapshots, 0, r) != NULL;
        m->part[r] = is_there ? ORK_PART_STUCK : ORK_PART_NONE;
        ns += is_there ? ork_detector_volume(root->detector, r) * NS_PER_BYTE : 0;
    }
    return ork_patience_observe(m->patience, root->snapshots, m->part, ns, at);
}

static bool is_inside_one(struct ork_root *root, const struct ork_issue *issue)
{
    for (unsigned i = 0; i < issue->num_sides; i++) {
        for (uint32_t k = 0; k < issue->side[i].num_ranks; k++) {
            struct ork_rank_view v = ork_detector_rank(root->detector, issue->side[i].ranks[k]);
            if (v.status != ORK_RANK_DONE && !v.moved && is_at(&v, &issue->side[i].call))
                return true;
        }
    }
    return false;
}

/* Is any rank in a collective call on its communicator, or in a call for requests, which may be
 * such calls? Their messages may be mixed up with those of the wrong calls; other calls have
 * nothing to do with them, and may take their time. */
static bool is_inside_later(struct ork_root *root, const struct ork_issue *issue)
{
    for (uint32_t r = 0; r < root->nprocs; r++) {
        struct ork_run_view run = ork_detector_run(root->detector, r);
        uint32_t comm = ork_detector_comm_of(root->detector, r, run.newest.comm);
        if (run.ended)
            continue;
        if (run.newest.kind == ORK_KIND_WAIT ||
            (run.newest.kind == ORK_KIND_COLL &&
             (comm == issue->side[0].comm || comm == ORK_COMM_UNKNOWN)))
            return true;
    }
    return false;
}

/* May the job hang because of it, with all ranks past its calls? */
static bool may_hang_later(struct ork_root *root, const struct ork_issue *issue)
{
    if (issue->kind == ORK_ISSUE_MISMATCH || issue->kind == ORK_ISSUE_COUNT_MISMATCH)
        return is_inside_later(root, issue);
    return issue->kind == ORK_ISSUE_GRAPH || issue->kind == ORK_ISSUE_RSEND ||
           issue->kind == ORK_ISSUE_LOCK_ORDER;
}

/* Time without movement after which the job hangs because of an error; UINT64_MAX: no error. */
static uint64_t still_ns(struct ork_root *root)
{
    uint64_t ns = UINT64_MAX;

    for (uint32_t i = 0; i < ork_detector_num_issues(root->detector); i++) {
        const struct ork_issue *issue = ork_detector_issue(root->detector, i);
        if (issue->withdrawn)
            continue;
        if (issue->kind == ORK_ISSUE_MISMATCH && is_inside_one(root, issue))
            return UNCHANGED_NS;
        if (ns == UINT64_MAX && may_hang_later(root, issue))
            ns = UNCHANGED_LATER_NS;
    }
    return ns;
}

static enum ork_status look_for_end(struct ork_root *root, uint64_t at)
{
    struct root_mismatch *m = root->mismatch;
    enum ork_status status = reserve(m, root->nprocs);

    if (status != ORK_OK || !is_for_good(root, at) ||
        ork_elapsed_ns(at, root->input.change_ns) < still_ns(root))
        return status;
    m->over = true;
    ork_policy_take(&root->policy, ROOT_FATAL_IS_REPORTED);
    if (m->finding.id != NULL)
        status = ork_root_add_stacks(root, &m->finding, true);
    return status == ORK_OK ? ork_root_report_issues(root, true) : status;
}

bool ork_root_is_mismatch_open(struct ork_root *root)
{
    return root->mismatch != NULL && !root->mismatch->over && still_ns(root) != UINT64_MAX;
}

enum ork_status ork_root_look_for_mismatch(struct ork_root *root, uint64_t at)
{
    struct root_mismatch *m = root->mismatch;

    if (ork_detector_num_issues(root->detector) == 0)
        return ORK_OK;
    if (m == NULL && (m = root->mismatch = calloc(1, sizeof(*m))) == NULL)
        return ORK_NOMEM;
    if (m->over || ork_elapsed_ns(at, m->looked_ns) < LOOK_NS ||
        !ork_snapshots_is_fresh(root->snapshots, 1, at))
        return ORK_OK;
    m->looked_ns = at;
    enum ork_status status = ORK_OK;
    while (m->issue < ork_detector_num_issues(root->detector) && status == ORK_OK) {
        uint32_t issue = m->issue;
        status = look_at(root, at);
        if (m->issue == issue)
            break;
    }
    if (status == ORK_OK)
        status = look_for_end(root, at);
    return status;
}
