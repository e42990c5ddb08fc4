/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/result.h"

#include "common/text.h"
#include "mustrun/explore/job.h"
#include "report/finding_kind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static char *path_of(const char *folder, const char *name)
{
    return ork_text("%s/%s", folder, name);
}

/* NULL with errno. */
static char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "re");
    char *text = NULL;

    *size = 0;
    if (in == NULL)
        return NULL;
    FILE *out = open_memstream(&text, size);
    for (int c; out != NULL && (c = getc(in)) != EOF;)
        putc(c, out);
    if (out == NULL || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

/* ---- outcome ---- */

#define RESULT "result " /* in a key: then 16 digits */

static enum ork_status lose(struct ork_job_result *r, char *why)
{
    r->kind = ORK_OUTCOME_LOST;
    r->lost = why;
    return why != NULL ? ORK_OK : ORK_NOMEM;
}

/* RATIONALE: what happened is worse than a deadlock that only could happen. */
static int badness(const struct ork_finding *f)
{
    enum ork_outcome_kind kind = ork_job_finding_kind(f);

    if (kind == ORK_OUTCOME_DEADLOCK && f->class_ != ORK_MANIFEST)
        return 2 * ORK_OUTCOME_FINDING + 1;
    return 2 * (int)kind;
}

/* The worst finding; NULL: none counts. */
static const struct ork_finding *worst_of(const struct ork_report *report)
{
    const struct ork_finding *worst = NULL;

    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        if (ork_job_finding_counts(f) && (worst == NULL || badness(f) > badness(worst)))
            worst = f;
    }
    return worst;
}

bool ork_job_crashed_at_end(const struct ork_job_result *r)
{
    bool is_all = r->kind == ORK_OUTCOME_SIGNAL;

    for (uint32_t i = 0; i < r->report.num_findings; i++) {
        const struct ork_finding *f = &r->report.finding[i];
        if (!ork_job_finding_counts(f))
            continue;
        is_all &= f->end.as == ORK_AS_SIGNAL;
        for (uint32_t k = 0; k < f->num_waits; k++)
            is_all &= strcmp(f->waits[k].call, "MPI_Finalize") == 0;
    }
    return is_all;
}

/* RATIONALE: when a rank says how it ended, the launcher's own end adds nothing and is not
 * reliable: mpirun 4.1 itself sometimes crashes while it ends the others after MPI_Abort. */
static bool says_how_it_ended(const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        if (ork_job_finding_counts(f) && f->end.as != ORK_AS_NONE && f->end.as != ORK_AS_UNKNOWN)
            return true;
    }
    return false;
}

static char *key_of(const struct ork_report *report, enum ork_outcome_kind kind, uint64_t hash)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool done = out != NULL;

    if (!done)
        return NULL;
    fprintf(out, "%d\n", (int)kind);
    for (uint32_t i = 0; i < report->num_findings && done; i++) {
        if (!ork_job_finding_counts(&report->finding[i]))
            continue;
        char *own = ork_job_finding_key(&report->finding[i]);
        done = own != NULL;
        fputs(done ? own : "", out);
        free(own);
    }
    if (report->ended_by == ORK_ENDED_BY_ITSELF && !says_how_it_ended(report))
        fprintf(out, "exit %d %d\n", report->exit_code, report->signal);
    if (kind == ORK_OUTCOME_ENDED || kind == ORK_OUTCOME_FINDING)
        fprintf(out, RESULT "%016" PRIx64 "\n", hash);
    if (fclose(out) != 0 || !done) {
        free(text);
        return NULL;
    }
    return text;
}

const char *ork_job_key_result(const char *key)
{
    return strstr(key, RESULT);
}

bool ork_job_has_same_result(const char *a, const char *b)
{
    const char *x = ork_job_key_result(a), *y = ork_job_key_result(b);

    return x != NULL && y != NULL && strncmp(x, y, strlen(RESULT) + 16) == 0;
}

