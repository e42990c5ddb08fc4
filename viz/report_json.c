/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of docs/reference/json.md, writing. Building never stops half-way: a value that cannot
 * be had (memory) makes its parent NULL, up to the root. */
#include "viz/report.h"

#include "viz/escape.h"
#include "viz/words.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: 15 digits, so that 1.9 stays 1.9; 17 would make it 1.8999999999999999. */
#define REAL_DIGITS JSON_REAL_PRECISION(15)

/* Put `value` (taken over) below `key`. Without it, or without memory, *object goes. */
static void put(json_t **object, const char *key, json_t *value)
{
    if (*object == NULL) {
        json_decref(value);
        return;
    }
    if (value != NULL && json_object_set_new(*object, key, value) == 0)
        return;
    json_decref(*object);
    *object = NULL;
}

static void append(json_t **array, json_t *value)
{
    if (*array == NULL) {
        json_decref(value);
        return;
    }
    if (value != NULL && json_array_append_new(*array, value) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

static json_t *text_value(const char *s)
{
    if (s == NULL)
        return json_null();
    json_t *value = json_string(s);
    if (value != NULL)
        return value;
    char *clean = ork_utf8_clean(s); /* it was no valid UTF-8 */
    if (clean == NULL)
        return NULL;
    value = json_string(clean);
    free(clean);
    return value;
}

static json_t *count_value(uint64_t n)
{
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *real_value(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* "17" and "-1" as numbers; everything that would not come back the same ("007", "1e3") as a
 * string. */
static json_t *number_or_text_value(const char *s)
{
    if (s == NULL)
        return json_null();
    errno = 0;
    char *end;
    long long n = strtoll(s, &end, 10);
    char again[24];
    snprintf(again, sizeof(again), "%lld", n);
    if (errno == 0 && *end == '\0' && strcmp(s, again) == 0)
        return json_integer(n);
    return text_value(s);
}

static json_t *ranks_value(const struct ork_u32s *set)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < set->count; i++)
        append(&array, json_integer(set->item[i]));
    return array;
}

static json_t *sets_value(const struct ork_u32s *set, uint32_t count)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < count; i++)
        append(&array, ranks_value(&set[i]));
    return array;
}

static json_t *texts_value(char *const *text, uint32_t count)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < count; i++)
        append(&array, text_value(text[i] != NULL ? text[i] : ""));
    return array;
}

/* Only the keys that are known. */
static json_t *place_value(const struct ork_where *where)
{
    json_t *o = json_object();

    if (where->function != NULL)
        put(&o, "function", text_value(where->function));
    if (where->file != NULL)
        put(&o, "file", text_value(where->file));
    if (where->line != 0)
        put(&o, "line", json_integer(where->line));
    if (where->module != NULL)
        put(&o, "module", text_value(where->module));
    if (where->offset != 0)
        put(&o, "offset", count_value(where->offset));
    return o;
}

static json_t *where_value(const struct ork_where *where)
{
    bool known = where->function != NULL || where->file != NULL || where->line != 0 ||
                 where->module != NULL || where->offset != 0;

    return known ? place_value(where) : json_null();
}

static json_t *stack_value(const struct ork_wait *wait)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < wait->num_stack; i++)
        append(&array, place_value(&wait->stack[i]));
    return array;
}

static json_t *wait_value(const struct ork_wait *wait)
{
    json_t *o = json_object();

    put(&o, "rank", json_integer(wait->rank));
    put(&o, "call", text_value(wait->call != NULL ? wait->call : ""));
    put(&o, "comm", text_value(wait->comm));
    put(&o, "peer", number_or_text_value(wait->peer));
    put(&o, "tag", number_or_text_value(wait->tag));
    put(&o, "semantics", json_string(wait->is_or ? "OR" : "AND"));
    put(&o, "for", ranks_value(&wait->waits_for));
    put(&o, "state", text_value(wait->state != NULL ? wait->state : "blocked"));
    put(&o, "detail", text_value(wait->detail));
    put(&o, "where", where_value(&wait->where));
    put(&o, "stack", stack_value(wait));
    return o;
}

static json_t *node_value(const struct ork_graph_node *node)
{
    json_t *o = json_object();

    put(&o, "id", json_integer(node->id));
    put(&o, "kind", json_string(ork_node_kind_word(node->kind)));
    put(&o, "semantics", json_string(node->is_or ? "OR" : "AND"));
    put(&o, "rank", json_integer(node->rank));
    put(&o, "label", text_value(node->label != NULL ? node->label : ""));
    put(&o, "deadlocked", json_boolean(node->deadlocked));
    put(&o, "root", json_boolean(node->root));
    put(&o, "core", json_boolean(node->core));
    return o;
}

static json_t *arc_value(const struct ork_graph_arc *arc)
{
    json_t *o = json_object();

    put(&o, "from", json_integer(arc->from));
    put(&o, "to", json_integer(arc->to));
    put(&o, "label", text_value(arc->label));
    return o;
}

static json_t *graph_value(const struct ork_graph *graph)
{
    json_t *nodes = json_array();
    json_t *arcs = json_array();
    json_t *o = json_object();

    for (uint32_t i = 0; i < graph->num_nodes; i++)
        append(&nodes, node_value(&graph->node[i]));
    for (uint32_t i = 0; i < graph->num_arcs; i++)
        append(&arcs, arc_value(&graph->arc[i]));
    put(&o, "nodes", nodes);
    put(&o, "arcs", arcs);
    return o;
}

