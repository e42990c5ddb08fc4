/* SPDX-License-Identifier: BSD-3-Clause */
/* A report in SARIF 2.1.0 (OASIS Standard, 27 March 2020), as code scanning services read it. See
 * report/json_value.h for lack of memory. */
#include "viz/viz.h"

#include "common/text.h"
#include "report/enum_names.h"
#include "report/finding_kind.h"
#include "report/fingerprint.h"
#include "report/json_value.h"
#include "report/json_write.h"
#include "report/ranks.h"
#include "viz/finding_places.h"
#include "viz/uri.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define BASE "%SRCROOT%"

enum { RELATED_MAX = 100, RUNS_MAX = 8 };

/* What the parts of the document need. */
struct writing {
    const struct ork_report *report;
    const struct ork_fingerprint *fingerprint;
    bool *is_used; /* by kind: a finding has it */
};

static json_t *message_value(const char *text)
{
    json_t *o = json_object();

    ork_json_put(&o, "text", ork_json_text(text));
    return o;
}

/* The value of what was written, or NULL. */
static json_t *written_message(struct ork_text_stream *stream)
{
    char *text = ork_text_close(stream);
    json_t *value = text != NULL ? message_value(text) : NULL;

    free(text);
    return value;
}

/* ---- rules ---- */

/* RATIONALE: a slash, because SARIF orders rules in levels by it (section 3.5.4). */
static json_t *rule_id(const char *id, enum ork_class class_)
{
    char text[100];
    const char *word = ork_class_word(class_);

    snprintf(text, sizeof(text), "%s%s%s", id, word != NULL ? "/" : "", word != NULL ? word : "");
    return ork_json_text(text);
}

/* The id and the class in the form that the validator of the SARIF SDK asks for: "LostMessage". */
static json_t *rule_name(const char *id, enum ork_class class_)
{
    char *text = ork_text("-%s-%s", id, class_ != ORK_CLASS_NONE ? ork_class_word(class_) : "");
    size_t length = 0;

    for (const char *from = text; from != NULL && *from != '\0'; from++)
        if (*from != '-')
            text[length++] = from[-1] == '-' ? (char)toupper((unsigned char)*from) : *from;
    json_t *value = text != NULL ? json_stringn(text, length) : NULL;
    free(text);
    return value;
}

static json_t *help_value(const struct ork_finding_kind *kind)
{
    char *text = ork_text("%s\n\n%s", kind->meaning, kind->advice);
    json_t *value = text != NULL ? message_value(text) : NULL;

    free(text);
    return value;
}

static json_t *rule_value(const struct ork_finding_kind *kind)
{
    json_t *o = json_object();
    json_t *properties = json_object();
    json_t *tags = json_array();

    ork_json_append(&tags, json_string("correctness"));
    ork_json_append(&tags, json_string("mpi"));
    ork_json_put(&properties, "tags", tags);
    ork_json_put(&o, "id", rule_id(kind->id, kind->class_));
    ork_json_put(&o, "name", rule_name(kind->id, kind->class_));
    ork_json_put(&o, "shortDescription", message_value(kind->meaning));
    ork_json_put(&o, "fullDescription", message_value(kind->meaning));
    ork_json_put(&o, "help", help_value(kind));
    ork_json_put(&o, "properties", properties);
    return o;
}

/* The rules of this report's findings. */
static json_t *rules_value(const struct writing *w)
{
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        if (w->is_used[i])
            ork_json_append(&array, rule_value(&kind[i]));
    return array;
}

static void mark_rules(const struct writing *w)
{
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);

    for (uint32_t i = 0; i < w->report->num_findings; i++) {
        const struct ork_finding *f = &w->report->finding[i];
        const struct ork_finding_kind *own = ork_finding_kind(f->id, f->class_);
        if (own != NULL)
            w->is_used[own - kind] = true;
    }
}

/* ---- places ---- */

static json_t *artifact_value(const struct writing *w, const char *path)
{
    char *uri = ork_uri_of_path(path);
    json_t *o = json_object();

    ork_json_put(&o, "uri", uri != NULL ? ork_json_text(uri) : NULL);
    if (path[0] != '/' && w->report->source_root != NULL)
        ork_json_put(&o, "uriBaseId", json_string(BASE));
    free(uri);
    return o;
}

