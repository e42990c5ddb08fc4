/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of docs/reference/json.md, writing. See json_value.h for lack of memory. */
#include "report/json_write.h"

#include "report/enum_names.h"
#include "report/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: 15 digits, so that 1.9 stays 1.9; 17 would make it 1.8999999999999999. */
#define REAL_DIGITS JSON_REAL_PRECISION(15)

static json_t *sets_value(const struct ork_u32s *set, uint32_t count)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < count; i++)
        ork_json_append(&array, ork_json_ranks(&set[i]));
    return array;
}

static json_t *places_value(const struct ork_where *place, uint32_t n)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < n; i++)
        ork_json_append(&array, ork_json_place(&place[i]));
    return array;
}

static json_t *position_value(const struct ork_position *now)
{
    if (now->ahead == ORK_AHEAD_NOT)
        return json_null();
    json_t *o = json_object();
    ork_json_put(&o, "state", json_string(ork_ahead_word(now->ahead)));
    ork_json_put(&o, "call", ork_json_text(now->call));
    ork_json_put(&o, "where", ork_json_where(&now->where));
    return o;
}

static json_t *wait_value(const struct ork_rank_row *wait)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", json_integer(wait->rank));
    ork_json_put(&o, "call", ork_json_text(wait->call != NULL ? wait->call : ""));
    if (wait->own_name != NULL)
        ork_json_put(&o, "own_name", ork_json_text(wait->own_name));
    ork_json_put(&o, "comm", ork_json_text(wait->comm));
    ork_json_put(&o, "peer", ork_json_number_or_text(wait->peer));
    ork_json_put(&o, "tag", ork_json_number_or_text(wait->tag));
    ork_json_put(&o, "remote", json_boolean(wait->remote));
    ork_json_put(&o, "operation", ork_json_text(wait->operation));
    ork_json_put(&o, "semantics", json_string(wait->is_or ? "OR" : "AND"));
    ork_json_put(&o, "for", ork_json_ranks(&wait->waits_for));
    ork_json_put(&o, "state", ork_json_text(wait->state != NULL ? wait->state : "blocked"));
    ork_json_put(&o, "detail", ork_json_text(wait->detail));
    ork_json_put(&o, "where", ork_json_where(&wait->where));
    ork_json_put(&o, "now", position_value(&wait->now));
    if (wait->num_callers > 0)
        ork_json_put(&o, "callers", places_value(wait->caller, wait->num_callers));
    ork_json_put(&o, "stack", places_value(wait->stack, wait->num_stack));
    return o;
}

static json_t *node_value(const struct ork_graph_node *node)
{
    json_t *o = json_object();

    ork_json_put(&o, "id", json_integer(node->id));
    ork_json_put(&o, "kind", json_string(ork_node_kind_word(node->kind)));
    ork_json_put(&o, "semantics", json_string(node->is_or ? "OR" : "AND"));
    ork_json_put(&o, "rank", json_integer(node->rank));
    ork_json_put(&o, "label", ork_json_text(node->label != NULL ? node->label : ""));
    ork_json_put(&o, "deadlocked", json_boolean(node->deadlocked));
    ork_json_put(&o, "root", json_boolean(node->root));
    ork_json_put(&o, "core", json_boolean(node->core));
    ork_json_put(&o, "comm", ork_json_text(node->comm));
    ork_json_put(&o, "place", ork_json_text(node->place));
    ork_json_put(&o, "towards", ork_json_text(node->towards));
    ork_json_put(&o, "relation", ork_json_text(node->relation));
    ork_json_put(&o, "ranks", ork_json_runs(node->run, node->num_runs));
    ork_json_put(&o, "count", json_integer(node->count > 1 ? node->count : 1));
    return o;
}

static json_t *arc_value(const struct ork_graph_arc *arc)
{
    json_t *o = json_object();

    ork_json_put(&o, "from", json_integer(arc->from));
    ork_json_put(&o, "to", json_integer(arc->to));
    ork_json_put(&o, "label", ork_json_text(arc->label));
    return o;
}

static json_t *graph_value(const struct ork_graph *graph)
{
    json_t *nodes = json_array();
    json_t *arcs = json_array();
    json_t *o = json_object();

    for (uint32_t i = 0; i < graph->num_nodes; i++)
        ork_json_append(&nodes, node_value(&graph->node[i]));
    for (uint32_t i = 0; i < graph->num_arcs; i++)
        ork_json_append(&arcs, arc_value(&graph->arc[i]));
    ork_json_put(&o, "nodes", nodes);
    ork_json_put(&o, "arcs", arcs);
    return o;
}

static json_t *files_value(const struct ork_finding *finding)
{
    json_t *o = json_object();

    ork_json_put(&o, "dot", ork_json_text(finding->dot_file));
    ork_json_put(&o, "svg", ork_json_text(finding->svg_file));
    ork_json_put(&o, "lanes", ork_json_text(finding->lanes_file));
    return o;
}

static json_t *waits_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_waits; i++)
        ork_json_append(&array, wait_value(&finding->waits[i]));
    return array;
}

