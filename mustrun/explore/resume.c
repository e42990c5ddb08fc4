/* SPDX-License-Identifier: BSD-3-Clause */
/* What the store has of runs that have ended, also in earlier sessions. */
#include "common/log.h"
#include "common/text.h"
#include "common/vec.h"
#include "mustrun/explore/exploring.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum ork_status ork_exploring_order(struct ork_exploring *x, uint64_t run,
                                    struct ork_order_file **file)
{
    struct ork_stored_blob blob;
    void *bytes = NULL;
    char error[ORK_ORDER_ERROR] = "";
    int fd = -1;
    enum ork_status status = ork_store_read_order(x->store, run, &bytes, &blob.size);

    if (status == ORK_NOTFOUND)
        return status;
    if (status != ORK_OK)
        return ork_exploring_check_store(x, status);
    blob.bytes = bytes;
    char *path = ork_blob_path(blob, &fd);
    status = path == NULL ? ORK_NOMEM : ork_order_file_read(path, file, error);
    if (status != ORK_OK)
        ork_error("the order of run %" PRIu64 " in %s cannot be read: %s", run, x->folder,
                  error[0] != '\0' ? error : ork_status_text(status));
    if (fd >= 0)
        close(fd);
    free(path);
    free(bytes);
    return status;
}

static enum ork_status read_alternatives(struct ork_stored_blob blob, struct ork_job_result *r)
{
    int fd = -1;
    char *path = ork_blob_path(blob, &fd);
    enum ork_status status = path == NULL ? ORK_NOMEM : ork_job_alternatives_read(path, r);

    if (fd >= 0)
        close(fd);
    free(path);
    return status;
}

/* The report of an outcome is in its folder. */
static void read_report(const struct ork_exploring *x, struct ork_outcome_runs *o)
{
    char *error = NULL;

    o->folder = ork_text("%s/run-%" PRIu64, x->folder, o->first);
    ork_report_init(&o->report);
    struct ork_stored_blob text = o->folder != NULL ? ork_blob_map(o->folder, "MUST_Output.json")
                                                    : (struct ork_stored_blob){0};
    if (text.size > 0 && ork_report_from_json(text.bytes, text.size, &o->report, &error) != ORK_OK)
        ork_report_init(&o->report);
    ork_blob_unmap(text);
    free(error);
}

static enum ork_status resume_outcome(void *context, const struct ork_stored_outcome *from)
{
    struct ork_exploring *x = context;

    if (from->number != x->num_outcomes || from->kind < 0 || from->kind >= ORK_OUTCOME_KINDS)
        return ORK_INVALID;
    if (!ork_vec_reserve(&x->outcome, &x->outcome_room, x->num_outcomes + 1, sizeof(*x->outcome)))
        return ORK_NOMEM;
    struct ork_outcome_runs *o = &x->outcome[x->num_outcomes];
    *o = (struct ork_outcome_runs){.key = strdup(from->key),
                                   .message = from->message != NULL ? strdup(from->message) : NULL,
                                   .kind = (enum ork_outcome_kind)from->kind,
                                   .first = from->first,
                                   .node = -1};
    read_report(x, o);
    x->num_outcomes++;
    return o->key != NULL && o->folder != NULL ? ORK_OK : ORK_NOMEM;
}

/* RATIONALE: that of a run without choices is not in the store. */
static bool has_order(const char *folder)
{
    char *path = ork_text("%s/" ORK_JOB_ORDER, folder);
    bool found = path != NULL && access(path, F_OK) == 0;

    free(path);
    return found;
}

static enum ork_status resume_run(void *context, const struct ork_stored_run *from)
{
    struct ork_exploring *x = context;
    struct ork_decision_of_run made;
    struct ork_job_result r = {.seconds = from->seconds, .diverged = from->diverged};
    bool has_made = from->node >= 0;
    int64_t node = -1;
    enum ork_status status = ORK_OK;

    if (from->number != x->num_runs + UINT64_C(1) || from->outcome >= x->num_outcomes ||
        (has_made &&
         (x->search == NULL || from->node > UINT32_MAX || from->index > UINT32_MAX ||
          !ork_search_take(x->search, (uint32_t)from->node, (uint32_t)from->index, &made))))
        return ORK_INVALID;
    struct ork_outcome_runs *o = &x->outcome[from->outcome];
    ork_report_init(&r.report);
    r.ranks = o->report.ranks;
    for (uint32_t i = 0; i < o->report.num_jobs; i++)
        r.ranks -= o->report.job[i].ranks;
    r.has_jobs = o->report.num_jobs > 0;
    if (from->order.size > 0) {
        status = ork_exploring_order(x, from->number, &r.order);
        if (status == ORK_OK) {
            r.ranks = r.order->header.ranks;
            status = ork_trace_read(r.order, &r.trace);
        }
        for (uint32_t i = 0; status == ORK_OK && i < r.trace.ranks; i++)
            r.has_threads |= r.trace.rank[i].has_threads;
        if (status == ORK_OK)
            status = ork_exploring_note_places(x, &r);
    }
    if (status == ORK_OK)
        status = read_alternatives(from->alternatives, &r);
    if (status == ORK_OK)
        status = ork_exploring_add(x, &r, has_made ? &made : NULL, &node);
    if (status == ORK_OK && o->first == from->number) {
        o->node = node;
        o->has_order = from->order.size > 0 || has_order(o->folder);
    }
    x->run_seconds += from->seconds;
    if (status == ORK_OK)
        status = ork_exploring_count(x, from->outcome, &r, has_made ? &made : NULL);
    ork_job_result_release(&r);
    return status;
}

enum ork_status ork_exploring_resume(struct ork_exploring *x)
{
    enum ork_status status = ork_store_read_outcomes(x->store, resume_outcome, x);

    if (status == ORK_OK)
        status = ork_store_read_runs(x->store, resume_run, x);
    x->resumed = x->num_runs;
    if (status != ORK_OK && x->code == 0)
        ork_error("cannot continue the exploration in %s: %s", x->folder,
                  status == ORK_INVALID ? "it is damaged" : ork_status_text(status));
    return status;
}
