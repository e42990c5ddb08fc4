/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/job_phrase.h"

#include "overlay/findings/describe_internal.h"
#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>
#include <string.h>

enum { PARENTS = 2, CHILDREN = 3, NAME = 77 };

struct state {
    struct ork_detector *d;
    struct ork_call_sites *sites;
};

static int set_up(void **state)
{
    static struct state s;
    const uint32_t ranks = PARENTS + CHILDREN;

    *state = &s;
    return ork_detector_create(PARENTS, &s.d) != ORK_OK ||
           ork_call_sites_create(PARENTS, &s.sites) != ORK_OK ||
           ork_detector_add_job(s.d, PARENTS, CHILDREN, NAME) != ORK_OK ||
           ork_call_sites_grow(s.sites, ranks) != ORK_OK;
}

static int tear_down(void **state)
{
    struct state *s = *state;

    ork_call_sites_destroy(s->sites);
    ork_detector_destroy(s->d);
    return 0;
}

static void feed(struct state *s, uint32_t rank, const struct script *script)
{
    assert_int_equal(ork_detector_feed(s->d, rank, script->record, script->n), ORK_OK);
    assert_int_equal(ork_call_sites_feed(s->sites, rank, script->record, script->n), ORK_OK);
}

/* `text` is taken over. */
static void assert_text(char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* A call on MPI_COMM_WORLD in which the rank stays. */
static void enter(struct state *s, uint32_t rank, enum ork_coll coll, uint16_t call)
{
    struct script script = {.n = 0};

    script_add(&script,
               (struct ork_record){.kind = ORK_KIND_COLL, .mode = (uint16_t)coll, .call = call});
    feed(s, rank, &script);
}

/* Rank 1 spawned the second job. */
static void spawn(struct state *s)
{
    const uint32_t groups[] = {0, 1, PARENTS, UINT32_MAX, NAME, 0, 0, 1, CHILDREN};
    struct script script = {.n = 0};

    script_add(&script, (struct ork_record){.kind = ORK_KIND_COLL,
                                            .mode = ORK_COLL_COMM_SPAWN,
                                            .call = ORK_CALL_MPI_Comm_spawn,
                                            .peer = 1});
    script_list(&script,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .mode = ORK_COLL_COMM_SPAWN,
                                    .call = ORK_CALL_MPI_Comm_spawn,
                                    .flags = ORK_F_INTER,
                                    .comm = 2,
                                    .peer = 1,
                                    .arg2 = 1},
                groups, 9);
    for (uint32_t r = 0; r < PARENTS; r++)
        feed(s, r, &script);
}

static void every_rank_is_in_one_job(void **state)
{
    struct state *s = *state;

    assert_int_equal(ork_detector_add_job(s->d, PARENTS + CHILDREN, 1, NAME + 1), ORK_OK);
    for (uint32_t r = 0; r < PARENTS; r++)
        assert_int_equal(ork_job_of(s->d, r), 0);
    for (uint32_t r = PARENTS; r < PARENTS + CHILDREN; r++)
        assert_int_equal(ork_job_of(s->d, r), 1);
    assert_int_equal(ork_job_of(s->d, PARENTS + CHILDREN), 2);
}

static void a_job_is_known_by_who_spawned_it(void **state)
{
    struct state *s = *state;

    assert_text(ork_job_origin(s->d, s->sites, 1), "origin unknown");
    spawn(s);
    assert_text(ork_job_origin(s->d, s->sites, 1), "spawned by rank 1 in MPI_Comm_spawn");
}

static void add_jobs(struct state *s, struct ork_finding *f)
{
    struct ork_writing w = {.d = s->d, .sites = s->sites};

    ork_describe_add_jobs(&w, f);
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void a_finding_says_which_of_its_ranks_were_spawned(void **state)
{
    struct state *s = *state;
    struct ork_rank_row waits[] = {{.rank = 1}, {.rank = 3}, {.rank = 4}};
    struct ork_finding f = {.waits = waits, .num_waits = 1};

    spawn(s);
    add_jobs(s, &f);
    assert_int_equal(f.num_details, 0);
    f.num_waits = 3;
    add_jobs(s, &f);
    assert_int_equal(f.num_details, 1);
    assert_string_equal(f.detail[0],
                        "Ranks 2-4 are ranks 0-2 of job 2, spawned by rank 1 in MPI_Comm_spawn.");
    f.waits = NULL;
    f.num_waits = 0;
    ork_finding_release(&f);
}

static void a_hang_names_who_waits_for_a_process_that_is_not_there(void **state)
{
    struct state *s = *state;

    enter(s, 0, ORK_COLL_BARRIER, ORK_CALL_MPI_Barrier);
    assert_text(
        ork_job_phrase_hang(s->d, PARENTS, false),
        "every rank has been inside an MPI call for 10 seconds, and no deadlock explains it");
    for (uint32_t r = PARENTS; r < PARENTS + CHILDREN; r++)
        enter(s, r, ORK_COLL_COMM_ACCEPT, ORK_CALL_MPI_Comm_accept);
    assert_text(ork_job_phrase_hang(s->d, PARENTS + CHILDREN, false),
                "ranks 2-4 wait in MPI_Comm_accept for a process outside this run, and no deadlock "
                "explains the hang");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_job_phrase(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_rank_is_in_one_job),
        CASE(a_job_is_known_by_who_spawned_it),
        CASE(a_finding_says_which_of_its_ranks_were_spawned),
        CASE(a_hang_names_who_waits_for_a_process_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
