/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of processes: ranks of the first job keep theirs, each further job lies behind those
 * known. */
#ifndef ORK_NUMBERS_H
#define ORK_NUMBERS_H

#include "common/status.h"
#include "record/ring.h"

struct ork_numbered_job;

/* All zero at first. */
struct ork_numbers {
    struct ork_numbered_job *job; /* in the order in which their first ranks came */
    uint32_t count;
};

void ork_numbers_release(struct ork_numbers *numbers);

/* The number of a rank that says hello. ORK_NOTFOUND: it has none, because the size of a job is not
 * known, or the rank is none of its job. ORK_NOMEM. */
enum ork_status ork_numbers_give(struct ork_numbers *numbers, const struct ork_hello *hello,
                                 uint32_t *rank);

#endif
