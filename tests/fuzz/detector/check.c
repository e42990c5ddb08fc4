/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/check.h"

#include "detector/detector.h"
#include "detector/state/state.h" /* the mark of the history */
#include "tests/fuzz/detector/explore.h"
#include "tests/fuzz/detector/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 2, NOWHERE = 255 };

struct checker {
    const struct program *p;
    struct tally *tally;
    FILE *out;
    struct wfg_random random;
    struct model strict;
    struct outcomes all; /* of strict semantics */
    bool is_exact;       /* one outcome under strict semantics, and the detector must know it */
    bool is_unique;      /* the records' order must not matter */
    struct run run;
    unsigned raw[MAX_RANKS]; /* records of each rank that the detector has */
    unsigned fed[MAX_RANKS]; /* without the last one if its list is not all there */
    bool renews;             /* the history begins anew at random moments */
    bool has_renewed;
    bool after_buffering; /* what came before the history depends on buffering */
};

/* Ranks reported as deadlocked, and in which step each rank is. */
struct verdict {
    uint32_t deadlocked; /* of those that have not ended */
    uint32_t done;
    uint32_t depends_on_buffering; /* by what they did after something let pass, or only tested */
    uint8_t pc[MAX_RANKS];
    uint8_t status[MAX_RANKS];
};

/* ---- the detector ---- */

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.detector.programs: %s\n", what);
    abort();
}

static struct ork_search *search(const struct checker *c, struct ork_detector *d, struct verdict *v)
{
    struct ork_search *s;
    uint32_t ranks = 0;

    *v = (struct verdict){0};
    require(ork_detector_search(d, ORK_STRICT, &s) == ORK_OK, "a search failed");
    for (uint32_t r = 0; r < c->p->ranks; r++) {
        struct ork_rank_view view = ork_detector_rank(d, r);
        v->status[r] = (uint8_t)view.status;
        v->pc[r] = view.status == ORK_RANK_RUNNING ? NOWHERE : (uint8_t)(view.call.site - 1);
        v->depends_on_buffering |= (uint32_t)view.depends_on_buffering << r;
        if (view.status == ORK_RANK_DONE)
            v->done |= 1u << r;
        else if (ork_wfg_is_deadlocked(s->wfg, r))
            v->deadlocked |= 1u << r;
        ranks += ork_wfg_is_deadlocked(s->wfg, r);
    }
    require(ranks == ork_wfg_num_deadlocked(s->wfg), "the number of deadlocked ranks is wrong");
    return s;
}

/* Let pass what moved, until nothing does. */
static struct verdict relax_all(const struct checker *c, struct ork_detector *d)
{
    struct verdict v;
    uint32_t passed;

    do {
        struct ork_search *s = search(c, d, &v);
        require(ork_detector_relax(d, s, &passed) == ORK_OK, "relaxing failed");
        ork_search_destroy(s);
    } while (passed > 0);
    return v;
}

/* Let strict semantics catch up with a run that is over. */
static struct verdict follow_all(const struct checker *c, struct ork_detector *d)
{
    struct verdict v;
    uint32_t passed;

    do {
        v = relax_all(c, d);
        require(ork_detector_catch_up(d, true, &passed) == ORK_OK, "following failed");
    } while (passed > 0);
    return v;
}

/* ---- what may be asked of a program ---- */

static bool uses(const struct program *p, enum verb verb)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            if (p->step[r][i].verb == verb)
                return true;
        }
    }
    return false;
}

static bool has_tests(const struct program *p)
{
    return uses(p, VERB_TEST) || uses(p, VERB_WAITANY) || uses(p, VERB_WAITSOME);
}

/* Does the order of the records make no difference? Which of several shared handles was freed, or
 * completed by a Test, cannot be known; and a message may come before or after MPI_Cancel. */
static bool is_unique(const struct program *p)
{
    bool guesses = p->shared && (has_tests(p) || uses(p, VERB_FREE));

    return !guesses && !uses(p, VERB_CANCEL);
}

/* ---- is a report real? ---- */

