/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/signature_text.h"

#include "bytes/datatype/basic.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

static char text[ORK_ITEMS_TEXT];

/* Takes ownership of the sequence. */
static const char *words(uint64_t count, struct ork_sequence *sequence)
{
    struct ork_items items = {count, sequence};

    assert_non_null(sequence);
    ork_items_write(text, &items);
    ork_sequence_unref(sequence);
    return text;
}

static struct ork_sequence *ints(void)
{
    return ork_sequence_of_basic(ork_type_id_of_basic(ORK_BASIC_MPI_INT, 4));
}

static void equal_elements_are_counted(void **unused)
{
    (void)unused;
    assert_string_equal(words(3, ints()), "3 x MPI_INT");
}

static void no_elements_have_no_name(void **unused)
{
    (void)unused;
    assert_string_equal(words(0, ints()), "0 bytes");
    assert_string_equal(words(5, ork_sequence_of_parts(NULL, 0)), "0 bytes");
}

static void what_is_not_known_has_no_name(void **unused)
{
    (void)unused;
    assert_string_equal(words(2, ork_sequence_unknown(10)), "20 bytes");
}

int test_signature_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_elements_are_counted),
        cmocka_unit_test(no_elements_have_no_name),
        cmocka_unit_test(what_is_not_known_has_no_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
