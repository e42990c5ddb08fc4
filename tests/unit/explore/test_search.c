/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches over programs that are simulated here: each master receives one message of each of its
 * own workers, from MPI_ANY_SOURCE. So a master with n workers has n! orders, and the masters do
 * not depend on each other. */
#include "order/explore/plan.h"
#include "order/explore/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORKERS_MAX = 6, RANKS_MAX = 16, RUNS_MAX = 2000 };

/* Ranks 0 to masters - 1 are the masters; all others work, for one master after the other. */
struct program {
    uint32_t masters, workers; /* workers: of each */
    bool posts;                /* the master posts all receives before it waits for them */
    uint32_t ranks;
};

static struct program make(uint32_t masters, uint32_t workers, bool posts)
{
    struct program p = {masters, workers, posts, masters + masters * workers};

    assert_in_range(p.ranks, 1, RANKS_MAX);
    return p;
}

static int32_t worker_of(const struct program *p, uint32_t master, uint32_t i)
{
    return (int32_t)(p->masters + master * p->workers + i);
}

/* ---- runs ---- */

/* The sources that a master received from. */
struct made {
    int32_t source[RANKS_MAX][WORKERS_MAX];
};

static bool is_used(const struct made *made, const struct program *p, uint32_t master,
                    int32_t source)
{
    for (uint32_t i = 0; i < p->workers; i++) {
        if (made->source[master][i] == source)
            return true;
    }
    return false;
}

/* Receives that are free take the message of the first worker that is left. */
static void run(const struct program *p, const struct ork_plan *plan, struct made *made)
{
    memset(made, 0xff, sizeof(*made));
    for (uint32_t m = 0; m < p->masters; m++) {
        for (uint32_t i = 0; plan != NULL && i < plan->rank[m].num; i++) {
            const struct ork_choice *c = &plan->rank[m].choice[i];
            uint64_t at = c->kind == ORK_CHOICE_AHEAD ? c->post - 1 : i;
            if (c->kind != ORK_CHOICE_FREE)
                made->source[m][at] = c->source;
        }
        for (uint32_t i = 0; i < p->workers; i++) {
            for (uint32_t w = 0; made->source[m][i] < 0 && w < p->workers; w++) {
                if (!is_used(made, p, m, worker_of(p, m, w)))
                    made->source[m][i] = worker_of(p, m, w);
            }
        }
    }
}

static struct ork_choice choice_of(const struct program *p, const struct made *made, uint32_t m,
                                   uint32_t i)
{
    return (struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                               .call = 1,
                               .place = 40,
                               .post = p->posts ? i + 1 : 0,
                               .source = made->source[m][i]};
}

static struct ork_trace trace_of(const struct program *p, const struct made *made)
{
    struct ork_order_rank rank[RANKS_MAX] = {{0}};
    uint8_t stream[RANKS_MAX][WORKERS_MAX * ORK_CHOICE_ROOM(0)];
    struct ork_order_file file = {
        .header = {.ranks = p->ranks}, .rank = rank, .num_ranks = p->ranks};
    struct ork_trace trace;

    for (uint32_t m = 0; m < p->masters; m++) {
        struct ork_order_encoder *e = ork_order_encoder_create();
        assert_non_null(e);
        rank[m].stream = stream[m];
        for (uint32_t i = 0; i < p->workers; i++) {
            struct ork_choice c = choice_of(p, made, m, i);
            rank[m].size += ork_order_encode(e, &c, stream[m] + rank[m].size);
        }
        rank[m].size += ork_order_encode_pending(e, stream[m] + rank[m].size);
        ork_order_encoder_destroy(e);
    }
    assert_int_equal(ork_trace_read(&file, &trace), ORK_OK);
    return trace;
}

/* ---- alternatives ---- */

/* A receive can take each message that is received later. What comes before it is kept; of the
 * other masters, all. */
