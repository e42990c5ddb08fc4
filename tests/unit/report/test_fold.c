/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include "report/fold.h"
#include "report/fold_runs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct ork_finding empty(void)
{
    return sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
}

static char *copied(const char *s)
{
    char *copy = strdup(s);

    assert_non_null(copy);
    return copy;
}

/* A rank in MPI_Recv at halo.c:40 on MPI_COMM_WORLD; its id is its rank. */
static struct ork_graph_node *add_rank(struct ork_finding *f, uint32_t rank)
{
    sample_add_node(f, rank, ORK_NODE_RANK, rank, "MPI_Recv", SAMPLE_ALL);
    struct ork_graph_node *n = &f->graph.node[f->graph.num_nodes - 1];
    n->towards = copied("from");
    n->place = copied("halo.c:40");
    n->comm = copied("MPI_COMM_WORLD");
    return n;
}

static void add_ranks(struct ork_finding *f, uint32_t ranks)
{
    for (uint32_t i = 0; i < ranks; i++)
        add_rank(f, i);
}

static struct ork_graph folded(const struct ork_finding *f)
{
    struct ork_graph g;

    assert_int_equal(ork_graph_fold(&f->graph, &g), ORK_OK);
    assert_true(g.num_nodes <= ORK_FOLD_NODES);
    for (uint32_t i = 0; i < g.num_arcs; i++) {
        assert_in_range(g.arc[i].from, 0, g.num_nodes - 1);
        assert_in_range(g.arc[i].to, 0, g.num_nodes - 1);
    }
    return g;
}

/* "0,2,..,9998: MPI_Recv from rank+1 at halo.c:40" */
static void assert_node(const struct ork_graph_node *n, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    if (n->num_runs > 0)
        ork_runs_put(out, n->run, n->num_runs, 4);
    else
        fprintf(out, "%u", n->rank);
    fprintf(out, ": %s", n->label);
    if (n->relation != NULL)
        fprintf(out, " %s %s", n->towards, n->relation);
    if (n->place != NULL)
        fprintf(out, " at %s", n->place);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
    free(text);
}

static bool has_arc(const struct ork_graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < g->num_arcs; i++)
        if (g->arc[i].from == from && g->arc[i].to == to)
            return true;
    return false;
}

static void forty_nodes_are_readable_and_more_are_not(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, ORK_FOLD_NODES);
    assert_true(ork_graph_is_readable(&f.graph));
    add_rank(&f, ORK_FOLD_NODES);
    assert_false(ork_graph_is_readable(&f.graph));
    f.graph.node[0].count = 2; /* folded: as good as it gets */
    assert_true(ork_graph_is_readable(&f.graph));
    ork_finding_release(&f);
}

static void a_ring_is_one_node_that_waits_for_itself(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        sample_add_arc(&f, i, (i + 1) % 10000, NULL);
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 1);
    assert_int_equal(g.num_arcs, 1);
    assert_int_equal(g.node[0].count, 10000);
    assert_node(&g.node[0], "0-9999: MPI_Recv from rank+1 mod 10000 at halo.c:40");
    assert_true(has_arc(&g, 0, 0));
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static bool is_repetitive(const struct ork_finding *f)
{
    bool yes;

    assert_int_equal(ork_graph_is_repetitive(&f->graph, &yes), ORK_OK);
    return yes;
}

static struct ork_finding ring_of(uint32_t ranks)
{
    struct ork_finding f = empty();

    add_ranks(&f, ranks);
    for (uint32_t i = 0; i < ranks; i++)
        sample_add_arc(&f, i, (i + 1) % ranks, NULL);
    return f;
}

static void a_ring_of_more_than_a_dozen_is_folded(void **state)
{
    struct ork_finding f = ring_of(ORK_FOLD_ALIKE);

    (void)state;
    assert_false(is_repetitive(&f));
    ork_finding_release(&f);
    f = ring_of(ORK_FOLD_ALIKE + 1);
    assert_true(is_repetitive(&f));
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 1);
    assert_node(&g.node[0], "0-12: MPI_Recv from rank+1 mod 13 at halo.c:40");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* Sixteen in a chain behind two that wait for each other. */