/* Add to the key what is other than in the first run; a run without an error that has the result of
 * `result`, or NULL, gets a kind of its own. */
static enum ork_status become_other(struct ork_job_result *r, const struct ork_job_others *others,
                                    const char *result)
{
    const struct ork_finding *worst = others->worst;
    char *key = ork_text("%sothers\n%s", r->key, others->key);

    if (key == NULL)
        return ORK_NOMEM;
    free(r->key);
    r->key = key;
    if (r->kind != ORK_OUTCOME_ENDED || (result != NULL && !ork_job_has_same_result(key, result)))
        return ORK_OK;
    r->kind = ORK_OUTCOME_WARNING;
    r->message = strdup(worst->summary != NULL ? worst->summary : worst->message);
    return r->message != NULL ? ORK_OK : ORK_NOMEM;
}

/* RATIONALE: of a run that was ended, what it left behind depends on when that was. */
enum ork_status ork_job_result_compare(struct ork_job_result *r, const struct ork_report *first,
                                       const char *of)
{
    struct ork_job_others others;

    if (r->kind != ORK_OUTCOME_ENDED && r->kind != ORK_OUTCOME_FINDING)
        return ORK_OK;
    enum ork_status status = ork_job_others_find(&r->report, first, &others);
    if (status == ORK_OK && others.worst != NULL)
        status = become_other(r, &others, of);
    free(others.key);
    return status;
}

static char *message_of(const struct ork_report *report, const struct ork_finding *worst,
                        enum ork_outcome_kind kind)
{
    if (worst != NULL)
        return strdup(worst->summary != NULL ? worst->summary : worst->message);
    if (kind == ORK_OUTCOME_SIGNAL)
        return ork_text("signal %d (%s) ended it", report->signal, strsignal(report->signal));
    return ork_text("exit code %d", report->exit_code);
}

static enum ork_status judge(struct ork_job_result *r, const struct ork_output_rules *rules,
                             const char *folder)
{
    const struct ork_report *report = &r->report;
    const struct ork_finding *worst = worst_of(report);
    char *output = path_of(folder, ORK_JOB_OUTPUT);
    uint64_t hash = 0;
    enum ork_status status = output == NULL ? ORK_NOMEM : ork_output_hash(rules, output, &hash);

    free(output);
    if (status == ORK_IO)
        return lose(r, ork_text("its output cannot be read: %s", strerror(errno)));
    if (status != ORK_OK)
        return status;
    r->kind = worst != NULL            ? ork_job_finding_kind(worst)
              : report->signal != 0    ? ORK_OUTCOME_SIGNAL
              : report->exit_code != 0 ? ORK_OUTCOME_EXIT
                                       : ORK_OUTCOME_ENDED;
    r->key = key_of(report, r->kind, hash);
    r->message = r->kind != ORK_OUTCOME_ENDED ? message_of(report, worst, r->kind) : NULL;
    bool done = r->key != NULL && (r->message != NULL || r->kind == ORK_OUTCOME_ENDED);
    return done ? ORK_OK : ORK_NOMEM;
}

static enum ork_status read_report(struct ork_job_result *r, const char *folder)
{
    char *path = path_of(folder, "MUST_Output.json"), *error = NULL;
    size_t size;
    char *text = path != NULL ? read_file(path, &size) : NULL;
    enum ork_status status = ORK_OK;

    if (path == NULL)
        return ORK_NOMEM;
    free(path);
    if (text == NULL)
        return lose(r, strdup("it left no report"));
    status = ork_report_from_json(text, size, &r->report, &error);
    free(text);
    if (status == ORK_INVALID) {
        ork_report_init(&r->report);
        status = lose(r, ork_text("its report is invalid: %s", error));
    }
    free(error);
    return status;
}

