/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/timing.h"

#include "detector/detector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = MAX_RECORDS + 1 };

struct play {
    const struct run *run;
    const struct timing *timing;
    struct wfg_random *random;
    struct ork_detector *d;
    uint32_t ranks;
    unsigned at[MAX_RANKS];      /* records that the detector has */
    unsigned early_at[MAX_ACTS]; /* the EARLY record comes before this one */
    struct outcome_of_timing out;
};

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.detector.timing: %s\n", what);
    abort();
}

/* ---- searches, as the tool makes them (overlay/root/schedule.c) ---- */

static bool is_done(const struct play *p, uint32_t node)
{
    return node < p->ranks && ork_detector_rank(p->d, node).status == ORK_RANK_DONE;
}

/* Does a knot contain more than a rank that has ended? */
static bool is_cause(const struct play *p, const struct ork_wfg_knot *knot)
{
    return knot->count > 1 || !is_done(p, knot->node[0]);
}

static bool is_waited_for(const struct play *p, const struct ork_search *s, uint32_t node)
{
    bool any = false;

    for (uint32_t r = 0; r < p->ranks && !any; r++) {
        for (uint32_t i = 0;
             ork_wfg_is_deadlocked(s->wfg, r) && r != node && i < ork_wfg_num_arcs(s->wfg, r); i++)
            any |= ork_wfg_arc(s->wfg, r, i).to == node;
    }
    return any;
}

static bool has_cause(const struct play *p, const struct ork_search *s)
{
    bool any = false;

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg) && !any; k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        any = is_cause(p, &knot) || is_waited_for(p, s, knot.node[0]);
    }
    return any;
}

static bool has_moved_cause(const struct play *p, const struct ork_search *s)
{
    bool any = false;

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        for (uint32_t i = 0; i < knot.count && !any; i++)
            any = knot.node[i] < p->ranks && ork_detector_rank(p->d, knot.node[i]).moved;
    }
    return any;
}

static uint32_t relax(struct play *p, const struct ork_search *s)
{
    uint32_t passed;

    require(ork_detector_relax(p->d, s, &passed) == ORK_OK, "relaxing failed");
    return passed;
}

/* Act on a search. True: the state has changed, search again. */
static bool act(struct play *p, const struct ork_search *s, bool is_over)
{
    uint32_t n = 0;

    if (!has_cause(p, s)) {
        if (is_over)
            require(ork_detector_catch_up(p->d, true, &n) == ORK_OK, "catching up failed");
        return n > 0;
    }
    if (has_moved_cause(p, s)) {
        require(ork_detector_reveal(p->d, &n) == ORK_OK, "revealing failed");
        if (n > 0)
            return true;
        p->out.has_deadlock = true;
    }
    p->out.has_deadlock |= is_over;
    return relax(p, s) > 0;
}

static void search(struct play *p, bool is_over)
{
    bool again = true;

    while (again) {
        struct ork_search *s;
        require(ork_detector_search(p->d, ORK_STRICT, &s) == ORK_OK, "a search failed");
        again = act(p, s, is_over);
        ork_search_destroy(s);
    }
}

/* ---- records ---- */

static bool is_list(const struct stream *s, unsigned i)
{
    return i < s->count && s->record[i].kind == ORK_KIND_CONT;
}

/* The place of the call that reports the outcome of `of`; NEVER: there is none. */
static unsigned place_of_report(const struct run *run, unsigned of)
{
    const struct stream *s = &run->stream[run->model.act[of].rank];
    unsigned step = run_reported_in(run, of), i = 0;

    while (i < s->count && (is_list(s, i) || s->record[i].site != step + 1))
        i++;
    return step < MAX_STEPS && i < s->count ? i : NEVER;
}

/* Between two calls, after the match and not after the call that reports it. */
static void choose_early(struct play *p, unsigned of)
{
    const struct early *early = &p->run->early[of];
    const struct stream *s = &p->run->stream[p->run->model.act[of].rank];

    p->early_at[of] = NEVER;
    if (!early->exists || !wfg_random_percent(p->random, p->timing->early_percent))
        return;
    unsigned last = place_of_report(p->run, of);
    if (last == NEVER || last < early->from)
        return;
    unsigned i = early->from + wfg_random_below(p->random, last - early->from + 1);
    while (is_list(s, i) || (i < s->count && s->record[i].kind == ORK_KIND_EXIT))
        i++;
    p->early_at[of] = i <= last ? i : NEVER;
}

static void feed(struct play *p, uint32_t rank, const struct ork_record *record, unsigned n)
{
    require(ork_detector_feed(p->d, rank, record, n) == ORK_OK, "feeding failed");
}

static void feed_early(struct play *p, uint32_t rank)
{
    for (unsigned i = 0; i < p->run->model.acts; i++) {
        if (p->run->model.act[i].rank == rank && p->early_at[i] == p->at[rank])
            feed(p, rank, &p->run->early[i].record, 1);
    }
}

/* The next record of the rank, with its list. Returns how many. */
static unsigned feed_next(struct play *p, uint32_t rank)
{
    const struct stream *s = &p->run->stream[rank];
    unsigned n = 1;

    if (p->at[rank] == s->count)
        return 0;
    feed_early(p, rank);
    while (is_list(s, p->at[rank] + n))
        n++;
    feed(p, rank, s->record + p->at[rank], n);
    p->at[rank] += n;
    if (p->at[rank] == s->count)
        require(ork_detector_end(p->d, rank, ORK_END_FINISHED) == ORK_OK, "ending failed");
    return n;
}

static bool depends_on_buffering(const struct play *p)
{
    bool any = false;

    for (uint32_t r = 0; r < p->ranks; r++)
        any |= ork_detector_rank(p->d, r).depends_on_buffering;
    return any;
}

struct outcome_of_timing timing_play(const struct run *run, const struct timing *timing,
                                     struct wfg_random *random)
{
    struct play p = {.run = run, .timing = timing, .random = random, .ranks = run->model.p->ranks};
    unsigned left = 0;

    require(ork_detector_create(p.ranks, &p.d) == ORK_OK, "no memory");
    for (unsigned i = 0; i < run->model.acts; i++)
        choose_early(&p, i);
    for (uint32_t r = 0; r < p.ranks; r++)
        left += run->stream[r].count;
    while (left > 0) {
        left -= feed_next(&p, wfg_random_below(random, p.ranks));
        if (wfg_random_percent(random, timing->search_percent))
            search(&p, false);
    }
    p.out.depends_on_buffering = depends_on_buffering(&p);
    search(&p, true);
    ork_detector_destroy(p.d);
    return p.out;
}
