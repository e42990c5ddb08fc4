/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as lines that GitHub Actions shows at the lines of a change: workflow commands. */
#include "viz/viz.h"

#include "common/text.h"
#include "report/enum_names.h"
#include "report/escape.h"
#include "viz/finding_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 4000 };

/* RATIONALE: the text comes from the application. Without these escapes it could contain a workflow
 * command of its own. */
static const char *escape_of(char c, bool in_property)
{
    switch (c) {
    case '%':
        return "%25";
    case '\r':
        return "%0D";
    case '\n':
        return "%0A";
    case ':':
        return in_property ? "%3A" : NULL;
    case ',':
        return in_property ? "%2C" : NULL;
    default:
        return NULL;
    }
}

static enum ork_status put_escaped(FILE *out, const char *s, bool in_property)
{
    struct ork_text_stream stream;
    FILE *to = ork_text_open(&stream);

    if (to != NULL)
        ork_escape_text(to, s, MESSAGE_MAX);
    char *plain = ork_text_close(&stream);
    if (plain == NULL)
        return ORK_NOMEM;
    for (const char *c = plain; *c != '\0'; c++) {
        const char *escape = escape_of(*c, in_property);
        if (escape != NULL)
            fputs(escape, out);
        else
            fputc(*c, out);
    }
    free(plain);
    return ORK_OK;
}

/* RATIONALE: GitHub makes a job look failed by its exit code, not by these words. */
static const char *level_of(const struct ork_finding *f)
{
    if (ork_finding_fails(f))
        return "error";
    return f->severity == ORK_NOTE ? "notice" : "warning";
}

/* "file=src/halo.c,line=40,": only a path below the source root can be shown. */
static enum ork_status put_place(const struct ork_report *report, const struct ork_where *where,
                                 FILE *out)
{
    char *path = where->file != NULL ? ork_finding_place_path(report, where) : NULL;
    enum ork_status status = where->file != NULL && path == NULL ? ORK_NOMEM : ORK_OK;

    if (path != NULL && path[0] != '/') {
        fputs("file=", out);
        status = put_escaped(out, path, true);
        fputc(',', out);
        if (where->line != 0)
            fprintf(out, "line=%" PRIu32 ",", where->line);
    }
    free(path);
    return status;
}

static enum ork_status put_finding(const struct ork_report *report, const struct ork_finding *f,
                                   FILE *out)
{
    struct ork_finding_places places;
    const char *class_ = ork_class_word(f->class_);
    enum ork_status status = ork_finding_places_init(&places, f);

    if (status != ORK_OK)
        return status;
    fprintf(out, "::%s ", level_of(f));
    if (places.count > 0)
        status = put_place(report, places.place[0].where, out);
    fputs("title=", out);
    if (status == ORK_OK)
        status = put_escaped(out, f->id, true);
    fprintf(out, "%s%s%s::", class_ != NULL ? " (" : "", class_ != NULL ? class_ : "",
            class_ != NULL ? ")" : "");
    if (status == ORK_OK)
        status = put_escaped(out, f->message, false);
    for (uint32_t i = 0; status == ORK_OK && i < f->num_details; i++) {
        fputs("%0A", out);
        status = put_escaped(out, f->detail[i], false);
    }
    fputc('\n', out);
    ork_finding_places_release(&places);
    return status;
}

enum ork_status ork_viz_annotations(const struct ork_report *report, FILE *out)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; status == ORK_OK && i < report->num_findings; i++)
        status = put_finding(report, &report->finding[i], out);
    return status == ORK_OK && ferror(out) ? ORK_IO : status;
}