static void look_at_report(struct ork_job_result *r)
{
    for (uint32_t i = 0; i < r->report.num_findings; i++)
        r->diverged |= ork_finding_is(&r->report.finding[i], ORK_FINDING_REPLAY_DIVERGENCE);
    r->seconds = r->report.seconds;
    r->ranks = r->report.ranks;
    for (uint32_t i = 0; i < r->report.num_jobs; i++)
        r->ranks -= r->report.job[i].ranks;
    r->has_jobs = r->report.num_jobs > 0;
}

/* ---- order and alternatives ---- */

static enum ork_status read_order(struct ork_job_result *r, const char *folder)
{
    char *path = path_of(folder, ORK_JOB_ORDER);
    char error[ORK_ORDER_ERROR];
    enum ork_status status = path == NULL ? ORK_NOMEM : ork_order_file_read(path, &r->order, error);

    free(path);
    if (status == ORK_IO && errno == ENOENT) /* no choices */
        return ORK_OK;
    if (status == ORK_INVALID)
        return lose(r, ork_text("its order: %s", error));
    if (status == ORK_IO)
        return lose(r, ork_text("its order cannot be read: %s", strerror(errno)));
    if (status == ORK_OK) {
        r->ranks = r->order->header.ranks;
        status = ork_trace_read(r->order, &r->trace);
    }
    if (status == ORK_INVALID)
        return lose(r, strdup("its order has an invalid stream"));
    for (uint32_t i = 0; i < r->trace.ranks; i++)
        r->has_threads |= r->trace.rank[i].has_threads;
    return status;
}

enum ork_status ork_job_alternatives_read(const char *path, struct ork_job_result *r)
{
    char error[ORK_ALTERNATIVES_ERROR];
    enum ork_status status = ork_alternatives_read(path, r->ranks, &r->alternatives, error);

    if (status == ORK_IO)
        r->unknown = ork_text("they cannot be read: %s", strerror(errno));
    else if (status == ORK_INVALID)
        r->unknown = ork_text("their file is invalid: %s", error);
    else if (status == ORK_OK && r->alternatives->lost != NULL)
        r->unknown = strdup(r->alternatives->lost);
    else
        return status;
    return r->unknown != NULL ? ORK_OK : ORK_NOMEM;
}

static enum ork_status read_alternatives(struct ork_job_result *r, const char *folder)
{
    char *path = path_of(folder, ORK_JOB_ALTERNATIVES);
    enum ork_status status = path == NULL ? ORK_NOMEM : ork_job_alternatives_read(path, r);

    free(path);
    return status;
}

enum ork_status ork_job_result_read(const struct ork_output_rules *rules, const char *folder,
                                    struct ork_job_result *result)
{
    *result = (struct ork_job_result){.kind = ORK_OUTCOME_LOST};
    ork_report_init(&result->report);
    enum ork_status status = read_report(result, folder);

    if (status == ORK_OK && result->lost == NULL &&
        (!result->report.ended || result->report.ended_by == ORK_ENDED_BY_USER))
        status = lose(result, strdup("it was interrupted"));
    if (status == ORK_OK && result->lost == NULL && result->report.ranks == 0)
        status = lose(result, strdup("no rank of the program was observed"));
    if (status == ORK_OK && result->lost == NULL) {
        look_at_report(result);
        status = read_order(result, folder);
    }
    if (status == ORK_OK && result->lost == NULL)
        status = read_alternatives(result, folder);
    if (status == ORK_OK && result->lost == NULL)
        status = judge(result, rules, folder);
    if (status != ORK_OK)
        ork_job_result_release(result);
    return status;
}

void ork_job_result_release(struct ork_job_result *r)
{
    free(r->key);
    free(r->message);
    free(r->lost);
    free(r->unknown);
    ork_report_release(&r->report);
    if (r->order != NULL)
        ork_order_file_destroy(r->order);
    ork_trace_release(&r->trace);
    ork_alternatives_destroy(r->alternatives);
    *r = (struct ork_job_result){0};
}
