/* SPDX-License-Identifier: BSD-3-Clause */
/* SVG by graphviz, adapted to a page: no internal names, a style sheet, and of each node what its
 * owner adds. Nodes of the DOT text are named n0, n1, ... */
#ifndef ORK_VIZ_SVG_DOCUMENT_H
#define ORK_VIZ_SVG_DOCUMENT_H

#include "common/status.h"

#include <stdint.h>
#include <stdio.h>

struct ork_svg_nodes {
    const void *of; /* passed to both */
    uint32_t count;
    /* Further attributes of the group, each after a blank. */
    void (*put_data)(const void *of, uint32_t node, FILE *out);
    /* The text of its title, escaped, on one line. */
    void (*put_title)(const void *of, uint32_t node, FILE *out);
    const char *dark; /* further rules for a dark screen; static storage */
};

/* *text is the caller's. ORK_NOMEM, ORK_INVALID: graphviz failed. */
enum ork_status ork_svg_document(const char *dot, const struct ork_svg_nodes *nodes, char **text);

#endif