static void print_verdict(FILE *out, const struct checker *c, const struct verdict *v)
{
    fputs("  reported:", out);
    for (unsigned r = 0; r < c->p->ranks; r++) {
        if (v->deadlocked >> r & 1)
            fprintf(out, " %u in #%u", r, v->pc[r]);
    }
    fputs("\n  after records", out);
    for (unsigned r = 0; r < c->p->ranks; r++)
        fprintf(out, " %u of %u%s", c->fed[r], c->run.stream[r].count,
                r + 1 < c->p->ranks ? "," : "\n");
}

static void print_outcomes(FILE *out, const struct checker *c, const struct outcomes *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        fputs("  can end:", out);
        for (unsigned r = 0; r < c->p->ranks; r++)
            fprintf(out, " %u in #%u%s", r, o->item[i].pc[r],
                    (o->item[i].deadlocked >> r & 1) ? "!" : "");
        fputs("\n", out);
    }
}

static const char *complain(const struct checker *c, const struct verdict *v,
                            const struct outcomes *o, const char *what)
{
    if (c->out != NULL) {
        fprintf(c->out, "%s\n", what);
        print_verdict(c->out, c, v);
        print_outcomes(c->out, c, o);
    }
    return what;
}

/* Some outcome has the reported ranks deadlocked; `exactly`: in the very calls. */
static bool is_possible(const struct checker *c, const struct verdict *v, bool exactly)
{
    for (unsigned i = 0; i < c->all.count; i++) {
        const struct outcome *o = &c->all.item[i];
        bool same = (v->deadlocked & ~(uint32_t)o->deadlocked) == 0;
        for (unsigned r = 0; r < c->p->ranks; r++)
            same &= !exactly || !(v->deadlocked >> r & 1) || o->pc[r] == v->pc[r];
        if (same)
            return true;
    }
    return false;
}

/* No continuation gets a reported rank out of its call. */
static bool is_final(const struct checker *c, const struct verdict *v, const struct outcomes *after)
{
    for (unsigned i = 0; i < after->count; i++) {
        for (unsigned r = 0; r < c->p->ranks; r++) {
            if ((v->deadlocked >> r & 1) && after->item[i].pc[r] > v->pc[r])
                return false;
        }
    }
    return true;
}

/* Past every step whose outcome is known? */
static bool is_past_known(const struct checker *c, const struct known *known,
                          const struct outcome *o)
{
    for (unsigned r = 0; r < c->p->ranks; r++) {
        for (unsigned i = o->pc[r]; i < c->p->steps[r]; i++) {
            enum verb verb = c->p->step[r][i].verb;
            bool is_test = verb == VERB_TEST || verb == VERB_WAITANY || verb == VERB_WAITSOME;
            if (known->step[r][i] && (is_test || verb == VERB_PROBE || verb == VERB_IPROBE))
                return false;
        }
    }
    for (unsigned a = 0; a < c->strict.acts; a++) {
        if (known->act[a] && o->pc[c->strict.act[a].rank] <= run_reported_in(&c->run, a))
            return false;
    }
    return true;
}

/* Some strict execution makes the choices that the run is known to have made. */
static bool was_strict(const struct checker *c, const struct known *known)
{
    struct known choices = *known;
    struct outcomes after;
    bool found = false;

    choices.is_strict = true;
    bool complete = explore(&c->strict, &choices, &after);
    for (unsigned i = 0; complete && i < after.count && !found; i++)
        found = is_past_known(c, known, &after.item[i]);
    free(after.item);
    return found;
}

static const char *check_report(const struct checker *c, const struct verdict *v)
{
    struct outcomes after;
    struct known known;
    const char *problem = NULL;

    run_known(&c->run, c->fed, &known);
    bool complete = explore(&c->strict, &known, &after);
    /* A Wait for one of several shared handles may be for any; a message may have been matched
     * before its receive was cancelled. */
    bool is_guess = c->p->shared || uses(c->p, VERB_CANCEL);
    bool exactly = !is_guess && was_strict(c, &known);
    /* What a rank that exited will not do, the model knows only once it is there. What follows from
     * a Test that was true too early may have paid for it since. */
    bool may_pay = has_tests(c->p) || uses(c->p, VERB_CANCEL);
    bool is_of_run = v->done != 0 || (!exactly && may_pay);
    if (v->depends_on_buffering == 0 && !is_of_run && !is_possible(c, v, exactly))
        problem = complain(c, v, &c->all, "a reported deadlock is none of the program's");
    else if (complete && !is_final(c, v, &after))
        problem = complain(c, v, &after, "a reported rank can go on");
    free(after.item);
    return problem;
}

