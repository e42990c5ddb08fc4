/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a recording a replay has repeated. */
#ifndef ORK_OVERLAY_ROOT_REPLAYED_H
#define ORK_OVERLAY_ROOT_REPLAYED_H

#include "order/file/file.h"
#include "report/report.h"

/* What a rank of the replay did. */
struct ork_replayed {
    uint64_t made; /* choices */
    uint64_t left; /* number of the choice at which it left the recording; 0: it did not */
};

/* Note it, `ranks` of them; nothing of what an exploration decides. ORK_NOMEM. */
enum ork_status ork_replayed_summary(const struct ork_order_file *file,
                                     const struct ork_replayed *rank, uint32_t ranks,
                                     struct ork_report *report);

#endif
