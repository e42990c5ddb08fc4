/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/outcome_lanes.h"

#include "tests/unit/report/exploration_sample.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, CALLS = 4 };

static struct ork_last_call *add(struct ork_finding *f, uint32_t rank, const char *name,
                                 uint32_t line)
{
    struct ork_last_calls *list = &f->last_calls[rank];
    struct ork_last_call *call = &list->call[list->num_calls++];

    assert_true(list->num_calls <= CALLS);
    *call = (struct ork_last_call){.call = strdup(name), .times = 1, .position = UINT32_MAX};
    call->where = (struct ork_where){.file = strdup("/src/farm.c"), .line = line};
    return call;
}

static void add_arrow(struct ork_finding *f, struct ork_last_arrow arrow)
{
    f->arrow = realloc(f->arrow, (f->num_arrows + 1) * sizeof(*f->arrow));
    f->arrow[f->num_arrows++] = arrow;
}

/* Rank 0 has received from rank 2, and waits; ranks 1 and 2 have sent. */
static struct ork_outcome deadlock(const char *receive)
{
    struct ork_outcome o = {.kind = ORK_OUTCOME_DEADLOCK, .is_bad = true, .num_findings = 1};

    o.finding = calloc(1, sizeof(*o.finding));
    struct ork_finding *f = o.finding;
    *f = (struct ork_finding){.id = strdup("deadlock"), .class_ = ORK_MANIFEST};
    f->last_calls = calloc(RANKS, sizeof(*f->last_calls));
    f->num_last_calls = RANKS;
    for (uint32_t i = 0; i < RANKS; i++) {
        f->last_calls[i] =
            (struct ork_last_calls){.ranks = {calloc(1, sizeof(uint32_t)), 1},
                                    .thread = -1,
                                    .call = calloc(CALLS, sizeof(struct ork_last_call))};
        f->last_calls[i].ranks.item[0] = i;
    }
    add(f, 0, receive, 40);
    add(f, 0, "MPI_Wait", 41);
    add(f, 0, "MPI_Recv", 42)->inside = true;
    add(f, 1, "MPI_Send", 51);
    add(f, 2, "MPI_Send", 52);
    sample_switch(&o, 0, 2, 1);
    return o;
}

static void release(struct ork_outcome *o)
{
    ork_finding_release(&o->finding[0]);
    free(o->finding);
    for (uint32_t i = 0; i < o->num_switched; i++)
        ork_switched_choice_release(&o->switched[i]);
    free(o->switched);
}

static void the_message_is_drawn_among_the_last_calls(void **state)
{
    struct ork_outcome o = deadlock("MPI_Recv");
    struct ork_outcome_lanes l;
    struct ork_lanes lanes;

    (void)state;
    add_arrow(&o.finding[0], (struct ork_last_arrow){2, 0, 0, 0});
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(l.finding, 0);
    assert_ptr_equal(l.drawn, &o.finding[0]);
    assert_int_equal(l.num_arrows, 2);
    assert_int_equal(ork_lanes_init_switched(&lanes, l.drawn, l.arrow, l.num_arrows), ORK_OK);
    assert_int_equal(lanes.num_lines, 2); /* the message of the run is drawn once */
    assert_int_equal(lanes.line[0].kind, ORK_LINE_SWITCHED);
    assert_int_equal(lanes.box[lanes.line[0].from].lane, 2);
    assert_true(lanes.box[lanes.line[0].from].column < lanes.box[lanes.line[0].to].column);
    assert_int_equal(lanes.line[1].kind, ORK_LINE_FIRST);
    assert_int_equal(lanes.box[lanes.line[1].from].lane, 1);
    assert_int_equal(lanes.line[1].to, lanes.line[0].to);
    ork_lanes_release(&lanes);
    ork_outcome_lanes_release(&l);
    release(&o);
}

/* The finding draws a message to the call that waited for it. */
static void a_nonblocking_receive_gets_it_where_it_waits(void **state)
{
    struct ork_outcome o = deadlock("MPI_Irecv");
    struct ork_outcome_lanes l;

    (void)state;
    free(o.switched[0].receive.call);
    o.switched[0].receive.call = strdup("MPI_Irecv");
    add_arrow(&o.finding[0], (struct ork_last_arrow){2, 0, 0, 1});
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(l.finding, 0);
    assert_int_equal(l.arrow[0].arrow.to_call, 1);
    assert_int_equal(l.arrow[1].arrow.to_call, 1);
    ork_outcome_lanes_release(&l);
    o.finding[0].num_arrows = 0; /* it is unknown which call waited */
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(l.finding, UINT32_MAX);
    ork_outcome_lanes_release(&l);
    release(&o);
}

