/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls out of step. What a rank does is a word: an upper case letter is a place of
 * MPI_Allreduce, a lower case letter one of MPI_Bcast from rank 0, a digit one of MPI_Barrier. The
 * numbers of the call sites are those of each rank, as they are in a run. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include <ctype.h>

enum { RANKS_MAX = 4, FIRST_ADDRESS = 4096 };

struct rank_sites {
    uint32_t site[128]; /* by letter; 0: not used so far */
    uint32_t sites;
};

static struct ork_record call_at(char place)
{
    struct ork_record call = {.kind = ORK_KIND_COLL, .peer = ORK_NO_PEER, .bytes = 8};

    call.mode = isupper((unsigned char)place)   ? ORK_COLL_ALLREDUCE
                : islower((unsigned char)place) ? ORK_COLL_BCAST
                                                : ORK_COLL_BARRIER;
    if (call.mode == ORK_COLL_BCAST)
        call.peer = 0;
    return call;
}

static void feed(struct ork_detector *d, uint32_t rank, const struct ork_record *record, size_t n)
{
    assert_int_equal(ork_detector_feed(d, rank, record, n), ORK_OK);
}

static void begin(struct ork_detector *d, uint32_t rank)
{
    const struct step module[] = {
        {.rec = {.kind = ORK_KIND_MODULE, .arg = 1, .bytes = 4, .count = 1}, .list = {0x6d61696e}},
        {.rec = {0}}};

    feed(d, rank, &(struct ork_record){.kind = ORK_KIND_INIT}, 1);
    script_feed(d, rank, module);
}

/* The call site of the place at this rank, which is defined if it is new. */
static uint32_t site_at(struct ork_detector *d, uint32_t rank, struct rank_sites *s, char place)
{
    uint32_t *site = &s->site[(unsigned char)place];

    if (*site == 0) {
        *site = ++s->sites;
        feed(d, rank,
             &(struct ork_record){.kind = ORK_KIND_SITE,
                                  .site = *site,
                                  .arg = 1,
                                  .extra = FIRST_ADDRESS + (unsigned char)place},
             1);
    }
    return *site;
}

static void feed_word(struct ork_detector *d, uint32_t rank, const char *word)
{
    struct rank_sites sites = {.sites = 0};

    begin(d, rank);
    for (; *word != '\0'; word++) {
        struct ork_record call = call_at(*word);
        call.site = site_at(d, rank, &sites, *word);
        feed(d, rank, &call, 1);
    }
}

static struct ork_detector *run(const char *const *word)
{
    uint32_t ranks = 0;

    while (ranks < RANKS_MAX && word[ranks] != NULL)
        ranks++;
    struct ork_detector *d = script_create(ranks);
    for (uint32_t r = 0; r < ranks; r++)
        feed_word(d, r, word[r]);
    return d;
}

#define RUN(...) run((const char *const[RANKS_MAX + 1]){__VA_ARGS__, NULL})

static void expect_nothing(struct ork_detector *d)
{
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

static const struct ork_issue *only_issue(const struct ork_detector *d, enum ork_issue_kind kind)
{
    assert_int_equal(ork_detector_num_issues(d), 1);
    const struct ork_issue *issue = ork_detector_issue(d, 0);
    assert_int_equal(issue->kind, kind);
    return issue;
}

/* ---- out of step ---- */

static void a_rank_that_leaves_a_loop_later_is_behind(void **state)
{
    struct ork_detector *d = RUN("AAASAAAAS", "AAAASAAAS");
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_SHIFT);

    (void)state;
    assert_int_equal(issue->shift.delay, 1);
    assert_false(issue->shift.is_ahead);
    assert_int_equal(issue->shift.calls, 4);
    assert_int_equal(issue->shift.num_pairs, 1);
    assert_int_equal(issue->side[0].num_ranks, 1);
    assert_int_equal(issue->side[0].ranks[0], 0);
    assert_int_equal(issue->side[1].num_ranks, 1);
    assert_int_equal(issue->side[1].ranks[0], 1);
    assert_true(issue->parting.is_known);
    assert_true(issue->parting.is_first);
    assert_int_equal(issue->parting.calls, 3);
    ork_detector_destroy(d);
}

static void three_calls_are_not_enough(void **state)
{
    (void)state;
    expect_nothing(RUN("AAASAAAS", "AAAASAAS"));
}

static void a_rank_that_leaves_out_a_call_is_ahead(void **state)
{
    struct ork_detector *d = RUN("PQPQPQPQPQ", "PQPQQPQPQP");
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_SHIFT);

    (void)state;
    assert_int_equal(issue->shift.delay, 1);
    assert_int_equal(issue->parting.calls, 4);
    ork_detector_destroy(d);
}

static void most_ranks_are_right(void **state)
{
    struct ork_detector *d = RUN("XYpqrpqrpqr", "XYqrpqrpqrp", "XYpqrpqrpqr");
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_SHIFT);

    (void)state;
    assert_true(issue->shift.is_ahead);
    assert_int_equal(issue->shift.num_pairs, 3);
    assert_int_equal(issue->side[0].num_ranks, 2);
    assert_int_equal(issue->side[1].num_ranks, 1);
    assert_int_equal(issue->side[1].ranks[0], 1);
    ork_detector_destroy(d);
}

static void a_round_may_be_of_two_calls(void **state)
{
    struct ork_detector *d = RUN("ABABCDABABCDAB", "ABABABCDABABCD");

    (void)state;
    assert_int_equal(only_issue(d, ORK_ISSUE_SHIFT)->shift.delay, 2);
    ork_detector_destroy(d);
}

