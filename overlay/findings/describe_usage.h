/* SPDX-License-Identifier: BSD-3-Clause */
/* A wrong use of MPI that ranks found in their own calls, as a finding. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_USAGE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_USAGE_H

#include "overlay/findings/call_sites.h"
#include "record/usage.h"

/* How the call ended in which it was found. */
enum ork_usage_end {
    ORK_USAGE_OPEN,   /* it has not returned yet */
    ORK_USAGE_PASSED, /* it returned without an error */
    ORK_USAGE_FAILED, /* it returned an error */
    ORK_USAGE_DIED,   /* the rank ended in it */
};

/* One rank's. */
struct ork_rank_usage {
    uint32_t rank;
    struct ork_record record; /* USAGE, FOUND */
    char *argument, *text;    /* never NULL */
    enum ork_usage_end end;
    char *error;    /* FAILED: "MPI_ERR_COUNT: invalid count argument"; else NULL */
    uint64_t times; /* at least 1 */
    bool varies;    /* the values and the text are those of the first time */
    bool is_void;   /* all that it was about has been taken back */
};

/* Is it a finding, as far as is known? */
bool ork_rank_usage_counts(const struct ork_rank_usage *usage);

/* Are both the same mistake in calls at one place? ORK_NOMEM. */
enum ork_status ork_rank_usage_is_alike(struct ork_call_sites *sites,
                                        const struct ork_rank_usage *a,
                                        const struct ork_rank_usage *b, bool *yes);

/* One finding of `n` that count and are alike, n at least 1, sorted by rank. ORK_NOMEM. */
enum ork_status ork_describe_usage(struct ork_call_sites *sites,
                                   const struct ork_rank_usage *const *usage, uint32_t n,
                                   struct ork_finding *finding);

#endif
