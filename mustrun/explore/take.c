/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of runs: into the store, the search, and the outcomes. */
#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"
#include "common/text.h"
#include "common/vec.h"
#include "mustrun/explore/exploring.h"
#include "mustrun/launcher/command.h"
#include "record/calls.h"
#include "viz/viz.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A decision is given up after so many runs without a result. */
enum { LOSSES = 3 };

static enum ork_status report(enum ork_status status)
{
    if (status != ORK_OK)
        ork_error("the exploration cannot go on: %s", ork_status_text(status));
    return status;
}

enum ork_status ork_exploring_check_store(const struct ork_exploring *x, enum ork_status status)
{
    if (status != ORK_OK)
        ork_error("the exploration cannot be written to %s: %s", x->folder,
                  ork_store_failure(x->store));
    return status;
}

/* ---- places ---- */

const char *ork_exploring_place(const struct ork_exploring *x, uint32_t place)
{
    for (uint32_t i = 0; i < x->num_places; i++) {
        if (x->place[i].place == place)
            return x->place[i].text;
    }
    return NULL;
}

enum ork_status ork_exploring_note_places(struct ork_exploring *x, const struct ork_job_result *r)
{
    for (uint32_t rank = 0; rank < r->trace.ranks; rank++) {
        for (uint32_t i = 0; i < r->trace.rank[rank].num; i++) {
            const struct ork_choice *c = &r->trace.rank[rank].choice[i];
            const char *text = ork_order_file_place(r->order, rank, c->site);
            if (text == NULL || ork_exploring_place(x, c->place) != NULL)
                continue;
            if (!ork_vec_reserve(&x->place, &x->place_room, x->num_places + 1, sizeof(*x->place)))
                return ORK_NOMEM;
            x->place[x->num_places].place = c->place;
            x->place[x->num_places].text = strdup(text);
            if (x->place[x->num_places++].text == NULL)
                return ORK_NOMEM;
        }
    }
    return ORK_OK;
}

/* ---- the search ---- */

static enum ork_status begin_search(struct ork_exploring *x, uint32_t ranks)
{
    const struct ork_explore_options *e = &x->options->explore;
    struct ork_search_bounds bounds = {.mixing = e->mixing,
                                       .loop = e->loop,
                                       .quota = e->quota,
                                       .samples = e->samples,
                                       .seed = e->seed};

    x->ranks = ranks;
    if (e->symmetric[0] != '\0') {
        x->symmetric = calloc(ranks + (size_t)1, sizeof(*x->symmetric));
        if (x->symmetric == NULL)
            return ORK_NOMEM;
        if (!ork_symmetric_read(e->symmetric, ranks, x->symmetric)) {
            ork_error(
                "--must:explore-bounds symmetric names a rank that is not in this job of %" PRIu32
                " ranks",
                ranks);
            x->code = ORK_EXIT_USAGE;
            return ORK_INVALID;
        }
        bounds.symmetric = x->symmetric;
    }
    return ork_search_create(ranks, &bounds, &x->search);
}

/* Calls that poll. */
static void note_polls(struct ork_exploring *x, const struct ork_trace_rank *r)
{
    x->has_polls |= r->last_polls > 0;
    for (uint32_t i = 0; i < r->num; i++) {
        unsigned call = r->choice[i].call;
        x->has_polls |= r->choice[i].kind == ORK_CHOICE_TEST || call == ORK_CALL_MPI_Iprobe ||
                        call == ORK_CALL_MPI_Improbe;
    }
}

static bool has_unordered(const struct ork_exploring *x, const char *call)
{
    bool found = false;

    for (uint32_t i = 0; i < x->num_unordered; i++)
        found |= strcmp(x->unordered[i], call) == 0;
    return found;
}

