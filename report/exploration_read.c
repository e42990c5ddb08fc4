/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of an exploration, reading. The input is untrusted: see json_read.c. */
#include "report/exploration.h"

#include "common/vec.h"
#include "report/fold_runs.h"
#include "report/json_read.h"

#include <stdlib.h>
#include <string.h>

#define RANKS_MAX (1u << 24) /* of one call: more are not believed */

static const char *kind_choice(unsigned i)
{
    return ork_outcome_kind_word((enum ork_outcome_kind)i);
}

static void read_site(struct ork_json_reader *in, const json_t *o, struct ork_choice_site *out)
{
    ork_json_reader_get_word(in, o, "call", "", &out->call);
    ork_json_reader_get_text(in, o, "place", &out->place);
}

static void read_choice(struct ork_json_reader *in, const json_t *o, struct ork_forced_choice *out)
{
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    out->number = ork_json_reader_get_u64(in, o, "number");
    read_site(in, o, &out->site);
    ork_json_reader_get_word(in, o, "outcome", "", &out->outcome);
    ork_json_reader_get_text(in, o, "instead", &out->instead);
}

static void get_choices(struct ork_json_reader *in, const json_t *o, struct ork_outcome *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "choices", &count);

    out->forced = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->forced)) : NULL;
    out->num_forced = out->forced != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_forced; i++)
        read_choice(in, ork_json_reader_object(in, "choices", json_array_get(list, i)),
                    &out->forced[i]);
}

/* null: there is none. */
static void get_end(struct ork_json_reader *in, const json_t *o, const char *key,
                    struct ork_match_end *out)
{
    if (ork_json_reader_value(in, o, key) != NULL)
        ork_json_reader_get_match_end(in, o, key, out);
}

static void get_switched(struct ork_json_reader *in, const json_t *o, struct ork_outcome *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "switched", &count);

    out->switched = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->switched)) : NULL;
    out->num_switched = out->switched != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_switched; i++) {
        const json_t *item = ork_json_reader_object(in, "switched", json_array_get(list, i));
        ork_json_reader_get_match_end(in, item, "receive", &out->switched[i].receive);
        get_end(in, item, "took", &out->switched[i].took);
        get_end(in, item, "first_took", &out->switched[i].first_took);
        ork_json_reader_get_text(in, item, "outcome", &out->switched[i].outcome);
        ork_json_reader_get_text(in, item, "instead", &out->switched[i].instead);
    }
}

static void read_outcome(struct ork_json_reader *in, const json_t *o, struct ork_outcome *out)
{
    out->kind = (enum ork_outcome_kind)ork_json_reader_get_choice(in, o, "kind", ORK_OUTCOME_LOST,
                                                                  kind_choice, ORK_OUTCOME_KINDS);
    out->is_bad = ork_json_reader_get_bool(in, o, "bad", false);
    out->is_result = ork_json_reader_value(in, o, "result") != NULL;
    out->result = ork_json_reader_get_u32(in, o, "result");
    ork_json_reader_get_word(in, o, "message", "", &out->message);
    out->runs = ork_json_reader_get_u64(in, o, "runs");
    out->first = ork_json_reader_get_u64(in, o, "first");
    ork_json_reader_get_text(in, o, "folder", &out->folder);
    ork_json_reader_get_text(in, o, "order", &out->order);
    ork_json_reader_get_text(in, o, "replay", &out->replay);
    get_choices(in, o, out);
    out->is_minimal = ork_json_reader_get_bool(in, o, "minimal", false);
    out->confirmed = ork_json_reader_get_u32(in, o, "confirmed");
    get_switched(in, o, out);
    ork_json_reader_get_text(in, o, "not_sought", &out->not_sought);
    ork_json_reader_get_texts(in, o, "differences", &out->difference, &out->num_differences);
}

static void get_outcomes(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "outcomes", &count);

    out->outcome = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->outcome)) : NULL;
    out->num_outcomes = out->outcome != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_outcomes; i++) {
        size_t end = ork_json_reader_enter(in, "outcome", i);
        read_outcome(in, ork_json_reader_object(in, "outcomes", json_array_get(list, i)),
                     &out->outcome[i]);
        in->place[end] = '\0';
    }
}

