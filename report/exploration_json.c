/* SPDX-License-Identifier: BSD-3-Clause */
/* MUST_Output.json of an exploration: docs/reference/json.md. See json_value.h for lack of
 * memory. */
#include "report/exploration.h"

#include "common/text.h"
#include "report/fold_runs.h"
#include "report/json_write.h"

#include <stdlib.h>
#include <string.h>

static json_t *count_or_null(uint64_t n)
{
    return n > 0 ? ork_json_count(n) : json_null();
}

static json_t *real_or_null(double x)
{
    return x > 0 ? ork_json_real(x) : json_null();
}

static void put_site(json_t **o, const struct ork_choice_site *site)
{
    ork_json_put(o, "call", ork_json_text(site->call));
    ork_json_put(o, "place", ork_json_text(site->place));
}

static json_t *choice_value(const struct ork_forced_choice *choice)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", json_integer(choice->rank));
    ork_json_put(&o, "number", ork_json_count(choice->number));
    put_site(&o, &choice->site);
    ork_json_put(&o, "outcome", ork_json_text(choice->outcome));
    ork_json_put(&o, "instead", ork_json_text(choice->instead));
    return o;
}

static json_t *end_or_null(const struct ork_match_end *end)
{
    return end->call != NULL ? ork_json_match_end(end) : json_null();
}

static json_t *switched_value(const struct ork_outcome *outcome)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < outcome->num_switched; i++) {
        const struct ork_switched_choice *s = &outcome->switched[i];
        json_t *o = json_object();
        ork_json_put(&o, "receive", ork_json_match_end(&s->receive));
        ork_json_put(&o, "took", end_or_null(&s->took));
        ork_json_put(&o, "first_took", end_or_null(&s->first_took));
        ork_json_put(&o, "outcome", ork_json_text(s->outcome));
        ork_json_put(&o, "instead", ork_json_text(s->instead));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *outcome_value(const struct ork_outcome *outcome, uint32_t number)
{
    json_t *choices = json_array();
    json_t *o = json_object();

    for (uint32_t i = 0; i < outcome->num_forced; i++)
        ork_json_append(&choices, choice_value(&outcome->forced[i]));
    ork_json_put(&o, "number", json_integer(number));
    ork_json_put(&o, "kind", json_string(ork_outcome_kind_word(outcome->kind)));
    ork_json_put(&o, "bad", json_boolean(outcome->is_bad));
    ork_json_put(&o, "result", outcome->is_result ? json_integer(outcome->result) : json_null());
    ork_json_put(&o, "message", ork_json_text(outcome->message));
    ork_json_put(&o, "runs", ork_json_count(outcome->runs));
    ork_json_put(&o, "first", ork_json_count(outcome->first));
    ork_json_put(&o, "folder", ork_json_text(outcome->folder));
    ork_json_put(&o, "order", ork_json_text(outcome->order));
    ork_json_put(&o, "replay", ork_json_text(outcome->replay));
    ork_json_put(&o, "choices", choices);
    ork_json_put(&o, "minimal", json_boolean(outcome->is_minimal));
    ork_json_put(&o, "confirmed", json_integer(outcome->confirmed));
    ork_json_put(&o, "switched", switched_value(outcome));
    ork_json_put(&o, "not_sought", ork_json_text(outcome->not_sought));
    ork_json_put(&o, "differences", ork_json_texts(outcome->difference, outcome->num_differences));
    return o;
}

static json_t *outcomes_value(const struct ork_exploration *e)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < e->num_outcomes; i++)
        ork_json_append(&array, outcome_value(&e->outcome[i], i + 1));
    return array;
}

static void append_finding(json_t **array, const struct ork_finding *finding, uint32_t outcome)
{
    json_t *o = ork_json_finding(finding);

    ork_json_put(&o, "outcome", json_integer(outcome));
    ork_json_append(array, o);
}

/* RATIONALE: an outcome without a finding of its own gets one, so that whoever reads only the
 * findings of a report sees it, too. */
static void append_outcome(json_t **array, const struct ork_outcome *outcome, uint32_t number)
{
    static char id[] = ORK_BAD_OUTCOME;
    const struct ork_finding own = {.id = id, .severity = ORK_ERROR, .message = outcome->message};

    for (uint32_t i = 0; i < outcome->num_findings; i++)
        append_finding(array, &outcome->finding[i], number);
    if (outcome->num_findings == 0)
        append_finding(array, &own, number);
}

static json_t *findings_value(const struct ork_exploration *e)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < e->num_outcomes; i++)
        if (ork_outcome_is_reported(&e->outcome[i]))
            append_outcome(&array, &e->outcome[i], i + 1);
    return array;
}

/* RATIONALE: ranks as text, because a program may have thousands of them at one place. */
static json_t *ranks_value(const struct ork_u32s *ranks)
{
    struct ork_rank_run *run = NULL;
    uint32_t num_runs = 0;
    size_t size = (ranks->count + 1) * sizeof(uint32_t);
    uint32_t *copy = malloc(size);
    json_t *value = NULL;

    if (copy == NULL)
        return NULL;
    if (ranks->count > 0)
        memcpy(copy, ranks->item, size - sizeof(uint32_t));
    if (ork_runs_make(copy, ranks->count, &run, &num_runs) == ORK_OK)
        value = ork_json_runs(run, num_runs);
    free(run);
    free(copy);
    return value;
}

