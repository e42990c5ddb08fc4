/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/input.h"

#include "common/log.h"
#include "overlay/root/interleaving.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    root->time.begun_ns = ork_root_now(root);
    root->input.early_end = &root->input.early;
    ork_policy_init(&root->policy);
    root->reports.seconds_to_verdict = -1;
    root->reports.faulty = UINT32_MAX;
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
    ork_root_forget_early(root);
    if (ork_trace_close(root->input.trace) != ORK_OK)
        ork_error("the trace %s is incomplete: it could not be written", root->options.trace);
    ork_root_forget_hang(root);
    ork_root_forget_history(root);
    ork_root_forget_mismatch(root);
    ork_root_forget_stuck(root);
    free(root->reports.is_early);
    free(root->reports.end);
    ork_root_returned_destroy(root->reports.returned);
    ork_root_forget_stacks(root);
    ork_root_forget_delayed(root);
    ork_root_forget_question(root);
    ork_root_forget_pause(root);
    ork_fold_destroy(root->fold);
    ork_detector_destroy(root->detector);
    ork_followers_destroy(root);
    ork_call_sites_destroy(root->sites);
    ork_classifier_destroy(root->classifier);
    ork_busy_wait_destroy(root->busy_wait);
    ork_activity_destroy(root->activity);
    ork_call_rates_destroy(root->rates);
    ork_recording_destroy(root->recording);
    ork_usages_destroy(root->usages);
    free(root->look.begin);
    free(root->input.last_ns);
    free(root->input.order_conts);
    free(root->reports.knot);
    free(root->reports.stuck);
    free(root->reports.hang);
    free(root->reports.send);
    ork_snapshots_destroy(root->snapshots);
    ork_rank_numbering_release(&root->input.numbers);
    ork_ends_release(&root->abnormal.ends);
    ork_ends_release(&root->stopped.ends);
    free(root->input.lost);
    free(root->input.is_cut);
    free(root->input.starting.item);
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
    return ork_root_have_all_ended(root);
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

/* ---- events ---- */

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

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct ork_root *root = context;

    switch (e->kind) {
    case ORK_EVENT_JOB:
        return ork_root_on_job(root, e->job);
    case ORK_EVENT_ATTACH:
        root->input.attached++;
        root->input.has_moved = true;
        return ork_root_note_starting(root, e->rank);
    case ORK_EVENT_RECORDS:
        return e->records.again == 0
                   ? ork_root_on_records(root, e->rank, e->records.record, e->records.count)
                   : ork_root_on_repeated(root, e->rank, e->records.record, e->records.count,
                                          e->records.again + 1);
    case ORK_EVENT_WAVE:
        return ork_root_on_wave(root, e->wave);
    case ORK_EVENT_END:
        return ork_root_on_end(root, e->rank, e->ending);
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
    case ORK_EVENT_UNSEEN:
        return ork_root_on_unseen(root, e->unseen);
    case ORK_EVENT_CUT:
        return ork_root_cut(root, e->rank);
    case ORK_EVENT_GOODBYE:
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
