/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of docs/reference/json.md, reading. The input is untrusted: whatever it contains, the
 * result is a report or an error text (see json_reader.h). */
#include "report/json_read.h"

#include "report/enum_names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *severity_choice(unsigned i)
{
    return ork_severity_word((enum ork_severity)i);
}

static const char *class_choice(unsigned i)
{
    return ork_class_word((enum ork_class)i);
}

static const char *kind_choice(unsigned i)
{
    return ork_node_kind_word((enum ork_node_kind)i);
}

static const char *semantics_choice(unsigned i)
{
    return i == 0 ? "AND" : "OR";
}

static const char *ahead_choice(unsigned i)
{
    return ork_ahead_word((enum ork_ahead)(i + ORK_AHEAD_GOES));
}

static void read_position(struct ork_json_reader *in, const json_t *o, struct ork_position *out)
{
    out->ahead = (enum ork_ahead)(ORK_AHEAD_GOES +
                                  ork_json_reader_get_choice(in, o, "state", 0, ahead_choice, 3));
    ork_json_reader_get_text(in, o, "call", &out->call);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
}

static void get_places(struct ork_json_reader *in, const json_t *o, const char *name,
                       struct ork_where **out, uint32_t *num)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, name, &count);

    *out = list != NULL ? ork_json_reader_room(in, count, sizeof(**out)) : NULL;
    *num = *out != NULL ? count : 0;
    for (uint32_t i = 0; i < *num; i++)
        ork_json_reader_get_place(in, ork_json_reader_object(in, name, json_array_get(list, i)),
                                  &(*out)[i]);
}

static void read_wait(struct ork_json_reader *in, const json_t *o, struct ork_rank_row *out)
{
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    ork_json_reader_get_word(in, o, "call", "", &out->call);
    ork_json_reader_get_text(in, o, "own_name", &out->own_name);
    ork_json_reader_get_text(in, o, "comm", &out->comm);
    ork_json_reader_get_number_or_text(in, o, "peer", &out->peer);
    ork_json_reader_get_number_or_text(in, o, "tag", &out->tag);
    out->remote = ork_json_reader_get_bool(in, o, "remote", false);
    ork_json_reader_get_text(in, o, "operation", &out->operation);
    out->is_or = ork_json_reader_get_choice(in, o, "semantics", 0, semantics_choice, 2) == 1;
    ork_json_reader_get_set(in, o, "for", &out->waits_for);
    ork_json_reader_get_word(in, o, "state", "blocked", &out->state);
    ork_json_reader_get_text(in, o, "detail", &out->detail);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
    const json_t *now = ork_json_reader_value(in, o, "now");
    if (now != NULL)
        read_position(in, ork_json_reader_object(in, "now", now), &out->now);
    get_places(in, o, "callers", &out->caller, &out->num_callers);
    get_places(in, o, "stack", &out->stack, &out->num_stack);
}

static void get_waits(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "waits", &count);

    out->waits = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->waits)) : NULL;
    out->num_waits = out->waits != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_waits; i++) {
        size_t end = ork_json_reader_enter(in, "wait", i);
        read_wait(in, ork_json_reader_object(in, "waits", json_array_get(list, i)), &out->waits[i]);
        in->place[end] = '\0';
    }
}

static void read_decision(struct ork_json_reader *in, const json_t *o,
                          struct ork_match_decision *out)
{
    ork_json_reader_get_match_end(in, o, "receive", &out->receive);
    ork_json_reader_get_match_end(in, o, "takes", &out->send);
    out->differs = ork_json_reader_get_bool(in, o, "differs", false);
    out->took = ork_json_reader_value(in, o, "took") != NULL
                    ? ork_json_reader_get_u32(in, o, "took")
                    : UINT32_MAX;
}

static void get_decisions(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "decisions", &count);

    out->decision = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->decision)) : NULL;
    out->num_decisions = out->decision != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_decisions; i++) {
        size_t end = ork_json_reader_enter(in, "decision", i);
        read_decision(in, ork_json_reader_object(in, "decisions", json_array_get(list, i)),
                      &out->decision[i]);
        in->place[end] = '\0';
    }
}

