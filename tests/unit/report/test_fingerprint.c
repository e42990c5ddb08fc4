/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding keeps its name while lines move, ranks are added and folders change, and only then. */
#include "sample.h"

#include "report/fingerprint.h"

#include <stdlib.h>
#include <string.h>

static struct ork_finding make(const char *id, const char *call, const char *function,
                               const char *file, uint32_t line, uint32_t ranks)
{
    struct ork_finding f = sample_finding(id, ORK_CLASS_NONE, ORK_WARNING, "a sentence");

    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct ork_rank_row *row = sample_add_wait(&f, rank, call, NULL, NULL, 0);
        sample_set_where(&row->where, function, file, line);
    }
    return f;
}

/* Of a report with this finding alone, which is taken over. */
static struct ork_fingerprint fingerprint_of(struct ork_finding finding)
{
    struct ork_fingerprint *list, out;
    struct ork_report report;

    ork_report_init(&report);
    sample_take(&report, finding);
    assert_int_equal(ork_fingerprints(&report, &list), ORK_OK);
    out = list[0];
    free(list);
    ork_report_release(&report);
    return out;
}

static void assert_same(struct ork_finding a, struct ork_finding b)
{
    assert_string_equal(fingerprint_of(a).text, fingerprint_of(b).text);
}

static void assert_different(struct ork_finding a, struct ork_finding b)
{
    assert_string_not_equal(fingerprint_of(a).text, fingerprint_of(b).text);
}

static void lines_ranks_and_folders_do_not_count(void **state)
{
    (void)state;
    assert_same(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2),
                make("request-leak", "MPI_Isend", "swap", "/b/c/halo.c", 47, 8));
    struct ork_finding named = make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2);
    free(named.waits[0].comm);
    named.waits[0].comm = strdup("row 3");
    assert_same(named, make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2));
}

static void kind_call_function_and_file_count(void **state)
{
    (void)state;
    assert_different(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2),
                     make("lost-message", "MPI_Isend", "swap", "/a/halo.c", 40, 2));
    assert_different(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2),
                     make("request-leak", "MPI_Irecv", "swap", "/a/halo.c", 40, 2));
    assert_different(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2),
                     make("request-leak", "MPI_Isend", "east", "/a/halo.c", 40, 2));
    assert_different(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2),
                     make("request-leak", "MPI_Isend", "swap", "/a/ring.c", 40, 2));
    struct ork_finding potential = make("deadlock", "MPI_Send", "swap", "/a/halo.c", 40, 2);
    potential.class_ = ORK_POTENTIAL;
    assert_different(make("deadlock", "MPI_Send", "swap", "/a/halo.c", 40, 2), potential);
}

/* RATIONALE: services that follow a finding would see one that is fixed and a new one. */
static void the_value_does_not_change_from_version_to_version(void **state)
{
    (void)state;
    assert_string_equal(
        fingerprint_of(make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2)).text,
        "a87ac6003349303d:1");
}

/* Who only waits is not the cause, nor is who still ran when another rank had died. */
static void only_the_causes_count(void **state)
{
    struct ork_finding a = make("deadlock", "MPI_Recv", "swap", "/a/halo.c", 40, 3),
                       b = make("deadlock", "MPI_Recv", "swap", "/a/halo.c", 40, 3);

    (void)state;
    sample_add_root(&a, 0, 1);
    sample_add_root(&b, 0, 1);
    ork_where_release(&b.waits[2].where);
    sample_set_where(&b.waits[2].where, "other", "/a/other.c", 7);
    assert_same(a, b);
    a = make("abnormal-end", "MPI_Recv", "swap", "/a/halo.c", 40, 3);
    b = make("abnormal-end", "MPI_Recv", "swap", "/a/halo.c", 40, 3);
    a.end = b.end = (struct ork_finding_end){.as = ORK_AS_SIGNAL, .rank = 1, .value = 11};
    ork_where_release(&b.waits[0].where);
    sample_set_where(&b.waits[0].where, "other", "/a/other.c", 7);
    assert_same(a, b);
}

static void equal_ones_are_numbered_by_their_lines(void **state)
{
    struct ork_fingerprint *list;
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    sample_take(&report, make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 50, 2));
    sample_take(&report, make("request-leak", "MPI_Irecv", "swap", "/a/halo.c", 45, 2));
    sample_take(&report, make("request-leak", "MPI_Isend", "swap", "/a/halo.c", 40, 2));
    assert_int_equal(ork_fingerprints(&report, &list), ORK_OK);
    assert_memory_equal(list[0].text, list[2].text, 16);
    assert_string_equal(list[0].text + 16, ":2");
    assert_string_equal(list[1].text + 16, ":1");
    assert_string_equal(list[2].text + 16, ":1");
    free(list);
    ork_report_release(&report);
}

static void a_report_without_findings_has_none(void **state)
{
    struct ork_fingerprint *list;
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    assert_int_equal(ork_fingerprints(&report, &list), ORK_OK);
    free(list);
}

static void without_debug_information_the_library_counts(void **state)
{
    struct ork_finding a = make("request-leak", "MPI_Isend", NULL, NULL, 0, 1),
                       b = make("request-leak", "MPI_Isend", NULL, NULL, 0, 1);

    (void)state;
    a.waits[0].where.module = strdup("/usr/lib/libhalo.so");
    b.waits[0].where.module = strdup("/opt/lib/libhalo.so");
    a.waits[0].where.offset = 16;
    b.waits[0].where.offset = 48;
    assert_same(a, b);
    a = make("request-leak", "MPI_Isend", NULL, NULL, 0, 1);
    b = make("request-leak", "MPI_Isend", NULL, NULL, 0, 1);
    a.waits[0].where.module = strdup("/usr/lib/libhalo.so");
    b.waits[0].where.module = strdup("/usr/lib/libring.so");
    assert_different(a, b);
}

int test_fingerprint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_ranks_and_folders_do_not_count),
        cmocka_unit_test(kind_call_function_and_file_count),
        cmocka_unit_test(the_value_does_not_change_from_version_to_version),
        cmocka_unit_test(only_the_causes_count),
        cmocka_unit_test(equal_ones_are_numbered_by_their_lines),
        cmocka_unit_test(a_report_without_findings_has_none),
        cmocka_unit_test(without_debug_information_the_library_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