static json_t *files_value(const struct ork_finding *finding)
{
    json_t *o = json_object();

    put(&o, "dot", text_value(finding->dot_file));
    put(&o, "svg", text_value(finding->svg_file));
    return o;
}

static json_t *waits_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_waits; i++)
        append(&array, wait_value(&finding->waits[i]));
    return array;
}

static json_t *match_end_value(const struct ork_match_end *end)
{
    json_t *o = json_object();

    put(&o, "rank", json_integer(end->rank));
    put(&o, "call", text_value(end->call != NULL ? end->call : ""));
    put(&o, "where", where_value(&end->where));
    return o;
}

static json_t *decisions_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_decisions; i++) {
        const struct ork_decision *d = &finding->decision[i];
        json_t *o = json_object();
        put(&o, "receive", match_end_value(&d->receive));
        put(&o, "takes", match_end_value(&d->send));
        put(&o, "differs", json_boolean(d->differs));
        put(&o, "took", d->took != UINT32_MAX ? json_integer(d->took) : json_null());
        append(&array, o);
    }
    return array;
}

static json_t *finding_value(const struct ork_finding *finding)
{
    json_t *o = json_object();

    put(&o, "id", text_value(finding->id != NULL ? finding->id : "finding"));
    put(&o, "class", text_value(ork_class_word(finding->class_)));
    put(&o, "severity", json_string(ork_severity_word(finding->severity)));
    put(&o, "message", text_value(finding->message != NULL ? finding->message : ""));
    put(&o, "details", texts_value(finding->detail, finding->num_details));
    put(&o, "ranks", ranks_value(&finding->ranks));
    put(&o, "roots", sets_value(finding->roots, finding->num_roots));
    put(&o, "independent", sets_value(finding->independent, finding->num_independent));
    put(&o, "waits", waits_value(finding));
    put(&o, "decisions", decisions_value(finding));
    put(&o, "graph", graph_value(&finding->graph));
    put(&o, "files", files_value(finding));
    return o;
}

static json_t *tool_value(void)
{
    json_t *o = json_object();

    put(&o, "name", json_string("orknot"));
    put(&o, "version", json_string(ORKNOT_VERSION));
    return o;
}

static json_t *application_value(const struct ork_report *report)
{
    bool exited = report->ended && report->signal == 0;
    json_t *o = json_object();

    put(&o, "exit_code", exited ? json_integer(report->exit_code) : json_null());
    put(&o, "signal", report->signal != 0 ? json_integer(report->signal) : json_null());
    put(&o, "ended", json_boolean(report->ended));
    return o;
}

static json_t *statistics_value(const struct ork_statistics *s)
{
    json_t *o = json_object();

    put(&o, "calls", count_value(s->calls));
    put(&o, "records", count_value(s->records));
    put(&o, "messages", count_value(s->messages));
    put(&o, "collectives", count_value(s->collectives));
    put(&o, "searches", count_value(s->searches));
    put(&o, "full_waits", count_value(s->full_waits));
    put(&o, "tool_ranks", json_integer(s->tool_ranks));
    put(&o, "seconds_to_verdict",
        s->seconds_to_verdict < 0 ? json_null() : real_value(s->seconds_to_verdict));
    return o;
}

static json_t *jobs_value(const struct ork_report *report)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < report->num_jobs; i++) {
        json_t *o = json_object();
        put(&o, "first", json_integer(report->job[i].first));
        put(&o, "ranks", json_integer(report->job[i].ranks));
        put(&o, "origin", text_value(report->job[i].origin));
        append(&array, o);
    }
    return array;
}

static json_t *findings_value(const struct ork_report *report)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < report->num_findings; i++)
        append(&array, finding_value(&report->finding[i]));
    return array;
}

/* "schema" and "tool" come first: an earlier report is known by its first bytes (ours.c). */
static json_t *report_value(const struct ork_report *report)
{
    json_t *o = json_object();

    put(&o, "schema", json_integer(1));
    put(&o, "tool", tool_value());
    put(&o, "command", texts_value(report->command, report->num_command));
    put(&o, "ranks", json_integer(report->ranks));
    put(&o, "jobs", jobs_value(report));
    put(&o, "seconds", real_value(report->seconds));
    put(&o, "application", application_value(report));
    put(&o, "complete", json_boolean(report->complete));
    put(&o, "verdict", json_string(report->num_findings == 0 ? "clean" : "findings"));
    put(&o, "notes", texts_value(report->note, report->num_notes));
    put(&o, "findings", findings_value(report));
    put(&o, "statistics", statistics_value(&report->statistics));
    return o;
}

enum ork_status ork_report_to_json(const struct ork_report *report, char **text)
{
    json_t *value = report_value(report);
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

enum ork_status ork_finding_to_json(const struct ork_finding *finding, char **text)
{
    json_t *value = finding_value(finding);
    char *dump = json_dumps(value, JSON_COMPACT | REAL_DIGITS);

    json_decref(value);
    if (dump == NULL)
        return ORK_NOMEM;
    *text = dump;
    return ORK_OK;
}