/* False: out of memory. */
static bool note_unordered(struct ork_exploring *x, const struct ork_alternatives *a)
{
    for (uint32_t i = 0; a != NULL && i < a->num_unordered; i++) {
        if (has_unordered(x, a->unordered[i]))
            continue;
        char *call = strdup(a->unordered[i]);
        if (call == NULL || !ork_vec_reserve(&x->unordered, &x->unordered_room,
                                             x->num_unordered + 1, sizeof(*x->unordered))) {
            free(call);
            return false;
        }
        x->unordered[x->num_unordered++] = call;
    }
    return true;
}

static void note_gaps(struct ork_exploring *x, const struct ork_job_result *r)
{
    for (unsigned i = 0; r->alternatives != NULL && i < ORK_GAPS; i++)
        x->gap[i] += r->alternatives->gap[i] > 0;
    for (uint32_t i = 0; r->alternatives != NULL && i < r->alternatives->num_polled; i++) {
        const struct ork_polled_choice *p = &r->alternatives->polled[i];
        x->repeats_polls |= p->polls > p->different;
    }
    for (uint32_t i = 0; i < r->trace.ranks; i++)
        note_polls(x, &r->trace.rank[i]);
}

/* Choices of several threads of a rank have no numbers that mean the same in the next run. */
static void drop_alternatives(struct ork_exploring *x, struct ork_job_result *r)
{
    x->has_threads |= r->has_threads;
    x->has_jobs |= r->has_jobs;
    if (r->unknown != NULL && x->unknown == NULL) {
        x->unknown = r->unknown;
        r->unknown = NULL;
    }
    if (!r->has_threads)
        return;
    ork_alternatives_destroy(r->alternatives);
    r->alternatives = NULL;
}

/* Receives that were not complete, and unsuccessful polls, are no choices, but belong to what the
 * run did. So do the sections before its locks. */
static enum ork_status note_pending(struct ork_job_result *r)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; r->alternatives != NULL && i < r->alternatives->num_pending; i++) {
        const struct ork_kept_receive *p = &r->alternatives->pending[i];
        struct ork_pending_receive pending = {p->post, p->source, p->tag};
        if (status == ORK_OK)
            status = ork_trace_add_pending(&r->trace, p->rank, pending);
    }
    if (r->alternatives != NULL && status == ORK_OK)
        status =
            ork_trace_add_locked(&r->trace, r->alternatives->locked, r->alternatives->num_locked);
    if (r->alternatives != NULL)
        ork_trace_add_polled(&r->trace, r->alternatives->polled, r->alternatives->num_polled);
    return status;
}

enum ork_status ork_exploring_add(struct ork_exploring *x, struct ork_job_result *r,
                                  const struct ork_decision_of_run *made, int64_t *node)
{
    bool is_new = false;
    enum ork_status status = ORK_OK;

    *node = -1;
    if (x->search == NULL)
        status = begin_search(x, r->ranks);
    if (status == ORK_OK && r->order == NULL)
        status = ork_trace_init(&r->trace, r->ranks);
    if (status != ORK_OK)
        return status;
    if (r->trace.ranks != x->ranks) {
        ork_error("the exploration cannot go on: a run had %" PRIu32
                  " ranks, and another one %" PRIu32,
                  r->trace.ranks, x->ranks);
        return ORK_INVALID;
    }
    note_gaps(x, r);
    if (!note_unordered(x, r->alternatives))
        return ORK_NOMEM;
    drop_alternatives(x, r);
    status = note_pending(r);
    if (status != ORK_OK)
        return status;
    r->went_on = made != NULL && ork_change_went_on(made->change, &r->trace);
    status = ork_search_add(x->search, made, &r->trace, r->alternatives, &is_new);
    r->alternatives = NULL;
    if (status != ORK_OK || !is_new)
        return status;
    if (!ork_vec_reserve(&x->run_of_node, &x->node_room, x->num_nodes + 1, sizeof(*x->run_of_node)))
        return ORK_NOMEM;
    *node = x->num_nodes;
    x->run_of_node[x->num_nodes++] = x->num_runs + UINT64_C(1);
    return ORK_OK;
}

/* ---- outcomes ---- */

