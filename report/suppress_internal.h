/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside suppression: suppress_parse.c reads lines, suppress.c compares, suppress_lines.c writes
 * them. */
#ifndef ORK_REPORT_SUPPRESS_INTERNAL_H
#define ORK_REPORT_SUPPRESS_INTERNAL_H

#include "report/report.h"

struct line {
    struct line *next;
    char *text; /* the other fields point into it */
    const char *id;
    bool has_class;
    enum ork_class class_;
    const char *function, *file, *comm; /* patterns; NULL: any */
    const char *since;                  /* "2026-11-30"; NULL: it does not say */
    const char *reason;                 /* with backslashes, as a pattern; NULL: it does not say */
    uint32_t number;                    /* line of the file; 0: any */
    unsigned source_line;               /* line number in the file of suppressions */
    bool fits;                          /* some row of the finding being examined */
    bool used;                          /* it has helped to suppress a finding */
};

struct ork_suppress {
    char *name; /* of the file */
    struct line *first;
};

/* "libx.so+0x1f20" for a place without a file; false: unknown. */
bool ork_suppress_address(const struct ork_where *where, char *text, size_t size);

#endif