static void read_node(struct ork_json_reader *in, const json_t *o, struct ork_graph_node *out)
{
    out->id = ork_json_reader_get_u32(in, o, "id");
    out->kind = (enum ork_node_kind)ork_json_reader_get_choice(in, o, "kind", ORK_NODE_RANK,
                                                               kind_choice, 3);
    out->is_or = ork_json_reader_get_choice(in, o, "semantics", 0, semantics_choice, 2) == 1;
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    ork_json_reader_get_word(in, o, "label", "", &out->label);
    out->deadlocked = ork_json_reader_get_bool(in, o, "deadlocked", false);
    out->root = ork_json_reader_get_bool(in, o, "root", false);
    out->core = ork_json_reader_get_bool(in, o, "core", false);
    ork_json_reader_get_text(in, o, "comm", &out->comm);
    ork_json_reader_get_text(in, o, "place", &out->place);
    ork_json_reader_get_text(in, o, "towards", &out->towards);
    ork_json_reader_get_text(in, o, "relation", &out->relation);
    ork_json_reader_get_runs(in, o, "ranks", &out->run, &out->num_runs);
    out->count = ork_json_reader_get_u32(in, o, "count");
}

static void read_arc(struct ork_json_reader *in, const json_t *o, struct ork_graph_arc *out)
{
    out->from = ork_json_reader_get_u32(in, o, "from");
    out->to = ork_json_reader_get_u32(in, o, "to");
    ork_json_reader_get_text(in, o, "label", &out->label);
}

static void get_graph(struct ork_json_reader *in, const json_t *finding, struct ork_graph *out)
{
    const json_t *o = ork_json_reader_value(in, finding, "graph");
    uint32_t count;

    if (o == NULL)
        return;
    if (!json_is_object(o))
        ork_json_reader_refuse(in, "\"graph\" must be an object");
    const json_t *list = ork_json_reader_get_list(in, o, "nodes", &count);
    out->node = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->node)) : NULL;
    out->num_nodes = out->node != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_nodes; i++)
        read_node(in, ork_json_reader_object(in, "nodes", json_array_get(list, i)), &out->node[i]);
    list = ork_json_reader_get_list(in, o, "arcs", &count);
    out->arc = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->arc)) : NULL;
    out->num_arcs = out->arc != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_arcs; i++)
        read_arc(in, ork_json_reader_object(in, "arcs", json_array_get(list, i)), &out->arc[i]);
}

static const char *ended_as_choice(unsigned i)
{
    return ork_ended_as_word((enum ork_ended_as)i);
}

static const char *ended_by_choice(unsigned i)
{
    return ork_ended_by_word((enum ork_ended_by)i);
}

static void get_end(struct ork_json_reader *in, const json_t *o, struct ork_finding_end *out)
{
    const json_t *end = ork_json_reader_value(in, o, "end");

    if (end == NULL)
        return;
    ork_json_reader_object(in, "end", end);
    out->as = (enum ork_ended_as)ork_json_reader_get_choice(in, end, "kind", ORK_AS_NONE,
                                                            ended_as_choice, 6);
    out->rank = json_is_null(json_object_get(end, "rank"))
                    ? UINT32_MAX
                    : ork_json_reader_get_u32(in, end, "rank");
    out->value = (int)ork_json_reader_get_integer(in, end, "value", INT_MIN, INT_MAX);
}

static const char *baseline_choice(unsigned i)
{
    return ork_baseline_word((enum ork_baseline_state)i);
}

static void read_finding(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    ork_json_reader_get_word(in, o, "id", "finding", &out->id);
    out->class_ =
        (enum ork_class)ork_json_reader_get_choice(in, o, "class", ORK_CLASS_NONE, class_choice, 5);
    out->severity = (enum ork_severity)ork_json_reader_get_choice(in, o, "severity", ORK_ERROR,
                                                                  severity_choice, 3);
    ork_json_reader_get_word(in, o, "message", "", &out->message);
    ork_json_reader_get_text(in, o, "summary", &out->summary);
    ork_json_reader_get_texts(in, o, "details", &out->detail, &out->num_details);
    ork_json_reader_get_set(in, o, "ranks", &out->ranks);
    ork_json_reader_get_sets(in, o, "roots", &out->roots, &out->num_roots);
    ork_json_reader_get_sets(in, o, "independent", &out->independent, &out->num_independent);
    get_waits(in, o, out);
    get_decisions(in, o, out);
    ork_parse_context(in, o, out);
    get_graph(in, o, &out->graph);
    get_end(in, o, &out->end);
    out->repeats = ork_json_reader_get_u64(in, o, "repeats");
    if (ork_json_reader_value(in, o, "fails") != NULL)
        out->fails = ork_json_reader_get_bool(in, o, "fails", false) ? ORK_FAILS : ORK_FAILS_NOT;
    out->baseline = (enum ork_baseline_state)ork_json_reader_get_choice(
        in, o, "baseline", ORK_BASELINE_NONE, baseline_choice, 3);
    const json_t *files = ork_json_reader_value(in, o, "files");
    if (files != NULL) {
        ork_json_reader_object(in, "files", files);
        ork_json_reader_get_text(in, files, "dot", &out->dot_file);
        ork_json_reader_get_text(in, files, "svg", &out->svg_file);
        ork_json_reader_get_text(in, files, "lanes", &out->lanes_file);
    }
}

