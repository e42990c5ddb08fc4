/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong uses of MPI that a rank finds in its own calls: usage.def as data. Pure. */
#ifndef ORK_RECORD_USAGE_H
#define ORK_RECORD_USAGE_H

#include <stdbool.h>
#include <stddef.h>

enum ork_usage_id {
#define ORK_USAGE(name, id, severity, section, headline, rule) ORK_USAGE_##name,
#include "usage.def"
#undef ORK_USAGE
    ORK_USAGE_MAX
};

enum ork_usage_severity {
    ORK_USAGE_ERROR,
    ORK_USAGE_WARNING,
    ORK_USAGE_NOTE,
    ORK_USAGE_IF_FAILED, /* an error if the call fails or the run ends in it; else nothing */
};

/* Different mistakes that are reported of one rank. */
enum { ORK_USAGES_MAX = 4096 };

/* What a USAGE record says. */
enum ork_usage_event {
    ORK_USAGE_FOUND,      /* before the call is made */
    ORK_USAGE_RETURNED,   /* the call has returned */
    ORK_USAGE_COUNTED,    /* how often it was found so far */
    ORK_USAGE_DROPPED,    /* how many were dropped so far, because the rank keeps no more of them */
    ORK_USAGE_TAKEN_BACK, /* one less: $n, or $v, of the same number */
    ORK_USAGE_EVENT_MAX
};

/* The columns of usage.def. Static storage. */
struct ork_usage_kind {
    const char *id; /* of the finding */
    enum ork_usage_severity severity;
    const char *section; /* of MPI-3.1 */
    const char *headline;
    const char *rule;
    bool is_of_buffer; /* about the bytes of the buffer of a call */
};

/* NULL for an invalid number. */
const struct ork_usage_kind *ork_usage_kind(unsigned id);

/* Does this mistake keep its call from completing, unless the library finds it? What the call waits
 * for does not exist, or is not there. */
bool ork_usage_keeps_call(unsigned id);

/* Does this say what is left when MPI_Finalize returns? */
bool ork_usage_is_leak(unsigned id);

/* Which checks are on, by --must:checks: a comma-separated list of finding ids, or "all" or "none".
 * Sets is_on for each check. False: *unknown, of `length` bytes, is no id of a check. */
bool ork_usage_choose(const char *list, bool is_on[ORK_USAGE_MAX], const char **unknown,
                      size_t *length);

#endif