static void get_ranks(struct ork_json_reader *in, const json_t *o, struct ork_u32s *out)
{
    struct ork_rank_run *run = NULL;
    uint32_t num_runs = 0;

    ork_json_reader_get_runs(in, o, "ranks", &run, &num_runs);
    uint64_t count = ork_runs_count(run, num_runs);
    if (count > RANKS_MAX)
        ork_json_reader_refuse(in, "\"ranks\" has too many ranks");
    out->item = count > 0 ? ork_json_reader_room(in, count, sizeof(*out->item)) : NULL;
    for (uint32_t i = 0; i < num_runs && out->item != NULL; i++)
        for (uint64_t rank = run[i].first; rank <= run[i].last; rank += run[i].step)
            out->item[out->count++] = (uint32_t)rank;
    free(run);
}

static void get_sites(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "sites", &count);

    out->site = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->site)) : NULL;
    out->num_sites = out->site != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_sites; i++) {
        const json_t *site = ork_json_reader_object(in, "sites", json_array_get(list, i));
        read_site(in, site, &out->site[i].site);
        get_ranks(in, site, &out->site[i].ranks);
        out->site[i].choices = ork_json_reader_get_u64(in, site, "choices");
        out->site[i].known = ork_json_reader_get_u64(in, site, "known");
        out->site[i].tried = ork_json_reader_get_u64(in, site, "tried");
        out->site[i].is_endless = ork_json_reader_get_bool(in, site, "endless", false);
    }
}

static void read_run(struct ork_json_reader *in, const json_t *o, struct ork_explored_run *out)
{
    out->number = ork_json_reader_get_u64(in, o, "run");
    out->parent = ork_json_reader_get_u64(in, o, "parent");
    out->outcome = ork_json_reader_get_u32(in, o, "outcome") - 1;
    out->diverged = ork_json_reader_get_bool(in, o, "diverged", false);
    const json_t *change = ork_json_reader_value(in, o, "change");
    if (change != NULL)
        read_choice(in, ork_json_reader_object(in, "change", change), &out->change);
}

static void get_tree(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "tree", &count);

    out->run = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->run)) : NULL;
    out->num_runs = out->run != NULL ? count : 0;
    for (uint32_t i = 0; i < count && out->run != NULL; i++)
        read_run(in, ork_json_reader_object(in, "tree", json_array_get(list, i)), &out->run[i]);
}

static void get_bounds(struct ork_json_reader *in, const json_t *o,
                       struct ork_exploration_bounds *out)
{
    const json_t *bounds = ork_json_reader_value(in, o, "bounds");

    if (bounds == NULL)
        return;
    ork_json_reader_object(in, "bounds", bounds);
    out->runs = ork_json_reader_get_u64(in, bounds, "runs");
    out->seconds = ork_json_reader_get_real(in, bounds, "seconds", 0);
    out->mixing = ork_json_reader_get_u32(in, bounds, "mixing");
    out->loop = ork_json_reader_get_u32(in, bounds, "loop");
    out->quota = ork_json_reader_get_u32(in, bounds, "quota");
    ork_json_reader_get_text(in, bounds, "symmetric", &out->symmetric);
    out->samples = ork_json_reader_get_bool(in, bounds, "samples", false);
}

static void get_left_out(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    const json_t *left_out = ork_json_reader_value(in, o, "left_out");

    if (left_out == NULL)
        return;
    ork_json_reader_object(in, "left_out", left_out);
    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        out->left_out[i] =
            ork_json_reader_get_u64(in, left_out, ork_left_out_word((enum ork_left_out)i));
}

static void get_waiting(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    const json_t *waiting = ork_json_reader_value(in, o, "waiting");

    if (waiting == NULL)
        return;
    ork_json_reader_object(in, "waiting", waiting);
    out->waiting = ork_json_reader_get_u64(in, waiting, "orders");
    out->left_waiting = ork_json_reader_get_u64(in, waiting, "left");
}