const char *ork_exploring_first_result(const struct ork_exploring *x)
{
    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        if (x->outcome[i].kind == ORK_OUTCOME_ENDED || x->outcome[i].kind == ORK_OUTCOME_WARNING)
            return x->outcome[i].key;
    }
    return NULL;
}

enum ork_status ork_exploring_compare(const struct ork_exploring *x, struct ork_job_result *r)
{
    return x->num_outcomes == 0
               ? ORK_OK
               : ork_job_result_compare(r, &x->outcome[0].report, ork_exploring_first_result(x));
}

bool ork_exploring_is_bad(const struct ork_exploring *x, uint32_t outcome)
{
    const struct ork_outcome_runs *o = &x->outcome[outcome];

    if (o->kind != ORK_OUTCOME_ENDED)
        return o->kind != ORK_OUTCOME_LOST && o->kind != ORK_OUTCOME_WARNING;
    const char *first = ork_exploring_first_result(x);
    return first != NULL && !ork_job_has_same_result(first, o->key);
}

static int64_t find_outcome(const struct ork_exploring *x, const char *key)
{
    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        if (strcmp(x->outcome[i].key, key) == 0)
            return i;
    }
    return -1;
}

/* Takes over texts and report. */
static enum ork_status new_outcome(struct ork_exploring *x, struct ork_job_result *r)
{
    if (!ork_vec_reserve(&x->outcome, &x->outcome_room, x->num_outcomes + 1, sizeof(*x->outcome)))
        return ORK_NOMEM;
    x->outcome[x->num_outcomes++] = (struct ork_outcome_runs){.key = r->key,
                                                              .message = r->message,
                                                              .kind = r->kind,
                                                              .first = x->num_runs + UINT64_C(1),
                                                              .node = -1,
                                                              .has_order = r->order != NULL,
                                                              .report = r->report};
    r->key = r->message = NULL;
    ork_report_init(&r->report);
    return ORK_OK;
}

static enum ork_status store_outcome(struct ork_exploring *x, uint32_t i)
{
    const struct ork_outcome_runs *o = &x->outcome[i];

    return ork_store_put_outcome(x->store, &(struct ork_stored_outcome){.number = i,
                                                                        .kind = (int)o->kind,
                                                                        .key = o->key,
                                                                        .message = o->message,
                                                                        .first = o->first});
}

static void remove_file(const char *folder, const char *name)
{
    char *path = ork_text("%s/%s", folder, name);

    if (path != NULL)
        ork_output_remove(AT_FDCWD, path);
    free(path);
}

/* The file of --must:compare: the next run writes it again. */
static enum ork_status keep_compared(const struct ork_exploring *x, const char *folder)
{
    char *path = ork_text("%s/" ORK_JOB_COMPARED, folder);

    if (path == NULL)
        return ORK_NOMEM;
    if (ork_output_keep(&x->rules, path) != ORK_OK)
        ork_error("cannot copy %s to %s: %s", x->rules.compare, path, strerror(errno));
    free(path);
    return ORK_OK;
}

/* The report of the run names its folder in the command that repeats it, and the folder has another
 * name now. */
static void name_folder(struct ork_exploring *x, struct ork_outcome_runs *o)
{
    char *order = o->has_order ? ork_text("%s/" ORK_JOB_ORDER, o->folder) : NULL;
    unsigned written = 0;
    char *why = NULL;

    free(o->report.replay);
    o->report.replay =
        order != NULL ? ork_replay_command(x->invocation->words, x->options, order) : NULL;
    if (ork_viz_write(&o->report, o->folder, ORK_VIZ_JSON, &written, &why) != ORK_OK)
        ork_error("%s", why != NULL ? why : ork_status_text(ORK_NOMEM));
    free(order);
    free(why);
}

/* Keep the folder of the first run of an outcome. */
static enum ork_status keep_folder(struct ork_exploring *x, uint32_t i, const char *folder)
{
    uint64_t number = x->outcome[i].first;
    char *to = ork_text("%s/run-%" PRIu64, x->absolute, number);
    char *name = ork_text("%s/run-%" PRIu64, x->folder, number);