static json_t *sites_value(const struct ork_exploration *e)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < e->num_sites; i++) {
        json_t *o = json_object();
        put_site(&o, &e->site[i].site);
        ork_json_put(&o, "ranks", ranks_value(&e->site[i].ranks));
        ork_json_put(&o, "choices", ork_json_count(e->site[i].choices));
        ork_json_put(&o, "known", ork_json_count(e->site[i].known));
        ork_json_put(&o, "tried", ork_json_count(e->site[i].tried));
        ork_json_put(&o, "endless", json_boolean(e->site[i].is_endless));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *tree_value(const struct ork_exploration *e)
{
    json_t *array = json_array();

    for (uint64_t i = 0; i < e->num_runs; i++) {
        const struct ork_explored_run *run = &e->run[i];
        json_t *o = json_object();
        ork_json_put(&o, "run", ork_json_count(run->number));
        ork_json_put(&o, "parent", count_or_null(run->parent));
        ork_json_put(&o, "outcome", json_integer((json_int_t)run->outcome + 1));
        ork_json_put(&o, "diverged", json_boolean(run->diverged));
        ork_json_put(&o, "change",
                     run->change.outcome != NULL ? choice_value(&run->change) : json_null());
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *bounds_value(const struct ork_exploration_bounds *b)
{
    json_t *o = json_object();

    ork_json_put(&o, "runs", count_or_null(b->runs));
    ork_json_put(&o, "seconds", real_or_null(b->seconds));
    ork_json_put(&o, "mixing", count_or_null(b->mixing));
    ork_json_put(&o, "loop", count_or_null(b->loop));
    ork_json_put(&o, "quota", count_or_null(b->quota));
    ork_json_put(&o, "symmetric", ork_json_text(b->symmetric));
    ork_json_put(&o, "samples", json_boolean(b->samples));
    return o;
}

static json_t *left_out_value(const struct ork_exploration *e)
{
    json_t *o = json_object();

    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        ork_json_put(&o, ork_left_out_word((enum ork_left_out)i), ork_json_count(e->left_out[i]));
    return o;
}

static json_t *waiting_value(const struct ork_exploration *e)
{
    json_t *o = json_object();

    ork_json_put(&o, "orders", ork_json_count(e->waiting));
    ork_json_put(&o, "left", ork_json_count(e->left_waiting));
    return o;
}

/* What has to hold if every known order is every order. */
static json_t *assumes_value(const struct ork_exploration *e)
{
    json_t *array = json_array();

    if (e->repeats_polls)
        ork_json_append(&array, json_string(ORK_ASSUMES_UNCOUNTED));
    if (ork_exploration_has_endless(e))
        ork_json_append(&array, json_string(ORK_ASSUMES_ENDLESS));
    return array;
}

static json_t *summary_value(const struct ork_exploration *e)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    ork_exploration_put_summary(e, out);
    char *text = ork_text_close(&stream);
    json_t *value = text != NULL ? ork_json_text(text) : NULL;
    free(text);
    return value;
}

static json_t *exploration_value(const struct ork_exploration *e)
{
    json_t *o = json_object();

    ork_json_put(&o, "summary", summary_value(e));
    ork_json_put(&o, "runs", ork_json_count(e->runs));
    ork_json_put(&o, "orders", ork_json_count(e->orders));
    ork_json_put(&o, "complete", json_boolean(e->is_complete));
    ork_json_put(&o, "assumes", assumes_value(e));
    ork_json_put(&o, "interrupted", json_boolean(e->is_interrupted));
    ork_json_put(&o, "left", ork_json_count(e->left));
    ork_json_put(&o, "waiting", waiting_value(e));
    ork_json_put(&o, "left_out", left_out_value(e));
    ork_json_put(&o, "estimate", real_or_null(e->estimate));
    ork_json_put(&o, "diverged", ork_json_count(e->diverged));
    ork_json_put(&o, "lost", ork_json_count(e->lost));
    ork_json_put(&o, "jobs", json_integer(e->jobs));
    ork_json_put(&o, "run_seconds", ork_json_real(e->run_seconds));
    ork_json_put(&o, "bounds", bounds_value(&e->bounds));
    ork_json_put(&o, "resume", ork_json_text(e->resume));
    ork_json_put(&o, "outcomes", outcomes_value(e));
    ork_json_put(&o, "sites", sites_value(e));
    ork_json_put(&o, "tree", tree_value(e));
    return o;
}

static bool has_findings(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        if (ork_outcome_is_reported(&e->outcome[i]))
            return true;
    return false;
}

/* "schema" and "tool" come first: see json_write.c. */
enum ork_status ork_exploration_json(const struct ork_exploration *e, char **text)
{
    bool observed = e->lost == 0 && e->runs > 0;
    json_t *o = json_object();

    ork_json_put(&o, "schema", json_integer(1));
    ork_json_put(&o, "tool", ork_json_tool());
    ork_json_put(&o, "command", ork_json_texts(e->command, e->num_words));
    ork_json_put(&o, "ranks", json_integer(e->ranks));
    ork_json_put(&o, "seconds", ork_json_real(e->seconds));
    ork_json_put(&o, "complete", json_boolean(observed));
    ork_json_put(&o, "verdict",
                 json_string(has_findings(e) ? "findings"
                                             : (observed       ? "clean"
                                                : e->runs == 0 ? "not-checked"
                                                               : "unknown")));
    ork_json_put(&o, "notes", ork_json_texts(e->note, e->num_notes));
    ork_json_put(&o, "findings", findings_value(e));
    ork_json_put(&o, "exploration", exploration_value(e));
    return ork_json_to_text(o, text);
}