static json_t *physical_value(const struct writing *w, const struct ork_where *where)
{
    char *path = ork_finding_place_path(w->report, where);
    json_t *o = json_object();

    ork_json_put(&o, "artifactLocation", path != NULL ? artifact_value(w, path) : NULL);
    if (where->file != NULL && where->line != 0) {
        json_t *region = json_object();
        ork_json_put(&region, "startLine", json_integer(where->line));
        ork_json_put(&o, "region", region);
    }
    free(path);
    return o;
}

/* "ranks 0-3 in MPI_Recv" */
static json_t *place_message(const struct ork_finding_place *place)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    fputs(place->num_ranks > 1 ? "ranks " : "rank ", out);
    ork_put_ranks(out, place->rank, place->num_ranks, RUNS_MAX);
    if (place->call != NULL && place->call[0] != '\0')
        fprintf(out, " in %s", place->call);
    return written_message(&stream);
}

static json_t *logical_value(const char *function)
{
    json_t *array = json_array();
    json_t *o = json_object();

    ork_json_put(&o, "name", ork_json_text(function));
    ork_json_put(&o, "kind", json_string("function"));
    ork_json_append(&array, o);
    return array;
}

static json_t *location_value(const struct writing *w, const struct ork_finding_place *place)
{
    json_t *o = json_object();

    ork_json_put(&o, "physicalLocation", physical_value(w, place->where));
    if (place->where->function != NULL)
        ork_json_put(&o, "logicalLocations", logical_value(place->where->function));
    ork_json_put(&o, "message", place_message(place));
    return o;
}

/* RATIONALE: a service shows no result without a location. */
static json_t *program_location(const struct writing *w)
{
    struct ork_where program = {.module = w->report->command[0]};
    json_t *o = json_object();

    ork_json_put(&o, "physicalLocation", physical_value(w, &program));
    return o;
}

/* The first place, and the others as related ones. */
static void put_locations(const struct writing *w, const struct ork_finding *f, json_t **result)
{
    struct ork_finding_places places;
    json_t *main = json_array();
    json_t *related = json_array();

    if (ork_finding_places_init(&places, f) != ORK_OK) {
        json_decref(main);
        json_decref(related);
        ork_json_put(result, "locations", NULL);
        return;
    }
    if (places.count > 0)
        ork_json_append(&main, location_value(w, &places.place[0]));
    else if (w->report->num_command > 0)
        ork_json_append(&main, program_location(w));
    for (uint32_t i = 1; i < places.count && i <= RELATED_MAX; i++) {
        json_t *location = location_value(w, &places.place[i]);
        ork_json_put(&location, "id", json_integer(i));
        ork_json_append(&related, location);
    }
    ork_json_put(result, "locations", main);
    ork_json_put(result, "relatedLocations", related);
    ork_finding_places_release(&places);
}

/* ---- results ---- */

static json_t *finding_message(const struct ork_finding *f)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    fputs(f->message, out);
    for (uint32_t i = 0; i < f->num_details; i++)
        fprintf(out, "\n%s", f->detail[i]);
    return written_message(&stream);
}

/* RATIONALE: the second name is the one that GitHub follows a finding by. */
static json_t *fingerprints_value(const struct ork_fingerprint *fingerprint)
{
    json_t *o = json_object();

    ork_json_put(&o, "orknot/v1", json_string(fingerprint->text));
    ork_json_put(&o, "primaryLocationLineHash", json_string(fingerprint->text));
    return o;
}

static json_t *result_value(const struct writing *w, uint32_t i)
{
    const struct ork_finding *f = &w->report->finding[i];
    json_t *o = json_object();

    ork_json_put(&o, "ruleId", rule_id(f->id, f->class_));
    ork_json_put(&o, "level", json_string(ork_severity_word(f->severity)));
    ork_json_put(&o, "message", finding_message(f));
    put_locations(w, f, &o);
    if (f->baseline != ORK_BASELINE_NONE)
        ork_json_put(&o, "baselineState",
                     json_string(f->baseline == ORK_BASELINE_KNOWN ? "unchanged" : "new"));
    ork_json_put(&o, "partialFingerprints", fingerprints_value(&w->fingerprint[i]));
    return o;
}