static void get_findings(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "findings", &count);

    out->finding = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->finding)) : NULL;
    out->num_findings = out->finding != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_findings; i++) {
        size_t end = ork_json_reader_enter(in, "finding", i);
        read_finding(in, ork_json_reader_object(in, "findings", json_array_get(list, i)),
                     &out->finding[i]);
        in->place[end] = '\0';
    }
}

static void get_unlisted(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "unlisted", &count);

    out->unlisted = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->unlisted)) : NULL;
    out->num_unlisted = out->unlisted != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_unlisted; i++) {
        const json_t *kind = ork_json_reader_object(in, "unlisted", json_array_get(list, i));
        struct ork_unlisted *u = &out->unlisted[i];
        ork_json_reader_get_word(in, kind, "id", "finding", &u->id);
        u->class_ = (enum ork_class)ork_json_reader_get_choice(in, kind, "class", ORK_CLASS_NONE,
                                                               class_choice, 5);
        u->count[ORK_ERROR] = ork_json_reader_get_u64(in, kind, "errors");
        u->count[ORK_WARNING] = ork_json_reader_get_u64(in, kind, "warnings");
        u->count[ORK_NOTE] = ork_json_reader_get_u64(in, kind, "notes");
    }
}

static void get_jobs(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "jobs", &count);

    out->job = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->job)) : NULL;
    out->num_jobs = out->job != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_jobs; i++) {
        const json_t *job = ork_json_reader_object(in, "jobs", json_array_get(list, i));
        out->job[i].first = ork_json_reader_get_u32(in, job, "first");
        out->job[i].ranks = ork_json_reader_get_u32(in, job, "ranks");
        ork_json_reader_get_word(in, job, "origin", "", &out->job[i].origin);
    }
}

static void get_application(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    const json_t *application = ork_json_reader_value(in, o, "application");

    if (application == NULL)
        return;
    ork_json_reader_object(in, "application", application);
    out->exit_code =
        (int)ork_json_reader_get_integer(in, application, "exit_code", INT_MIN, INT_MAX);
    out->signal = (int)ork_json_reader_get_integer(in, application, "signal", 0, INT_MAX);
    out->ended = ork_json_reader_get_bool(in, application, "ended", false);
    out->ended_by = (enum ork_ended_by)ork_json_reader_get_choice(
        in, application, "ended_by", ORK_ENDED_BY_ITSELF, ended_by_choice, 3);
}

static void get_run(struct ork_json_reader *in, const json_t *o, struct ork_run_facts *out)
{
    const json_t *run = ork_json_reader_value(in, o, "run");

    if (run == NULL)
        return;
    ork_json_reader_object(in, "run", run);
    ork_json_reader_get_text(in, run, "started", &out->started);
    ork_json_reader_get_text(in, run, "host", &out->host);
    ork_json_reader_get_text(in, run, "folder", &out->folder);
    ork_json_reader_get_texts(in, run, "command", &out->word, &out->num_words);
    ork_json_reader_get_text(in, run, "launcher", &out->launcher);
    ork_json_reader_get_text(in, run, "mpi", &out->mpi);
    if (ork_json_reader_value(in, run, "exit_code") != NULL)
        out->exit_code = (int)ork_json_reader_get_integer(in, run, "exit_code", 0, 255);
}