static void a_short_chain_keeps_its_ends(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 18);
    sample_add_arc(&f, 0, 1, NULL);
    for (uint32_t i = 1; i < 18; i++)
        sample_add_arc(&f, i, i - 1, NULL);
    assert_true(is_repetitive(&f));
    struct ork_graph g = folded(&f);
    assert_in_range(g.num_nodes, 4, 6);
    assert_node(&g.node[0], "0: MPI_Recv at halo.c:40");
    assert_node(&g.node[g.num_nodes - 1], "17: MPI_Recv at halo.c:40");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void ranks_that_wait_for_various_others_stay_apart(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 16);
    for (uint32_t i = 0; i < 16; i++)
        sample_add_arc(&f, i, (i * i * 5 + 3 * i + 1) % 16, NULL);
    assert_false(is_repetitive(&f));
    ork_finding_release(&f);
}

static void neighbours_in_pairs_are_two_nodes(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        sample_add_arc(&f, i, i ^ 1u, NULL);
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 2);
    assert_node(&g.node[0], "0,2,..,9998: MPI_Recv from rank+1 at halo.c:40");
    assert_node(&g.node[1], "1,3,..,9999: MPI_Recv from rank-1 at halo.c:40");
    assert_int_equal(g.num_arcs, 2);
    assert_true(has_arc(&g, 0, 1));
    assert_true(has_arc(&g, 1, 0));
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void a_chain_keeps_its_ends(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 10000);
    for (uint32_t i = 0; i < 9999; i++)
        sample_add_arc(&f, i, i + 1, NULL);
    sample_add_arc(&f, 9999, 9999, NULL);
    struct ork_graph g = folded(&f);
    assert_in_range(g.num_nodes, 3, 5);
    assert_node(&g.node[0], "0: MPI_Recv at halo.c:40");
    assert_node(&g.node[1], "1-9997: MPI_Recv from rank+1 at halo.c:40");
    assert_node(&g.node[g.num_nodes - 1], "9999: MPI_Recv at halo.c:40");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void waiting_for_one_rank_is_said_by_its_number(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        sample_add_arc(&f, i, i == 0 ? 1 : 0, NULL);
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 3); /* 0, 1 that it waits for, and the others */
    assert_node(&g.node[2], "2-999: MPI_Recv from 0 at halo.c:40");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void call_place_and_communicator_tell_ranks_apart(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    add_ranks(&f, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        sample_add_arc(&f, i, 0, NULL);
    f.graph.node[10].label[4] = 'X';
    f.graph.node[20].place[0] = 'X';
    f.graph.node[30].comm[0] = 'X';
    f.graph.node[40].core = false;
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 2 + 4);
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* Rows of 100 ranks, each with a communicator of its own. */
static void a_communicator_for_each_row_is_given_up(void **state)
{
    struct ork_finding f = empty();
    char name[16];

    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        struct ork_graph_node *n = add_rank(&f, i);
        free(n->comm);
        snprintf(name, sizeof(name), "row %u", i / 100);
        n->comm = copied(name);
        sample_add_arc(&f, i, i / 100 * 100 + (i + 1) % 100, NULL);
    }
    struct ork_graph g = folded(&f);
    assert_in_range(g.num_nodes, 2, 8);
    for (uint32_t i = 0; i < g.num_nodes; i++)
        assert_null(g.node[i].comm);
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* Each rank of a grid waits for its four neighbours in a request each. */
static void a_grid_keeps_edges_and_inside(void **state)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    struct ork_finding f = empty();
    enum { SIDE = 50 };
    uint32_t ids = SIDE * SIDE;

    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        sample_add_node(&f, (uint32_t)i, ORK_NODE_RANK, (uint32_t)i, "MPI_Waitall", SAMPLE_ALL);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 4; k++) {
            int x = i % SIDE + step[k][0];
            int y = i / SIDE + step[k][1];
            if (x < 0 || x >= SIDE || y < 0 || y >= SIDE)
                continue;
            sample_add_node(&f, ids, ORK_NODE_TERM, (uint32_t)i, "MPI_Irecv", SAMPLE_ALL);
            sample_add_arc(&f, (uint32_t)i, ids, NULL);
            sample_add_arc(&f, ids++, (uint32_t)(y * SIDE + x), NULL);
        }
    struct ork_graph g = folded(&f);
    assert_in_range(g.num_nodes, 5, ORK_FOLD_NODES);
    uint64_t ranks = 0;
    for (uint32_t i = 0; i < g.num_nodes; i++)
        ranks += g.node[i].kind == ORK_NODE_RANK ? g.node[i].count : 0;
    assert_int_equal(ranks, SIDE * SIDE);
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* Half of the ranks wait for any rank, half for all others in a barrier, through a hub each. */
static void hubs_stay_and_their_ranks_fold(void **state)
{
    struct ork_finding f = empty();

    (void)state;
    for (uint32_t i = 0; i < 10000; i++)
        sample_add_node(&f, i, ORK_NODE_RANK, i, i % 2 == 0 ? "MPI_Recv" : "MPI_Barrier",
                        i % 2 == 0 ? SAMPLE_ALL | SAMPLE_OR : SAMPLE_ALL);
    sample_add_node(&f, 10000, ORK_NODE_HUB, 0, "any of\nMPI_COMM_WORLD", SAMPLE_ALL | SAMPLE_OR);
    sample_add_node(&f, 10001, ORK_NODE_HUB, 0, "not yet in\nMPI_Barrier", SAMPLE_ALL);
    for (uint32_t i = 0; i < 10000; i++) {
        sample_add_arc(&f, i, 10000 + i % 2, NULL);
        sample_add_arc(&f, 10000, i, NULL);
        if (i % 2 == 0)
            sample_add_arc(&f, 10001, i, NULL);
    }
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 4);
    assert_int_equal(g.num_arcs, 5);
    assert_node(&g.node[0], "0,2,..,9998: MPI_Recv");
    assert_true(g.node[0].is_or);
    assert_false(g.node[1].is_or);
    assert_int_equal(g.node[2].kind, ORK_NODE_HUB);
    assert_int_equal(g.node[2].num_runs, 0);
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* What a rank waits for is another one each time, without any order. */
static void a_disordered_graph_is_summarised(void **state)
{
    struct ork_finding f = empty();
    uint64_t x = 88172645463325252u;

    (void)state;
    add_ranks(&f, 10000);
    for (uint32_t i = 0; i < 10000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sample_add_arc(&f, i, (uint32_t)(x % 10000), NULL);
    }
    struct ork_graph g = folded(&f);
    assert_int_equal(g.num_nodes, 1);
    assert_node(&g.node[0], "0-9999: MPI_Recv at halo.c:40");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void a_thousand_different_calls_are_still_a_drawing(void **state)
{
    struct ork_finding f = empty();
    char label[32];

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(label, sizeof(label), "call %u", i);
        sample_add_node(&f, i, ORK_NODE_RANK, i, label, SAMPLE_DEAD);
        sample_add_arc(&f, i, 0, NULL);
    }
    struct ork_graph g = folded(&f);
    assert_in_range(g.num_nodes, 1, 2);
    assert_string_equal(g.node[g.num_nodes - 1].label, "several calls");
    ork_graph_release(&g);
    ork_finding_release(&f);
}

