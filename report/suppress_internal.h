/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside suppression: suppress_parse.c reads lines, suppress.c compares, suppress_lines.c writes
 * them. */
#ifndef ORK_REPORT_SUPPRESS_INTERNAL_H
#define ORK_REPORT_SUPPRESS_INTERNAL_H

#include "report/report.h"

struct line {
    struct line *next;
    char *text; /* what the others point into */
    const char *id;
    bool has_class;
    enum ork_class class_;
    const char *function, *file, *comm; /* patterns; NULL: any */
    uint32_t number;                    /* line of the file; 0: any */
    unsigned source_line;               /* where it stands in the list of suppressions */
    bool fits;                          /* some row of the finding that is looked at */
    bool used;                          /* it has helped to suppress a finding */
};

struct ork_suppress {
    char *name; /* of the file */
    struct line *first;
};

/* Ranks of all knots, else all that are concerned: ascending, each once. The caller's; NULL: out of
 * memory. */
uint32_t *ork_suppress_causes(const struct ork_finding *finding, uint32_t *count);

/* "libx.so+0x1f20" of a place without a file; false: not known. */
bool ork_suppress_address(const struct ork_where *where, char *text, size_t size);

#endif
