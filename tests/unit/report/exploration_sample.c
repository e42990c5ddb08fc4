/* SPDX-License-Identifier: BSD-3-Clause */
#include "exploration_sample.h"

#include "sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *text(const char *s)
{
    char *copy = strdup(s);

    assert_non_null(copy);
    return copy;
}

static void *room(size_t count, size_t size)
{
    void *block = calloc(count, size);

    assert_non_null(block);
    return block;
}

static struct ork_choice_site receive_site(void)
{
    return (struct ork_choice_site){text("MPI_Recv"), text("main (farm.c:40)")};
}

static struct ork_forced_choice took(uint64_t number, uint32_t source, uint32_t instead)
{
    struct ork_forced_choice choice = {.number = number, .site = receive_site()};

    assert_true(asprintf(&choice.outcome, "took the message of rank %" PRIu32 ", tag 0", source) >
                0);
    assert_true(asprintf(&choice.instead, "took the message of rank %" PRIu32 ", tag 0", instead) >
                0);
    return choice;
}

static struct ork_outcome outcome(enum ork_outcome_kind kind, const char *message, uint64_t runs,
                                  uint64_t first)
{
    struct ork_outcome o = {.kind = kind,
                            .is_bad = kind > ORK_OUTCOME_LOST,
                            .message = text(message),
                            .runs = runs,
                            .first = first};

    assert_true(asprintf(&o.folder, "MUST_Exploration/outcome-%" PRIu64, first) > 0);
    assert_true(asprintf(&o.order, "%s/order", o.folder) > 0);
    assert_true(asprintf(&o.replay, "mustrun --must:replay %s -np 5 ./farm", o.order) > 0);
    return o;
}

static struct ork_match_end end_at(uint32_t rank, const char *call, uint32_t line)
{
    return (struct ork_match_end){
        .rank = rank, .call = text(call), .where = {.file = text("/src/farm.c"), .line = line}};
}

void sample_switch(struct ork_outcome *o, uint32_t receiver, uint32_t took, uint32_t first_took)
{
    o->switched =
        realloc(o->switched, (o->num_switched + (size_t)1) * sizeof(struct ork_switched_choice));
    assert_non_null(o->switched);
    o->switched[o->num_switched++] = (struct ork_switched_choice){
        .receive = end_at(receiver, "MPI_Recv", 40),
        .took = end_at(took, "MPI_Send", 50 + took),
        .first_took = end_at(first_took, "MPI_Send", 50 + first_took)};
}

static void set_results(struct ork_outcome *same, struct ork_outcome *other)
{
    same->is_result = other->is_result = true;
    same->result = 1;
    other->result = 2;
    other->is_bad = true;
}

static void add_finding(struct ork_outcome *o, struct ork_finding finding)
{
    o->finding = room(1, sizeof(*o->finding));
    o->finding[0] = finding;
    o->num_findings = 1;
}

static void put_command(struct ork_exploration *e)
{
    e->command = room(2, sizeof(*e->command));
    e->command[0] = text("./farm");
    e->command[1] = text("4");
    e->num_words = 2;
}

static void put_sites(struct ork_exploration *e)
{
    e->num_sites = 2;
    e->site = room(2, sizeof(*e->site));
    e->site[0] = (struct ork_site_coverage){.site = receive_site(), .choices = 41};
    e->site[0].known = 40;
    e->site[0].tried = 30;
    e->site[0].ranks.item = room(1, sizeof(uint32_t));
    e->site[0].ranks.count = 1;
    e->site[1] = (struct ork_site_coverage){.site = {text("MPI_Test"), NULL}, .choices = 2};
}

/* Runs that change choice `from` or a later one of a run of 4 messages. */
static void add_runs(struct ork_exploration *e, uint64_t parent, uint64_t from)
{
    for (uint64_t choice = 3; choice >= from; choice--) {
        for (uint32_t other = 0; other < 4 - choice; other++) {
            uint64_t number = ++e->num_runs;
            e->run[number - 1] = (struct ork_explored_run){.number = number, .parent = parent};
            e->run[number - 1].change =
                took(choice, (uint32_t)choice + 1 + other, (uint32_t)choice);
            e->run[number - 1].outcome = number == 7 ? 0 : number == 9 || number == 21 ? 1 : 2;
            add_runs(e, number, choice + 1);
        }
    }
}

