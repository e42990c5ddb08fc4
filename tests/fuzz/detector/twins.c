/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/twins.h"

#include "detector/issues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.detector.waves: %s\n", what);
    abort();
}

void twins_init(struct twins *t, uint32_t ranks, uint64_t history, struct wfg_random *random)
{
    *t = (struct twins){
        .ranks = ranks, .random = random, .is_patient = wfg_random_percent(random, 60)};
    require(ork_detector_create(ranks, &t->joint) == ORK_OK &&
                ork_detector_create(ranks, &t->single) == ORK_OK,
            "no memory");
    ork_detector_set_history(t->joint, history);
    ork_detector_set_history(t->single, history);
}

void twins_release(struct twins *t)
{
    ork_detector_destroy(t->joint);
    ork_detector_destroy(t->single);
}

/* ---- feeding ---- */

static void feed(struct twins *t, uint32_t rank, unsigned n)
{
    struct twins_stream *s = &t->stream[rank];

    require(ork_detector_feed(t->joint, rank, s->record + s->at, n) == ORK_OK &&
                ork_detector_feed(t->single, rank, s->record + s->at, n) == ORK_OK,
            "feeding failed");
    s->at += n;
}

static void end_if_over(struct twins *t, uint32_t rank)
{
    const struct twins_stream *s = &t->stream[rank];

    if (!s->is_over || s->at < s->count)
        return;
    ork_detector_end(t->joint, rank, s->end);
    ork_detector_end(t->single, rank, s->end);
}

static const struct ork_record *next_record(const struct twins *t, uint32_t rank)
{
    const struct twins_stream *s = &t->stream[rank];

    return s->at < s->count ? &s->record[s->at] : NULL;
}

struct wave {
    struct ork_group_record group_record[TWINS_RANKS];
    struct ork_span span[TWINS_RANKS][TWINS_RANKS];
    uint32_t n, ranks;
};

static void add_to_wave(struct wave *w, uint32_t rank, const struct ork_record *rec)
{
    uint32_t i = 0;

    while (i < w->n && memcmp(&w->group_record[i].call, rec, sizeof(*rec)) != 0)
        i++;
    struct ork_group_record *a = &w->group_record[i];
    if (i == w->n) {
        *a = (struct ork_group_record){.call = *rec, .span = w->span[i]};
        w->n++;
    }
    struct ork_span *last = &w->span[i][a->num_spans];
    if (a->num_spans > 0 && last[-1].first + last[-1].count == rank)
        last[-1].count++;
    else
        w->span[i][a->num_spans++] = (struct ork_span){rank, 1};
    w->ranks++;
}

static bool is_call(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && rec->count == 0;
}

/* Are there ranks that may yet come to a collective call? */
static bool may_come(const struct twins *t)
{
    bool any = false;

    for (uint32_t r = 0; r < t->ranks && !any; r++) {
        const struct ork_record *rec = next_record(t, r);
        any = rec != NULL && !is_call(rec);
    }
    return any;
}

/* Ranks whose next record is a collective call on the number of `like`. */
static void gather(struct twins *t, const struct ork_record *like, struct wave *w)
{
    bool all = wfg_random_percent(t->random, 90);

    *w = (struct wave){0};
    for (uint32_t r = 0; r < t->ranks; r++) {
        const struct ork_record *rec = next_record(t, r);
        if (rec != NULL && is_call(rec) && rec->comm == like->comm &&
            (all || wfg_random_percent(t->random, 70)))
            add_to_wave(w, r, rec);
    }
}

static void feed_wave(struct twins *t, const struct wave *w)
{
    require(ork_detector_feed_bulk(t->joint, w->group_record, w->n) == ORK_OK,
            "feeding a wave failed");
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t k = 0; k < w->group_record[i].num_spans; k++) {
            struct ork_span span = w->span[i][k];
            for (uint32_t r = span.first; r < span.first + span.count; r++) {
                require(ork_detector_feed(t->single, r, &w->group_record[i].call, 1) == ORK_OK,
                        "feeding failed");
                t->stream[r].at++;
                end_if_over(t, r);
            }
        }
    }
}

static bool feed_some(struct twins *t)
{
    uint32_t r = wfg_random_below(t->random, t->ranks);
    const struct ork_record *rec = next_record(t, r);
    struct wave w;

    if (rec == NULL)
        return false;
    if (is_call(rec) && wfg_random_percent(t->random, t->is_patient ? 100 : 95)) {
        gather(t, rec, &w);
        if (may_come(t) && (t->is_patient || wfg_random_percent(t->random, 70)))
            return false;
        feed_wave(t, &w);
        return true;
    }
    feed(t, r, 1);
    end_if_over(t, r);
    return true;
}

