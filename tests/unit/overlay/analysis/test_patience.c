/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/patience.h"

#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { RANKS = 3, LOOKS = 1000, MS = 1000000 };

/* Ranks 0 and 1 are stuck, rank 2 is a helper or has no part in it. */
struct scene {
    struct ork_patience *patience;
    struct ork_snapshots *snapshots;
    struct ork_down down;
    struct ork_snapshot snapshot[RANKS];
    enum ork_part part[RANKS];
    uint64_t volume_ns, now_ns;
};

static enum ork_status collect(void *context, const struct ork_order *order)
{
    struct scene *s = context;

    assert_int_equal(order->kind, ORK_ORDER_COLLECT);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_snapshots_take(s->snapshots, r, &s->snapshot[r]), ORK_OK);
    ork_snapshots_collected(s->snapshots, order->round);
    return ORK_OK;
}

static void set_state(struct scene *s, uint32_t rank, enum ork_state state)
{
    s->snapshot[rank].word[0] = s->snapshot[rank].head << 8 | (uint64_t)state;
}

static int set_up(void **state)
{
    static struct scene s;

    memset(&s, 0, sizeof(s));
    s.down = (struct ork_down){.context = &s, .send = collect};
    s.now_ns = MS;
    for (uint32_t r = 0; r < RANKS; r++) {
        s.snapshot[r] = (struct ork_snapshot){.head = 10, .threads = 1, .inside_ns = 77 * MS};
        set_state(&s, r, ORK_STATE_BLOCKED);
        s.part[r] = r < 2 ? ORK_PART_STUCK : ORK_PART_NONE;
    }
    *state = &s;
    return ork_snapshots_create(&s.down, 1, &s.snapshots) != ORK_OK ||
           ork_patience_create(RANKS, &s.patience) != ORK_OK;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    ork_patience_destroy(s->patience);
    ork_snapshots_destroy(s->snapshots);
    return 0;
}

static bool look(struct scene *s)
{
    s->now_ns += 10 * MS;
    ork_snapshots_expire(s->snapshots);
    assert_true(ork_snapshots_is_fresh(s->snapshots, 1, s->now_ns));
    return ork_patience_observe(s->patience, s->snapshots, s->part, s->volume_ns, s->now_ns);
}

/* What a rank does between two looks. */
enum act { SPINS, STARVES, IS_STOPPED, SLEEPS, WAKES_OFTEN, YIELDS, YIELDS_LATE, QUEUES };

static void act(struct ork_snapshot *snapshot, enum act act)
{
    snapshot->sleeps = act == SLEEPS;
    if (act == SPINS)
        snapshot->inside_ns += 10 * MS;
    if (act == WAKES_OFTEN)
        snapshot->inside_ns += MS / 100;
    snapshot->is_halted = act == IS_STOPPED;
    if (act == YIELDS) {
        snapshot->inside_ns += MS / 100;
        snapshot->waited_ns += 10 * MS - MS / 100;
        snapshot->yields += 4;
    }
    if (act == YIELDS_LATE) {
        snapshot->inside_ns += 2 * MS / 15;
        snapshot->waited_ns += 10 * MS;
        snapshot->yields += 1;
    }
    if (act == QUEUES) { /* and works a little, as any rank does that gets the processor */
        snapshot->inside_ns += MS / 1000;
        snapshot->waited_ns += 10 * MS;
    }
}

/* After how many looks it is enough; LOOKS: never. */
static unsigned looks(struct scene *s, enum act zero, enum act one, enum act two)
{
    for (unsigned n = 1; n < LOOKS; n++) {
        act(&s->snapshot[0], zero);
        act(&s->snapshot[1], one);
        act(&s->snapshot[2], two);
        if (look(s))
            return n;
    }
    return LOOKS;
}

static void ranks_that_spin_have_soon_had_the_time(void **state)
{
    unsigned n = looks(*state, SPINS, SPINS, IS_STOPPED);

    assert_in_range(n, ORK_PATIENCE_TURNS, 2 * ORK_PATIENCE_TURNS);
}