/* Both lists have one item for each rank. */
void ork_read_choices(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    uint32_t num_hashes;
    const json_t *counts = ork_json_reader_get_list(in, o, "choices", &out->num_choices);
    const json_t *hashes = ork_json_reader_get_list(in, o, "order_hash", &num_hashes);

    if (counts == NULL)
        return;
    out->choices = ork_json_reader_room(in, out->num_choices, sizeof(*out->choices));
    for (uint32_t i = 0; i < out->num_choices && out->choices != NULL; i++) {
        const json_t *count = json_array_get(counts, i);
        const char *hash = i < num_hashes ? json_string_value(json_array_get(hashes, i)) : NULL;
        if (!json_is_integer(count) || json_integer_value(count) < 0)
            ork_json_reader_refuse(in, "\"choices\" is not a list of numbers");
        out->choices[i].count = (uint64_t)json_integer_value(count);
        out->choices[i].hash = hash != NULL ? strtoull(hash, NULL, 16) : 0;
    }
    if (out->choices == NULL)
        out->num_choices = 0;
}

static void get_statistics(struct ork_json_reader *in, const json_t *report,
                           struct ork_report *whole)
{
    struct ork_statistics *out = &whole->statistics;
    const json_t *o = ork_json_reader_value(in, report, "statistics");

    if (o == NULL)
        return;
    ork_json_reader_object(in, "statistics", o);
#define ORK_STATISTIC(name) out->name = ork_json_reader_get_u64(in, o, #name);
#include "report/statistics.def"
#undef ORK_STATISTIC
    out->tool_ranks = ork_json_reader_get_u32(in, o, "tool_ranks");
    out->seconds_to_verdict = ork_json_reader_get_real(in, o, "seconds_to_verdict", -1);
    ork_read_choices(in, o, whole);
}

static void read_report(struct ork_json_reader *in, const json_t *o, struct ork_report *out)
{
    if (!json_is_object(o))
        ork_json_reader_refuse(in, "this is not a report: a report is a JSON object");
    if (ork_json_reader_value(in, o, "schema") != NULL &&
        ork_json_reader_get_integer(in, o, "schema", 0, INT_MAX) != 1)
        ork_json_reader_refuse(in, "the report does not have schema 1");
    ork_json_reader_get_texts(in, o, "command", &out->command, &out->num_command);
    out->ranks = ork_json_reader_get_u32(in, o, "ranks");
    get_jobs(in, o, out);
    out->seconds = ork_json_reader_get_real(in, o, "seconds", 0);
    get_application(in, o, out);
    get_run(in, o, &out->run);
    out->complete = ork_json_reader_get_bool(in, o, "complete", true);
    ork_json_reader_get_texts(in, o, "notes", &out->note, &out->num_notes);
    get_findings(in, o, out);
    if (ork_json_reader_value(in, o, "findings") == NULL)
        ork_json_reader_refuse(in, "this is not a report of mustrun: it has no \"findings\"");
    get_unlisted(in, o, out);
    out->suppressed = ork_json_reader_get_u32(in, o, "suppressed");
    get_statistics(in, o, out);
    ork_json_reader_get_text(in, o, "replay", &out->replay);
    ork_json_reader_get_text(in, o, "explore", &out->explore);
}

enum ork_status ork_report_from_json(const char *text, size_t size, struct ork_report *report,
                                     char **error)
{
    struct ork_json_reader in = {.status = ORK_OK};
    json_t *value = ork_json_reader_load(&in, text, size);

    ork_report_init(report);
    if (value != NULL)
        read_report(&in, value, report);
    json_decref(value);
    if (in.status != ORK_OK)
        ork_report_release(report);
    if (in.status == ORK_INVALID)
        *error = in.error;
    return in.status;
}

/* After a load, which may have failed. */
static enum ork_status finding_of(struct ork_json_reader *in, const json_t *value,
                                  struct ork_finding *finding, char **error)
{
    memset(finding, 0, sizeof(*finding));
    if (in->status == ORK_OK)
        read_finding(in, ork_json_reader_object(in, "finding", value), finding);
    if (in->status != ORK_OK)
        ork_finding_release(finding);
    if (in->status == ORK_INVALID)
        *error = in->error;
    return in->status;
}

enum ork_status ork_finding_from_json(const char *text, size_t size, struct ork_finding *finding,
                                      char **error)
{
    struct ork_json_reader in = {.status = ORK_OK};
    json_t *value = ork_json_reader_load(&in, text, size);
    enum ork_status status = finding_of(&in, value, finding, error);

    json_decref(value);
    return status;
}

enum ork_status ork_parse_finding(const json_t *value, struct ork_finding *finding, char **error)
{
    struct ork_json_reader in = {.status = ORK_OK};

    return finding_of(&in, value, finding, error);
}
