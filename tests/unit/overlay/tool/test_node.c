/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole tree of tool processes in one, and random programs under it: what is found is what one
 * process alone finds. */
#include "overlay/stream/trace.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/overlay/tool/tree_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_same(const struct tree_result *tree, const struct tree_result *one,
                        uint32_t size, uint64_t seed)
{
    if (strcmp(tree->findings, one->findings) != 0)
        print_message("seed %llu, %u processes\n", (unsigned long long)seed, size);
    assert_string_equal(tree->findings, one->findings);
    assert_string_equal(tree->notes, "");
    assert_true(tree->complete);
    assert_int_equal(tree->ranks, RANKS);
    assert_int_equal(tree->statistics.calls, one->statistics.calls);
    assert_int_equal(tree->statistics.records, one->statistics.records);
    assert_int_equal(tree->statistics.messages, one->statistics.messages);
    assert_int_equal(tree->statistics.collectives, one->statistics.collectives);
    assert_int_equal(tree->statistics.tool_ranks, size);
}

static void a_correct_program_is_clean_under_every_tree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        plan_write_correct(&random);
        plan_finalize();
        struct tree_result one = tree_run_plan(0, seed, NULL);
        assert_string_equal(one.findings, "");
        assert_true(one.statistics.collectives > 0);
        for (uint32_t size = 1; size <= NODES; size++) {
            struct tree_result tree = tree_run_plan(size, seed + 1000 * size, NULL);
            assert_same(&tree, &one, size, seed);
        }
    }
}

static void a_deadlock_is_found_under_every_tree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        plan_write_correct(&random);
        plan_add_deadlock(&random);
        plan_finalize();
        struct tree_result one = tree_run_plan(0, seed, NULL);
        assert_int_equal(one.num_findings, 1);
        assert_false(one.wrong);
        assert_int_equal(strncmp(one.findings, "deadlock ", 9), 0);
        for (uint32_t size = 1; size <= NODES; size++) {
            struct tree_result tree = tree_run_plan(size, seed + 1000 * size, NULL);
            assert_same(&tree, &one, size, seed);
        }
    }
}

/* ---- the order of a rank ---- */

static void compare_trace(const char *path)
{
    static size_t came[RANKS];
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    FILE *file = fopen(path, "re");

    memset(came, 0, sizeof(came));
    assert_non_null(file);
    assert_int_equal(ork_trace_open(file, &reader), ORK_OK);
    while (ork_trace_next(reader, &chunk) == ORK_OK) {
        for (size_t i = 0; chunk.kind == ORK_TRACE_RECORDS && i < chunk.num_records; i++) {
            const struct script *s = &plan.script[chunk.rank];
            assert_in_range(came[chunk.rank], 0, s->n - 1);
            assert_memory_equal(&chunk.record[i], &s->record[came[chunk.rank]++],
                                sizeof(struct ork_record));
        }
    }
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(came[r], plan.script[r].n);
    ork_trace_reader_destroy(reader);
    fclose(file);
}

static void records_of_a_rank_arrive_in_its_order(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "/tmp/orknot-unit-node-%d", (int)getpid());
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed + 500;
        plan_write_correct(&random);
        plan_finalize();
        tree_run_plan(2 + (uint32_t)(seed % (NODES - 1)), seed, path);
        compare_trace(path);
        unlink(path);
    }
}

/* ---- its description ---- */

static void the_tree_is_described(void **state)
{
    struct tree_result result = {.wrong = false};
    struct tree_run run = {.size = 7, .seed = 1, .result = &result};

    (void)state;
    tree_start(&run, NULL);
    char *words = ork_node_tree_words(run.node[0]);
    assert_string_equal(words, "7 processes in 3 layers on n0 (2), n1 (2), n2 (2), n3 (1)");
    free(words);
    for (uint32_t i = 1; i < 7; i++)
        assert_null(ork_node_root(run.node[i]));
    tree_end(&run);
    run = (struct tree_run){.size = 0, .seed = 1, .result = &result};
    tree_start(&run, NULL);
    words = ork_node_tree_words(run.node[0]);
    assert_string_equal(words, "1 process");
    free(words);
    tree_end(&run);
}

int test_node(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_described),
        cmocka_unit_test(a_correct_program_is_clean_under_every_tree),
        cmocka_unit_test(a_deadlock_is_found_under_every_tree),
        cmocka_unit_test(records_of_a_rank_arrive_in_its_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
