/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines and environments that are parsed, and what came out. */
#ifndef ORK_TEST_MUSTRUN_PARSING_H
#define ORK_TEST_MUSTRUN_PARSING_H

#include "mustrun/options/options.h"

#include "words.h"

#include <string.h>

static char *const nothing[] = {NULL};

/* Parsed options, what is left of the words, and the sentence about what is wrong. */
struct fixture {
    struct ork_options options;
    struct ork_argv rest;
    char error[ORK_OPTIONS_ERROR];
};

static inline enum ork_status parse(struct fixture *f, char *const *words, char *const *environment)
{
    *f = (struct fixture){0};
    return ork_options_parse(words, environment, NULL, &f->options, &f->rest, f->error);
}

static inline void check_refused(char *const *words, char *const *environment, const char *sentence)
{
    struct fixture f;

    assert_int_equal(parse(&f, words, environment), ORK_INVALID);
    assert_string_equal(f.error, sentence);
    ork_argv_release(&f.rest);
}

#endif