/* RATIONALE: the other assumption follows from the sites. */
static void get_assumes(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "assumes", &count);

    for (uint32_t i = 0; i < count && list != NULL; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (word == NULL)
            ork_json_reader_refuse(in, "\"assumes\" has something that is no string");
        else
            out->repeats_polls |= strcmp(word, ORK_ASSUMES_UNCOUNTED) == 0;
    }
}

static void read_exploration(struct ork_json_reader *in, const json_t *o,
                             struct ork_exploration *out)
{
    ork_json_reader_object(in, "exploration", o);
    out->runs = ork_json_reader_get_u64(in, o, "runs");
    out->orders = ork_json_reader_get_u64(in, o, "orders");
    out->is_complete = ork_json_reader_get_bool(in, o, "complete", false);
    out->is_interrupted = ork_json_reader_get_bool(in, o, "interrupted", false);
    out->left = ork_json_reader_get_u64(in, o, "left");
    get_assumes(in, o, out);
    get_waiting(in, o, out);
    get_left_out(in, o, out);
    out->estimate = ork_json_reader_get_real(in, o, "estimate", 0);
    out->diverged = ork_json_reader_get_u64(in, o, "diverged");
    out->lost = ork_json_reader_get_u64(in, o, "lost");
    out->jobs = ork_json_reader_get_u32(in, o, "jobs");
    out->run_seconds = ork_json_reader_get_real(in, o, "run_seconds", 0);
    get_bounds(in, o, &out->bounds);
    ork_json_reader_get_text(in, o, "resume", &out->resume);
    get_outcomes(in, o, out);
    get_sites(in, o, out);
    get_tree(in, o, out);
}

/* Is it what the writer adds for an outcome without findings? */
static bool is_added(const json_t *finding)
{
    const char *id = json_string_value(json_object_get(finding, "id"));

    return id != NULL && strcmp(id, ORK_BAD_OUTCOME) == 0;
}

static void add_finding(struct ork_json_reader *in, const json_t *value, struct ork_outcome *to)
{
    char *error = NULL;
    size_t n = to->num_findings;

    if (!ork_vec_extend(&to->finding, n, n + 1, sizeof(*to->finding))) {
        in->status = ORK_NOMEM;
        return;
    }
    enum ork_status status = ork_parse_finding(value, &to->finding[n], &error);
    if (status == ORK_OK)
        to->num_findings++;
    else if (status == ORK_INVALID)
        ork_json_reader_refuse(in, "%s", error);
    else
        in->status = status;
    free(error);
}

static void get_findings(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "findings", &count);

    for (uint32_t i = 0; i < count && in->status == ORK_OK; i++) {
        size_t end = ork_json_reader_enter(in, "finding", i);
        const json_t *value = ork_json_reader_object(in, "findings", json_array_get(list, i));
        uint32_t outcome = ork_json_reader_get_u32(in, value, "outcome");
        if (outcome == 0 || outcome > out->num_outcomes)
            ork_json_reader_refuse(in, "there is no such \"outcome\"");
        else if (!is_added(value))
            add_finding(in, value, &out->outcome[outcome - 1]);
        in->place[end] = '\0';
    }
}

static void read_report(struct ork_json_reader *in, const json_t *o, struct ork_exploration *out)
{
    const json_t *exploration = ork_json_reader_value(in, o, "exploration");

    if (exploration == NULL) {
        in->status = ORK_NOTFOUND;
        return;
    }
    ork_json_reader_get_texts(in, o, "command", &out->command, &out->num_words);
    out->ranks = ork_json_reader_get_u32(in, o, "ranks");
    out->seconds = ork_json_reader_get_real(in, o, "seconds", 0);
    ork_json_reader_get_texts(in, o, "notes", &out->note, &out->num_notes);
    read_exploration(in, exploration, out);
    get_findings(in, o, out);
}

enum ork_status ork_exploration_from_json(const char *text, size_t size, struct ork_exploration *e,
                                          char **error)
{
    struct ork_json_reader in = {.status = ORK_OK};
    json_t *value = ork_json_reader_load(&in, text, size);

    *e = (struct ork_exploration){0};
    if (value != NULL)
        read_report(&in, value, e);
    json_decref(value);
    if (in.status != ORK_OK)
        ork_exploration_release(e);
    if (in.status == ORK_INVALID)
        *error = in.error;
    return in.status;
}