static const char *check_cut(struct checker *c, struct ork_detector *d)
{
    struct verdict v;

    c->tally->cuts++;
    ork_search_destroy(search(c, d, &v));
    if (v.deadlocked == 0)
        return NULL;
    c->tally->reports++;
    if ((v.deadlocked & v.depends_on_buffering) != 0)
        return NULL;
    c->tally->real_checks++;
    return check_report(c, &v);
}

/* ---- probing ---- */

static bool is_over(const struct checker *c)
{
    bool over = true;

    for (unsigned r = 0; r < c->p->ranks; r++)
        over &= c->run.stream[r].is_over;
    return over;
}

/* Does a rank that receives from anybody also turn to single ranks? Of such a rank it is supposed
 * that it may choose them by whom it heard. */
static bool may_answer(const struct program *p)
{
    bool any = false;

    for (unsigned r = 0; r < p->ranks; r++) {
        bool wild = false, single = false;
        for (unsigned i = 0; i < p->steps[r]; i++) {
            const struct step *s = &p->step[r][i];
            bool is_message = s->verb <= VERB_MPROBE;
            wild |= is_message && (s->peer == ORK_ANY_SOURCE ||
                                   (s->verb == VERB_SENDRECV && s->peer2 == ORK_ANY_SOURCE));
            single |= is_message && (s->peer >= 0 || (s->verb == VERB_SENDRECV && s->peer2 >= 0));
        }
        any |= wild && single;
    }
    return any;
}

static struct verdict verdict_of(const struct checker *c, struct ork_interleaving *f)
{
    struct ork_search *s = ork_interleaving_take_search(f);
    struct verdict v = {0};

    require(s != NULL, "no memory");

    for (unsigned r = 0; r < c->p->ranks; r++) {
        v.deadlocked |= (uint32_t)(s->rank[r].status == ORK_RANK_BLOCKED) << r;
        v.pc[r] = (uint8_t)(s->rank[r].call.site - 1);
    }
    ork_search_destroy(s);
    return v;
}

/* What the history says of other runs: nothing that cannot be; and that of a whole run that went
 * well, everything. */
static const char *check_interleaving(struct checker *c, struct ork_detector *d, bool is_end)
{
    struct ork_interleaving *f;
    enum ork_interleave_result result;
    const char *problem = NULL;
    bool deadlocks = false;

    if (has_tests(c->p) || c->p->lazy || uses(c->p, VERB_CANCEL) || uses(c->p, VERB_IPROBE))
        return NULL;
    require(ork_interleaving_create(d, ORK_OTHERWISE_ANYHOW, &f) == ORK_OK, "no memory");
    require(ork_interleaving_search(f, &(struct ork_interleave_options){0}, &result) == ORK_OK,
            "probing failed");
    c->tally->foresights++;
    c->tally->foreseen += result == ORK_INTERLEAVE_DEADLOCK;
    for (unsigned i = 0; i < c->all.count; i++)
        deadlocks |= c->all.item[i].deadlocked != 0;
    if (result == ORK_INTERLEAVE_DEADLOCK) {
        struct verdict v = verdict_of(c, f);
        if (!c->after_buffering && !is_possible(c, &v, !c->p->shared))
            problem = complain(c, &v, &c->all, "a deadlock is foreseen that cannot be");
    } else if (deadlocks && is_end && !c->has_renewed && is_over(c) && !may_answer(c->p) &&
               !uses(c->p, VERB_PROBE) && !c->p->shared) {
        problem = complain(c, &(struct verdict){0}, &c->all, "a deadlock is not foreseen");
    }
    ork_interleaving_destroy(f);
    return problem;
}

