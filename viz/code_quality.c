/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as a code quality report of GitLab: the part of the Code Climate format that it reads.
 * See report/json_value.h for lack of memory. */
#include "viz/viz.h"

#include "report/enum_names.h"
#include "report/fingerprint.h"
#include "report/json_value.h"
#include "report/json_write.h"
#include "viz/finding_places.h"

#include <stdlib.h>
#include <string.h>

static const char *severity_of(const struct ork_finding *f)
{
    if (ork_finding_fails(f))
        return "critical";
    return f->severity == ORK_NOTE ? "info" : "minor";
}

static json_t *check_name(const struct ork_finding *f)
{
    const char *class_ = ork_class_word(f->class_);
    char text[100];

    snprintf(text, sizeof(text), "%s%s%s", f->id, class_ != NULL ? ":" : "",
             class_ != NULL ? class_ : "");
    return ork_json_text(text);
}

/* A place is required. Without one in the sources it is that of the program. */
static json_t *location_value(const struct ork_report *report, const struct ork_finding *f)
{
    char no_program[] = "";
    struct ork_where program = {.module =
                                    report->num_command > 0 ? report->command[0] : no_program};
    struct ork_finding_places places;
    json_t *lines = json_object();
    json_t *o = json_object();

    if (ork_finding_places_init(&places, f) != ORK_OK) {
        json_decref(lines);
        json_decref(o);
        return NULL;
    }
    const struct ork_where *where = places.count > 0 ? places.place[0].where : &program;
    char *path = ork_finding_place_path(report, where);
    ork_json_put(&o, "path", path != NULL ? ork_json_text(path) : NULL);
    ork_json_put(&lines, "begin", json_integer(where->line > 0 ? where->line : 1));
    ork_json_put(&o, "lines", lines);
    free(path);
    ork_finding_places_release(&places);
    return o;
}

/* "engine_name" comes first: report_owner.c recognises an earlier file by its first bytes. */
static json_t *issue_value(const struct ork_report *report, const struct ork_finding *f,
                           const struct ork_fingerprint *fingerprint)
{
    json_t *o = json_object();

    ork_json_put(&o, "engine_name", json_string("orknot"));
    ork_json_put(&o, "type", json_string("issue"));
    ork_json_put(&o, "check_name", check_name(f));
    ork_json_put(&o, "description", ork_json_text(f->message));
    ork_json_put(&o, "fingerprint", json_string(fingerprint->text));
    ork_json_put(&o, "severity", json_string(severity_of(f)));
    ork_json_put(&o, "location", location_value(report, f));
    return o;
}

enum ork_status ork_viz_code_quality(const struct ork_report *report, char **text)
{
    struct ork_fingerprint *fingerprint;
    json_t *array = json_array();
    enum ork_status status = ork_fingerprints(report, &fingerprint);

    if (status != ORK_OK) {
        json_decref(array);
        return status;
    }
    for (uint32_t i = 0; i < report->num_findings; i++)
        ork_json_append(&array, issue_value(report, &report->finding[i], &fingerprint[i]));
    free(fingerprint);
    return ork_json_to_text(array, text);
}
