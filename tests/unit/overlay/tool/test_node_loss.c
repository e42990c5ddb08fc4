/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of tool processes that loses some of them, and one that kills its ranks. */
#include "overlay/findings/phrase.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/overlay/tool/tree_run.h"
#include "tests/unit/record/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void kill_subtree(struct tree_run *run, uint32_t head, char *note, size_t room)
{
    struct ork_tree tree = ork_tree_of(run->size, 2, head);
    uint32_t lost[RANKS], count = 0;

    for (uint32_t r = 0; r < RANKS; r++) {
        uint32_t leaf = r * run->size / RANKS;
        if (leaf >= head && leaf < tree.end)
            lost[count++] = r;
    }
    char *ranks = ork_phrase_ranks(lost, count);
    snprintf(note, room, "ended or stopped early: the later calls of %s were not observed", ranks);
    free(ranks);
    tree_lose_node(run, head);
}

static bool has_all(const struct tree_run *run)
{
    struct ork_report report;
    uint32_t notes = 1;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    if (report.ranks == RANKS)
        notes = report.num_notes; /* some were not observed */
    ork_report_release(&report);
    return notes == 0;
}

static bool has_note(const struct tree_run *run)
{
    struct ork_report report;
    bool has = false;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    for (uint32_t i = 0; i < report.num_notes; i++)
        has |= strstr(report.note[i], "ended or stopped early") != NULL;
    ork_report_release(&report);
    return has;
}

/* All ranks say who they are, and the root knows them. */
static void begin(struct tree_run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        tree_advance(run, r);
    tree_wait_until(run, has_all);
}

static struct tree_result run_and_kill(uint32_t size, uint64_t seed, char *note, size_t room)
{
    struct tree_result result = {.wrong = false};
    struct tree_run run = {.size = size, .seed = seed, .result = &result};
    bool more = true;
    uint64_t when = random_next(&run.seed) % 60;
    uint32_t head = 1 + (uint32_t)(random_next(&run.seed) % (size - 1));

    tree_start(&run, NULL);
    begin(&run);
    for (uint64_t i = 0; i < when || more; i++) {
        for (uint64_t n = random_next(&run.seed) % 20; n > 0 && more; n--)
            more = tree_advance_any(&run);
        tree_step(&run);
        if (i == when)
            kill_subtree(&run, head, note, room);
    }
    if (!run.gone[head])
        kill_subtree(&run, head, note, room);
    tree_wait_until(&run, has_note);
    for (uint64_t limit = run.now_ns + SECOND / 20; run.now_ns < limit;)
        tree_step(&run);
    tree_hang_up(&run, plan.deadlocks ? ORK_STATE_BLOCKED : ORK_STATE_DONE);
    for (uint64_t limit = run.now_ns + SECOND / 20; run.now_ns < limit;)
        tree_step(&run);
    tree_sum_up(&run);
    tree_end(&run);
    return result;
}

static void after_a_loss_nothing_is_told_that_is_not_so(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        uint64_t random = seed + 7000;
        char note[256];
        plan_write_correct(&random);
        plan_finalize();
        struct tree_result r = run_and_kill(2 + (uint32_t)(seed % (NODES - 1)), seed, note, 256);
        assert_string_equal(r.findings, "");
        assert_false(r.complete);
        if (strstr(r.notes, note) == NULL)
            print_message("seed %llu\n", (unsigned long long)seed);
        assert_non_null(strstr(r.notes, note));
    }
}

/* Those who wait for ranks that are not seen any more may be let go at any time. */
static void a_deadlock_after_a_loss_is_one_or_is_not_told(void **state)
{
    unsigned reported = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        uint64_t random = seed + 9000;
        char note[256];
        plan_write_correct(&random);
        plan_add_deadlock(&random);
        plan_finalize();
        struct tree_result r = run_and_kill(2 + (uint32_t)(seed % (NODES - 1)), seed, note, 256);
        assert_false(r.wrong);
        assert_false(r.complete);
        assert_non_null(strstr(r.notes, note));
        reported += r.num_findings;
    }
    assert_true(reported > 0); /* where it is of others */
}

static bool has_come_so_far(const struct tree_run *run)
{
    struct ork_report report;
    uint64_t records = 0;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(ork_node_root(run->node[0]), &report), ORK_OK);
    for (uint32_t r = 0; r < RANKS; r++)
        records += run->at[r];
    bool all = report.statistics.records == records;
    ork_report_release(&report);
    return all;
}

/* A process is lost, then the one above it: those who are left are still collected from. */
static void a_deadlock_of_those_who_are_left_is_found_after_two_losses(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct tree_result result = {.wrong = false};
        struct tree_run run = {.size = 7, .seed = seed, .result = &result};
        uint64_t random = seed;
        char note[256];
        plan_write_correct(&random);
        for (uint32_t r = 0; r < RANKS; r++)
            run.stop[r] = plan.script[r].n;
        plan_add_cycle(2, 3, seed % 2 == 0); /* of processes 1, 2 and 3 */
        plan.deadlocks = true;
        plan_finalize();
        tree_start(&run, NULL);
        begin(&run);
        tree_play(&run);
        tree_wait_until(&run, has_come_so_far);
        memset(run.stop, 0, sizeof(run.stop));
        kill_subtree(&run, 6, note, sizeof(note));
        tree_wait_until(&run, has_note);
        kill_subtree(&run, 4, note, sizeof(note));
        tree_play(&run);
        tree_wait_until(&run, tree_is_reported);
        assert_false(result.wrong);
        tree_hang_up(&run, ORK_STATE_BLOCKED);
        tree_sum_up(&run);
        tree_end(&run);
    }
}

static void all_ranks_of_the_tree_are_killed_at_the_roots_word(void **state)
{
    (void)state; /* the peers are this process: a leaf that had one would end it */
    struct tree_result result = {.wrong = false};
    struct tree_run run = {.size = 5, .seed = 3, .result = &result};
    plan_write_correct(&run.seed);
    tree_start(&run, NULL);
    begin(&run);
    tree_hang_up(&run, ORK_STATE_RUNNING);
    tree_wait_until(&run, tree_is_drained);
    assert_int_equal(ork_node_kill_ranks(run.node[0]), ORK_OK);
    for (int i = 0; i < 200; i++)
        tree_step(&run);
    tree_end(&run);
}

int test_node_loss(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_loss_nothing_is_told_that_is_not_so),
        cmocka_unit_test(a_deadlock_after_a_loss_is_one_or_is_not_told),
        cmocka_unit_test(a_deadlock_of_those_who_are_left_is_found_after_two_losses),
        cmocka_unit_test(all_ranks_of_the_tree_are_killed_at_the_roots_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
