/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of words of the tests of command lines. */
#ifndef ORK_TEST_MUSTRUN_WORDS_H
#define ORK_TEST_MUSTRUN_WORDS_H

#include "mustrun/launcher/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* What is known of the options of a launcher beside its list, before a command was read. */
static const struct ork_extras extras = {.np = "-np"};

#define WORDS(...)                                                                                 \
    (char *const[])                                                                                \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* The caller releases it. */
static inline struct ork_argv list_of(char *const *words)
{
    struct ork_argv list = {0};

    while (*words != NULL)
        ork_argv_add(&list, *words++);
    assert_false(list.failed);
    return list;
}

/* The quoted line of a list is easier to compare, and to read in a failure. */
static inline void check_line(const struct ork_argv *list, const char *expected)
{
    char *line = ork_argv_quote(list);

    assert_non_null(line);
    assert_string_equal(line, expected);
    free(line);
}

#endif