static void expect_alone(const struct ork_outcome *o)
{
    struct ork_outcome_lanes l;
    char *svg;

    assert_int_equal(ork_outcome_lanes_init(&l, o), ORK_OK);
    assert_int_equal(l.finding, UINT32_MAX);
    assert_int_equal(l.drawn->num_last_calls, RANKS);
    for (uint32_t i = 0; i < RANKS; i++)
        assert_int_equal(l.drawn->last_calls[i].num_calls, 1);
    ork_outcome_lanes_release(&l);
    assert_int_equal(ork_viz_outcome_lanes_svg(o, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, "class=\"switched\""), 2); /* and in the legend */
    assert_int_equal(sample_count(svg, "class=\"other first\""), 2);
    assert_int_equal(sample_count(svg, ">this run<"), 1);
    assert_int_equal(sample_count(svg, ">first run<"), 1);
    assert_true(sample_contains(svg, ">lines of farm.c<"));
    free(svg);
}

static void without_the_last_calls_only_its_calls_are_drawn(void **state)
{
    struct ork_outcome o = deadlock("MPI_Recv");

    (void)state;
    o.finding[0].last_calls[1].call[0].where.line = 50; /* the call of rank 1 is gone */
    expect_alone(&o);
    o.finding[0].last_calls[1].call[0].where.line = 51;
    o.finding[0].last_calls[2].call[0].times = 2; /* which of the two? */
    expect_alone(&o);
    o.finding[0].last_calls[2].call[0].times = 1;
    o.is_bad = false; /* the page does not show the finding */
    o.kind = ORK_OUTCOME_ENDED;
    expect_alone(&o);
    release(&o);
}

static void messages_of_one_call_share_its_box(void **state)
{
    struct ork_outcome o = {.kind = ORK_OUTCOME_ENDED};
    struct ork_outcome_lanes l;

    (void)state;
    sample_switch(&o, 0, 2, 1);
    sample_switch(&o, 0, 1, 2);
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(l.num_arrows, 4);
    assert_int_equal(l.drawn->num_last_calls, RANKS);
    for (uint32_t i = 0; i < RANKS; i++)
        assert_int_equal(l.drawn->last_calls[i].num_calls,
                         l.drawn->last_calls[i].ranks.item[0] == 0 ? 2 : 1);
    ork_outcome_lanes_release(&l);
    release(&(struct ork_outcome){.finding = calloc(1, sizeof(struct ork_finding)),
                                  .switched = o.switched,
                                  .num_switched = o.num_switched});
}

static void decide(struct ork_outcome *o, const char *call, const char *outcome,
                   const char *instead)
{
    struct ork_switched_choice *s = &o->switched[o->num_switched - 1];

    free(s->receive.call);
    s->receive.call = strdup(call);
    s->outcome = strdup(outcome);
    s->instead = strdup(instead);
}

static void release_choices(struct ork_outcome *o)
{
    release(&(struct ork_outcome){.finding = calloc(1, sizeof(struct ork_finding)),
                                  .switched = o->switched,
                                  .num_switched = o->num_switched});
}

/* The same call in two lanes, and the messages that completed its requests. */
static void a_wait_is_drawn_in_both_runs(void **state)
{
    struct ork_outcome o = {.kind = ORK_OUTCOME_ENDED};
    struct ork_outcome_lanes l;
    char *svg;

    (void)state;
    sample_switch(&o, 0, 2, 1);
    decide(&o, "MPI_Waitany", "completed request 1 of the array",
           "completed request 0 of the array");
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_true(l.has_choices);
    assert_int_equal(l.drawn->num_last_calls, RANKS + 1);
    assert_false(l.drawn->last_calls[0].is_of_first_run);
    assert_true(l.drawn->last_calls[1].is_of_first_run);
    assert_int_equal(l.arrow[0].arrow.to_list, 0);
    assert_int_equal(l.arrow[1].arrow.to_list, 1);
    assert_false(l.arrow[0].is_before);
    ork_outcome_lanes_release(&l);
    assert_int_equal(ork_viz_decided_lanes_svg(&o, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">rank 0, first run<"));
    assert_true(sample_contains(svg, ">completed request 1<"));
    assert_true(sample_contains(svg, ">completed request 0<"));
    assert_true(sample_contains(svg, ">message that this run took<"));
    assert_int_equal(sample_count(svg, "class=\"box decided\""), 2); /* and in the legend */
    free(svg);
    release_choices(&o);
}