static void nothing_follows_while_one_is_stopped(void **state)
{
    assert_int_equal(looks(*state, SPINS, IS_STOPPED, SPINS), LOOKS);
}

static void nothing_follows_while_one_gets_no_processor(void **state)
{
    assert_int_equal(looks(*state, STARVES, SPINS, SPINS), LOOKS);
}

static void a_stopped_rank_that_goes_on_has_to_have_its_own_time(void **state)
{
    struct scene *s = *state;

    assert_int_equal(looks(s, SPINS, IS_STOPPED, SPINS), LOOKS);
    assert_in_range(looks(s, SPINS, SPINS, SPINS), ORK_PATIENCE_TURNS - 1, 2 * ORK_PATIENCE_TURNS);
}

/* What it did while the other one was stopped is of no use to what that one does afterwards. */
static void one_after_the_other_is_not_enough(void **state)
{
    struct scene *s = *state;

    assert_int_equal(looks(s, SPINS, IS_STOPPED, SPINS), LOOKS);
    assert_int_equal(looks(s, IS_STOPPED, SPINS, SPINS), LOOKS);
}

static void ranks_that_sleep_have_had_the_time_after_seconds(void **state)
{
    struct scene *s = *state;
    uint64_t begin_ns = s->now_ns;

    assert_in_range(looks(s, SLEEPS, SLEEPS, SPINS), ORK_PATIENCE_SLEEP_LOOKS, LOOKS - 1);
    assert_true(s->now_ns - begin_ns >= ORK_PATIENCE_SLEEP_NS);
}

static void one_may_sleep_and_the_other_spin(void **state)
{
    assert_in_range(looks(*state, SPINS, SLEEPS, SPINS), ORK_PATIENCE_SLEEP_LOOKS, LOOKS - 1);
}

static void who_wakes_again_and_again_is_neither_stopped_nor_starved(void **state)
{
    struct scene *s = *state;
    uint64_t begin_ns = s->now_ns;

    assert_in_range(looks(s, WAKES_OFTEN, WAKES_OFTEN, SPINS), ORK_PATIENCE_SLEEP_LOOKS, LOOKS - 1);
    assert_true(s->now_ns - begin_ns >= ORK_PATIENCE_SLEEP_NS);
}

/* On a loaded machine: a few microseconds of a processor each time. */
static void ranks_that_yield_need_looks_and_no_processor_time(void **state)
{
    struct scene *s = *state;

    s->volume_ns = 1000 * MS; /* there is nothing to copy for who gives the processor up */
    assert_in_range(looks(s, YIELDS, YIELDS, SPINS), ORK_PATIENCE_LOOKS / 4, ORK_PATIENCE_LOOKS);
}

/* As measured with four ranks beside 40 others on two processors: four times in a second. */
static void ranks_that_yield_late_need_few_of_these_times(void **state)
{
    assert_in_range(looks(*state, YIELDS_LATE, YIELDS_LATE, SPINS), ORK_PATIENCE_LOOKS / 4,
                    ORK_PATIENCE_LOOKS / 2);
}

static void one_that_yields_waits_for_one_that_is_stopped(void **state)
{
    assert_int_equal(looks(*state, YIELDS, IS_STOPPED, SPINS), LOOKS);
}

/* It gets the processor often and uses it: it copies, and may not be done. */
static void who_works_in_short_times_has_to_have_the_time(void **state)
{
    struct scene *s = *state;

    s->volume_ns = UINT64_C(1000) * MS;
    for (unsigned i = 0; i < 100; i++) {
        act(&s->snapshot[0], SPINS);
        act(&s->snapshot[1], SPINS);
        s->snapshot[0].yields += 10;
        assert_false(look(s));
    }
}

