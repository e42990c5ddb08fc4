/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of an exploration, from what its runs have shown. */
#include "common/text.h"
#include "common/vec.h"
#include "mustrun/explore/differ.h"
#include "mustrun/explore/exploring.h"
#include "mustrun/explore/words.h"
#include "record/calls.h"
#include "viz/source_root.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    return text != NULL ? strdup(text) : NULL;
}

static bool site_of(const struct ork_exploring *x, uint16_t call, uint32_t place,
                    struct ork_choice_site *site)
{
    const char *text = ork_exploring_place(x, place);

    site->call = strdup(ork_call_name(call));
    site->place = copy(text);
    return site->call != NULL && (text == NULL || site->place != NULL);
}

/* ---- choices ---- */

/* A choice and another outcome of it, as ork_trace_own() compares them. */
struct described {
    const struct ork_choice *choice, *instead; /* instead NULL: there is none */
    uint64_t polled, instead_polled;
    bool was_not_granted; /* a lock: there was no other outcome */
};

static bool describe(const struct ork_exploring *x, uint32_t rank, uint64_t number,
                     const struct described *d, struct ork_forced_choice *to)
{
    const struct ork_choice *choice = d->choice, *instead = d->instead;
    bool is_same = instead != NULL && instead->source == choice->source &&
                   ork_trace_own(instead, d->instead_polled) == ork_trace_own(choice, d->polled);

    to->rank = rank;
    to->number = number;
    to->outcome = ork_choice_words(choice);
    if (d->was_not_granted)
        to->instead = strdup("was not granted");
    else
        to->instead = instead != NULL && !is_same ? ork_choice_words(instead) : NULL;
    return site_of(x, choice->call, choice->place, &to->site) && to->outcome != NULL &&
           (instead == NULL || is_same || to->instead != NULL);
}

/* A choice of the run `node`, and what the first run did instead. */
static struct described compare_to_first(const struct ork_exploring *x, uint32_t node,
                                         const struct ork_choice_of_run *of,
                                         const struct ork_choice *choice)
{
    const struct ork_explored *e = ork_search_explored(x->search);
    uint64_t first = ork_exploring_number_in(x, 0, of->rank, of->number, choice);

    return (struct described){.choice = choice,
                              .polled = ork_explored_outcome(e, node, of->rank, of->number),
                              .instead = ork_explored_choice(e, 0, of->rank, first),
                              .instead_polled = ork_explored_outcome(e, 0, of->rank, first)};
}

static bool describe_forced(const struct ork_exploring *x, const struct ork_outcome_runs *o,
                            struct ork_outcome *to)
{
    const struct ork_explored *e = ork_search_explored(x->search);

    to->forced = calloc(o->num_forced + (size_t)1, sizeof(*to->forced));
    if (to->forced == NULL)
        return false;
    for (uint32_t i = 0; i < o->num_forced; i++) {
        const struct ork_choice_of_run *f = &o->forced[i];
        const struct ork_choice *choice =
            ork_explored_choice(e, (uint32_t)o->node, f->rank, f->number);
        struct ork_choice in_vain;
        if (choice == NULL && ork_explored_ends_in_vain(e, (uint32_t)o->node, f->rank, &in_vain))
            choice = &in_vain;
        struct described d = compare_to_first(x, (uint32_t)o->node, f, choice);
        to->num_forced++;
        if (!describe(x, f->rank, f->number, &d, &to->forced[i]))
            return false;
    }
    return true;
}

/* ---- outcomes ---- */

static void add_bound(char *list, size_t size, const char *name, unsigned value)
{
    size_t length = strlen(list);

    if (value > 0)
        snprintf(list + length, size - length, ",%s=%u", name, value);
}

/* --must:explore-bounds, without those that may differ. */
static void add_bounds(struct ork_argv *argv, const struct ork_explore_options *e)
{
    char list[ORK_SYMMETRIC_MAX + 200] = "";

    if (e->samples)
        snprintf(list, sizeof(list), ",sample=%" PRIu64, e->seed);
    add_bound(list, sizeof(list), "mixing", e->mixing);
    add_bound(list, sizeof(list), "loop", e->loop);
    add_bound(list, sizeof(list), "quota", e->quota);
    if (e->symmetric[0] != '\0')
        snprintf(list + strlen(list), sizeof(list) - strlen(list), ",symmetric=%s", e->symmetric);
    if (list[0] != '\0')
        ork_argv_addf(argv, "--must:explore-bounds=%s", list + 1);
}