/* No message: it was not taken. */
static void a_test_may_have_been_unsuccessful(void **state)
{
    struct ork_outcome o = deadlock("MPI_Recv");
    struct ork_outcome_lanes l;

    (void)state;
    decide(&o, "MPI_Test", "was unsuccessful", "was successful");
    free(o.switched[0].took.call);
    o.switched[0].took.call = NULL;
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(l.finding, UINT32_MAX);
    assert_int_equal(l.num_arrows, 1);
    assert_true(l.arrow[0].is_first);
    assert_int_equal(l.drawn->num_last_calls, 3); /* not the rank whose message was not taken */
    ork_outcome_lanes_release(&l);
    release(&o);
}

static void a_lock_follows_the_one_before_it(void **state)
{
    struct ork_outcome o = {.kind = ORK_OUTCOME_ENDED};
    struct ork_lanes lanes;
    struct ork_outcome_lanes l;
    char *svg;

    (void)state;
    sample_switch(&o, 0, 2, 1);
    decide(&o, "MPI_Win_lock", "locked after 1 lock of rank 2", "locked after 1 lock of rank 1");
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_int_equal(ork_lanes_init_switched(&lanes, l.drawn, l.arrow, l.num_arrows), ORK_OK);
    assert_int_equal(lanes.num_lines, 2);
    assert_int_equal(lanes.line[0].kind, ORK_LINE_BEFORE);
    assert_int_equal(lanes.line[1].kind, ORK_LINE_FIRST_BEFORE);
    assert_true(lanes.box[lanes.line[0].from].column < lanes.box[lanes.line[0].to].column);
    ork_lanes_release(&lanes);
    ork_outcome_lanes_release(&l);
    assert_int_equal(ork_viz_decided_lanes_svg(&o, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">came before it in this run<"));
    assert_true(sample_contains(svg, ">came before it in the first run<"));
    assert_false(sample_contains(svg, "message that"));
    free(svg);
    release_choices(&o);
}

static void an_outcome_without_such_messages_draws_its_finding(void **state)
{
    struct ork_outcome o = deadlock("MPI_Recv");
    struct ork_outcome_lanes l;
    uint32_t num = o.num_switched;
    char *svg;

    (void)state;
    o.num_switched = 0;
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_NOTFOUND);
    assert_int_equal(ork_viz_outcome_lanes_svg(&o, &svg), ORK_OK);
    assert_false(sample_contains(svg, "switched\">"));
    assert_true(sample_contains(svg, ">MPI_Wait<") || sample_contains(svg, ">Wait<"));
    free(svg);
    o.num_findings = 0;
    assert_int_equal(ork_viz_outcome_lanes_svg(&o, &svg), ORK_NOTFOUND);
    o.num_switched = num;
    release(&o);
}

/* From a file: calls without names, and more messages than the tool writes. */
static void a_report_from_a_file_may_have_anything(void **state)
{
    struct ork_outcome o = {.kind = ORK_OUTCOME_ENDED, .num_switched = 100};
    struct ork_outcome_lanes l;

    (void)state;
    o.switched = calloc(o.num_switched, sizeof(*o.switched));
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_NOTFOUND);
    for (uint32_t i = 0; i < 50; i++)
        sample_switch(&o, 3 * i, 3 * i + 1, 3 * i + 2);
    memmove(o.switched, o.switched + 100, 50 * sizeof(*o.switched));
    o.num_switched = 50;
    assert_int_equal(ork_outcome_lanes_init(&l, &o), ORK_OK);
    assert_in_range(l.drawn->num_last_calls, 3, 16);
    ork_outcome_lanes_release(&l);
    release(&(struct ork_outcome){.finding = calloc(1, sizeof(struct ork_finding)),
                                  .switched = o.switched,
                                  .num_switched = 50});
}

int test_outcome_lanes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_message_is_drawn_among_the_last_calls),
        cmocka_unit_test(a_nonblocking_receive_gets_it_where_it_waits),
        cmocka_unit_test(without_the_last_calls_only_its_calls_are_drawn),
        cmocka_unit_test(messages_of_one_call_share_its_box),
        cmocka_unit_test(a_wait_is_drawn_in_both_runs),
        cmocka_unit_test(a_test_may_have_been_unsuccessful),
        cmocka_unit_test(a_lock_follows_the_one_before_it),
        cmocka_unit_test(an_outcome_without_such_messages_draws_its_finding),
        cmocka_unit_test(a_report_from_a_file_may_have_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
