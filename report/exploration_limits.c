/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/escape.h"
#include "report/exploration.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define RANKS_MAX 200u /* characters of a list of ranks */
#define WORDS_MAX 200u /* of a call or place */
#define LOOPS_MAX 8u

struct sentences {
    char **item;
    uint32_t count;
    FILE *out; /* of the present one */
    char *text;
    size_t size;
    bool failed; /* out of memory */
};

/* RATIONALE: at most this many, so that none has to be dropped for lack of room. */
enum { SENTENCES_MAX = 16 };

static FILE *begin(struct sentences *s)
{
    s->text = NULL;
    s->out = open_memstream(&s->text, &s->size);
    s->failed = s->failed || s->out == NULL;
    return s->out;
}

static void end(struct sentences *s)
{
    if (fclose(s->out) != 0)
        s->failed = true;
    s->item[s->count++] = s->text;
}

static void put_number(FILE *out, uint64_t n, const char *one, const char *many)
{
    ork_put_count(out, n);
    fprintf(out, " %s", n == 1 ? one : many);
}

static bool reached_runs(const struct ork_exploration *e)
{
    return e->bounds.runs > 0 && e->runs + e->lost >= e->bounds.runs;
}

static bool reached_seconds(const struct ork_exploration *e)
{
    return e->bounds.seconds > 0 && e->seconds >= e->bounds.seconds;
}

static void put_why_it_ended(const struct ork_exploration *e, FILE *out)
{
    if (e->is_interrupted)
        fputs("The exploration was interrupted", out);
    else if (reached_runs(e))
        fprintf(out,
                "The exploration ended at its limit of runs (--must:explore-bounds runs=%" PRIu64
                ")",
                e->bounds.runs);
    else if (reached_seconds(e))
        fprintf(out, "The exploration ended at its limit of time (--must:explore-bounds time=%g)",
                e->bounds.seconds);
    else
        fputs("The exploration ended early", out);
}

static bool is_all_done(const struct ork_exploration *e)
{
    bool left_out = false;

    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        left_out = left_out || e->left_out[i] > 0;
    return e->left == 0 && !left_out;
}

/* The loops of which it is assumed that they time out only where a run showed it. */
static void put_endless(const struct ork_exploration *e, FILE *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < e->num_sites; i++) {
        const struct ork_choice_site *site = &e->site[i].site;
        if (!e->site[i].is_endless || n++ >= LOOPS_MAX)
            continue;
        fputs(n == 1 ? " " : ", ", out);
        ork_escape_text(out, site->call, WORDS_MAX);
        if (site->place != NULL)
            fputs(" at ", out);
        ork_escape_text(out, site->place != NULL ? site->place : "", WORDS_MAX);
    }
    if (n > LOOPS_MAX)
        fprintf(out, " and %" PRIu32 " more", n - LOOPS_MAX);
    fputc('.', out);
}

bool ork_exploration_has_endless(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_sites; i++) {
        if (e->site[i].is_endless)
            return true;
    }
    return false;
}

static void put_complete(const struct ork_exploration *e, FILE *out)
{
    bool has_endless = ork_exploration_has_endless(e);

    fputs("Every order was run", out);
    if (e->repeats_polls)
        fputs(", assuming that no result depends on how often the same test or probe is "
              "unsuccessful in a row",
              out);
    if (has_endless) {
        fputs(e->repeats_polls ? ", and that " : ", assuming that ", out);
        fputs("these polling loops time out only where a run showed it:", out);
        put_endless(e, out);
    } else {
        fputc('.', out);
    }
}

static void say_whether_complete(struct sentences *s, const struct ork_exploration *e)
{
    FILE *out = begin(s);

    if (out == NULL)
        return;
    if (e->is_complete) {
        put_complete(e, out);
    } else if (e->left > 0) {
        put_why_it_ended(e, out);
        fputs(": ", out);
        put_number(out, e->left, "known order was not run.", "known orders were not run.");
    } else if (e->is_interrupted) {
        put_why_it_ended(e, out);
        fputs(": there may be more orders.", out);
    } else if (is_all_done(e)) {
        fputs("Every known order was run, but there may be more.", out);
    } else {
        fputs("Every known order within the bounds was run, but not those outside of them.", out);
    }
    end(s);
}

static void say_endless(struct sentences *s, const struct ork_exploration *e)
{
    FILE *out = ork_exploration_has_endless(e) && !e->is_complete ? begin(s) : NULL;

    if (out == NULL)
        return;
    fputs(
        "These polling loops went on when they were to time out; it is assumed that they time out "
        "only where a run showed it:",
        out);
    put_endless(e, out);
    end(s);
}