/* Time in the run queue does not count, nor does it let a sleeper begin anew. */
static void a_sleeper_that_waits_for_a_processor_in_between_only_needs_longer(void **state)
{
    struct scene *s = *state;
    unsigned n = 0;
    bool enough = false;

    for (; n < 2 * LOOKS && !enough; n++) {
        act(&s->snapshot[0], n % 2 == 0 ? SLEEPS : QUEUES);
        act(&s->snapshot[1], n % 10 == 0 ? STARVES : SLEEPS);
        enough = look(s);
    }
    assert_in_range(n, 2 * ORK_PATIENCE_SLEEP_NS / MS / 10, 2 * LOOKS - 1);
}

/* Whatever it did before. */
static void nothing_follows_from_a_rank_that_is_stopped_now(void **state)
{
    struct scene *s = *state;

    assert_in_range(looks(s, SPINS, SPINS, SPINS), 1, 2 * ORK_PATIENCE_TURNS);
    s->snapshot[1].is_halted = true;
    assert_false(look(s));
    s->snapshot[1].is_halted = false;
    assert_true(look(s));
}

/* Time alone never is enough, however long. */
static void a_sleeper_that_was_stopped_in_between_begins_anew(void **state)
{
    struct scene *s = *state;

    for (unsigned i = 0; i < LOOKS; i++) {
        act(&s->snapshot[0], SLEEPS);
        act(&s->snapshot[1], i % 100 == 99 ? IS_STOPPED : SLEEPS);
        assert_false(look(s));
    }
    assert_in_range(looks(s, SLEEPS, SLEEPS, SPINS), 100, LOOKS - 1);
}

static void few_looks_at_a_sleeper_prove_nothing(void **state)
{
    struct scene *s = *state;

    s->snapshot[0].sleeps = s->snapshot[1].sleeps = true;
    for (unsigned i = 0; i < ORK_PATIENCE_SLEEP_LOOKS; i++) {
        s->now_ns += ORK_PATIENCE_SLEEP_NS;
        assert_false(look(s));
    }
}

static void a_movement_of_any_of_them_begins_anew(void **state)
{
    struct scene *s = *state;

    for (unsigned i = 0; i < LOOKS; i++) {
        act(&s->snapshot[0], SPINS);
        act(&s->snapshot[1], SPINS);
        if (i % ORK_PATIENCE_TURNS == 0) {
            s->snapshot[1].head++;
            set_state(s, 1, ORK_STATE_BLOCKED);
        }
        assert_false(look(s));
    }
    assert_in_range(looks(s, SPINS, SPINS, SPINS), 1, 2 * ORK_PATIENCE_TURNS);
}

static void a_rank_that_joins_begins_anew(void **state)
{
    struct scene *s = *state;
    unsigned n = looks(s, SPINS, SPINS, SPINS);

    s->part[2] = ORK_PART_STUCK;
    assert_false(look(s));
    assert_in_range(looks(s, SPINS, SPINS, SPINS), n - 1, n + 1);
}

static void much_to_copy_takes_longer(void **state)
{
    struct scene *s = *state;

    s->volume_ns = UINT64_C(1000) * MS;
    assert_in_range(looks(s, SPINS, SPINS, SPINS), 100, 120);
}

/* ---- a helper: a rank that is not deadlocked, but has to do with the calls of those that are ----
 */

static void a_helper_that_is_stopped_is_waited_for(void **state)
{
    struct scene *s = *state;

    s->part[2] = ORK_PART_HELPER;
    assert_int_equal(looks(s, SPINS, SPINS, IS_STOPPED), LOOKS);
    assert_in_range(looks(s, SPINS, SPINS, SPINS), ORK_PATIENCE_TURNS - 1, 2 * ORK_PATIENCE_TURNS);
}

static void a_helper_outside_mpi_is_waited_for(void **state)
{
    struct scene *s = *state;

    s->part[2] = ORK_PART_HELPER;
    set_state(s, 2, ORK_STATE_RUNNING);
    assert_int_equal(looks(s, SPINS, SPINS, SPINS), LOOKS);
}