/* The command that goes on: what has to be as it was. */
static char *resume_of(const struct ork_exploring *x)
{
    const struct ork_options *o = x->options;
    const struct ork_explore_options *e = &o->explore;
    struct ork_argv argv = {0};

    ork_command_begin(&argv, o);
    ork_argv_add(&argv, "--must:explore");
    ork_argv_add(&argv, "--must:explore-resume");
    if (strcmp(o->output_dir, ".") != 0)
        ork_argv_addf(&argv, "--must:output-dir=%s", o->output_dir);
    if (strcmp(o->sends, "strict") != 0)
        ork_argv_addf(&argv, "--must:sends=%s", o->sends);
    if (strcmp(o->collectives, "strict") != 0)
        ork_argv_addf(&argv, "--must:collectives=%s", o->collectives);
    add_bounds(&argv, e);
    if (e->ignore != NULL)
        ork_argv_addf(&argv, "--must:ignore-output=%s", e->ignore);
    if (e->compare != NULL)
        ork_argv_addf(&argv, "--must:compare=%s", e->compare);
    return ork_command_end(&argv, x->invocation->words);
}

/* The earliest outcome without an error that has the same result. */
static uint32_t same_result(const struct ork_exploring *x, uint32_t outcome)
{
    for (uint32_t i = 0; i < outcome; i++) {
        const struct ork_outcome_runs *o = &x->outcome[i];
        if ((o->kind == ORK_OUTCOME_ENDED || o->kind == ORK_OUTCOME_WARNING) &&
            ork_job_has_same_result(o->key, x->outcome[outcome].key))
            return i;
    }
    return outcome;
}

/* Different results of the first `end` outcomes that have no error. */
static uint32_t count_results(const struct ork_exploring *x, uint32_t end)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < end; i++) {
        enum ork_outcome_kind kind = x->outcome[i].kind;
        n += (kind == ORK_OUTCOME_ENDED || kind == ORK_OUTCOME_WARNING) && same_result(x, i) == i;
    }
    return n;
}

/* The findings that count, and those that the first run does not have, move to the outcome. */
static bool move_findings(struct ork_outcome_runs *o, const struct ork_report *first,
                          struct ork_outcome *to)
{
    struct ork_report *r = &o->report;

    to->finding = calloc(r->num_findings + (size_t)1, sizeof(*to->finding));
    if (to->finding == NULL)
        return false;
    for (uint32_t i = 0; i < r->num_findings; i++) {
        if (!ork_job_finding_counts(&r->finding[i]) &&
            (r == first || !ork_job_finding_is_other(&r->finding[i], first)))
            continue;
        to->finding[to->num_findings++] = r->finding[i];
        r->finding[i] = r->finding[--r->num_findings];
        r->finding[r->num_findings] = (struct ork_finding){0};
        i--;
    }
    return true;
}

/* Where a result differs from the first one, as far as both were kept. */
static bool fill_differences(const struct ork_exploring *x, uint32_t outcome,
                             struct ork_outcome *to)
{
    const struct ork_outcome_runs *o = &x->outcome[outcome];
    struct ork_differences d;
    uint32_t first = 0;

    while (first < outcome && x->outcome[first].kind != ORK_OUTCOME_ENDED &&
           x->outcome[first].kind != ORK_OUTCOME_WARNING)
        first++;
    if (o->kind != ORK_OUTCOME_ENDED || !to->is_bad || o->folder == NULL ||
        x->outcome[first].folder == NULL)
        return true;
    if (ork_differences_find(&x->rules, x->outcome[first].folder, o->folder, &d) != ORK_OK)
        return false;
    to->difference = d.item;
    to->num_differences = d.count;
    return true;
}

static bool fill_outcome(struct ork_exploring *x, uint32_t i, struct ork_outcome *to)
{
    struct ork_outcome_runs *o = &x->outcome[i];

    *to = (struct ork_outcome){.kind = o->kind,
                               .is_bad = ork_exploring_is_bad(x, i),
                               .is_result = o->kind == ORK_OUTCOME_ENDED &&
                                            count_results(x, x->num_outcomes) > 1,
                               .runs = o->runs,
                               .first = o->first,
                               .folder = copy(o->folder),
                               .is_minimal = o->is_minimal,
                               .confirmed = o->confirmed};
    to->result = to->is_result ? count_results(x, same_result(x, i) + 1) : 0;
    if (o->not_sought != NULL && (to->not_sought = strdup(o->not_sought)) == NULL)
        return false;
    if (o->message != NULL)
        to->message = strdup(o->message);
    else if (to->is_result && to->result == 1)
        to->message = strdup("it ended with the result of the first run");
    else if (to->is_result)
        to->message = ork_text(
            "it ended with another result than the first run (result %" PRIu32 ")", to->result);
    else
        to->message = strdup("it ended without an error");
    if (o->has_order && o->folder != NULL) {
        to->order = ork_text("%s/" ORK_JOB_ORDER, o->folder);
        to->replay = to->order != NULL
                         ? ork_replay_command(x->invocation->words, x->options, to->order)
                         : NULL;
    }
    return to->message != NULL && (!o->has_order || o->folder == NULL || to->replay != NULL) &&
           fill_differences(x, i, to) && move_findings(o, &x->outcome[0].report, to) &&
           (o->num_forced == 0 || describe_forced(x, o, to));
}