/* What is left are other outcomes of polls. */
static void say_waiting(struct sentences *s, const struct ork_exploration *e)
{
    FILE *out = e->left > 0 && e->left_waiting == 0 && e->waiting > 0 ? begin(s) : NULL;

    if (out == NULL)
        return;
    fputs("Every known order was run in which tests and probes wait until they succeed or no rank "
          "can continue: ",
          out);
    ork_put_count(out, e->waiting);
    fputc('.', out);
    end(s);
}

/* To two digits: it is no better than that. */
static uint64_t rounded(double estimate)
{
    uint64_t unit = 1;

    while (estimate / (double)unit >= 99.5)
        unit *= 10;
    return (uint64_t)(estimate / (double)unit + 0.5) * unit;
}

static bool is_bounded(const struct ork_exploration *e)
{
    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++) {
        if (e->left_out[i] > 0)
            return true;
    }
    return false;
}

static void say_estimate(struct sentences *s, const struct ork_exploration *e)
{
    if (!(e->estimate > (double)e->orders) || !isfinite(e->estimate))
        return;
    FILE *out = begin(s);
    if (out == NULL)
        return;
    if (e->estimate < 1e15) {
        fputs("There are about ", out);
        ork_put_count(out, rounded(e->estimate));
    } else {
        fprintf(out, "There are about %.1e", e->estimate);
    }
    fprintf(out, " orders %s, assuming that those not run branch like those that were.",
            is_bounded(e) ? "within these bounds" : "in all");
    end(s);
}

static void put_reason(const struct ork_exploration *e, enum ork_left_out reason, FILE *out)
{
    const struct ork_exploration_bounds *b = &e->bounds;

    switch (reason) {
    case ORK_LEFT_OUT_MIXING:
        fprintf(out,
                "because the choice comes more than %" PRIu32
                " choices after the changed one (--must:explore-bounds mixing=%" PRIu32 ").",
                b->mixing, b->mixing);
        break;
    case ORK_LEFT_OUT_LOOP:
        fprintf(out,
                "because the choice is not among the first %" PRIu32
                " of its rank at its call site (--must:explore-bounds loop=%" PRIu32 ").",
                b->loop, b->loop);
        break;
    case ORK_LEFT_OUT_QUOTA:
        fprintf(out,
                "because %" PRIu32
                " had been tried at its call site (--must:explore-bounds quota=%" PRIu32 ").",
                b->quota, b->quota);
        break;
    case ORK_LEFT_OUT_SYMMETRIC:
        fputs("because only ranks that do the same work change places (--must:explore-bounds "
              "symmetric=",
              out);
        ork_escape_text(out, b->symmetric, RANKS_MAX);
        fputs("). This is valid only if these ranks are alike.", out);
        break;
    case ORK_LEFT_OUT_REASONS:
        break;
    }
}

static void say_left_out(struct sentences *s, const struct ork_exploration *e,
                         enum ork_left_out reason)
{
    if (e->left_out[reason] == 0)
        return;
    FILE *out = begin(s);
    if (out == NULL)
        return;
    put_number(out, e->left_out[reason], "alternative was left out, ",
               "alternatives were left out, ");
    put_reason(e, reason, out);
    end(s);
}

static void say_text(struct sentences *s, const char *text)
{
    FILE *out = begin(s);

    if (out == NULL)
        return;
    fputs(text, out);
    end(s);
}

static void say_trouble(struct sentences *s, const struct ork_exploration *e)
{
    FILE *out = e->diverged > 0 ? begin(s) : NULL;

    if (out != NULL) {
        put_number(out, e->diverged,
                   "run could not follow its order: ", "runs could not follow their orders: ");
        fputs("the program depends on more than the order of messages (time, random numbers, "
              "threads), or an operation completed later than the order says.",
              out);
        end(s);
    }
    out = e->lost > 0 ? begin(s) : NULL;
    if (out != NULL) {
        put_number(out, e->lost, "run has no result", "runs have no result");
        fputs(": the tool failed, or the run was ended from outside.", out);
        end(s);
    }
}

enum ork_status ork_exploration_limits(const struct ork_exploration *e, char ***sentence,
                                       uint32_t *count)
{
    struct sentences s = {.item = calloc(SENTENCES_MAX, sizeof(*s.item))};

    if (s.item == NULL)
        return ORK_NOMEM;
    say_whether_complete(&s, e);
    say_waiting(&s, e);
    if (e->bounds.samples)
        say_text(&s, "The orders were picked at random (--must:explore-bounds sample).");
    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        say_left_out(&s, e, (enum ork_left_out)i);
    say_endless(&s, e);
    say_trouble(&s, e);
    say_estimate(&s, e);
    if (!s.failed) {
        *sentence = s.item;
        *count = s.count;
        return ORK_OK;
    }
    for (uint32_t i = 0; i < s.count; i++)
        free(s.item[i]);
    free(s.item);
    return ORK_NOMEM;
}
