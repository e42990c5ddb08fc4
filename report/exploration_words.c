/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/exploration.h"

#include "report/escape.h"

#include <inttypes.h>
#include <string.h>

const char *ork_outcome_kind_word(enum ork_outcome_kind kind)
{
    static const char *const word[] = {
        [ORK_OUTCOME_ENDED] = "ended",     [ORK_OUTCOME_LOST] = "lost",
        [ORK_OUTCOME_WARNING] = "warning", [ORK_OUTCOME_FINDING] = "finding",
        [ORK_OUTCOME_EXIT] = "exit",       [ORK_OUTCOME_SIGNAL] = "signal",
        [ORK_OUTCOME_HANG] = "hang",       [ORK_OUTCOME_DEADLOCK] = "deadlock"};

    return word[kind];
}

const char *ork_outcome_short_words(const struct ork_outcome *outcome)
{
    static const char *const words[] = {
        [ORK_OUTCOME_ENDED] = "no error",  [ORK_OUTCOME_LOST] = "no result",
        [ORK_OUTCOME_WARNING] = "warning", [ORK_OUTCOME_FINDING] = "error",
        [ORK_OUTCOME_EXIT] = "exit code",  [ORK_OUTCOME_SIGNAL] = "crash",
        [ORK_OUTCOME_HANG] = "hang",       [ORK_OUTCOME_DEADLOCK] = "deadlock"};

    if (outcome->kind == ORK_OUTCOME_ENDED && outcome->is_result)
        return outcome->is_bad ? "another output" : "same output";
    return words[outcome->kind];
}

bool ork_outcome_is_reported(const struct ork_outcome *outcome)
{
    return outcome->is_bad || outcome->kind == ORK_OUTCOME_WARNING;
}

const char *ork_left_out_word(enum ork_left_out reason)
{
    static const char *const word[] = {[ORK_LEFT_OUT_MIXING] = "mixing",
                                       [ORK_LEFT_OUT_LOOP] = "loop",
                                       [ORK_LEFT_OUT_QUOTA] = "quota",
                                       [ORK_LEFT_OUT_SYMMETRIC] = "symmetric"};

    return word[reason];
}

static void put_number(FILE *out, uint64_t n, const char *one, const char *many)
{
    ork_put_count(out, n);
    fprintf(out, " %s", n == 1 ? one : many);
}

void ork_exploration_put_orders(const struct ork_exploration *e, FILE *out)
{
    if (e->runs != e->orders)
        put_number(out, e->runs, "run of ", "runs of ");
    if (e->left > 0) {
        ork_put_count(out, e->orders);
        fputs(" of ", out);
        put_number(out, e->orders + e->left, "known order", "known orders");
    } else {
        put_number(out, e->orders, "order", "orders");
    }
}

bool ork_exploration_is_partial(const struct ork_exploration *e)
{
    bool left_out = false;

    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        left_out |= e->left_out[i] > 0;
    return e->left > 0 || left_out;
}

/* The phrases of a summary: only the first of them has no comma before it. */
struct phrases {
    FILE *out;
    bool any;
};

static void put_phrase(struct phrases *p, uint64_t runs, const char *one, const char *many)
{
    if (runs == 0)
        return;
    fputs(p->any ? ", " : " ", p->out);
    put_number(p->out, runs, one, many);
    p->any = true;
}

static uint64_t runs_of_kind(const struct ork_exploration *e, enum ork_outcome_kind kind)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < e->num_outcomes; i++)
        runs += e->outcome[i].kind == kind ? e->outcome[i].runs : 0;
    return runs;
}

/* "21 end with the same output, 5 with 3 other ones" */
static void put_results(struct phrases *p, const struct ork_exploration *e)
{
    uint64_t same = 0, others = 0;
    uint32_t results = 0;

    for (uint32_t i = 0; i < e->num_outcomes; i++) {
        const struct ork_outcome *o = &e->outcome[i];
        if (o->kind != ORK_OUTCOME_ENDED)
            continue;
        *(o->is_bad ? &others : &same) += o->runs;
        results += o->is_bad;
    }
    put_phrase(p, same, others > 0 ? "ends with one output" : "ends without an error",
               "end with the same output");
    put_phrase(p, others, "with another", results > 1 ? "with" : "with another");
    if (results > 1)
        fprintf(p->out, " %" PRIu32 " other ones", results);
}