static void add_change(struct ork_alternatives *a, const struct program *p, const struct made *made,
                       uint32_t master, uint32_t i, uint32_t later)
{
    size_t room = RANKS_MAX * (2 * sizeof(uint64_t) + sizeof(struct ork_kept_receive));
    uint64_t *keep = calloc(1, room);
    struct ork_kept_receive *ahead = (struct ork_kept_receive *)(keep + 2 * RANKS_MAX);

    assert_non_null(keep);
    struct ork_change c = {.rank = master,
                           .number = i + 1,
                           .post = p->posts ? i + 1 : 0,
                           .kind = ORK_CHOICE_RECEIVE,
                           .source = made->source[master][later],
                           .keep = keep,
                           .keep_polls = keep + RANKS_MAX,
                           .ahead = ahead};
    for (uint32_t m = 0; m < p->masters; m++)
        keep[m] = m != master ? p->workers : i;
    if (p->posts) { /* all are posted before the first one completes: by their ordinals */
        keep[master] = 0;
        for (uint32_t k = 0; k < i; k++)
            ahead[c.num_ahead++] =
                (struct ork_kept_receive){master, k + 1, k + 1, made->source[master][k], 0};
    }
    a->change[a->num++] = c;
}

static struct ork_alternatives *alternatives_of(const struct program *p, const struct made *made)
{
    struct ork_alternatives *a = calloc(1, sizeof(*a));

    assert_non_null(a);
    a->change = calloc(RANKS_MAX * WORKERS_MAX * WORKERS_MAX, sizeof(*a->change));
    assert_non_null(a->change);
    for (uint32_t m = 0; m < p->masters; m++) {
        for (uint32_t i = 0; i < p->workers; i++) {
            for (uint32_t later = i + 1; later < p->workers; later++)
                add_change(a, p, made, m, i, later);
        }
    }
    return a;
}

/* ---- the search ---- */

struct result {
    uint32_t runs, repeated;
    struct ork_search_counts counts;
    struct ork_search_site site;
};

static struct result search(const struct program *p, const struct ork_search_bounds *bounds,
                            uint32_t limit)
{
    struct ork_search *s;
    struct ork_decision_of_run d;
    struct result r = {0};
    bool goes_on = true;

    assert_int_equal(ork_search_create(p->ranks, bounds, &s), ORK_OK);
    for (bool is_first = true; goes_on; is_first = false) {
        struct ork_plan plan = {0};
        struct made made;
        bool is_new;
        if (!is_first)
            assert_int_equal(ork_plan_change(ork_search_explored(s), d.run, d.change, &plan),
                             ORK_OK);
        run(p, is_first ? NULL : &plan, &made);
        ork_plan_release(&plan);
        struct ork_trace trace = trace_of(p, &made);
        assert_int_equal(
            ork_search_add(s, is_first ? NULL : &d, &trace, alternatives_of(p, &made), &is_new),
            ORK_OK);
        r.runs++;
        r.repeated += !is_new;
        assert_in_range(r.runs, 1, RUNS_MAX);
        goes_on = (limit == 0 || r.runs < limit) && ork_search_next(s, &d);
    }
    r.counts = ork_search_count(s);
    assert_int_equal(ork_search_num_sites(s), 1);
    r.site = ork_search_site(s, 0);
    for (uint32_t rank = 0; rank < p->ranks; rank++)
        assert_int_equal(r.site.is_of[rank], rank < p->masters);
    r.site.is_of = NULL;
    ork_search_destroy(s);
    return r;
}

static void expect(const struct program *p, const struct ork_search_bounds *bounds, uint32_t orders)
{
    struct result r = search(p, bounds, 0);

    assert_int_equal(r.runs, orders);
    assert_int_equal(r.repeated, 0);
    assert_int_equal(r.counts.orders, orders);
    assert_int_equal(r.counts.left, 0);
    assert_int_equal(r.counts.unfit, 0);
    assert_true(r.counts.estimate == orders);
}