/* ---- comparing ---- */

static bool is_same_view(const struct twins *t, uint32_t rank)
{
    struct ork_rank_view a = ork_detector_rank(t->joint, rank);
    struct ork_rank_view b = ork_detector_rank(t->single, rank);

    return a.status == b.status && a.end == b.end && a.comm == b.comm && a.moved == b.moved &&
           a.cancelled == b.cancelled && a.assumed == b.assumed && a.quiet == b.quiet &&
           a.depends_on_buffering == b.depends_on_buffering &&
           memcmp(&a.call, &b.call, sizeof(a.call)) == 0 &&
           ork_detector_fault(t->joint, rank) == ork_detector_fault(t->single, rank);
}

static bool is_same_side(const struct ork_issue_side *a, const struct ork_issue_side *b)
{
    return memcmp(&a->call, &b->call, sizeof(a->call)) == 0 && a->comm == b->comm &&
           a->rank == b->rank && a->num_ranks == b->num_ranks &&
           (a->num_ranks == 0 || memcmp(a->ranks, b->ranks, a->num_ranks * sizeof(*a->ranks)) == 0);
}

static bool has_same_issues(const struct twins *t)
{
    uint32_t n = ork_detector_num_issues(t->joint);
    bool same = n == ork_detector_num_issues(t->single);

    for (uint32_t i = 0; i < n && same; i++) {
        const struct ork_issue *a = ork_detector_issue(t->joint, i);
        const struct ork_issue *b = ork_detector_issue(t->single, i);
        same = a->kind == b->kind && a->num_sides == b->num_sides && a->quiet == b->quiet &&
               a->repeats == b->repeats;
        for (unsigned k = 0; same && k < a->num_sides; k++)
            same = is_same_side(&a->side[k], &b->side[k]);
    }
    return same;
}

static bool has_same_counts(const struct twins *t)
{
    struct ork_counts a = ork_detector_counts(t->joint);
    struct ork_counts b = ork_detector_counts(t->single);

    a.at_once = b.at_once = 0;
    return memcmp(&a, &b, sizeof(a)) == 0 &&
           ork_detector_memory(t->joint) == ork_detector_memory(t->single) &&
           ork_detector_history_size(t->joint) == ork_detector_history_size(t->single) &&
           ork_detector_is_history_full(t->joint) == ork_detector_is_history_full(t->single) &&
           ork_detector_has_wildcards(t->joint) == ork_detector_has_wildcards(t->single) &&
           ork_detector_lacks_wildcards(t->joint) == ork_detector_lacks_wildcards(t->single);
}

static bool is_same_graph(const struct ork_wfg *a, const struct ork_wfg *b)
{
    uint32_t nodes = ork_wfg_num_nodes(a);
    bool same = nodes == ork_wfg_num_nodes(b) &&
                ork_wfg_num_deadlocked(a) == ork_wfg_num_deadlocked(b) &&
                ork_wfg_num_bottom(a) == ork_wfg_num_bottom(b);

    for (uint32_t v = 0; v < nodes && same; v++) {
        uint32_t arcs = ork_wfg_num_arcs(a, v);
        same = ork_wfg_is_deadlocked(a, v) == ork_wfg_is_deadlocked(b, v) &&
               arcs == ork_wfg_num_arcs(b, v);
        for (uint32_t i = 0; i < arcs && same; i++) {
            struct ork_wfg_arc x = ork_wfg_arc(a, v, i);
            struct ork_wfg_arc y = ork_wfg_arc(b, v, i);
            same = x.to == y.to && x.label == y.label;
        }
    }
    return same;
}

/* Search both, and sometimes let pass what may. */
static const char *search(struct twins *t, enum ork_semantics semantics, bool relax)
{
    struct ork_search *a, *b;
    uint32_t passed[2] = {0, 0};

    require(ork_detector_search(t->joint, semantics, &a) == ORK_OK &&
                ork_detector_search(t->single, semantics, &b) == ORK_OK,
            "a search failed");
    bool same =
        is_same_graph(a->wfg, b->wfg) && a->num_terms == b->num_terms && a->num_hubs == b->num_hubs;
    if (relax)
        require(ork_detector_relax(t->joint, a, &passed[0]) == ORK_OK &&
                    ork_detector_relax(t->single, b, &passed[1]) == ORK_OK,
                "relaxing failed");
    ork_search_destroy(a);
    ork_search_destroy(b);
    if (!same)
        return "the graphs differ";
    return passed[0] == passed[1] ? NULL : "relaxing differs";
}

