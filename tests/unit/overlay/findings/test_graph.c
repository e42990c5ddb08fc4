/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/graph.h"

#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A searched state and the drawing of everything deadlocked in it. */
struct picture {
    struct ork_detector *d;
    struct ork_call_sites *sites;
    struct ork_search *search;
    struct ork_finding finding; /* owns the graph */
};

static void make_graph(const struct ork_detector *d, struct ork_call_sites *sites,
                       const struct ork_search *search, const bool *mark, struct ork_graph *graph)
{
    struct ork_writing w = {.d = d, .sites = sites};

    ork_finding_graph_make(&w, search, mark, graph);
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void draw(struct picture *p, const struct script *script, uint32_t nprocs)
{
    bool *mark;

    memset(p, 0, sizeof(*p));
    assert_int_equal(ork_detector_create(nprocs, &p->d), ORK_OK);
    assert_int_equal(ork_call_sites_create(nprocs, &p->sites), ORK_OK);
    for (uint32_t r = 0; r < nprocs; r++) {
        assert_int_equal(ork_detector_feed(p->d, r, script[r].record, script[r].n), ORK_OK);
        assert_null(ork_detector_fault(p->d, r));
    }
    assert_int_equal(ork_detector_search(p->d, ORK_STRICT, &p->search), ORK_OK);
    uint32_t nodes = ork_wfg_num_nodes(p->search->wfg);
    mark = calloc(nodes, sizeof(*mark));
    for (uint32_t v = 0; v < nodes; v++)
        mark[v] = ork_wfg_is_deadlocked(p->search->wfg, v);
    make_graph(p->d, p->sites, p->search, mark, &p->finding.graph);
    free(mark);
}

static void release(struct picture *p)
{
    ork_finding_release(&p->finding);
    ork_search_destroy(p->search);
    ork_call_sites_destroy(p->sites);
    ork_detector_destroy(p->d);
}

static const struct ork_graph_node *node_of(const struct picture *p, uint32_t id)
{
    for (uint32_t i = 0; i < p->finding.graph.num_nodes; i++) {
        if (p->finding.graph.node[i].id == id)
            return &p->finding.graph.node[i];
    }
    fail();
    return NULL;
}

/* The only node of rank `rank` whose label begins so. */
static const struct ork_graph_node *term_of(const struct picture *p, uint32_t rank,
                                            const char *label)
{
    const struct ork_graph_node *found = NULL;

    for (uint32_t i = 0; i < p->finding.graph.num_nodes; i++) {
        const struct ork_graph_node *n = &p->finding.graph.node[i];
        if (n->kind != ORK_NODE_TERM || n->rank != rank ||
            strncmp(n->label, label, strlen(label)) != 0)
            continue;
        assert_null(found);
        found = n;
    }
    assert_non_null(found);
    return found;
}

/* Targets of the arcs of `from` as text, ascending. */
static void assert_arcs(const struct picture *p, uint32_t from, const char *expected)
{
    char text[256] = "";
    uint32_t ids = 0;

    for (uint32_t i = 0; i < p->finding.graph.num_nodes; i++)
        ids = p->finding.graph.node[i].id >= ids ? p->finding.graph.node[i].id + 1 : ids;
    for (uint32_t to = 0; to < ids; to++) {
        for (uint32_t i = 0; i < p->finding.graph.num_arcs; i++) {
            const struct ork_graph_arc *a = &p->finding.graph.arc[i];
            size_t used = strlen(text);
            if (a->from == from && a->to == to)
                snprintf(text + used, sizeof(text) - used, "%s%u", used > 0 ? " " : "", to);
        }
    }
    assert_string_equal(text, expected);
}

static void assert_rank(const struct picture *p, uint32_t rank, const char *label, bool is_or,
                        bool core)
{
    const struct ork_graph_node *n = node_of(p, rank);

    assert_int_equal(n->kind, ORK_NODE_RANK);
    assert_int_equal(n->rank, rank);
    assert_string_equal(n->label, label);
    assert_int_equal(n->is_or, is_or);
    assert_true(n->deadlocked);
    assert_int_equal(n->core, core);
}

/* SC12, Fig. 4: communicator A has ranks 0, 1, 2, B has 0, 2, 3; rank 0 waits for a message of
 * anybody in A and one of anybody in B, ranks 1 and 3 for rank 2, rank 2 for rank 0. */
static void fig_4_of_the_paper_has_four_ranks_and_two_requests(void **state)
{
    static struct script s[4];
    const uint32_t a[] = {0, 1, 2}, b[] = {0, 2, 3}, both[] = {1, 2};
    struct picture p;

    (void)state;
    for (uint32_t r = 0; r < 4; r++) {
        script_init(&s[r], r, 4);
        script_create(&s[r], 2, r != 3 ? a : NULL, 3);
        script_create(&s[r], r != 3 ? 3 : 2, r != 1 ? b : NULL, 3);
    }
    script_irecv(&s[0], 2, ORK_ANY_SOURCE, 1);
    script_irecv(&s[0], 3, ORK_ANY_SOURCE, 2);
    script_wait_all(&s[0], both, 2);
    script_recv(&s[1], 2, 0);
    script_recv(&s[2], 0, 0);
    script_recv(&s[3], 2, 0);
    draw(&p, s, 4);
    assert_int_equal(p.finding.graph.num_nodes, 6);
    assert_int_equal(p.finding.graph.num_arcs, 2 + 3 + 2 * 3);
    const struct ork_graph_node *first = term_of(&p, 0, "request[0]\nMPI_Irecv");
    const struct ork_graph_node *second = term_of(&p, 0, "request[1]\nMPI_Irecv");
    assert_true(first->is_or);
    assert_true(second->is_or);
    assert_arcs(&p, first->id, "0 1 2");
    assert_arcs(&p, second->id, "0 2 3");
    char both_ids[32];
    snprintf(both_ids, sizeof(both_ids), "%u %u", first->id, second->id);
    assert_arcs(&p, 0, both_ids);
    assert_arcs(&p, 1, "2");
    assert_arcs(&p, 2, "0");
    assert_arcs(&p, 3, "2");
    /* the grey set of the paper */
    assert_true(first->core);
    assert_false(second->core);
    assert_rank(&p, 0, "MPI_Waitall", false, true);
    assert_rank(&p, 1, "MPI_Recv", false, true);
    assert_rank(&p, 2, "MPI_Recv", false, true);
    assert_rank(&p, 3, "MPI_Recv", false, false);
    for (uint32_t i = 0; i < p.finding.graph.num_nodes; i++)
        assert_true(p.finding.graph.node[i].root);
    release(&p);
}

static void a_single_wildcard_is_a_rank_with_dashed_arcs(void **state)
{
    static struct script s[3];
    struct picture p;

    (void)state;
    for (uint32_t r = 0; r < 3; r++)
        script_init(&s[r], r, 3);
    script_recv(&s[0], ORK_ANY_SOURCE, 0);
    script_recv(&s[1], 0, 0);
    script_recv(&s[2], 0, 0);
    draw(&p, s, 3);
    assert_int_equal(p.finding.graph.num_nodes, 3);
    assert_rank(&p, 0, "MPI_Recv", true, true);
    assert_rank(&p, 1, "MPI_Recv", false, true);
    assert_rank(&p, 2, "MPI_Recv", false, true);
    assert_arcs(&p, 0, "0 1 2");
    assert_arcs(&p, 1, "0");
    assert_arcs(&p, 2, "0");
    release(&p);
}

static void two_causes_are_two_roots(void **state)
{
    static struct script s[5];
    struct picture p;
    uint32_t core = 0;

    (void)state;
    for (uint32_t r = 0; r < 5; r++) {
        script_init(&s[r], r, 5);
        script_recv(&s[r], r < 4 ? (int32_t)(r ^ 1) : 0, 0);
    }
    draw(&p, s, 5);
    assert_int_equal(ork_wfg_num_bottom(p.search->wfg), 2);
    assert_int_equal(p.finding.graph.num_nodes, 5);
    for (uint32_t r = 0; r < 4; r++)
        assert_true(node_of(&p, r)->root);
    assert_false(node_of(&p, 4)->root);
    for (uint32_t r = 0; r < 5; r++)
        core += node_of(&p, r)->core;
    assert_int_equal(core, 4);
    release(&p);
}

static void a_barrier_is_one_hub_for_all_who_wait_in_it(void **state)
{
    static struct script s[4];
    struct picture p;
    uint32_t hubs = 0;

    (void)state;
    for (uint32_t r = 0; r < 4; r++) {
        script_init(&s[r], r, 4);
        if (r < 3)
            script_coll(&s[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    script_recv(&s[3], 0, 0);
    draw(&p, s, 4);
    assert_int_equal(p.finding.graph.num_nodes, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const struct ork_graph_node *n = &p.finding.graph.node[i];
        if (n->kind != ORK_NODE_HUB)
            continue;
        hubs++;
        assert_string_equal(n->label, "not yet in\nMPI_Barrier");
        assert_false(n->is_or);
        assert_arcs(&p, n->id, "3");
        char hub[16];
        snprintf(hub, sizeof(hub), "%u", n->id);
        for (uint32_t r = 0; r < 3; r++)
            assert_arcs(&p, r, hub);
    }
    assert_int_equal(hubs, 1);
    assert_arcs(&p, 3, "0");
    release(&p);
}

static void a_rank_that_ended_says_so(void **state)
{
    static struct script s[2];
    struct ork_detector *d;
    struct ork_call_sites *sites;
    struct ork_search *search;
    struct ork_finding f = {0};
    const bool mark[2] = {true, true};

    (void)state;
    script_init(&s[0], 0, 2);
    script_init(&s[1], 1, 2);
    script_recv(&s[1], 0, 0);
    assert_int_equal(ork_detector_create(2, &d), ORK_OK);
    assert_int_equal(ork_call_sites_create(2, &sites), ORK_OK);
    for (uint32_t r = 0; r < 2; r++)
        ork_detector_feed(d, r, s[r].record, s[r].n);
    ork_detector_end(d, 0, ORK_END_EXITED);
    assert_int_equal(ork_detector_search(d, ORK_STRICT, &search), ORK_OK);
    make_graph(d, sites, search, mark, &f.graph);
    assert_int_equal(f.graph.num_nodes, 2);
    assert_string_equal(f.graph.node[0].label, "ended");
    assert_string_equal(f.graph.node[1].label, "MPI_Recv");
    ork_finding_release(&f);
    ork_search_destroy(search);
    ork_call_sites_destroy(sites);
    ork_detector_destroy(d);
}

static void a_ring_of_many_ranks_is_kept_as_one_node(void **state)
{
    static struct script s[50];
    struct picture p;

    (void)state;
    for (uint32_t r = 0; r < 50; r++) {
        script_init(&s[r], r, 50);
        script_recv(&s[r], (int32_t)((r + 49) % 50), 0);
    }
    draw(&p, s, 50);
    assert_int_equal(p.finding.graph.num_nodes, 1);
    const struct ork_graph_node *n = &p.finding.graph.node[0];
    assert_int_equal(n->count, 50);
    assert_string_equal(n->towards, "from");
    assert_string_equal(n->relation, "rank-1 mod 50");
    assert_string_equal(n->comm, "MPI_COMM_WORLD");
    assert_true(n->core);
    assert_int_equal(p.finding.graph.num_arcs, 1);
    release(&p);
}

/* Each rank waits for any message on a communicator of its own, in which the next rank is, too. */
static void hubs_of_one_rank_each_all_become_its_arcs(void **state)
{
    enum { RANKS = 30 };
    static struct script s[RANKS];
    uint32_t own[RANKS] = {0};
    struct picture p;

    (void)state;
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&s[r], r, RANKS);
    for (uint32_t c = 0; c < RANKS; c++) {
        uint32_t next = (c + 1) % RANKS;
        const uint32_t pair[] = {c < next ? c : next, c < next ? next : c};
        for (uint32_t r = 0; r < RANKS; r++)
            script_create(&s[r], own[r] == 0 ? 2 : 3, r == c || r == next ? pair : NULL, 2);
        own[c] = own[c] == 0 ? 2 : 3; /* its first communicator, or its second one */
        own[next] = own[next] == 0 ? 1 : own[next];
    }
    for (uint32_t r = 0; r < RANKS; r++)
        script_add(&s[r], (struct ork_record){.kind = ORK_KIND_RECV,
                                              .call = ORK_CALL_MPI_Recv,
                                              .site = (uint32_t)s[r].n + 1,
                                              .comm = own[r],
                                              .request = ORK_REQUEST_NULL,
                                              .peer = ORK_ANY_SOURCE});
    draw(&p, s, RANKS);
    assert_int_equal(p.finding.graph.num_nodes, RANKS);
    assert_int_equal(p.finding.graph.num_arcs, 2 * RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(p.finding.graph.node[r].kind, ORK_NODE_RANK);
        assert_true(p.finding.graph.node[r].is_or);
    }
    assert_arcs(&p, 3, "3 4");
    release(&p);
}

int test_graph(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig_4_of_the_paper_has_four_ranks_and_two_requests),
        cmocka_unit_test(a_single_wildcard_is_a_rank_with_dashed_arcs),
        cmocka_unit_test(two_causes_are_two_roots),
        cmocka_unit_test(a_barrier_is_one_hub_for_all_who_wait_in_it),
        cmocka_unit_test(a_rank_that_ended_says_so),
        cmocka_unit_test(a_ring_of_many_ranks_is_kept_as_one_node),
        cmocka_unit_test(hubs_of_one_rank_each_all_become_its_arcs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
