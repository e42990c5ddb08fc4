/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of mustview. */
#ifndef ORK_MUSTVIEW_OPTIONS_H
#define ORK_MUSTVIEW_OPTIONS_H

#include "mustview/select.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum ork_view_format {
    ORK_VIEW_TEXT,
    ORK_VIEW_HTML,
    ORK_VIEW_JSON,
    ORK_VIEW_SARIF,
    ORK_VIEW_JUNIT,
    ORK_VIEW_GITHUB,
    ORK_VIEW_GITLAB,
    ORK_VIEW_DOT,
    ORK_VIEW_SVG,
    ORK_VIEW_PNG,
    ORK_VIEW_PDF,
    ORK_VIEW_LANES_SVG,
    ORK_VIEW_FORMAT_MAX
};

struct ork_view_options {
    enum ork_view_format format;
    enum ork_show show;
    uint32_t finding;        /* from 1; 0: all of them, or the first that has a graph */
    const char *output;      /* NULL: standard output */
    const char *reason;      /* of --suppression; NULL: none */
    const char *source_root; /* NULL: the repository of the present folder */
    bool force, diff, live, order, suppression, help, version; /* `suppression`: of `finding` */
    bool timestamps, ordered;
    /* two with `diff`; with `live` a session, or none; orders with `order`; with `ordered` two
     * events, and the file */
    const char *input[3];
};

/* Words stay the caller's. false: *options is invalid, and an error message was printed. */
bool ork_view_options_parse(int argc, char **argv, struct ork_view_options *options);

const char *ork_view_format_word(enum ork_view_format format);
/* Is the output binary, and so not suitable for a terminal? */
bool ork_view_format_is_binary(enum ork_view_format format);

void ork_view_options_help(FILE *out);

#endif
