/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/phrase.h"

#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `text` is taken over. */
static void assert_text(char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

#define RANKS(expected, ...)                                                                       \
    do {                                                                                           \
        const uint32_t rank_[] = {__VA_ARGS__};                                                    \
        assert_text(ork_phrase_ranks(rank_, sizeof(rank_) / sizeof(*rank_)), expected);            \
    } while (0)

static void ranks_are_said_as_a_person_would(void **state)
{
    (void)state;
    RANKS("rank 3", 3);
    RANKS("ranks 0 and 1", 0, 1);
    RANKS("ranks 0 and 7", 0, 7);
    RANKS("ranks 0-2", 0, 1, 2);
    RANKS("ranks 0-6", 0, 1, 2, 3, 4, 5, 6);
    RANKS("ranks 0, 2 and 5", 0, 2, 5);
    RANKS("ranks 0-6, 8 and 9", 0, 1, 2, 3, 4, 5, 6, 8, 9);
    RANKS("ranks 0-2 and 4-6", 0, 1, 2, 4, 5, 6);
    RANKS("ranks 0, 1 and 4-6", 0, 1, 4, 5, 6);
    RANKS("ranks 0, 1, 3 and 4", 0, 1, 3, 4);
    RANKS("ranks 4294967293-4294967295", 4294967293u, 4294967294u, 4294967295u);
}

static void peers_and_tags_have_mpis_names(void **state)
{
    (void)state;
    assert_text(ork_phrase_peer(3), "3");
    assert_text(ork_phrase_peer(ORK_ANY_SOURCE), "MPI_ANY_SOURCE");
    assert_text(ork_phrase_peer(ORK_PROC_NULL), "MPI_PROC_NULL");
    assert_text(ork_phrase_peer(ORK_ROOT), "MPI_ROOT");
    assert_text(ork_phrase_tag(7), "7");
    assert_text(ork_phrase_tag(ORK_ANY_TAG), "MPI_ANY_TAG");
}

static void a_call_is_said_with_its_place_if_that_is_known(void **state)
{
    char file[] = "src/solver/a.c";
    struct ork_where where = {.file = file, .line = 40};

    (void)state;
    assert_text(ork_phrase_call("MPI_Recv", &where), "MPI_Recv at a.c:40");
    where.file = NULL;
    assert_text(ork_phrase_call("MPI_Recv", &where), "MPI_Recv");
}

static void a_call_of_python_has_the_name_of_its_line(void **state)
{
    char file[] = "/tmp/phrase-XXXXXX.py";
    struct ork_where where = {.file = file, .line = 2};
    int fd = mkstemps(file, 3);
    char expected[96];

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(dprintf(fd, "import x\ndata = comm.recv()\n"), 28);
    close(fd);
    snprintf(expected, sizeof(expected), "comm.recv (MPI_Mprobe) at %s:2", file + strlen("/tmp/"));
    assert_text(ork_phrase_call("MPI_Mprobe", &where), expected);
    snprintf(expected, sizeof(expected), "comm.recv (MPI_Mprobe, %s:2)", file + strlen("/tmp/"));
    assert_text(ork_phrase_in_call("MPI_Mprobe", &where), expected);
    snprintf(expected, sizeof(expected), "MPI_Barrier (%s:2)", file + strlen("/tmp/"));
    assert_text(ork_phrase_in_call("MPI_Barrier", &where), expected);
    where.line = 3;
    snprintf(expected, sizeof(expected), "MPI_Mprobe (%s:3)", file + strlen("/tmp/"));
    assert_text(ork_phrase_in_call("MPI_Mprobe", &where), expected);
    assert_int_equal(unlink(file), 0);
}

/* ---- communicators ---- */

struct world {
    struct ork_detector *d;
    struct ork_call_sites *sites;
};

/* One rank, which did what `s` says. */
static struct world world_of(const struct script *s)
{
    struct world w;

    assert_int_equal(ork_detector_create(1, &w.d), ORK_OK);
    assert_int_equal(ork_call_sites_create(1, &w.sites), ORK_OK);
    assert_int_equal(ork_detector_feed(w.d, 0, s->record, s->n), ORK_OK);
    assert_int_equal(ork_call_sites_feed(w.sites, 0, s->record, s->n), ORK_OK);
    assert_null(ork_detector_fault(w.d, 0));
    return w;
}

static void release(struct world *w)
{
    ork_detector_destroy(w->d);
    ork_call_sites_destroy(w->sites);
}

/* MPI_Comm_dup of `parent`, as number `id`. */
static void dup_comm(struct script *s, uint32_t parent, uint32_t id)
{
    script_coll(s, parent, ORK_COLL_COMM_DUP);
    script_add(s, (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                      .flags = ORK_F_SAME_GROUP,
                                      .mode = ORK_COLL_COMM_DUP,
                                      .comm = id,
                                      .arg = parent});
}

/* Number of the first communicator made, and of the next ones, as the detector counts. */
static uint32_t made(const struct world *w, uint32_t nth)
{
    for (uint32_t c = 0; c < 10000; c++) {
        if (ork_detector_comm(w->d, c).made_by != ORK_COLL_NONE && nth-- == 0)
            return c;
    }
    fail();
    return 0;
}

static void predefined_communicators_have_their_names(void **state)
{
    struct script s = {0};

    (void)state;
    script_init(&s, 0, 1);
    struct world w = world_of(&s);
    assert_text(ork_phrase_comm(w.d, w.sites, ORK_COMM_WORLD), "MPI_COMM_WORLD");
    assert_text(ork_phrase_comm(w.d, w.sites, ORK_COMM_SELF), "MPI_COMM_SELF");
    assert_text(ork_phrase_comm(w.d, w.sites, 4711), "a communicator that was freed");
    release(&w);
}

static void a_named_communicator_has_its_name(void **state)
{
    struct script s = {0};

    (void)state;
    script_init(&s, 0, 1);
    dup_comm(&s, ORK_COMM_WORLD, 2);
    script_text(&s, (struct ork_record){.kind = ORK_KIND_COMM_NAME, .comm = 2}, "rows <1>", 8);
    struct world w = world_of(&s);
    assert_text(ork_phrase_comm(w.d, w.sites, made(&w, 0)), "rows <1>");
    release(&w);
}

static void an_unnamed_communicator_says_how_it_was_made(void **state)
{
    struct script s = {0};
    const uint32_t run[] = {0, 0, 1};

    (void)state;
    script_init(&s, 0, 1);
    script_text(
        &s,
        (struct ork_record){.kind = ORK_KIND_SITE, .flags = ORK_F_SOURCE, .site = 9, .arg2 = 31},
        "src/a.c\0main", 12);
    dup_comm(&s, ORK_COMM_WORLD, 2);
    script_coll(&s, 2, ORK_COLL_COMM_SPLIT);
    script_list(&s,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .mode = ORK_COLL_COMM_SPLIT,
                                    .site = 9,
                                    .comm = 3,
                                    .arg = 2,
                                    .tag2 = -4,
                                    .arg2 = 1},
                run, 3);
    dup_comm(&s, 3, 4);
    struct world w = world_of(&s);
    assert_text(ork_phrase_comm(w.d, w.sites, made(&w, 0)), "MPI_Comm_dup of MPI_COMM_WORLD");
    assert_text(ork_phrase_comm(w.d, w.sites, made(&w, 1)),
                "MPI_Comm_split of MPI_Comm_dup of MPI_COMM_WORLD, color -4, at a.c:31");
    assert_text(ork_phrase_comm(w.d, w.sites, made(&w, 2)),
                "MPI_Comm_dup of (MPI_Comm_split of MPI_Comm_dup of MPI_COMM_WORLD, color -4, at "
                "a.c:31)");
    release(&w);
}

static void a_long_line_of_ancestors_is_cut(void **state)
{
    static struct script s;

    (void)state;
    script_init(&s, 0, 1);
    for (uint32_t id = 2; id < 200; id++)
        dup_comm(&s, id == 2 ? ORK_COMM_WORLD : id - 1, id);
    struct world w = world_of(&s);
    assert_text(ork_phrase_comm(w.d, w.sites, made(&w, 197)),
                "MPI_Comm_dup of MPI_Comm_dup of MPI_Comm_dup of MPI_Comm_dup of another "
                "communicator");
    release(&w);
}

int test_phrase(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_said_as_a_person_would),
        cmocka_unit_test(peers_and_tags_have_mpis_names),
        cmocka_unit_test(a_call_is_said_with_its_place_if_that_is_known),
        cmocka_unit_test(a_call_of_python_has_the_name_of_its_line),
        cmocka_unit_test(predefined_communicators_have_their_names),
        cmocka_unit_test(a_named_communicator_has_its_name),
        cmocka_unit_test(an_unnamed_communicator_says_how_it_was_made),
        cmocka_unit_test(a_long_line_of_ancestors_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