static json_t *results_value(const struct writing *w)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < w->report->num_findings; i++)
        ork_json_append(&array, result_value(w, i));
    return array;
}

/* ---- the run ---- */

static json_t *notifications_value(const struct ork_report *report)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < report->num_notes; i++) {
        json_t *o = json_object();
        ork_json_put(&o, "level", json_string("note"));
        ork_json_put(&o, "message", message_value(report->note[i]));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *invocations_value(const struct ork_report *report)
{
    json_t *array = json_array();
    json_t *o = json_object();

    ork_json_put(&o, "executionSuccessful", json_boolean(report->complete));
    ork_json_put(&o, "arguments", ork_json_texts(report->command, report->num_command));
    ork_json_put(&o, "toolExecutionNotifications", notifications_value(report));
    ork_json_append(&array, o);
    return array;
}

static json_t *tool_value(const struct writing *w)
{
    json_t *driver = json_object();
    json_t *o = json_object();

    ork_json_put(&driver, "name", json_string("orknot"));
    ork_json_put(&driver, "fullName", json_string("Orknot " ORKNOT_VERSION));
    ork_json_put(&driver, "semanticVersion", json_string(ORKNOT_VERSION));
    ork_json_put(&driver, "rules", rules_value(w));
    ork_json_put(&o, "driver", driver);
    return o;
}

/* A folder's URI ends with a slash (section 3.14.14). */
static json_t *bases_value(const char *root)
{
    char *uri = ork_uri_of_folder(root);
    json_t *base = json_object();
    json_t *o = json_object();

    ork_json_put(&base, "uri", uri != NULL ? ork_json_text(uri) : NULL);
    ork_json_put(&o, BASE, base);
    free(uri);
    return o;
}

/* RATIONALE: GitHub takes the part before the last slash as the category of an upload, and an
 * upload replaces the one of the same category: each program has its own. */
static json_t *automation_value(const struct ork_report *report)
{
    char *id = ork_text("orknot/%s/", ork_base_name(report->command[0]));
    json_t *o = json_object();

    ork_json_put(&o, "id", id != NULL ? ork_json_text(id) : NULL);
    free(id);
    return o;
}

static json_t *run_value(const struct writing *w)
{
    json_t *o = json_object();

    ork_json_put(&o, "tool", tool_value(w));
    ork_json_put(&o, "invocations", invocations_value(w->report));
    if (w->report->num_command > 0)
        ork_json_put(&o, "automationDetails", automation_value(w->report));
    if (w->report->source_root != NULL)
        ork_json_put(&o, "originalUriBaseIds", bases_value(w->report->source_root));
    ork_json_put(&o, "results", results_value(w));
    return o;
}

/* "$schema" and "tool" come first: report_owner.c recognises an earlier file by its first bytes. */
static json_t *log_value(const struct writing *w)
{
    json_t *runs = json_array();
    json_t *o = json_object();

    ork_json_append(&runs, run_value(w));
    ork_json_put(&o, "$schema", json_string(SCHEMA));
    ork_json_put(&o, "version", json_string("2.1.0"));
    ork_json_put(&o, "runs", runs);
    return o;
}

enum ork_status ork_viz_sarif(const struct ork_report *report, char **text)
{
    struct ork_fingerprint *fingerprint = NULL;
    size_t count;

    ork_finding_kinds(&count);
    bool *is_used = calloc(count + 1, sizeof(*is_used));
    enum ork_status status = is_used != NULL ? ork_fingerprints(report, &fingerprint) : ORK_NOMEM;
    if (status == ORK_OK) {
        struct writing w = {.report = report, .fingerprint = fingerprint, .is_used = is_used};
        mark_rules(&w);
        status = ork_json_to_text(log_value(&w), text);
    }
    free(fingerprint);
    free(is_used);
    return status;
}