    if (to == NULL || name == NULL) {
        free(to);
        free(name);
        return ORK_NOMEM;
    }
    enum ork_status status = keep_compared(x, folder);
    remove_file(folder, ORK_JOB_PLAN);
    remove_file(folder, ORK_JOB_ALTERNATIVES);
    ork_exploring_remove(x, to);
    if (renameat(x->fd, ork_base_name(folder), x->fd, ork_base_name(to)) == 0) {
        x->outcome[i].folder = name;
        name = NULL;
        name_folder(x, &x->outcome[i]);
    } else {
        ork_error("cannot rename %s to %s: %s", folder, to, strerror(errno));
    }
    free(to);
    free(name);
    return status;
}

/* ---- a run that has ended ---- */

enum ork_status ork_exploring_count(struct ork_exploring *x, uint32_t outcome,
                                    const struct ork_job_result *r,
                                    const struct ork_decision_of_run *made)
{
    if (!ork_vec_reserve(&x->run, &x->run_room, x->num_runs + 1, sizeof(*x->run)))
        return ORK_NOMEM;
    x->run[x->num_runs++] = (struct ork_taken_run){.outcome = outcome,
                                                   .diverged = r->diverged,
                                                   .went_on = r->went_on,
                                                   .parent = made != NULL ? (int64_t)made->run : -1,
                                                   .index = made != NULL ? made->index : 0};
    x->outcome[outcome].runs++;
    x->diverged += r->diverged;
    return ORK_OK;
}

static enum ork_status store_run(struct ork_exploring *x, const struct ork_slot *slot,
                                 const struct ork_job_result *r, uint32_t outcome, bool is_first)
{
    const struct ork_decision_of_run *d = &slot->decision;
    struct ork_stored_run run = {.number = x->num_runs + UINT64_C(1),
                                 .node = slot->has_decision ? (int64_t)d->run : -1,
                                 .index = slot->has_decision ? (int64_t)d->index : -1,
                                 .outcome = outcome,
                                 .diverged = r->diverged,
                                 .seconds = r->seconds,
                                 .order = ork_blob_map(slot->folder, ORK_JOB_ORDER),
                                 .alternatives = ork_blob_map(slot->folder, ORK_JOB_ALTERNATIVES)};
    enum ork_status status = ork_store_begin(x->store);

    if (status == ORK_OK && is_first)
        status = store_outcome(x, outcome);
    if (status == ORK_OK)
        status = ork_store_add_run(x->store, &run);
    if (status == ORK_OK)
        status = ork_store_commit(x->store);
    ork_blob_unmap(run.order);
    ork_blob_unmap(run.alternatives);
    return ork_exploring_check_store(x, status);
}

/* RATIONALE: an earlier exploration is replaced only now, so that it stays if this one cannot be
 * made: if the program does not start, or has no rank that an option names. */
static enum ork_status begin(struct ork_exploring *x, uint32_t ranks)
{
    enum ork_status status = begin_search(x, ranks);

    if (status != ORK_OK)
        return status;
    return ork_exploring_check_store(x, ork_exploring_begin_store(x));
}

static enum ork_status take_result(struct ork_exploring *x, struct ork_slot *slot,
                                   struct ork_job_result *r)
{
    const struct ork_decision_of_run *made = slot->has_decision ? &slot->decision : NULL;
    int64_t node, outcome = find_outcome(x, r->key);
    bool is_first = outcome < 0;
    enum ork_status status = x->search == NULL ? begin(x, r->ranks) : ORK_OK;