static void each_order_is_run_once(void **state)
{
    const struct ork_search_bounds none = {0};

    (void)state;
    for (unsigned posts = 0; posts < 2; posts++) {
        struct program one = make(1, 1, posts), two = make(1, 2, posts), four = make(1, 4, posts);
        struct program six = make(1, 6, posts);
        expect(&one, &none, 1);
        expect(&two, &none, 2);
        expect(&four, &none, 24);
        expect(&six, &none, 720);
    }
}

static void independent_choices_multiply(void **state)
{
    const struct ork_search_bounds none = {0};

    (void)state;
    for (unsigned posts = 0; posts < 2; posts++) {
        struct program two = make(2, 3, posts), three = make(3, 2, posts), many = make(5, 2, posts);
        expect(&two, &none, 36);
        expect(&three, &none, 8);
        expect(&many, &none, 32);
    }
}

static void a_drawn_order_changes_nothing_in_the_end(void **state)
{
    struct program p = make(2, 3, false);

    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++)
        expect(&p, &(struct ork_search_bounds){.samples = true, .seed = seed}, 36);
}

static void symmetric_ranks_are_exchanged(void **state)
{
    bool symmetric[RANKS_MAX] = {false, true, true, true, true};
    struct program p = make(1, 4, false);

    (void)state;
    expect(&p, &(struct ork_search_bounds){.symmetric = symmetric}, 1);
    symmetric[4] = false; /* its message comes first, second, third or last */
    expect(&p, &(struct ork_search_bounds){.symmetric = symmetric}, 4);
    symmetric[3] = false; /* two of each kind */
    expect(&p, &(struct ork_search_bounds){.symmetric = symmetric}, 12);
}

static void what_a_bound_leaves_out_is_counted(void **state)
{
    struct program p = make(1, 4, false);

    (void)state;
    /* the first choice has 4 outcomes, and the others follow */
    struct result r = search(&p, &(struct ork_search_bounds){.loop = 1}, 0);
    assert_int_equal(r.runs, 4);
    assert_true(r.counts.left_out[ORK_BOUND_LOOP] > 0);
    r = search(&p, &(struct ork_search_bounds){.quota = 5}, 0);
    assert_int_equal(r.runs, 6);
    assert_true(r.counts.left_out[ORK_BOUND_QUOTA] > 0);
    /* from the first run all choices, then only the next one */
    r = search(&p, &(struct ork_search_bounds){.mixing = 1}, 0);
    assert_in_range(r.runs, 7, 23);
    assert_true(r.counts.left_out[ORK_BOUND_MIXING] > 0);
}

static void what_is_left_is_estimated(void **state)
{
    struct program p = make(1, 6, false);
    struct result r = search(&p, &(struct ork_search_bounds){.samples = true, .seed = 5}, 200);

    (void)state;
    assert_int_equal(r.runs, 200);
    assert_true(r.counts.left > 0);
    assert_true(r.counts.estimate > 719 && r.counts.estimate < 721);
    struct program many = make(5, 2, false); /* independent: 32 */
    r = search(&many, &(struct ork_search_bounds){0}, 5);
    assert_true(r.counts.estimate > 31 && r.counts.estimate < 33);
    r = search(&many, &(struct ork_search_bounds){.mixing = 1}, 5); /* fewer of them */
    assert_true(r.counts.estimate > 5 && r.counts.estimate < 33);
}

static void coverage_is_complete_in_the_end(void **state)
{
    struct program p = make(1, 3, false);
    struct result r = search(&p, &(struct ork_search_bounds){0}, 0);

    (void)state;
    assert_int_equal(r.site.choices, 3);
    assert_int_equal(r.site.known, 9); /* each can take each message */
    assert_int_equal(r.site.tried, 9);
    r = search(&p, &(struct ork_search_bounds){0}, 1);
    assert_int_equal(r.site.choices, 3);
    assert_int_equal(r.site.known, 6); /* what a run shows of the second one depends on the first */
    assert_int_equal(r.site.tried, 3);
}