void sample_farm(struct ork_exploration *e)
{
    *e = (struct ork_exploration){.ranks = 5, .seconds = 31.5, .run_seconds = 1.25, .jobs = 1};
    put_command(e);
    e->runs = e->orders = 24;
    e->is_complete = true;
    e->bounds.runs = 1000;
    e->num_outcomes = 3;
    e->outcome = room(3, sizeof(*e->outcome));
    e->outcome[0] =
        outcome(ORK_OUTCOME_DEADLOCK, "deadlock of ranks 0-1: all wait in MPI_Recv", 1, 7);
    e->outcome[1] = outcome(ORK_OUTCOME_ENDED, "result 2: the output differs", 2, 9);
    e->outcome[2] = outcome(ORK_OUTCOME_ENDED, "result 1", 21, 1);
    set_results(&e->outcome[2], &e->outcome[1]);
    e->outcome[1].not_sought = text("the exploration was interrupted");
    e->outcome[1].difference = room(2, sizeof(char *));
    e->outcome[1].difference[0] = text("rank 0, line 3: \"4.5\" instead of \"4.25\"");
    e->outcome[1].difference[1] = text("rank 2, line 1: no line instead of \"done\"");
    e->outcome[1].num_differences = 2;
    sample_switch(&e->outcome[1], 0, 4, 3);
    add_finding(&e->outcome[0], sample_pair());
    e->outcome[0].forced = room(2, sizeof(struct ork_forced_choice));
    e->outcome[0].forced[0] = took(1, 2, 1);
    e->outcome[0].forced[1] = took(3, 4, 3);
    e->outcome[0].num_forced = 2;
    e->outcome[0].is_minimal = true;
    e->outcome[0].confirmed = 2;
    put_sites(e);
    e->run = room(24, sizeof(*e->run));
    e->run[0] = (struct ork_explored_run){.number = 1, .outcome = 2};
    e->num_runs = 1;
    add_runs(e, 1, 1);
    assert_int_equal(e->num_runs, 24);
}

void sample_clean(struct ork_exploration *e)
{
    *e = (struct ork_exploration){.ranks = 4, .seconds = 3, .run_seconds = 0.3, .jobs = 1};
    put_command(e);
    e->runs = e->orders = 10;
    e->is_complete = true;
    e->num_outcomes = 1;
    e->outcome = room(1, sizeof(*e->outcome));
    e->outcome[0] = outcome(ORK_OUTCOME_ENDED, "no error", 10, 1);
    e->run = room(10, sizeof(*e->run));
    for (uint64_t i = 0; i < 10; i++)
        e->run[i] = (struct ork_explored_run){.number = i + 1, .parent = i > 0 ? 1 : 0};
    e->num_runs = 10;
}

static void set_bounds(struct ork_exploration *e)
{
    e->bounds.mixing = 2;
    e->bounds.loop = 3;
    e->bounds.quota = 4;
    e->bounds.symmetric = text("1-4");
    e->bounds.samples = true;
    for (unsigned i = 0; i < ORK_LEFT_OUT_REASONS; i++)
        e->left_out[i] = 10 + i;
    e->diverged = 3;
    e->lost = 1;
    e->left = 1200;
    e->estimate = 4012345;
    e->resume = text("mustrun --must:explore --must:explore-resume -np 5 ./farm");
}

