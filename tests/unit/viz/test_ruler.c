/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/ruler.h"

#include <stdlib.h>
#include <string.h>

static struct ork_finding with_accesses(const struct ork_window_access *access, uint32_t count)
{
    struct ork_finding f = sample_finding("rma-conflict", ORK_CLASS_NONE, ORK_ERROR, "m");

    f.access = calloc(count, sizeof(*f.access));
    assert_non_null(f.access);
    f.num_accesses = count;
    for (uint32_t i = 0; i < count; i++) {
        f.access[i] = access[i];
        f.access[i].call = strdup("MPI_Put");
    }
    return f;
}

static char *ruler(const struct ork_finding *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    ork_ruler_put(out, f);
    fclose(out);
    return text;
}

static void the_common_bytes_are_named(void **state)
{
    const struct ork_window_access both[] = {{.rank = 1, .low = 96, .high = 112, .is_read = true},
                                             {.rank = 2, .low = 80, .high = 100, .has_gaps = true}};
    struct ork_finding f = with_accesses(both, 2);
    char *svg = ruler(&f);

    (void)state;
    assert_true(sample_contains(svg, ">in both: bytes 96-99<"));
    assert_true(sample_contains(svg, ">reads bytes 96-111<"));
    assert_true(sample_contains(svg, ">writes some of bytes 80-99<"));
    assert_true(sample_contains(svg, ">rank 2<"));
    assert_true(sample_contains(svg, ">Put<"));
    assert_true(sample_contains(svg, ">memory of rank 0<"));
    assert_int_equal(sample_count(svg, "<rect"), 3);
    free(svg);
    ork_finding_release(&f);
}

static void addresses_are_hexadecimal(void **state)
{
    const struct ork_window_access one[] = {{.low = 0x7f10, .high = 0x7f18, .is_address = true}};
    struct ork_finding f = with_accesses(one, 1);
    char *svg = ruler(&f);

    (void)state;
    assert_true(sample_contains(svg, ">writes bytes 0x7f10-0x7f17<"));
    assert_false(sample_contains(svg, "in both"));
    free(svg);
    ork_finding_release(&f);
}

static void the_end_of_the_memory_is_shown(void **state)
{
    const struct ork_window_access one[] = {{.low = 400, .high = 404}};
    struct ork_finding f = with_accesses(one, 1);

    (void)state;
    f.window_size = 16;
    char *svg = ruler(&f);
    assert_true(sample_contains(svg, ">the memory ends: 16 bytes<"));
    free(svg);
    ork_finding_release(&f);
}

static void what_cannot_be_compared_is_not_drawn(void **state)
{
    const struct ork_window_access other[] = {{.low = 0, .high = 4},
                                              {.target = 1, .low = 0, .high = 4}};
    const struct ork_window_access none[] = {{.low = 4, .high = 4}};
    const struct ork_window_access all[] = {{.low = INT64_MIN, .high = INT64_MAX}};
    struct ork_finding f = with_accesses(other, 2);
    char *svg = ruler(&f);

    (void)state;
    assert_string_equal(svg, "");
    free(svg);
    ork_finding_release(&f);
    f = with_accesses(none, 1);
    svg = ruler(&f);
    assert_string_equal(svg, "");
    free(svg);
    ork_finding_release(&f);
    f = with_accesses(all, 1);
    svg = ruler(&f);
    assert_true(sample_contains(svg, "</svg>"));
    assert_false(sample_contains(svg, "nan"));
    free(svg);
    ork_finding_release(&f);
}

int test_ruler(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_bytes_are_named),
        cmocka_unit_test(addresses_are_hexadecimal),
        cmocka_unit_test(the_end_of_the_memory_is_shown),
        cmocka_unit_test(what_cannot_be_compared_is_not_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
