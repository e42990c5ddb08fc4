/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/image.h"

#include <stdlib.h>
#include <string.h>

static uint32_t big_endian(const char *at)
{
    const unsigned char *u = (const unsigned char *)at;

    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static void png_has_its_size_in_its_header(void **state)
{
    struct ork_finding f = sample_fig4();
    char *data = NULL;
    char *error = NULL;
    size_t size = 0;

    (void)state;
    assert_int_equal(ork_viz_image(&f, ORK_IMAGE_PNG, &data, &size, &error), ORK_OK);
    assert_null(error);
    assert_true(size > 2000);
    assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(data + 12, "IHDR", 4);
    assert_in_range(big_endian(data + 16), 300, 3000);
    assert_in_range(big_endian(data + 20), 300, 3000);
    assert_memory_equal(data + size - 8, "IEND", 4);
    free(data);
    ork_finding_release(&f);
}

static void pdf_is_whole(void **state)
{
    struct ork_finding f = sample_fig4();
    char *data = NULL;
    char *error = NULL;
    size_t size = 0;

    (void)state;
    assert_int_equal(ork_viz_image(&f, ORK_IMAGE_PDF, &data, &size, &error), ORK_OK);
    assert_true(size > 1000);
    assert_memory_equal(data, "%PDF-", 5);
    assert_memory_equal(data + size - 6, "%%EOF\n", 6);
    free(data);
    ork_finding_release(&f);
}

static void no_graph_no_image(void **state)
{
    struct ork_finding f = sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y");
    char *data = NULL;
    char *error = NULL;
    size_t size = 0;

    (void)state;
    assert_int_equal(ork_viz_image(&f, ORK_IMAGE_PNG, &data, &size, &error), ORK_NOTFOUND);
    assert_null(data);
    assert_null(error);
    ork_finding_release(&f);
}

int test_image(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_has_its_size_in_its_header),
        cmocka_unit_test(pdf_is_whole),
        cmocka_unit_test(no_graph_no_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