/* ---- feeding ---- */

/* The next few records of rank r. Returns how many. */
static unsigned feed_some(struct checker *c, struct ork_detector *d, unsigned r)
{
    const struct stream *s = &c->run.stream[r];
    unsigned n = 1 + wfg_random_below(&c->random, 4);

    n = n < s->count - c->raw[r] ? n : s->count - c->raw[r];
    require(ork_detector_feed(d, r, s->record + c->raw[r], n) == ORK_OK, "feeding failed");
    c->raw[r] += n;
    /* a record whose list is still to come tells nothing yet */
    c->fed[r] = c->raw[r];
    while (c->fed[r] < s->count && c->fed[r] > 0 && s->record[c->fed[r]].kind == ORK_KIND_CONT)
        c->fed[r]--;
    return n;
}

static const char *renew_history(struct checker *c, struct ork_detector *d)
{
    const char *problem = NULL;

    if (!c->renews || !wfg_random_percent(&c->random, 25))
        return NULL;
    if (wfg_random_percent(&c->random, 25))
        problem = check_interleaving(c, d, false);
    bool done = d->history.mark_at > 0; /* set between two steps since the latest try */
    if (done)
        ork_detector_cut_history(d);
    else
        done = ork_detector_renew_history(d);
    d->history.look_at = 0;
    if (done) {
        struct known known;
        run_known(&c->run, c->fed, &known);
        c->after_buffering |= !was_strict(c, &known);
    }
    c->has_renewed |= done;
    c->tally->renewals += done;
    return problem;
}

static void end_if_over(struct checker *c, struct ork_detector *d, unsigned r)
{
    enum ork_end how = c->p->ending[r] == ENDING_EXIT ? ORK_END_EXITED : ORK_END_FINISHED;

    if (c->run.stream[r].is_over && c->raw[r] == c->run.stream[r].count)
        require(ork_detector_end(d, r, how) == ORK_OK, "ending failed");
}

static const char *find_fault(const struct checker *c, const struct ork_detector *d)
{
    const char *fault = NULL;

    for (unsigned r = 0; r < c->p->ranks && fault == NULL; r++)
        fault = ork_detector_fault(d, r);
    if (fault != NULL && c->out != NULL)
        fprintf(c->out, "%s\n", fault);
    return fault;
}

static const char *feed_randomly(struct checker *c, struct ork_detector *d, bool with_cuts)
{
    const char *problem = NULL;
    unsigned left = 0;

    memset(c->fed, 0, sizeof(c->fed));
    memset(c->raw, 0, sizeof(c->raw));
    for (unsigned r = 0; r < c->p->ranks; r++) {
        left += c->run.stream[r].count;
        end_if_over(c, d, r); /* one that has no records */
    }
    while (left > 0 && problem == NULL) {
        unsigned r = wfg_random_below(&c->random, c->p->ranks);
        unsigned n = feed_some(c, d, r);
        left -= n;
        if (n > 0)
            end_if_over(c, d, r);
        if (with_cuts && n > 0 && wfg_random_percent(&c->random, 33))
            problem = check_cut(c, d);
        if (with_cuts && problem == NULL)
            problem = renew_history(c, d);
    }
    if (problem == NULL)
        problem = find_fault(c, d);
    return problem == NULL && with_cuts ? check_cut(c, d) : problem;
}

/* ---- at the end of a run ---- */

static const char *check_strict_end(struct checker *c, const struct verdict *v)
{
    if (!c->is_exact || v->done != 0)
        return NULL;
    require(c->all.count == 1, "a program without choices has several outcomes");
    const struct outcome *o = &c->all.item[0];
    bool same = v->deadlocked == o->deadlocked;

    c->tally->exact_checks++;
    for (unsigned r = 0; r < c->p->ranks; r++)
        same &= !(v->deadlocked >> r & 1) || v->pc[r] == o->pc[r];
    return same ? NULL : complain(c, v, &c->all, "not exactly the deadlock of strict semantics");
}