/* All runs have this one outcome. RATIONALE: "all" would be taken for all orders. */
static void put_only_of_some(const struct ork_exploration *e, FILE *out)
{
    static const char *const words[] = {[ORK_OUTCOME_ENDED] = " each ends with the same output",
                                        [ORK_OUTCOME_LOST] = " none has a result",
                                        [ORK_OUTCOME_WARNING] = " each has the same warning",
                                        [ORK_OUTCOME_FINDING] = " each has the same error",
                                        [ORK_OUTCOME_EXIT] = " each ends with the same exit code",
                                        [ORK_OUTCOME_SIGNAL] = " each crashes",
                                        [ORK_OUTCOME_HANG] = " each hangs",
                                        [ORK_OUTCOME_DEADLOCK] = " each deadlocks"};

    fputs(words[e->outcome[0].kind], out);
}

/* All runs of all known orders have this one outcome. */
static void put_only(const struct ork_exploration *e, FILE *out)
{
    static const char *const words[] = {[ORK_OUTCOME_ENDED] = " all end with the same output",
                                        [ORK_OUTCOME_LOST] = " none has a result",
                                        [ORK_OUTCOME_WARNING] = " all have the same warning",
                                        [ORK_OUTCOME_FINDING] = " all have the same error",
                                        [ORK_OUTCOME_EXIT] = " all end with the same exit code",
                                        [ORK_OUTCOME_SIGNAL] = " all crash",
                                        [ORK_OUTCOME_HANG] = " all hang",
                                        [ORK_OUTCOME_DEADLOCK] = " all deadlock"};

    fputs(words[e->outcome[0].kind], out);
}

static void put_outcomes(const struct ork_exploration *e, FILE *out)
{
    struct phrases p = {.out = out};

    put_results(&p, e);
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_DEADLOCK), "deadlocks", "deadlock");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_HANG), "hangs", "hang");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_SIGNAL), "crashes", "crash");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_EXIT), "ends with an exit code other than 0",
               "end with an exit code other than 0");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_FINDING), "has another error", "have another error");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_WARNING), "has another warning",
               "have another warning");
    put_phrase(&p, runs_of_kind(e, ORK_OUTCOME_LOST), "has no result", "have no result");
}

void ork_exploration_put_summary(const struct ork_exploration *e, FILE *out)
{
    if (e->num_outcomes == 0) {
        fputs("No order was run to its end.", out);
        return;
    }
    bool is_partial = ork_exploration_is_partial(e), is_one = e->runs == 1;
    ork_exploration_put_orders(e, out);
    if (is_partial)
        fputs(is_one ? " was run" : " were run", out);
    fputc(':', out);
    if (e->num_outcomes == 1 && e->outcome[0].runs > 1)
        is_partial ? put_only_of_some(e, out) : put_only(e, out);
    else
        put_outcomes(e, out);
    fputc('.', out);
}

/* Both begin with the same words; the rest begins at the last " of " in them. */
static size_t same_start(const char *a, const char *b)
{
    static const char of[] = " of ";
    size_t same = 0, start = 0;

    while (a[same] != '\0' && a[same] == b[same])
        same++;
    for (size_t i = 0; i + strlen(of) <= same; i++)
        if (strncmp(a + i, of, strlen(of)) == 0)
            start = i + 1;
    return start;
}

/* Bytes from the last comma on, if they are the same; 0: they are not. */
static size_t same_end(const char *a, const char *b)
{
    const char *comma = strrchr(a, ',');
    const char *other = strrchr(b, ',');

    return comma != NULL && other != NULL && strcmp(comma, other) == 0 ? strlen(comma) : 0;
}

char *ork_forced_choice_instead(const struct ork_forced_choice *choice)
{
    const char *a = choice->instead;
    size_t start = same_start(a, choice->outcome);
    size_t end = start > 0 ? same_end(a + start, choice->outcome + start) : 0;

    return strndup(a + start, strlen(a) - start - end);
}