/* Every node is in one class, and every arc leads where its class's arc leads. */
static void nothing_is_lost(void **state)
{
    struct ork_finding f = empty();
    uint64_t x = 2463534242u;

    (void)state;
    add_ranks(&f, 300);
    for (uint32_t i = 0; i < 300; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        f.graph.node[i].core = x % 3 == 0;
        sample_add_arc(&f, i, i % 10, NULL);
    }
    struct ork_graph g = folded(&f);
    uint32_t class_of[300];
    for (uint32_t i = 0; i < 300; i++) {
        unsigned found = 0;
        for (uint32_t c = 0; c < g.num_nodes; c++) {
            const struct ork_graph_node *n = &g.node[c];
            bool in = n->num_runs > 0 ? ork_runs_contain(n->run, n->num_runs, i) : n->rank == i;
            if (!in)
                continue;
            found++;
            class_of[i] = c;
            assert_int_equal(n->core, f.graph.node[i].core);
        }
        assert_int_equal(found, 1);
    }
    for (uint32_t i = 0; i < 300; i++)
        assert_true(has_arc(&g, class_of[i], class_of[i % 10]));
    ork_graph_release(&g);
    ork_finding_release(&f);
}

static void what_is_folded_stays_as_it_is_in_json(void **state)
{
    struct ork_finding f = empty();
    struct ork_finding back;
    char *json = NULL;
    char *error = NULL;

    (void)state;
    add_ranks(&f, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        sample_add_arc(&f, i, i ^ 1u, NULL);
    struct ork_graph g = folded(&f);
    ork_graph_release(&f.graph);
    f.graph = g;
    assert_int_equal(ork_finding_to_json(&f, &json), ORK_OK);
    assert_true(strlen(json) < 2000);
    assert_int_equal(ork_finding_from_json(json, strlen(json), &back, &error), ORK_OK);
    assert_int_equal(back.graph.num_nodes, 2);
    assert_true(ork_graph_is_readable(&back.graph));
    assert_node(&back.graph.node[0], "0,2,..,9998: MPI_Recv from rank+1 at halo.c:40");
    assert_string_equal(back.graph.node[0].comm, "MPI_COMM_WORLD");
    assert_int_equal(back.graph.node[1].count, 5000);
    free(json);
    ork_finding_release(&back);
    ork_finding_release(&f);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double time_of_folding(uint32_t ranks)
{
    struct ork_finding f = sample_barrier(ranks);
    double best = 1e9;

    for (int i = 0; i < 3; i++) {
        double start = seconds();
        struct ork_graph g = folded(&f);
        double took = seconds() - start;
        ork_graph_release(&g);
        best = took < best ? took : best;
    }
    ork_finding_release(&f);
    return best;
}

/* RATIONALE: processor time of 32 times as many ranks. They take 60 to 100 times as long, because
 * of the cache, and quadratic time would be 1024 times as long. */
static void folding_is_near_linear(void **state)
{
    double small = time_of_folding(5000);
    double large = time_of_folding(160000);

    (void)state;
    assert_true(large < 400 * small);
}

int test_fold(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forty_nodes_are_readable_and_more_are_not),
        cmocka_unit_test(a_ring_is_one_node_that_waits_for_itself),
        cmocka_unit_test(a_ring_of_more_than_a_dozen_is_folded),
        cmocka_unit_test(a_short_chain_keeps_its_ends),
        cmocka_unit_test(ranks_that_wait_for_various_others_stay_apart),
        cmocka_unit_test(neighbours_in_pairs_are_two_nodes),
        cmocka_unit_test(a_chain_keeps_its_ends),
        cmocka_unit_test(waiting_for_one_rank_is_said_by_its_number),
        cmocka_unit_test(call_place_and_communicator_tell_ranks_apart),
        cmocka_unit_test(a_communicator_for_each_row_is_given_up),
        cmocka_unit_test(a_grid_keeps_edges_and_inside),
        cmocka_unit_test(hubs_stay_and_their_ranks_fold),
        cmocka_unit_test(a_disordered_graph_is_summarised),
        cmocka_unit_test(a_thousand_different_calls_are_still_a_drawing),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(what_is_folded_stays_as_it_is_in_json),
        cmocka_unit_test(folding_is_near_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
