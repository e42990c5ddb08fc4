/* SPDX-License-Identifier: BSD-3-Clause */
/* overlay/tool/net.h for all processes of a tool job inside one process: batches and orders go from
 * queue to queue, with the same window as between processes. No process of it dies. */
#ifndef ORK_BENCH_LOOPBACK_H
#define ORK_BENCH_LOOPBACK_H

#include "overlay/tool/net.h"

/* What reached the root over its links. */
struct loopback_top {
    uint64_t bytes, batches, waves;
};

/* The next `processes` calls of ork_net_create() are processes 0, 1, ... of one job. ORK_NOMEM. */
enum ork_status loopback_begin(uint32_t processes);
struct loopback_top loopback_top(void);
/* After the last ork_net_destroy(). */
void loopback_end(void);

#endif