static void calls_that_many_ranks_make_at_once_are_the_same(void **state)
{
    const char *word[] = {"XYpqrpqrpqr", "XYqrpqrpqrp", "XYpqrpqrpqr"};
    struct ork_detector *d = script_create(3);
    struct rank_sites sites[3] = {{.sites = 0}};

    (void)state;
    for (uint32_t r = 0; r < 3; r++) {
        begin(d, r);
        for (size_t i = 0; i < strlen(word[r]); i++)
            site_at(d, r, &sites[r], word[r][i]);
    }
    for (size_t i = 0; i < strlen(word[0]); i++) {
        struct ork_group_record part[3];
        struct ork_span span[3];
        for (uint32_t r = 0; r < 3; r++) {
            span[r] = (struct ork_span){r, 1};
            part[r] = (struct ork_group_record){
                .call = call_at(word[r][i]), .span = &span[r], .num_spans = 1};
            part[r].call.site = site_at(d, r, &sites[r], word[r][i]);
        }
        assert_int_equal(ork_detector_feed_bulk(d, part, 3), ORK_OK);
    }
    assert_true(ork_detector_counts(d).at_once > 0);
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_SHIFT);
    assert_int_equal(issue->side[1].ranks[0], 1);
    ork_detector_destroy(d);
}

/* ---- what is right, or may be ---- */

static void ranks_may_take_turns(void **state)
{
    (void)state;
    expect_nothing(RUN("PQPQPQPQPQ", "QPQPQPQPQP"));
    expect_nothing(RUN("XXPQQPQQPQQ", "XXQPQQPQQPQ", "XXQQPQQPQQP"));
}

/* Each of two ranks is the root in its turn, and makes the call at a place of its own. */
static void roots_may_take_turns(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    for (uint32_t r = 0; r < 2; r++) {
        struct rank_sites sites = {.sites = 0};
        begin(d, r);
        for (uint32_t i = 0; i < 12; i++) {
            struct ork_record call = call_at('b');
            call.peer = i < 2 ? 0 : (int32_t)(i % 2);
            call.site = site_at(d, r, &sites, i < 2 ? 'b' : i % 2 == r ? 'p' : 'q');
            feed(d, r, &call, 1);
        }
    }
    expect_nothing(d);
}

static void a_first_call_may_be_elsewhere(void **state)
{
    (void)state;
    expect_nothing(RUN("XXHLLLLLLL", "XXLLLLLLLL"));
}

static void a_loop_may_be_filled_up_by_another_one(void **state)
{
    (void)state;
    expect_nothing(RUN("XXPPPPQQQQXXPPPPQQQQXX", "XXPPQQQQQQXXPPQQQQQQXX"));
}

static void a_root_may_have_calls_of_its_own(void **state)
{
    (void)state;
    expect_nothing(RUN("XXpAApAApAA", "XXqAAqAAqAA", "XXqAAqAAqAA"));
}

static void barriers_pass_no_data(void **state)
{
    (void)state;
    expect_nothing(RUN("1112111121112", "1111211121112"));
}

static void ranks_that_were_never_in_step_may_be_skewed(void **state)
{
    (void)state;
    expect_nothing(RUN("EPQRPQRPQRFF", "EEPQRPQRPQRF"));
}

/* ---- before a mismatch ---- */

static void a_mismatch_says_where_the_ranks_parted(void **state)
{
    struct ork_detector *d = RUN("AAAABb", "AAABbB");

    (void)state;
    const struct ork_issue *issue = ork_detector_issue(d, 0);
    assert_non_null(issue);
    assert_int_equal(issue->kind, ORK_ISSUE_MISMATCH);
    assert_true(issue->parting.is_known);
    assert_true(issue->parting.is_first);
    assert_false(issue->parting.is_here);
    assert_int_equal(issue->parting.calls, 3);
    ork_detector_destroy(d);
}

static void ranks_may_part_at_the_mismatch(void **state)
{
    struct ork_detector *d = RUN("AAAA", "AAAb");

    (void)state;
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_MISMATCH);
    assert_true(issue->parting.is_known);
    assert_true(issue->parting.is_here);
    assert_int_equal(issue->parting.calls, 3);
    ork_detector_destroy(d);
}

static void a_usual_parting_is_not_the_cause(void **state)
{
    struct ork_detector *d = RUN("ApApApB", "AqAqAqb");

    (void)state;
    const struct ork_issue *issue = only_issue(d, ORK_ISSUE_MISMATCH);
    assert_false(issue->parting.is_known);
    ork_detector_destroy(d);
}

int test_in_step(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_leaves_a_loop_later_is_behind),
        cmocka_unit_test(three_calls_are_not_enough),
        cmocka_unit_test(a_rank_that_leaves_out_a_call_is_ahead),
        cmocka_unit_test(most_ranks_are_right),
        cmocka_unit_test(a_round_may_be_of_two_calls),
        cmocka_unit_test(calls_that_many_ranks_make_at_once_are_the_same),
        cmocka_unit_test(ranks_may_take_turns),
        cmocka_unit_test(roots_may_take_turns),
        cmocka_unit_test(a_first_call_may_be_elsewhere),
        cmocka_unit_test(a_loop_may_be_filled_up_by_another_one),
        cmocka_unit_test(a_root_may_have_calls_of_its_own),
        cmocka_unit_test(barriers_pass_no_data),
        cmocka_unit_test(ranks_that_were_never_in_step_may_be_skewed),
        cmocka_unit_test(a_mismatch_says_where_the_ranks_parted),
        cmocka_unit_test(ranks_may_part_at_the_mismatch),
        cmocka_unit_test(a_usual_parting_is_not_the_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
