/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at and --must:on deadlock=stop: which processes the ranks are. --must:stop-at: when a
 * rank of a replay comes to a choice, all ranks are held until the user lets
 * them go on. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "common/vec.h"
#include "overlay/findings/phrase.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: a rank that computes is held much later. */
#define REST_NS (1000 * MS)
/* Two looks at what ranks do that are not held. */
#define LOOKS_NS (3 * ORK_ACTIVITY_NS)

static struct root_process *process_of(struct ork_root *root, uint32_t rank)
{
    struct root_pause *h = &root->pause;

    if (!ork_vec_reserve(&h->process, &h->num_processes, rank + 1, sizeof(*h->process)))
        return NULL;
    return &h->process[rank];
}

enum ork_status ork_root_note_process(struct ork_root *root, uint32_t rank, uint32_t pid,
                                      const char *host)
{
    if ((root->options.stop.choice == 0 && !root->options.stops_at_deadlock) ||
        rank >= ORK_RANKS_MAX)
        return ORK_OK;
    struct root_process *p = process_of(root, rank);
    if (p == NULL)
        return ORK_NOMEM;
    p->pid = pid;
    free(p->host);
    p->host = strdup(host);
    return p->host != NULL ? ORK_OK : ORK_NOMEM;
}

void ork_root_forget_pause(struct ork_root *root)
{
    for (uint32_t r = 0; r < root->pause.num_processes; r++)
        free(root->pause.process[r].host);
    free(root->pause.process);
    root->pause.process = NULL;
    root->pause.num_processes = 0;
}

/* ---- stopping, and going on ---- */

static enum ork_status order(struct ork_root *root, enum ork_hold hold)
{
    ORK_ASSERT(root->pause.stage == PAUSE_NONE ||
               (root->pause.stage == PAUSE_ON && hold != ORK_HOLD_ON));
    root->pause.stage = hold == ORK_HOLD_ON ? PAUSE_ON : PAUSE_OVER;
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_HOLD, .hold = hold});
}

static enum ork_status stop(struct ork_root *root, const struct ork_record *record)
{
    struct root_pause *h = &root->pause;

    if (h->stage != PAUSE_NONE)
        return ORK_OK;
    if (ork_policy_is_ending(&root->policy)) /* the rank waits for an answer */
        return order(root, ORK_HOLD_OVER);
    h->call = record->call;
    h->site = record->site;
    h->since_ns = ork_root_now(root);
    return order(root, ORK_HOLD_ON);
}

/* Hold all ranks if these records say that one has come to the choice. */
static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    enum ork_status status = ORK_OK;

    for (size_t i = 0; i < n && status == ORK_OK; i++) {
        if (record[i].kind != ORK_KIND_HELD || record[i].count != 0)
            continue;
        struct root_process *p = process_of(root, rank);
        if (p == NULL)
            return ORK_NOMEM;
        if (!p->is_held) { /* else another thread */
            p->is_held = true;
            p->call = record[i].call;
            p->site = record[i].site;
        }
        if (record[i].extra != 0 && rank == root->options.stop.rank)
            status = stop(root, &record[i]);
    }
    return status;
}

/* RATIONALE: the time that the ranks were held counts for nothing: whatever lasts begins again. */
enum ork_status ork_root_let_go_on(struct ork_root *root)
{
    uint64_t at = ork_root_now(root);

    if (!ork_root_is_paused(root))
        return ORK_OK;
    ork_root_postpone_delayed(root, ork_elapsed_ns(at, root->pause.since_ns));
    ork_classifier_restart(root->classifier);
    ork_busy_wait_forget(root->busy_wait, root->detector);
    root->input.wave_ns = root->input.change_ns = at;
    root->look.watched_ns = at;
    root->input.has_moved = root->policy.is_dirty = true;
    return order(root, ORK_HOLD_OVER);
}

/* ---- where the ranks are ---- */

static bool has_ended(const struct ork_root *root, uint32_t rank)
{
    return ork_activity_of(root->activity, rank)->has_left ||
           ork_detector_rank(root->detector, rank).status == ORK_RANK_DONE;
}

static bool is_inside(const struct ork_root *root, uint32_t rank)
{
    return ork_activity_of(root->activity, rank)->doing == ORK_DOING_INSIDE;
}

/* Each rank is held, inside a call, or has ended. */
static bool is_at_rest(struct ork_root *root, uint64_t at)
{
    const struct root_pause *h = &root->pause;

    ork_activity_observe(root->activity, root->snapshots, at);
    if (ork_elapsed_ns(ork_activity_observed_ns(root->activity), h->since_ns) < LOOKS_NS)
        return false;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        bool is_held = r < h->num_processes && h->process[r].is_held;
        if (!is_held && !is_inside(root, r) && !has_ended(root, r))
            return false;
    }
    return true;
}

/* ork_text() of "words MPI_Send at a.c:31". */
static char *with_call(struct ork_root *root, const char *words, uint32_t rank, unsigned call,
                       uint32_t site)
{
    char *where = ork_phrase_call_at(root->sites, rank, call, site);
    char *text = where != NULL ? ork_text("%s%s", words, where) : NULL;

    free(where);
    return text;
}