static const char *follow(struct twins *t, bool over)
{
    uint32_t passed[2];

    require(ork_detector_catch_up(t->joint, over, &passed[0]) == ORK_OK &&
                ork_detector_catch_up(t->single, over, &passed[1]) == ORK_OK,
            "following failed");
    return passed[0] == passed[1] ? NULL : "following differs";
}

static const char *compare(struct twins *t)
{
    for (uint32_t r = 0; r < t->ranks; r++) {
        if (!is_same_view(t, r))
            return "a rank is somewhere else";
    }
    if (!has_same_counts(t))
        return "the counts differ";
    return has_same_issues(t) ? NULL : "the issues differ";
}

/* ---- probing ---- */

static bool is_same_decision(const struct ork_interleaving *a, const struct ork_interleaving *b,
                             uint32_t i)
{
    struct ork_interleaving_decision x = ork_interleaving_decision(a, i);
    struct ork_interleaving_decision y = ork_interleaving_decision(b, i);

    return x.receive.rank == y.receive.rank && x.receive.site == y.receive.site &&
           x.receive.comm == y.receive.comm && x.send.rank == y.send.rank &&
           x.send.site == y.send.site && x.differs == y.differs && x.blind == y.blind &&
           x.took == y.took;
}

static bool is_same_interleaving(const struct ork_interleaving *a, const struct ork_interleaving *b)
{
    uint32_t n = ork_interleaving_num_decisions(a);
    struct ork_interleaving_view x = ork_interleaving_view(a);
    struct ork_interleaving_view y = ork_interleaving_view(b);
    bool same = n == ork_interleaving_num_decisions(b) && x.undecided == y.undecided &&
                x.states == y.states && x.complete == y.complete;

    for (uint32_t i = 0; i < n && same; i++)
        same = is_same_decision(a, b, i);
    return same;
}

/* The same effort for both. */
static enum ork_interleave_result search_others(struct ork_interleaving *f)
{
    const struct ork_interleave_options options = {.max_steps = 1000000};
    enum ork_interleave_result result;

    require(ork_interleaving_search(f, &options, &result) == ORK_OK, "probing failed");
    return result;
}

static const char *probe(struct twins *t)
{
    struct ork_interleaving *a, *b;

    require(ork_interleaving_create(t->joint, ORK_OTHERWISE_ANYHOW, &a) == ORK_OK &&
                ork_interleaving_create(t->single, ORK_OTHERWISE_ANYHOW, &b) == ORK_OK,
            "no memory");
    bool same = search_others(a) == search_others(b) && is_same_interleaving(a, b);
    ork_interleaving_destroy(a);
    ork_interleaving_destroy(b);
    return same ? NULL : "probing differs";
}

/* ---- a run ---- */

static const char *look(struct twins *t)
{
    uint32_t rank = wfg_random_below(t->random, t->ranks);
    bool decided[2];

    switch (wfg_random_below(t->random, 40)) {
    case 0:
        return search(t, ORK_STRICT, true);
    case 1:
        return search(t, ORK_PERMISSIVE, false);
    case 2:
        return follow(t, false);
    case 3:
        return probe(t);
    case 4:
        ork_detector_returned(t->joint, rank, 0);
        ork_detector_returned(t->single, rank, 0);
        break;
    case 5:
        require(ork_detector_assume_match(t->joint, &decided[0]) == ORK_OK &&
                    ork_detector_assume_match(t->single, &decided[1]) == ORK_OK,
                "deciding failed");
        return decided[0] == decided[1] ? NULL : "deciding differs";
    case 6:
    case 7:
    case 8:
        return search(t, ORK_STRICT, false);
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
        return compare(t); /* the others leave what the ranks have not learnt as it is */
    default:
        break;
    }
    return NULL;
}

static const char *finish(struct twins *t)
{
    const char *problem = compare(t);

    if (problem == NULL)
        problem = probe(t);
    for (unsigned i = 0; i < 8 && problem == NULL; i++) {
        problem = search(t, ORK_STRICT, true);
        if (problem == NULL)
            problem = follow(t, true);
    }
    return problem == NULL ? compare(t) : problem;
}

const char *twins_run(struct twins *t)
{
    const char *problem = NULL;
    unsigned left = 0;

    for (uint32_t r = 0; r < t->ranks; r++)
        left += t->stream[r].count;
    while (left > 0 && problem == NULL) {
        if (feed_some(t))
            problem = look(t);
        left = 0;
        for (uint32_t r = 0; r < t->ranks; r++)
            left += t->stream[r].count - t->stream[r].at;
    }
    return problem == NULL ? finish(t) : problem;
}