static json_t *decisions_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_decisions; i++) {
        const struct ork_match_decision *d = &finding->decision[i];
        json_t *o = json_object();
        ork_json_put(&o, "receive", ork_json_match_end(&d->receive));
        ork_json_put(&o, "takes", ork_json_match_end(&d->send));
        ork_json_put(&o, "differs", json_boolean(d->differs));
        ork_json_put(&o, "took", d->took != UINT32_MAX ? json_integer(d->took) : json_null());
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *end_value(const struct ork_finding_end *end)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", end->rank != UINT32_MAX ? json_integer(end->rank) : json_null());
    ork_json_put(&o, "kind", ork_json_text(ork_ended_as_word(end->as)));
    ork_json_put(&o, "value", json_integer(end->value));
    return o;
}

json_t *ork_json_finding(const struct ork_finding *finding)
{
    json_t *o = json_object();

    ork_json_put(&o, "id", ork_json_text(finding->id != NULL ? finding->id : "finding"));
    ork_json_put(&o, "class", ork_json_text(ork_class_word(finding->class_)));
    ork_json_put(&o, "severity", json_string(ork_severity_word(finding->severity)));
    ork_json_put(&o, "message", ork_json_text(finding->message != NULL ? finding->message : ""));
    ork_json_put(&o, "summary", ork_json_text(finding->summary));
    ork_json_put(&o, "details", ork_json_texts(finding->detail, finding->num_details));
    ork_json_put(&o, "ranks", ork_json_ranks(&finding->ranks));
    ork_json_put(&o, "roots", sets_value(finding->roots, finding->num_roots));
    ork_json_put(&o, "independent", sets_value(finding->independent, finding->num_independent));
    ork_json_put(&o, "waits", waits_value(finding));
    ork_json_put(&o, "decisions", decisions_value(finding));
    ork_json_put_context(&o, finding);
    ork_json_put(&o, "graph", graph_value(&finding->graph));
    ork_json_put(&o, "files", files_value(finding));
    if (finding->end.as != ORK_AS_NONE)
        ork_json_put(&o, "end", end_value(&finding->end));
    if (finding->repeats > 0)
        ork_json_put(&o, "repeats", ork_json_count(finding->repeats));
    if (finding->fails != ORK_FAILS_BY_SEVERITY)
        ork_json_put(&o, "fails", json_boolean(ork_finding_fails(finding)));
    if (finding->baseline != ORK_BASELINE_NONE)
        ork_json_put(&o, "baseline", json_string(ork_baseline_word(finding->baseline)));
    return o;
}

json_t *ork_json_tool(void)
{
    json_t *o = json_object();

    ork_json_put(&o, "name", json_string("orknot"));
    ork_json_put(&o, "version", json_string(ORKNOT_VERSION));
    return o;
}

static json_t *application_value(const struct ork_report *report)
{
    bool exited = report->ended && report->signal == 0 && report->ended_by != ORK_ENDED_BY_TOOL;
    json_t *o = json_object();

    ork_json_put(&o, "exit_code", exited ? json_integer(report->exit_code) : json_null());
    ork_json_put(&o, "signal", report->signal != 0 ? json_integer(report->signal) : json_null());
    ork_json_put(&o, "ended", json_boolean(report->ended));
    ork_json_put(&o, "ended_by", ork_json_text(ork_ended_by_word(report->ended_by)));
    return o;
}

static json_t *run_value(const struct ork_run_facts *run)
{
    json_t *o = json_object();

    ork_json_put(&o, "started", ork_json_text(run->started));
    ork_json_put(&o, "host", ork_json_text(run->host));
    ork_json_put(&o, "folder", ork_json_text(run->folder));
    ork_json_put(&o, "command", ork_json_texts(run->word, run->num_words));
    ork_json_put(&o, "launcher", ork_json_text(run->launcher));
    ork_json_put(&o, "mpi", ork_json_text(run->mpi));
    ork_json_put(&o, "exit_code", run->exit_code >= 0 ? json_integer(run->exit_code) : json_null());
    return o;
}

/* RATIONALE: a hash as text, because many readers of JSON have no integers of 64 bits. */
static void put_choices(json_t **o, const struct ork_report *report)
{
    json_t *counts = json_array();
    json_t *hashes = json_array();
    char text[17];

    for (uint32_t i = 0; i < report->num_choices; i++) {
        const struct ork_rank_choices *c = &report->choices[i];
        snprintf(text, sizeof(text), "%016" PRIx64, c->hash);
        ork_json_append(&counts, ork_json_count(c->count));
        ork_json_append(&hashes, c->count > 0 ? json_string(text) : json_null());
    }
    ork_json_put(o, "choices", counts);
    ork_json_put(o, "order_hash", hashes);
}

json_t *ork_json_statistics(const struct ork_report *report)
{
    const struct ork_statistics *s = &report->statistics;
    json_t *o = json_object();

#define ORK_STATISTIC(name) ork_json_put(&o, #name, ork_json_count(s->name));
#include "report/statistics.def"
#undef ORK_STATISTIC
    ork_json_put(&o, "tool_ranks", json_integer(s->tool_ranks));
    ork_json_put(&o, "seconds_to_verdict",
                 s->seconds_to_verdict < 0 ? json_null() : ork_json_real(s->seconds_to_verdict));
    if (report->num_choices > 0)
        put_choices(&o, report);
    return o;
}

