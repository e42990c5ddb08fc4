/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/diff.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/ranks.h"

#include <inttypes.h>

#define RUNS_MAX  12u
#define WORDS_MAX 4000u

static const struct ork_finding *old_finding(const struct ork_diff *d,
                                             const struct ork_diff_finding *f)
{
    return &d->before->finding[f->before];
}

static const struct ork_finding *new_finding(const struct ork_diff *d,
                                             const struct ork_diff_finding *f)
{
    return &d->after->finding[f->after];
}

static void put_finding(const struct ork_finding *finding, FILE *out)
{
    const char *class_ = ork_class_word(finding->class_);

    fprintf(out, "%s: ", ork_severity_word(finding->severity));
    ork_escape_text(out, finding->id, WORDS_MAX);
    if (class_ != NULL)
        fprintf(out, " (%s)", class_);
    fputs(": ", out);
    ork_escape_text(out, finding->message, WORDS_MAX);
    fputc('\n', out);
}

static const char *class_name(enum ork_class class_)
{
    const char *word = ork_class_word(class_);

    return word != NULL ? word : "none";
}

static void put_move(const struct ork_diff_move *move, FILE *out)
{
    bool one = move->ranks.count == 1;

    fputs(one ? "    rank " : "    ranks ", out);
    ork_put_ranks(out, move->ranks.item, move->ranks.count, RUNS_MAX);
    if (move->before == NULL)
        fputs(" new", out);
    if (move->after == NULL)
        fputs(" gone", out);
    if (move->before != NULL && move->before[0] != '\0') {
        fprintf(out, "%s %s in ", move->after == NULL ? "," : "", one ? "was" : "were");
        ork_escape_text(out, move->before, WORDS_MAX);
    }
    if (move->after != NULL && move->after[0] != '\0') {
        fputs(move->before == NULL ? ", in " : ", now in ", out);
        ork_escape_text(out, move->after, WORDS_MAX);
    }
    fputc('\n', out);
}

static void put_changes(const struct ork_diff *d, const struct ork_diff_finding *f, FILE *out)
{
    const struct ork_finding *old = old_finding(d, f);
    const struct ork_finding *new = new_finding(d, f);

    if (f->class_)
        fprintf(out, "    class was %s, now %s\n", class_name(old->class_),
                class_name(new->class_));
    if (f->severity)
        fprintf(out, "    severity was %s, now %s\n", ork_severity_word(old->severity),
                ork_severity_word(new->severity));
    if (f->message) {
        fputs("    was: ", out);
        ork_escape_text(out, old->message, WORDS_MAX);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < f->num_moves; i++)
        put_move(&f->move[i], out);
}

static void put_count(uint32_t count, const char *what, bool *any, FILE *out)
{
    if (count == 0)
        return;
    fprintf(out, "%s%" PRIu32 " %s", *any ? ", " : "", count, what);
    *any = true;
}

static void put_summary(const struct ork_diff *d, FILE *out)
{
    uint32_t appeared = 0, disappeared = 0, changed = 0, stayed = 0;
    bool any = false;

    for (uint32_t i = 0; i < d->num_findings; i++) {
        const struct ork_diff_finding *f = &d->finding[i];
        if (f->before == ORK_DIFF_NONE)
            appeared++;
        else if (f->after == ORK_DIFF_NONE)
            disappeared++;
        else if (ork_diff_is_changed(f))
            changed++;
        else
            stayed++;
    }
    if (d->num_findings == 0) {
        fputs("no findings in either report\n", out);
        return;
    }
    fputs(d->num_findings == 1 ? "finding: " : "findings: ", out);
    put_count(appeared, "appeared", &any, out);
    put_count(disappeared, "disappeared", &any, out);
    put_count(changed, "changed", &any, out);
    put_count(stayed, "stayed", &any, out);
    fputc('\n', out);
}

void ork_diff_put_text(const struct ork_diff *diff, FILE *out)
{
    for (uint32_t i = 0; i < diff->num_findings; i++) {
        const struct ork_diff_finding *f = &diff->finding[i];
        if (f->before == ORK_DIFF_NONE) {
            fputs("+ ", out);
            put_finding(new_finding(diff, f), out);
        } else if (f->after == ORK_DIFF_NONE) {
            fputs("- ", out);
            put_finding(old_finding(diff, f), out);
        } else {
            fputs(ork_diff_is_changed(f) ? "~ " : "= ", out);
            put_finding(new_finding(diff, f), out);
            put_changes(diff, f, out);
        }
    }
    put_summary(diff, out);
}
