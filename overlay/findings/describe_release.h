/* SPDX-License-Identifier: BSD-3-Clause */
/* Release propagation on a searched graph without one of its arcs: what if that wait were over? */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_RELEASE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_RELEASE_H

#include "common/status.h"
#include "report/report.h"
#include "wfg/wfg.h"

struct ork_release;

/* The graph must outlive *out, which the caller destroys. ORK_NOMEM. */
enum ork_status ork_release_create(const struct ork_wfg *graph, struct ork_release **out);
/* NULL is allowed. */
void ork_release_destroy(struct ork_release *r);

/* Treat arc `arc` of `node` as satisfied, and propagate. Returns how many deadlocked processes are
 * released then. Cannot fail. */
uint32_t ork_release_without(struct ork_release *r, uint32_t node, uint32_t arc);
/* These nodes, after the latest call; in no order. */
const uint32_t *ork_release_nodes(const struct ork_release *r, uint32_t *count);
/* Number of arcs processed so far. */
uint64_t ork_release_work(const struct ork_release *r);

#endif
