/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that ended without MPI_Finalize, or by a signal: which of them was the first, and what is
 * only a consequence of it. See docs/explanation/ends.md. */
#ifndef ORK_OVERLAY_FINDINGS_ENDS_H
#define ORK_OVERLAY_FINDINGS_ENDS_H

#include "overlay/stream/link.h"

struct ork_ended {
    uint32_t rank;
    struct ork_ending ending; /* its strings and its stack are this object's */
    bool is_cause;            /* see ork_ends_classify() */
};

/* Why the run ended abnormally. */
enum ork_abnormal {
    ORK_ABNORMAL_NONE,    /* it did not */
    ORK_ABNORMAL_CAUSE,   /* some ranks ended by themselves: the causes */
    ORK_ABNORMAL_OUTSIDE, /* nobody did: all were ended by signals from outside */
};

struct ork_ends {
    struct ork_ended *ended; /* in the order in which it was told; the causes first, the earliest
                                before the others, once it was classified */
    uint32_t count, cap;
    uint32_t causes;
    uint32_t finished; /* ranks that came to their end in good order; they are not in `ended` */
    uint32_t left;     /* ranks that were still there when it was classified */
    int launcher;      /* see ork_root_set_launcher(); 0: nothing is known */
};

/* Copy what is told of a rank. ORK_NOMEM. */
enum ork_status ork_ends_add(struct ork_ends *ends, uint32_t rank, const struct ork_ending *ending);
void ork_ends_release(struct ork_ends *ends);

/* Is that end worth a word? One after MPI_Finalize is only if a signal came. */
bool ork_ending_is_abnormal(const struct ork_ending *ending);
/* A signal by which others ask a process to end: nobody's fault. */
bool ork_ending_is_asked_for(const struct ork_ending *ending);

/* Find the causes among those that were told up to now. */
enum ork_abnormal ork_ends_classify(struct ork_ends *ends);

#endif
