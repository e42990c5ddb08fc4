/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that ended without MPI_Finalize, or by a signal: which of them was the first, and which
 * ends are only a consequence. See docs/explanation/ends.md. */
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
    ORK_ABNORMAL_NONE,    /* it did not, or that is unknown */
    ORK_ABNORMAL_CAUSE,   /* some ranks ended by themselves: the causes */
    ORK_ABNORMAL_OUTSIDE, /* none did: all were ended by signals from outside */
};

struct ork_ends {
    struct ork_ended *ended; /* as reported; once classified, the causes first, by time */
    uint32_t count, cap;
    uint32_t causes;
    bool is_unsure;    /* the causes left no trace: one of them was the first, unknown which */
    uint32_t finished; /* ranks that ended normally; they are not in `ended` */
    uint32_t unknown;  /* ranks that may have done anything; they are not in `ended`, either */
    uint32_t left;     /* ranks that had not ended when it was classified */
    int launcher;      /* see ork_root_set_launcher(); 0: unknown */
    uint32_t size;     /* ranks of the only job; 0: there are several */
};

/* Copy the end of a rank. ORK_NOMEM. */
enum ork_status ork_ends_add(struct ork_ends *ends, uint32_t rank, const struct ork_ending *ending);
void ork_ends_release(struct ork_ends *ends);

/* Is that end abnormal? After MPI_Finalize only a signal is, and an MPI call that fails. */
bool ork_ending_is_abnormal(const struct ork_ending *ending);
/* A signal by which others ask a process to end: not the fault of the process. */
bool ork_ending_is_asked_for(const struct ork_ending *ending);

/* Did all known ranks end silently in MPI_Init, and are there others? Then these have not called
 * it. */
bool ork_ends_lack_ranks(const struct ork_ends *ends);

/* The signal that ended the first rank, as the launcher reports it by its exit code; 0: none. */
int ork_ends_signal(const struct ork_ends *ends);

/* Find the causes among the ends added so far. */
enum ork_abnormal ork_ends_classify(struct ork_ends *ends);

#endif
