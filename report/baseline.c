/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/baseline.h"

#include "common/read_text.h"
#include "common/text.h"
#include "report/enum_names.h"
#include "report/fingerprint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GONE_NAMED = 20 }; /* findings that have a note of their own */

struct ork_baseline {
    struct ork_report report;
    struct ork_fingerprint *fingerprint; /* of its findings */
};

/* ---- the file ---- */

/* Do not print the file's bytes on the terminal. */
static void hide_controls(char *s)
{
    for (; s != NULL && *s != '\0'; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            *s = '?';
}

static enum ork_status parse(const char *path, const char *text, struct ork_baseline *baseline,
                             char **error)
{
    char *why = NULL;
    enum ork_status status = ork_report_from_json(text, strlen(text), &baseline->report, &why);

    if (status == ORK_INVALID) {
        hide_controls(why);
        *error = ork_text("%s: %s", path, why);
        status = *error != NULL ? ORK_INVALID : ORK_NOMEM;
    }
    free(why);
    return status;
}

enum ork_status ork_baseline_load(const char *path, struct ork_baseline **out, char **error)
{
    struct ork_baseline *baseline = calloc(1, sizeof(*baseline));

    *error = NULL;
    if (baseline == NULL)
        return ORK_NOMEM;
    ork_report_init(&baseline->report);
    char *text = ork_read_text(path);
    enum ork_status status = ORK_INVALID;
    if (text != NULL)
        status = parse(path, text, baseline, error);
    else if ((*error = ork_text("cannot read %s: %s", path, strerror(errno))) == NULL)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        status = ork_fingerprints(&baseline->report, &baseline->fingerprint);
    free(text);
    if (status == ORK_OK)
        *out = baseline;
    else
        ork_baseline_destroy(baseline);
    return status;
}

void ork_baseline_destroy(struct ork_baseline *baseline)
{
    if (baseline == NULL)
        return;
    ork_report_release(&baseline->report);
    free(baseline->fingerprint);
    free(baseline);
}

/* ---- comparing ---- */

static bool has(const struct ork_fingerprint *list, uint32_t count, const char *wanted)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].text, wanted) == 0)
            return true;
    }
    return false;
}

enum ork_status ork_baseline_mark(const struct ork_baseline *baseline, struct ork_report *report)
{
    struct ork_fingerprint *list;

    if (baseline == NULL)
        return ORK_OK;
    enum ork_status status = ork_fingerprints(report, &list);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; i < report->num_findings; i++) {
        bool known = has(baseline->fingerprint, baseline->report.num_findings, list[i].text);
        report->finding[i].baseline = known ? ORK_BASELINE_KNOWN : ORK_BASELINE_NEW;
    }
    free(list);
    return ORK_OK;
}

uint64_t ork_baseline_new_unlisted(const struct ork_baseline *baseline,
                                   const struct ork_unlisted *unlisted, enum ork_severity severity)
{
    uint64_t count = unlisted->count[severity], known = 0;

    for (uint32_t i = 0; baseline != NULL && i < baseline->report.num_unlisted; i++) {
        const struct ork_unlisted *u = &baseline->report.unlisted[i];
        if (strcmp(u->id, unlisted->id) == 0 && u->class_ == unlisted->class_)
            known += u->count[severity];
    }
    return count > known ? count - known : 0;
}

static enum ork_status note_gone(struct ork_report *report, const struct ork_finding *f)
{
    const char *word = ork_class_word(f->class_);

    return ork_report_take_note(
        report, ork_text("a finding of the baseline did not occur: %s%s%s: %s", f->id,
                         word != NULL ? ":" : "", word != NULL ? word : "", f->message));
}

enum ork_status ork_baseline_note_gone(const struct ork_baseline *baseline,
                                       struct ork_report *report)
{
    struct ork_fingerprint *list;
    uint32_t gone = 0;

    if (baseline == NULL)
        return ORK_OK;
    enum ork_status status = ork_fingerprints(report, &list);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; status == ORK_OK && i < baseline->report.num_findings; i++) {
        if (has(list, report->num_findings, baseline->fingerprint[i].text))
            continue;
        if (gone++ < GONE_NAMED)
            status = note_gone(report, &baseline->report.finding[i]);
    }
    if (status == ORK_OK && gone > GONE_NAMED)
        status = ork_report_take_note(
            report,
            ork_text("%" PRIu32 " more findings of the baseline did not occur", gone - GONE_NAMED));
    free(list);
    return status;
}