json_t *ork_json_jobs(const struct ork_report *report)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < report->num_jobs; i++) {
        json_t *o = json_object();
        ork_json_put(&o, "first", json_integer(report->job[i].first));
        ork_json_put(&o, "ranks", json_integer(report->job[i].ranks));
        ork_json_put(&o, "origin", ork_json_text(report->job[i].origin));
        ork_json_append(&array, o);
    }
    return array;
}

/* As in the report. */
static json_t *named_finding(const struct ork_finding *finding,
                             const struct ork_fingerprint *fingerprint)
{
    json_t *o = ork_json_finding(finding);

    ork_json_put(&o, "fingerprint", json_string(fingerprint->text));
    return o;
}

static json_t *findings_value(const struct ork_report *report)
{
    struct ork_fingerprint *fingerprint = NULL;
    json_t *array = json_array();

    if (ork_fingerprints(report, &fingerprint) != ORK_OK) {
        json_decref(array);
        return NULL;
    }
    for (uint32_t i = 0; i < report->num_findings; i++)
        ork_json_append(&array, named_finding(&report->finding[i], &fingerprint[i]));
    free(fingerprint);
    return array;
}

static json_t *unlisted_value(const struct ork_report *report)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < report->num_unlisted; i++) {
        const struct ork_unlisted *u = &report->unlisted[i];
        json_t *o = json_object();
        ork_json_put(&o, "id", ork_json_text(u->id));
        ork_json_put(&o, "class", ork_json_text(ork_class_word(u->class_)));
        ork_json_put(&o, "errors", ork_json_count(u->count[ORK_ERROR]));
        ork_json_put(&o, "warnings", ork_json_count(u->count[ORK_WARNING]));
        ork_json_put(&o, "notes", ork_json_count(u->count[ORK_NOTE]));
        ork_json_append(&array, o);
    }
    return array;
}

/* "schema" and "tool" come first: viz/report_owner.c recognises an earlier report by its first
 * bytes. */
static json_t *report_value(const struct ork_report *report)
{
    json_t *o = json_object();

    ork_json_put(&o, "schema", json_integer(1));
    ork_json_put(&o, "tool", ork_json_tool());
    ork_json_put(&o, "command", ork_json_texts(report->command, report->num_command));
    ork_json_put(&o, "ranks", json_integer(report->ranks));
    ork_json_put(&o, "jobs", ork_json_jobs(report));
    ork_json_put(&o, "seconds", ork_json_real(report->seconds));
    ork_json_put(&o, "application", application_value(report));
    if (report->run.started != NULL)
        ork_json_put(&o, "run", run_value(&report->run));
    ork_json_put(&o, "complete", json_boolean(report->complete));
    ork_json_put(&o, "verdict", json_string(ork_verdict_word(report)));
    ork_json_put(&o, "notes", ork_json_texts(report->note, report->num_notes));
    ork_json_put(&o, "findings", findings_value(report));
    if (report->num_unlisted > 0)
        ork_json_put(&o, "unlisted", unlisted_value(report));
    ork_json_put(&o, "suppressed", json_integer(report->suppressed));
    if (report->replay != NULL)
        ork_json_put(&o, "replay", ork_json_text(report->replay));
    if (report->explore != NULL)
        ork_json_put(&o, "explore", ork_json_text(report->explore));
    ork_json_put(&o, "statistics", ork_json_statistics(report));
    return o;
}

enum ork_status ork_json_to_text(json_t *value, char **text)
{
    char *dump = json_dumps(value, JSON_INDENT(2) | REAL_DIGITS);

    json_decref(value);
    if (dump == NULL)
        return ORK_NOMEM;
    size_t size = strlen(dump);
    char *grown = realloc(dump, size + 2);
    if (grown == NULL) {
        free(dump);
        return ORK_NOMEM;
    }
    memcpy(grown + size, "\n", 2);
    *text = grown;
    return ORK_OK;
}

enum ork_status ork_report_to_json(const struct ork_report *report, char **text)
{
    return ork_json_to_text(report_value(report), text);
}

/* On one line; the value is released. */
static enum ork_status to_line(json_t *value, char **text)
{
    char *dump = json_dumps(value, JSON_COMPACT | REAL_DIGITS);

    json_decref(value);
    if (dump == NULL)
        return ORK_NOMEM;
    *text = dump;
    return ORK_OK;
}

enum ork_status ork_finding_to_json(const struct ork_finding *finding, char **text)
{
    return to_line(ork_json_finding(finding), text);
}

enum ork_status ork_report_finding_to_json(const struct ork_report *report, uint32_t i, char **text)
{
    struct ork_fingerprint *fingerprint;
    enum ork_status status = ork_fingerprints(report, &fingerprint);

    if (status != ORK_OK)
        return status;
    status = to_line(named_finding(&report->finding[i], &fingerprint[i]), text);
    free(fingerprint);
    return status;
}