static bool is_worse(const struct ork_outcome *a, const struct ork_outcome *b)
{
    if (a->kind != b->kind)
        return a->kind > b->kind;
    if (a->is_bad != b->is_bad)
        return a->is_bad;
    return a->runs != b->runs ? a->runs > b->runs : a->first < b->first;
}

/* Worst first; numbers in the runs follow. */
static bool sort_outcomes(struct ork_exploration *e)
{
    uint32_t *place = malloc((e->num_outcomes + (size_t)1) * sizeof(*place));
    struct ork_outcome *sorted = calloc(e->num_outcomes + (size_t)1, sizeof(*sorted));

    if (place == NULL || sorted == NULL) {
        free(place);
        free(sorted);
        return false;
    }
    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        place[i] = 0;
        for (uint32_t k = 0; k < e->num_outcomes; k++)
            place[i] += k != i && is_worse(&e->outcome[k], &e->outcome[i]);
        sorted[place[i]] = e->outcome[i];
    }
    for (uint64_t i = 0; i < e->num_runs; i++)
        e->run[i].outcome = place[e->run[i].outcome];
    free(e->outcome);
    e->outcome = sorted;
    free(place);
    return true;
}

static bool fill_outcomes(struct ork_exploring *x, struct ork_exploration *e)
{
    e->outcome = calloc(x->num_outcomes + (size_t)1, sizeof(*e->outcome));
    if (e->outcome == NULL)
        return false;
    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        e->num_outcomes++;
        if (!fill_outcome(x, i, &e->outcome[i]))
            return false;
    }
    return ork_exploring_fill_switched(x, e) && sort_outcomes(e);
}

/* ---- runs ---- */

/* The changed choice, as it was in that run. */
static struct ork_choice choice_before(const struct ork_explored *e,
                                       const struct ork_decision_of_run *made)
{
    struct ork_choice was = ork_explored_changed(e, made->run, made->change);

    if (!ork_change_is_other_poll(made->change))
        return was;
    was.kind = ORK_CHOICE_FREE;
    was.polls++;
    return was;
}

static bool fill_run(struct ork_exploring *x, uint32_t i, struct ork_explored_run *to)
{
    const struct ork_taken_run *run = &x->run[i];
    const struct ork_explored *e = ork_search_explored(x->search);
    struct ork_decision_of_run made;

    *to = (struct ork_explored_run){
        .number = i + UINT64_C(1), .outcome = run->outcome, .diverged = run->diverged};
    if (run->parent < 0)
        return true;
    if (!ork_search_take(x->search, (uint32_t)run->parent, run->index, &made))
        return false;
    to->parent = x->run_of_node[run->parent];
    struct ork_choice was = ork_explored_changed(e, made.run, made.change);
    struct ork_choice changed = ork_change_apply(&was, made.change);
    struct ork_choice before = choice_before(e, &made);
    uint64_t polled = ork_explored_changed_outcome(e, made.run, made.change);
    const struct described d = {.choice = &changed,
                                .polled = polled,
                                .instead = &before,
                                .instead_polled = polled,
                                .was_not_granted = ork_change_is_request(made.change)};
    if (!describe(x, made.change->rank, made.change->number, &d, &to->change))
        return false;
    if (run->went_on) {
        free(to->change.outcome);
        to->change.outcome = strdup("was to give up, and went on");
    }
    return to->change.outcome != NULL;
}

static bool fill_runs(struct ork_exploring *x, struct ork_exploration *e)
{
    e->run = calloc(x->num_runs + (size_t)1, sizeof(*e->run));
    if (e->run == NULL)
        return false;
    for (uint32_t i = 0; i < x->num_runs; i++) {
        e->num_runs++;
        if (!fill_run(x, i, &e->run[i]))
            return false;
    }
    return true;
}

/* ---- call sites ---- */