static void a_helper_that_makes_calls_or_polls_looks_for_messages(void **state)
{
    struct scene *s = *state;
    unsigned n = 0;
    bool enough = false;

    s->part[2] = ORK_PART_HELPER;
    for (; n < 100 && !enough; n++) {
        act(&s->snapshot[0], SPINS);
        act(&s->snapshot[1], SPINS);
        if (n % 2 == 0)
            s->snapshot[2].head += ORK_PATIENCE_CALLS;
        else
            s->snapshot[2].polls += ORK_PATIENCE_CALLS;
        set_state(s, 2, ORK_STATE_RUNNING);
        enough = look(s);
    }
    assert_in_range(n, ORK_PATIENCE_TURNS, 2 * ORK_PATIENCE_TURNS);
}

/* /proc could not be read. */
static void what_is_not_known_proves_nothing(void **state)
{
    struct scene *s = *state;

    s->snapshot[0].inside_ns = 0;
    assert_int_equal(looks(s, STARVES, SPINS, SPINS), LOOKS);
    for (unsigned i = 0; i < LOOKS; i++) { /* now and then */
        s->snapshot[0].inside_ns = i % 3 == 0 ? 0 : (uint64_t)(i + 100) * MS * 10;
        act(&s->snapshot[1], SPINS);
        assert_false(look(s));
    }
    s->snapshot[0].inside_ns = LOOKS * (uint64_t)MS * 20;
    assert_in_range(looks(s, SPINS, SPINS, SPINS), ORK_PATIENCE_TURNS, 2 * ORK_PATIENCE_TURNS);
}

static void more_ranks_can_come(void **state)
{
    struct scene *s = *state;
    enum ork_part part[RANKS + 1] = {ORK_PART_STUCK, ORK_PART_STUCK};
    bool enough = false;

    assert_int_equal(ork_patience_grow(s->patience, RANKS + 1), ORK_OK);
    for (unsigned i = 0; i < 50 && !enough; i++) {
        s->now_ns += 10 * MS;
        act(&s->snapshot[0], SPINS);
        act(&s->snapshot[1], SPINS);
        ork_snapshots_expire(s->snapshots);
        assert_true(ork_snapshots_is_fresh(s->snapshots, 1, s->now_ns));
        enough = ork_patience_observe(s->patience, s->snapshots, part, 0, s->now_ns);
    }
    assert_true(enough);
    ork_patience_destroy(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_patience(void)
{
    const struct CMUnitTest tests[] = {
        CASE(ranks_that_spin_have_soon_had_the_time),
        CASE(nothing_follows_while_one_is_stopped),
        CASE(nothing_follows_while_one_gets_no_processor),
        CASE(a_stopped_rank_that_goes_on_has_to_have_its_own_time),
        CASE(one_after_the_other_is_not_enough),
        CASE(ranks_that_sleep_have_had_the_time_after_seconds),
        CASE(one_may_sleep_and_the_other_spin),
        CASE(who_wakes_again_and_again_is_neither_stopped_nor_starved),
        CASE(ranks_that_yield_need_looks_and_no_processor_time),
        CASE(ranks_that_yield_late_need_few_of_these_times),
        CASE(one_that_yields_waits_for_one_that_is_stopped),
        CASE(who_works_in_short_times_has_to_have_the_time),
        CASE(a_sleeper_that_waits_for_a_processor_in_between_only_needs_longer),
        CASE(nothing_follows_from_a_rank_that_is_stopped_now),
        CASE(a_sleeper_that_was_stopped_in_between_begins_anew),
        CASE(few_looks_at_a_sleeper_prove_nothing),
        CASE(a_movement_of_any_of_them_begins_anew),
        CASE(a_rank_that_joins_begins_anew),
        CASE(much_to_copy_takes_longer),
        CASE(a_helper_that_is_stopped_is_waited_for),
        CASE(a_helper_outside_mpi_is_waited_for),
        CASE(a_helper_that_makes_calls_or_polls_looks_for_messages),
        CASE(what_is_not_known_proves_nothing),
        CASE(more_ranks_can_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