static char *doing(struct ork_root *root, uint32_t rank, const struct root_process *p)
{
    struct ork_run_view run = ork_detector_run(root->detector, rank);

    if (has_ended(root, rank))
        return strdup("has ended");
    if (p->is_held && rank == root->options.stop.rank)
        return with_call(root, "held in ", rank, root->pause.call, root->pause.site);
    if (p->is_held)
        return with_call(root, "held before ", rank, p->call, p->site);
    if (!is_inside(root, rank))
        return strdup("outside MPI, and held before its next call");
    if (run.newest.kind == ORK_KIND_CONT)
        return strdup("inside an MPI call");
    return with_call(root, "inside ", rank, run.newest.call, run.newest.site);
}

/* The same if nothing is held; "" if it is not known. RATIONALE: a deadlock was found by looks at
 * all ranks, of which the latest is enough here. */
static char *doing_now(struct ork_root *root, uint32_t rank)
{
    const struct ork_snapshot *s = ork_snapshots_last(root->snapshots, rank);
    struct ork_run_view run = ork_detector_run(root->detector, rank);

    if (has_ended(root, rank))
        return strdup("has ended");
    if (s == NULL)
        return strdup("");
    if (!ork_snapshot_has_thread(s, ORK_STATE_BLOCKED))
        return strdup("outside MPI");
    if (run.newest.kind == ORK_KIND_CONT)
        return strdup("inside an MPI call");
    return with_call(root, "inside ", rank, run.newest.call, run.newest.site);
}

static bool fill_rank(struct ork_root *root, uint32_t rank, struct ork_paused_rank *out)
{
    static const struct root_process none;
    const struct root_process *p =
        rank < root->pause.num_processes ? &root->pause.process[rank] : &none;
    char *text = p->host == NULL                   ? strdup("not observed")
                 : root->pause.stage == PAUSE_NONE ? doing_now(root, rank)
                                                   : doing(root, rank, p);

    if (text == NULL)
        return false;
    *out = (struct ork_paused_rank){.rank = rank, .pid = p->pid};
    snprintf(out->host, sizeof(out->host), "%s", p->host != NULL ? p->host : "");
    snprintf(out->doing, sizeof(out->doing), "%s", text);
    free(text);
    return true;
}

static bool fill_ranks(struct ork_root *root, struct ork_paused *held)
{
    bool done = true;

    held->ranks = calloc(root->nprocs + (size_t)1, sizeof(*held->ranks));
    if (held->ranks == NULL)
        return false;
    for (; held->num_ranks < root->nprocs && done; held->num_ranks++)
        done = fill_rank(root, held->num_ranks, &held->ranks[held->num_ranks]);
    return done;
}

static enum ork_status fill(struct ork_root *root, struct ork_paused *held)
{
    const struct ork_stop *stop = &root->options.stop;
    char *call = with_call(root, "", stop->rank, root->pause.call, root->pause.site);
    bool done = call != NULL;

    *held = (struct ork_paused){.rank = stop->rank, .thread = stop->thread, .choice = stop->choice};
    snprintf(held->call, sizeof(held->call), "%s", call != NULL ? call : "");
    free(call);
    return fill_ranks(root, held) && done ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_root_tell_processes(struct ork_root *root)
{
    struct ork_paused held = {.choice = 0};
    bool done = fill_ranks(root, &held);

    if (done && root->sink->held != NULL)
        root->sink->held(root->sink->context, &held);
    free(held.ranks);
    return done ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_root_report_pause(struct ork_root *root, uint64_t at)
{
    struct root_pause *h = &root->pause;
    struct ork_paused held;

    if (h->is_reported || (ork_elapsed_ns(at, h->since_ns) < REST_NS && !is_at_rest(root, at)))
        return ORK_OK;
    h->is_reported = true;
    enum ork_status status = fill(root, &held);
    if (status == ORK_OK && root->sink->held != NULL)
        root->sink->held(root->sink->context, &held);
    free(held.ranks);
    return status;
}

/* "choice 17 of rank 2", "choice 17 of thread 1 of rank 2" */
static char *choice_words(const struct ork_stop *stop)
{
    return stop->thread == 0
               ? ork_text("choice %" PRIu64 " of rank %" PRIu32, stop->choice, stop->rank)
               : ork_text("choice %" PRIu64 " of thread %" PRIu32 " of rank %" PRIu32, stop->choice,
                          stop->thread, stop->rank);
}

char *ork_root_pause_words(const struct ork_root *root, uint64_t at)
{
    char *choice = choice_words(&root->options.stop);
    char *text = NULL;

    if (!ork_root_is_paused(root))
        text = strdup("");
    else if (choice != NULL)
        text = ork_text(", held at %s for %.1f s", choice,
                        (double)ork_elapsed_ns(at, root->pause.since_ns) * 1e-9);
    free(choice);
    return text;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    if (root->pause.stage != PAUSE_NONE)
        return ORK_OK;
    char *choice = choice_words(&root->options.stop);
    char *note = choice != NULL ? ork_text("the run did not come to %s, so it did not stop there "
                                           "(--must:stop-at)",
                                           choice)
                                : NULL;

    free(choice);
    return ork_report_take_note(report, note);
}

const struct ork_follower ork_follow_pause = {.feed = feed, .summary = summary};
