/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of processes: ranks of the first job keep theirs, each further job is numbered after
 * those known. */
#ifndef ORK_OVERLAY_STREAM_RANK_NUMBERING_H
#define ORK_OVERLAY_STREAM_RANK_NUMBERING_H

#include "common/status.h"
#include "overlay/stream/link.h"

struct ork_numbered_job {
    struct ork_job_name name;
    uint32_t first; /* number of its rank 0 */
};

/* All zero at first. */
struct ork_rank_numbering {
    struct ork_numbered_job *job; /* in the order in which their first ranks attached */
    uint32_t count;
};

void ork_rank_numbering_release(struct ork_rank_numbering *numbers);

/* The number of the first rank of a job, known or new. ORK_NOTFOUND: its ranks get none, because
 * the size of a job is unknown. ORK_NOMEM. */
enum ork_status ork_rank_numbering_give(struct ork_rank_numbering *numbers,
                                        const struct ork_job_name *name, uint32_t *first);

#endif
