/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/detector/script.h"

#include "tests/fuzz/wfg_random.h"
#include "tests/unit/detector/unit.h"

enum { ORDERS = 12 };

struct ork_detector *script_create(uint32_t ranks)
{
    struct ork_detector *d = NULL;

    assert_int_equal(ork_detector_create(ranks, &d), ORK_OK);
    return d;
}

unsigned script_records(const struct step *step, struct ork_record record[2])
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)step->rec.count};

    record[0] = step->rec;
    if (step->rec.count == 0)
        return 1;
    memcpy(cont.word, step->list, step->rec.count * sizeof(*step->list));
    memcpy(&record[1], &cont, sizeof(cont));
    return 2;
}

static bool is_end(const struct step *step)
{
    return step->rec.kind == ORK_KIND_CONT;
}

static void feed_step(struct ork_detector *d, uint32_t rank, const struct step *step)
{
    struct ork_record record[2];
    unsigned n = script_records(step, record);

    assert_int_equal(ork_detector_feed(d, rank, record, n), ORK_OK);
}

void script_feed(struct ork_detector *d, uint32_t rank, const struct step *step)
{
    for (; !is_end(step); step++)
        feed_step(d, rank, step);
}

/* ---- verdicts ---- */

static void add_digit(char *text, uint32_t number)
{
    size_t n = strlen(text);

    text[n] = (char)('0' + number);
    text[n + 1] = '\0';
}

struct verdict script_verdict(struct ork_detector *d, enum ork_semantics semantics)
{
    struct verdict v = {{0}, {0}};
    struct ork_search *s = NULL;

    assert_int_equal(ork_detector_search(d, semantics, &s), ORK_OK);
    for (uint32_t r = 0; r < SCRIPT_RANKS; r++) {
        if (r >= ork_wfg_num_nodes(s->wfg) || ork_wfg_node(s->wfg, r).kind != ORK_WFG_PROCESS)
            break;
        if (ork_wfg_is_deadlocked(s->wfg, r) && ork_detector_rank(d, r).status != ORK_RANK_DONE)
            add_digit(v.deadlocked, r);
    }
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        if (k > 0)
            strcat(v.roots, " ");
        for (uint32_t i = 0; i < knot.count; i++) {
            if (ork_wfg_node(s->wfg, knot.node[i]).kind == ORK_WFG_PROCESS)
                add_digit(v.roots, knot.node[i]);
        }
    }
    ork_search_destroy(s);
    return v;
}

unsigned script_relax(struct ork_detector *d)
{
    unsigned all = 0;
    uint32_t passed;

    do {
        struct ork_search *s = NULL;
        assert_int_equal(ork_detector_search(d, ORK_STRICT, &s), ORK_OK);
        assert_int_equal(ork_detector_relax(d, s, &passed), ORK_OK);
        ork_search_destroy(s);
        all += passed;
    } while (passed > 0);
    return all;
}

enum ork_kind script_call(struct ork_detector *d, uint32_t rank)
{
    struct ork_rank_view view = ork_detector_rank(d, rank);

    return view.status == ORK_RANK_RUNNING ? ORK_KIND_CONT : (enum ork_kind)view.call.kind;
}

struct statuses script_statuses(struct ork_detector *d, uint32_t ranks)
{
    static const char letter[] = {
        [ORK_RANK_RUNNING] = 'R', [ORK_RANK_BLOCKED] = 'B', [ORK_RANK_STALLED] = 'S',
        [ORK_RANK_UNKNOWN] = 'U', [ORK_RANK_POLLING] = 'P', [ORK_RANK_DONE] = 'D',
    };
    struct statuses s = {{0}};

    for (uint32_t r = 0; r < ranks; r++)
        s.of[r] = letter[ork_detector_rank(d, r).status];
    return s;
}

/* ---- scenarios ---- */

static uint32_t num_ranks(const struct scenario *scenario)
{
    uint32_t n = 0;

    while (n < SCRIPT_RANKS && scenario->rank[n] != NULL)
        n++;
    return n;
}

/* Order 0: rank after rank; 1: from the last rank; else at random. */
static void feed_in_order(struct ork_detector *d, const struct scenario *scenario, uint32_t order)
{
    struct wfg_random random = {order};
    const struct step *next[SCRIPT_RANKS];
    uint32_t n = num_ranks(scenario);
    uint32_t open = n;

    memcpy(next, scenario->rank, sizeof(next));
    for (uint32_t r = 0; r < n; r++)
        open -= is_end(next[r]);
    while (open > 0) {
        uint32_t r = 0;
        for (r = 0; order == 0 && is_end(next[r]); r++)
            ;
        for (r = order == 1 ? n - 1 : r; order == 1 && is_end(next[r]); r--)
            ;
        if (order > 1)
            r = wfg_random_below(&random, n);
        if (is_end(next[r]))
            continue;
        feed_step(d, r, next[r]++);
        open -= is_end(next[r]);
    }
    for (uint32_t r = 0; r < n; r++) {
        assert_null(ork_detector_fault(d, r));
        if (scenario->exited >> r & 1)
            assert_int_equal(ork_detector_end(d, r, ORK_END_EXITED), ORK_OK);
    }
}

static void assert_verdict(const struct verdict *is, const struct verdict *expected)
{
    assert_string_equal(is->deadlocked, expected->deadlocked);
    assert_string_equal(is->roots, expected->roots);
}

void script_check(const struct scenario *scenario)
{
    for (uint32_t order = 0; order < ORDERS; order++) {
        struct ork_detector *d = script_create(num_ranks(scenario));
        struct verdict v;

        feed_in_order(d, scenario, order);
        v = script_verdict(d, ORK_PERMISSIVE);
        assert_string_equal(v.deadlocked, scenario->lazy != NULL ? scenario->lazy : "");
        v = script_verdict(d, ORK_STRICT);
        assert_verdict(&v, &scenario->strict);
        script_relax(d);
        v = script_verdict(d, ORK_STRICT);
        assert_verdict(&v, &scenario->relaxed);
        assert_int_equal(ork_detector_num_issues(d), scenario->issues);
        ork_detector_destroy(d);
    }
}

static void check_state(void **state)
{
    script_check(*state);
}

int script_run_table(const struct scenario *scenario, size_t count)
{
    struct CMUnitTest *test = calloc(count, sizeof(*test));
    union {
        const struct scenario *in;
        void *out;
    } pointer;

    if (test == NULL)
        return 1;
    for (size_t i = 0; i < count; i++) {
        pointer.in = &scenario[i];
        test[i] = (struct CMUnitTest){
            .name = scenario[i].name, .test_func = check_state, .initial_state = pointer.out};
    }
    int result = _cmocka_run_group_tests("scenarios", test, count, NULL, NULL);
    free(test);
    return result;
}