void sample_large(struct ork_exploration *e, uint64_t runs)
{
    uint64_t random = 1;

    *e = (struct ork_exploration){.ranks = 5, .seconds = 3600, .run_seconds = 0.36, .jobs = 2};
    put_command(e);
    put_sites(e);
    e->runs = e->orders = e->num_runs = e->bounds.runs = runs;
    set_bounds(e);
    e->num_outcomes = 3;
    e->outcome = room(3, sizeof(*e->outcome));
    e->outcome[0] = outcome(ORK_OUTCOME_DEADLOCK, "deadlock of ranks 0-1", 1, runs);
    e->outcome[1] = outcome(ORK_OUTCOME_ENDED, "result 2: the output differs", 0, 97);
    e->outcome[2] = outcome(ORK_OUTCOME_ENDED, "result 1", 0, 1);
    set_results(&e->outcome[2], &e->outcome[1]);
    add_finding(&e->outcome[0], sample_pair());
    e->run = room(runs, sizeof(*e->run));
    for (uint64_t i = 0; i < runs; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        e->run[i].number = i + 1;
        e->run[i].parent = i > 0 ? 1 + (random >> 33) % i : 0;
        e->run[i].outcome = i == runs - 1 ? 0 : (i + 1) % 97 == 0 ? 1 : 2;
        if (i > 0)
            e->run[i].change = took(1 + (random >> 20) % 50, 2, 1);
        if (i < runs - 1)
            e->outcome[e->run[i].outcome].runs++;
    }
}

static const char evil[] =
    "\"q'&<script>alert(1)</script>\\N\\G&amp;]]>-->\x1b[2J\n\r\t\x7f\xff\xc3(\xe2\x80\xae end";

static struct ork_forced_choice evil_choice(void)
{
    return (struct ork_forced_choice){.rank = UINT32_MAX,
                                      .number = UINT64_MAX,
                                      .site = {text(evil), text(evil)},
                                      .outcome = text(evil),
                                      .instead = text(evil)};
}

void sample_hostile_exploration(struct ork_exploration *e)
{
    sample_large(e, 50);
    free(e->command[1]);
    e->command[1] = text(evil);
    free(e->bounds.symmetric);
    e->bounds.symmetric = text(evil);
    free(e->resume);
    e->resume = text(evil);
    e->note = room(1, sizeof(*e->note));
    e->note[0] = text(evil);
    e->num_notes = 1;
    struct ork_outcome *o = &e->outcome[0];
    free(o->message);
    free(o->folder);
    free(o->order);
    free(o->replay);
    o->message = text(evil);
    o->folder = text(evil);
    o->order = text(evil);
    o->replay = text(evil);
    ork_finding_release(&o->finding[0]);
    o->finding[0] = sample_hostile();
    o->forced = room(1, sizeof(*o->forced));
    o->forced[0] = evil_choice();
    o->num_forced = 1;
    free(e->site[0].site.call);
    free(e->site[0].site.place);
    e->site[0].site = (struct ork_choice_site){text(evil), text(evil)};
    free(e->run[40].change.site.call);
    free(e->run[40].change.site.place);
    free(e->run[40].change.outcome);
    free(e->run[40].change.instead);
    e->run[40].change = evil_choice();
    e->run[41].parent = 900; /* there is no such run */
    e->run[42].parent = 43;  /* itself */
    e->run[43].parent = 0;   /* a second one without a parent */
    e->run[44].outcome = 77; /* there is no such outcome */
}

typedef enum ork_status writer(const struct ork_exploration *e, bool color, FILE *out);

static char *written(writer *write, const struct ork_exploration *e)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    assert_int_equal(write(e, false, out), ORK_OK);
    assert_int_equal(fclose(out), 0);
    return buffer;
}

char *sample_exploration_text(const struct ork_exploration *e)
{
    return written(ork_viz_exploration_text, e);
}

char *sample_exploration_summary(const struct ork_exploration *e)
{
    return written(ork_viz_exploration_summary, e);
}

char *sample_exploration_json(const struct ork_exploration *e)
{
    char *json = NULL;

    assert_int_equal(ork_exploration_json(e, &json), ORK_OK);
    return json;
}

char *sample_exploration_page(const struct ork_exploration *e)
{
    char *html = NULL;

    assert_int_equal(ork_viz_exploration_html(e, &html), ORK_OK);
    return html;
}