static void a_change_that_does_not_fit_is_left_out(void **state)
{
    struct program p = make(1, 2, false);
    const struct ork_search_bounds none = {0};
    struct ork_search *s;
    struct ork_decision_of_run d;
    struct made made;
    bool is_new;

    (void)state;
    run(&p, NULL, &made);
    struct ork_trace trace = trace_of(&p, &made);
    struct ork_alternatives *a = alternatives_of(&p, &made);
    a->change[0].number = 9;
    assert_int_equal(ork_search_create(p.ranks, &none, &s), ORK_OK);
    assert_int_equal(ork_search_add(s, NULL, &trace, a, &is_new), ORK_OK);
    assert_false(ork_search_next(s, &d));
    assert_int_equal(ork_search_count(s).unfit, 1);
    ork_search_destroy(s);
}

static void what_was_tried_elsewhere_is_not_proposed(void **state)
{
    struct program p = make(1, 3, false);
    const struct ork_search_bounds none = {0};
    struct ork_search *s;
    struct ork_decision_of_run d;
    struct made made;
    bool is_new;

    (void)state;
    run(&p, NULL, &made);
    struct ork_trace trace = trace_of(&p, &made);
    assert_int_equal(ork_search_create(p.ranks, &none, &s), ORK_OK);
    assert_int_equal(ork_search_add(s, NULL, &trace, alternatives_of(&p, &made), &is_new), ORK_OK);
    assert_int_equal(ork_search_count(s).left, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(ork_search_take(s, 0, i, &d));
    assert_false(ork_search_take(s, 0, 3, &d));
    assert_false(ork_search_take(s, 1, 0, &d));
    assert_int_equal(ork_search_count(s).left, 0);
    assert_false(ork_search_next(s, &d));
    ork_search_destroy(s);
}

/* RATIONALE: the last alternative would be the next one otherwise. */
static void unsuccessful_polls_come_last(void **state)
{
    struct program p = make(1, 3, false);
    const struct ork_search_bounds none = {0};
    struct ork_search *s;
    struct ork_decision_of_run d;
    struct made made;
    bool is_new;

    (void)state;
    run(&p, NULL, &made);
    struct ork_trace trace = trace_of(&p, &made);
    struct ork_alternatives *a = alternatives_of(&p, &made);
    assert_int_equal(a->num, 3);
    a->change[2].polls = ORK_POLLS_ONE_MORE;
    assert_int_equal(ork_search_create(p.ranks, &none, &s), ORK_OK);
    assert_int_equal(ork_search_add(s, NULL, &trace, a, &is_new), ORK_OK);
    struct ork_search_counts c = ork_search_count(s);
    assert_int_equal(c.left, 3);
    assert_int_equal(c.left_waiting, 2);
    assert_int_equal(c.waiting, 1);
    for (uint32_t i = 2; i-- > 0;) {
        assert_true(ork_search_next(s, &d));
        assert_int_equal(d.index, i);
    }
    assert_int_equal(ork_search_count(s).left_waiting, 0);
    assert_true(ork_search_next(s, &d));
    assert_int_equal(d.index, 2);
    assert_false(ork_search_next(s, &d));
    ork_search_destroy(s);
}

int test_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_is_run_once),
        cmocka_unit_test(independent_choices_multiply),
        cmocka_unit_test(a_drawn_order_changes_nothing_in_the_end),
        cmocka_unit_test(unsuccessful_polls_come_last),
        cmocka_unit_test(symmetric_ranks_are_exchanged),
        cmocka_unit_test(what_a_bound_leaves_out_is_counted),
        cmocka_unit_test(what_is_left_is_estimated),
        cmocka_unit_test(coverage_is_complete_in_the_end),
        cmocka_unit_test(a_change_that_does_not_fit_is_left_out),
        cmocka_unit_test(what_was_tried_elsewhere_is_not_proposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