static const char *check_relaxed_end(struct checker *c, const struct verdict *v)
{
    const struct run *run = &c->run;
    struct outcome end = {.deadlocked = (uint8_t)model_deadlocked(&run->model, &run->state)};
    struct outcomes here = {.item = &end, .count = 1};
    bool same = v->deadlocked == end.deadlocked;

    memcpy(end.pc, run->state.pc, sizeof(end.pc));
    for (unsigned r = 0; r < c->p->ranks; r++)
        same &= !(v->deadlocked >> r & 1) || v->pc[r] == end.pc[r];
    if (same || !c->is_exact || program_has_running_end(c->p))
        return NULL;
    return complain(c, v, &here, "what is left is not what the run is stuck in");
}

/* Is every rank where the run left it? */
static const char *check_followed(struct checker *c, struct ork_detector *d,
                                  const struct verdict *v)
{
    for (unsigned r = 0; r < c->p->ranks; r++) {
        if (ork_detector_rank(d, r).moved)
            return complain(c, v, &c->all, "a rank is still behind the run when all is over");
    }
    return NULL;
}

static bool is_same_verdict(const struct verdict *a, const struct verdict *b)
{
    return a->deadlocked == b->deadlocked && a->done == b->done &&
           memcmp(a->pc, b->pc, sizeof(a->pc)) == 0 &&
           memcmp(a->status, b->status, sizeof(a->status)) == 0;
}

/* Once more, in another order, perhaps relaxing on the way. */
static const char *check_order(struct checker *c, const struct verdict *strict,
                               const struct verdict *relaxed)
{
    struct ork_detector *d;
    struct verdict v;

    require(ork_detector_create(c->p->ranks, &d) == ORK_OK, "no memory");
    const char *problem = feed_randomly(c, d, false);
    ork_search_destroy(search(c, d, &v));
    if (problem == NULL && !is_same_verdict(&v, strict))
        problem = complain(c, &v, &c->all, "the order of records makes a difference");
    v = relax_all(c, d);
    if (problem == NULL && !is_same_verdict(&v, relaxed))
        problem = complain(c, &v, &c->all, "the order of records makes a difference to relaxing");
    ork_detector_destroy(d);
    return problem;
}

static const char *check_run(struct checker *c)
{
    struct ork_detector *d;
    struct verdict strict, relaxed;

    require(run_random(c->p, &c->random, &c->run), "a program grew");
    require(ork_detector_create(c->p->ranks, &d) == ORK_OK, "no memory");
    ork_detector_set_history(d, UINT64_MAX);
    c->renews = wfg_random_percent(&c->random, 50);
    c->has_renewed = c->after_buffering = false;
    const char *problem = feed_randomly(c, d, true);
    ork_search_destroy(search(c, d, &strict));
    if (problem == NULL)
        problem = check_strict_end(c, &strict);
    if (problem == NULL)
        problem = check_interleaving(c, d, true);
    relaxed = relax_all(c, d);
    if (problem == NULL)
        problem = check_relaxed_end(c, &relaxed);
    struct verdict end = follow_all(c, d);
    if (problem == NULL)
        problem = check_followed(c, d, &end);
    ork_detector_destroy(d);
    for (unsigned i = 0; problem == NULL && c->is_unique && i < ORDERS; i++)
        problem = check_order(c, &strict, &relaxed);
    if (problem != NULL && c->out != NULL)
        run_print(&c->run, c->out);
    return problem;
}

const char *check_program(const struct program *p, unsigned runs, struct tally *tally, FILE *out)
{
    struct checker *c = calloc(1, sizeof(*c));
    const char *problem = NULL;

    require(c != NULL, "no memory");
    c->p = p;
    c->tally = tally;
    c->out = out;
    c->random.state = p->seed;
    c->is_exact = program_is_deterministic(p) && !p->shared;
    c->is_unique = is_unique(p);
    tally->programs++;
    if (!model_init(&c->strict, p, false, false) || !explore(&c->strict, NULL, &c->all)) {
        tally->too_large++;
        runs = 0;
    }
    for (unsigned i = 0; i < runs && problem == NULL; i++)
        problem = check_run(c);
    free(c->all.item);
    free(c);
    return problem;
}