    if (status == ORK_OK)
        status = ork_exploring_note_places(x, r);
    if (status == ORK_OK && is_first) {
        outcome = x->num_outcomes;
        status = new_outcome(x, r);
    }
    x->run_seconds += r->seconds;
    if (status == ORK_OK)
        status = store_run(x, slot, r, (uint32_t)outcome, is_first);
    if (status != ORK_OK)
        return status;
    status = ork_exploring_add(x, r, made, &node);
    if (status == ORK_OK && is_first)
        x->outcome[outcome].node = node;
    if (status == ORK_OK && is_first && node >= 0)
        x->outcome[outcome].has_order =
            ork_exploring_complete_order(x, slot->folder, r->order, (uint32_t)node);
    if (status == ORK_OK)
        status = ork_exploring_count(x, (uint32_t)outcome, r, made);
    if (status == ORK_OK && is_first)
        status = keep_folder(x, (uint32_t)outcome, slot->folder);
    return status == ORK_NOMEM ? report(status) : status;
}

/* Make the run once more. */
static enum ork_status repeat(struct ork_exploring *x, const struct ork_slot *slot, unsigned losses,
                              bool has_crashed)
{
    if (!ork_vec_reserve(&x->again, &x->room_again, x->num_again + 1, sizeof(*x->again)))
        return report(ORK_NOMEM);
    x->again[x->num_again++] = (struct ork_slot){.has_decision = slot->has_decision,
                                                 .decision = slot->decision,
                                                 .losses = losses,
                                                 .is_repeated = has_crashed};
    return ORK_OK;
}

/* RATIONALE: on a busy machine, Open MPI 4.1 itself sometimes crashes in MPI_Finalize: one of its
 * threads calls a function of a component that was unloaded. This is no outcome of the order. */
static bool may_be_chance(const struct ork_exploring *x, const struct ork_slot *slot,
                          const struct ork_job_result *r)
{
    return !slot->is_repeated && !x->is_interrupted && find_outcome(x, r->key) < 0 &&
           ork_job_crashed_at_end(r);
}

/* The first run shows that nothing can be run: say what it said. */
static enum ork_status give_up(struct ork_exploring *x, const struct ork_slot *slot)
{
    struct ork_stored_blob messages = ork_blob_map(slot->folder, ORK_JOB_MESSAGES);

    if (messages.size > 0)
        fwrite(messages.bytes, 1, messages.size, stderr);
    ork_blob_unmap(messages);
    if (x->is_interrupted) /* it has a report, too */
        return ORK_OK;
    ork_error("the first run has no result: %s", x->lost_why);
    x->code = WIFEXITED(slot->status) && WEXITSTATUS(slot->status) != 0 ? WEXITSTATUS(slot->status)
                                                                        : ORK_EXIT_UNAVAILABLE;
    return ORK_OK;
}

static enum ork_status take_loss(struct ork_exploring *x, const struct ork_slot *slot,
                                 struct ork_job_result *r)
{
    free(x->lost_why);
    x->lost_why = r->lost;
    r->lost = NULL;
    if (x->search == NULL)
        return give_up(x, slot);
    if (x->is_interrupted) {
        x->unfinished++;
        return ORK_OK;
    }
    if (slot->losses + 1 >= LOSSES) {
        x->lost++;
        return ORK_OK;
    }
    return repeat(x, slot, slot->losses + 1, slot->is_repeated);
}

enum ork_status ork_exploring_take(struct ork_exploring *x, struct ork_slot *slot)
{
    struct ork_job_result r;
    enum ork_status status = report(ork_job_result_read(&x->rules, slot->folder, &r));

    if (status == ORK_OK)
        status = report(ork_exploring_compare(x, &r));
    if (status == ORK_OK && r.kind == ORK_OUTCOME_LOST)
        status = take_loss(x, slot, &r);
    else if (status == ORK_OK && may_be_chance(x, slot, &r))
        status = repeat(x, slot, slot->losses, true);
    else if (status == ORK_OK) {
        x->crashed_once += slot->is_repeated && !ork_job_crashed_at_end(&r);
        status = take_result(x, slot, &r);
    }
    ork_job_result_release(&r);
    ork_exploring_remove(x, slot->folder);
    free(slot->folder);
    slot->folder = NULL;
    return status;
}