static bool fill_site_ranks(const struct ork_exploring *x, const bool *is_of,
                            struct ork_u32s *ranks)
{
    ranks->item = calloc(x->ranks + (size_t)1, sizeof(*ranks->item));
    if (ranks->item == NULL)
        return false;
    for (uint32_t r = 0; r < x->ranks; r++) {
        if (is_of[r])
            ranks->item[ranks->count++] = r;
    }
    return true;
}

static bool fill_sites(struct ork_exploring *x, struct ork_exploration *e)
{
    uint32_t num = x->search != NULL ? ork_search_num_sites(x->search) : 0;

    e->site = calloc(num + (size_t)1, sizeof(*e->site));
    if (e->site == NULL)
        return false;
    for (uint32_t i = 0; i < num; i++) {
        struct ork_search_site s = ork_search_site(x->search, i);
        e->num_sites++;
        e->site[i].choices = s.choices;
        e->site[i].known = s.known;
        e->site[i].tried = s.tried;
        e->site[i].is_endless = s.is_endless;
        if (!site_of(x, s.call, s.place, &e->site[i].site) ||
            !fill_site_ranks(x, s.is_of, &e->site[i].ranks))
            return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool fill_command(const struct ork_exploring *x, struct ork_exploration *e)
{
    const struct ork_report none = {.num_command = 0};
    const struct ork_report *r = x->num_outcomes > 0 ? &x->outcome[0].report : &none;

    e->source_root = ork_source_root_find(x->options->source_root);

    e->command = calloc(r->num_command + (size_t)1, sizeof(*e->command));
    if (e->command == NULL)
        return false;
    for (uint32_t i = 0; i < r->num_command; i++) {
        e->command[i] = strdup(r->command[i]);
        if (e->command[i] == NULL)
            return false;
        e->num_words++;
    }
    return true;
}

static void fill_bounds(const struct ork_exploring *x, struct ork_exploration_bounds *b)
{
    const struct ork_explore_options *o = &x->options->explore;

    *b = (struct ork_exploration_bounds){.runs = o->runs,
                                         .seconds = o->seconds,
                                         .mixing = o->mixing,
                                         .loop = o->loop,
                                         .quota = o->quota,
                                         .samples = o->samples,
                                         .symmetric =
                                             o->symmetric[0] != '\0' ? copy(o->symmetric) : NULL};
}

static void fill_counts(struct ork_exploring *x, struct ork_exploration *e)
{
    struct ork_search_counts c = {0};

    if (x->search != NULL)
        c = ork_search_count(x->search);
    e->ranks = x->ranks;
    e->seconds = ork_exploring_seconds(x);
    e->run_seconds = x->num_runs > 0 ? x->run_seconds / x->num_runs : 0;
    e->jobs = x->slots;
    e->runs = x->num_runs;
    e->orders = c.orders;
    e->diverged = x->diverged;
    e->lost = x->lost;
    e->left = c.left + x->unfinished + x->num_again + x->lost;
    e->waiting = c.waiting;
    e->left_waiting = c.left_waiting + x->unfinished + x->num_again + x->lost;
    e->repeats_polls = x->repeats_polls;
    e->estimate = c.left > 0 ? c.estimate : 0;
    e->left_out[ORK_LEFT_OUT_MIXING] = c.left_out[ORK_BOUND_MIXING];
    e->left_out[ORK_LEFT_OUT_LOOP] = c.left_out[ORK_BOUND_LOOP];
    e->left_out[ORK_LEFT_OUT_QUOTA] = c.left_out[ORK_BOUND_QUOTA];
    e->is_interrupted = x->is_interrupted;
    e->is_complete = e->left == 0 && !x->is_interrupted && x->lost + x->diverged == 0 &&
                     c.unfit + c.assumed == 0 && x->symmetric == NULL && !ork_exploring_has_gaps(x);
    for (unsigned i = 0; i < ORK_BOUND_MAX; i++)
        e->is_complete = e->is_complete && c.left_out[i] == 0;
}

enum ork_status ork_exploring_summary(struct ork_exploring *x, struct ork_exploration *e)
{
    *e = (struct ork_exploration){0};
    fill_counts(x, e);
    fill_bounds(x, &e->bounds);
    if (fill_command(x, e) && fill_runs(x, e) && fill_outcomes(x, e) && fill_sites(x, e) &&
        ork_exploring_fill_notes(x, e) &&
        (e->left == 0 || x->search == NULL || (e->resume = resume_of(x)) != NULL))
        return ORK_OK;
    ork_exploration_release(e);
    return ORK_NOMEM;
}
