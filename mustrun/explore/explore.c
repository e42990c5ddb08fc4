/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/explore.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/explore/exploring.h"
#include "mustrun/explore/progress.h"
#include "mustrun/supervise/color.h"
#include "mustrun/supervise/timers.h"
#include "viz/viz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run without an end: no rank makes progress for so long. */
#define HANG_SECONDS 60.0

/* ---- decisions ---- */

/* RATIONALE: the first run shows what there is to be explored, however long it takes. */
static bool may_start(const struct ork_exploring *x)
{
    uint64_t runs = x->num_runs + x->running, most = x->options->explore.runs;

    if (runs == 0)
        return !x->is_interrupted;
    return (most == 0 || runs < most) && ork_exploring_has_time(x);
}

/* The decision of the next run; false: there is none now. */
static bool choose(struct ork_exploring *x, struct ork_slot *slot)
{
    if (x->num_again > 0) {
        const struct ork_slot *again = &x->again[--x->num_again];
        slot->has_decision = again->has_decision;
        slot->decision = again->decision;
        slot->losses = again->losses;
        slot->is_repeated = again->is_repeated;
        return true;
    }
    slot->losses = 0;
    slot->is_repeated = false;
    if (x->search == NULL) { /* the first run, alone */
        slot->has_decision = false;
        return x->running == 0;
    }
    slot->has_decision = ork_search_next(x->search, &slot->decision);
    return slot->has_decision;
}

static enum ork_status start(struct ork_exploring *x, struct ork_slot *slot)
{
    struct ork_plan plan;
    const struct ork_decision_of_run *d = &slot->decision;

    if (!slot->has_decision)
        return ork_exploring_start(x, slot, NULL, 0);
    enum ork_status status =
        ork_plan_change(ork_search_explored(x->search), d->run, d->change, &plan);
    if (status != ORK_OK)
        return status;
    status = ork_exploring_start(x, slot, &plan, d->run);
    ork_plan_release(&plan);
    return status;
}

static void start_all(struct ork_exploring *x)
{
    for (unsigned i = 0; i < x->slots && x->code == 0; i++) {
        if (x->slot[i].pid == 0 && may_start(x) && choose(x, &x->slot[i]) &&
            start(x, &x->slot[i]) != ORK_OK)
            x->code = ORK_EXIT_INTERNAL;
    }
}

static void loop(struct ork_exploring *x)
{
    start_all(x);
    while (x->running > 0) {
        struct ork_slot *ended = ork_exploring_wait(x);
        ork_progress_show(x);
        if (ended == NULL)
            continue;
        if (ork_exploring_take(x, ended) != ORK_OK) {
            x->code = x->code != 0 ? x->code : ORK_EXIT_INTERNAL;
            ork_exploring_interrupt(x);
        }
        if (x->code == 0)
            start_all(x);
    }
}

/* ---- the report ---- */

static bool has_findings(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        if (ork_outcome_is_reported(&e->outcome[i]))
            return true;
    }
    return false;
}

static bool is_bad(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        if (e->outcome[i].is_bad)
            return true;
    }
    return false;
}

static int write_report(struct ork_exploring *x, struct ork_exploration *e)
{
    const struct ork_options *o = x->options;
    unsigned written = 0;
    char *why = NULL;
    enum ork_status status =
        ork_viz_exploration_write(e, o->output_dir, o->formats, &written, &why);

    if (status != ORK_OK)
        ork_error("%s", why != NULL ? why : ork_status_text(status));
    free(why);
    return status == ORK_OK ? 0 : ORK_EXIT_INTERNAL;
}

static void name_report(const struct ork_exploring *x)
{
    const struct ork_options *o = x->options;
    const char *name = ork_viz_main_file(o->formats);

    if (strcmp(o->output_dir, ".") == 0)
        fprintf(stderr, "orknot: the report is %s\n", name);
    else
        fprintf(stderr, "orknot: the report is %s/%s\n", o->output_dir, name);
}

static int report(struct ork_exploring *x)
{
    struct ork_exploration e;
    enum ork_status status = ork_exploring_summary(x, &e);

    if (status != ORK_OK) {
        ork_error("%s", ork_status_text(status));
        return ORK_EXIT_INTERNAL;
    }
    int code = write_report(x, &e);
    if (x->search != NULL && e.left == 0 && !e.is_interrupted &&
        ork_exploring_check_store(x, ork_store_finish_exploration(x->store)) != ORK_OK)
        code = ORK_EXIT_INTERNAL;
    bool bad = is_bad(&e);
    if (has_findings(&e) || !x->options->quiet) {
        ork_viz_exploration_summary(&e, ork_color_is_wanted(x->options), stderr);
        if (code == 0)
            name_report(x);
    }
    ork_exploration_release(&e);
    return bad ? (int)x->options->errorcode : code;
}

/* ---- all of it ---- */

static void release(struct ork_exploring *x)
{
    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        free(x->outcome[i].key);
        free(x->outcome[i].message);
        free(x->outcome[i].folder);
        free(x->outcome[i].forced);
        ork_report_release(&x->outcome[i].report);
    }
    for (uint32_t i = 0; i < x->num_places; i++)
        free(x->place[i].text);
    free(x->outcome);
    free(x->place);
    free(x->run);
    free(x->run_of_node);
    free(x->again);
    free(x->slot);
    free(x->symmetric);
    free(x->folder);
    free(x->absolute);
    free(x->input);
    free(x->program);
    free(x->bounds);
    for (uint32_t i = 0; i < x->num_unordered; i++)
        free(x->unordered[i]);
    free(x->unordered);
    free(x->unknown);
    free(x->lost_why);
    ork_search_destroy(x->search);
    ork_store_close(x->store);
    if (x->fd >= 0)
        close(x->fd);
    if (x->input_fd >= 0)
        close(x->input_fd);
    ork_output_rules_release(&x->rules);
}

/* The exit code. That of an exploration without a run is as if the signal had ended it. */
static int end(struct ork_exploring *x)
{
    if (x->code != 0)
        return x->code;
    if (x->num_runs == 0 && !x->is_interrupted)
        return ORK_EXIT_UNAVAILABLE;
    int code = report(x);
    return x->num_runs == 0 && code == 0 ? 128 + x->signal : code;
}

int ork_explore(const struct ork_invocation *invocation, const struct ork_options *options)
{
    struct ork_options own = *options;
    struct ork_exploring x = {
        .invocation = invocation, .options = &own, .fd = -1, .input_fd = -1, .begun = ork_now()};

    x.hang_after = own.hang_after > 0 ? own.hang_after : HANG_SECONDS;
    own.hang_abort = true;
    own.go_on = false;
    own.poll = true; /* RATIONALE: it tells which messages incomplete receives took */
    if (ork_exploring_prepare(&x) && (!own.explore.resumes || ork_exploring_resume(&x) == ORK_OK)) {
        loop(&x);
        if (x.code == 0)
            ork_exploring_minimize(&x);
        ork_progress_clear(&x);
        x.code = end(&x);
    } else if (x.code == 0) {
        x.code = ORK_EXIT_DATA;
    }
    release(&x);
    return x.code;
}
