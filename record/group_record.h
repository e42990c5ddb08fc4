/* SPDX-License-Identifier: BSD-3-Clause */
/* One record for many ranks. */
#ifndef ORK_GROUP_RECORD_H
#define ORK_GROUP_RECORD_H

#include "record/record.h"

/* Processes first .. first + count - 1. */
struct ork_span {
    uint32_t first, count;
};

/* The next record of all ranks of the spans, which are ascending and disjoint. */
struct ork_group_record {
    struct ork_record call;
    const struct ork_span *span;
    uint32_t num_spans;
};

#endif
