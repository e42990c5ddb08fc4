/* SPDX-License-Identifier: BSD-3-Clause */
/* Which findings fail a run, and its exit code. */
#include "common/exitcode.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/run_result.h"
#include "report/failing.h"
#include "report/finding_kind.h"

/* RATIONALE: a job that the tool ended has not done what it was to do, whatever is accepted. A job
 * that is to survive the death of a rank, and does, has done so. */
static bool fails(const struct ork_run_result *outcome, const struct ork_finding *f)
{
    if (outcome->report.ended_by == ORK_ENDED_BY_TOOL && f->class_ == ORK_MANIFEST)
        return true;
    if (outcome->has_survived && ork_finding_is(f, ORK_FINDING_ABNORMAL_END))
        return false;
    return f->baseline != ORK_BASELINE_KNOWN &&
           ork_failing_has(outcome->options->errors, f->id, f->class_, f->severity);
}

void ork_run_result_judge(struct ork_run_result *outcome)
{
    struct ork_report *report = &outcome->report;

    if (ork_baseline_mark(outcome->baseline, report) != ORK_OK)
        outcome->failed = true;
    for (uint32_t i = 0; i < report->num_findings; i++) {
        struct ork_finding *f = &report->finding[i];
        f->fails = fails(outcome, f) ? ORK_FAILS : ORK_FAILS_NOT;
    }
}

/* The exit code of the rank that died first, as its launcher would give it; 0: it shows no error.
 */
static int code_of(const struct ork_options *options, const struct ork_finding_end *end)
{
    if (end->as == ORK_AS_SIGNAL)
        return ork_launcher_facts(ork_launcher_of(options->mpiexec))->signal + end->value;
    return end->as == ORK_AS_EXIT || end->as == ORK_AS_ABORT ? end->value & 0xff : 0;
}

/* RATIONALE: a rank that died has its own exit code, which is kept if it shows an error. What a
 * launcher makes of exit code 0 is not the application's, nor are ends of ranks that the tool
 * caused, nor is the signal when the launcher itself crashes (mpirun 4.1 sometimes does so after
 * MPI_Abort). */
static int exit_code_of(const struct ork_run_result *outcome, const struct ork_finding *f, int own)
{
    const struct ork_report *report = &outcome->report;
    bool hides = f->end.as == ORK_AS_EXIT && f->end.value == 0;
    int code = code_of(outcome->options, &f->end);

    if (!ork_finding_is(f, ORK_FINDING_ABNORMAL_END) || hides)
        return 0;
    if (report->ended_by == ORK_ENDED_BY_TOOL)
        return code;
    return report->signal != 0 && code != 0 ? code : own;
}

/* Of the findings that are only counted. */
static bool has_unlisted(const struct ork_run_result *outcome)
{
    const struct ork_report *report = &outcome->report;

    for (uint32_t i = 0; i < report->num_unlisted; i++) {
        const struct ork_unlisted *u = &report->unlisted[i];
        for (unsigned k = ORK_ERROR; k <= ORK_NOTE; k++)
            if (ork_failing_has(outcome->options->errors, u->id, u->class_, k) &&
                ork_baseline_new_unlisted(outcome->baseline, u, k) > 0)
                return true;
    }
    return false;
}

/* Is there a finding that fails the run without its own exit code? If not, *own is the exit code of
 * the run. */
static bool has_error(const struct ork_run_result *outcome, int *own)
{
    const struct ork_report *report = &outcome->report;
    const int launcher = *own;

    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        int code = exit_code_of(outcome, f, launcher);
        if (ork_finding_fails(f) && code == 0)
            return true;
        if (code != 0)
            *own = code;
    }
    return has_unlisted(outcome);
}

int ork_run_result_exit_code(const struct ork_run_result *outcome)
{
    int own = outcome->own;

    if ((has_error(outcome, &own) || outcome->hung) && outcome->options->errorcode != 0)
        return (int)outcome->options->errorcode;
    if (outcome->signal != 0)
        return 128 + outcome->signal;
    if (own == 0 && (outcome->failed || outcome->unwritten))
        return ORK_EXIT_INTERNAL;
    return own;
}

bool ork_run_result_has_error(const struct ork_run_result *outcome)
{
    bool failed = has_unlisted(outcome);

    for (uint32_t i = 0; i < outcome->report.num_findings && !failed; i++)
        failed = ork_finding_fails(&outcome->report.finding[i]);
    return failed;
}
