/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the run: takes the ORDER records of all ranks, counts and hashes their choices, and
 * writes the file (docs/explanation/order.md). A file that cannot be written never disturbs the
 * run. */
#ifndef ORK_OVERLAY_ROOT_ORDER_H
#define ORK_OVERLAY_ROOT_ORDER_H

#include "detector/detector.h"
#include "order/file/file.h"
#include "overlay/findings/call_sites.h"
#include "report/report.h"

struct ork_recording;

/* `path`: the file while the run goes on, made at the first choice; NULL: none is written. The
 * texts must outlive the recording. ORK_NOMEM. */
enum ork_status ork_recording_create(uint32_t nprocs, const char *path, const char *program,
                                     struct ork_recording **out);
/* NULL is allowed. A file that is still open remains as it is, and is marked as incomplete. */
void ork_recording_destroy(struct ork_recording *r);
enum ork_status ork_recording_grow(struct ork_recording *r, uint32_t nprocs);

/* Process the next records of a rank; only ORDER with its list is used. Untrusted: from an invalid
 * one on, the rank has no order. ORK_NOMEM. */
enum ork_status ork_recording_feed(struct ork_recording *r, uint32_t rank,
                                   const struct ork_record *record, size_t n);
/* Write what came, if something did and a second has passed. Places and jobs are found as of now.
 * ORK_NOMEM. */
enum ork_status ork_recording_step(struct ork_recording *r, uint64_t now_ns,
                                   struct ork_call_sites *sites, const struct ork_detector *d);
/* The run is over: close the file. ORK_NOMEM. */
enum ork_status ork_recording_finish(struct ork_recording *r, struct ork_call_sites *sites,
                                     const struct ork_detector *d, bool complete);
/* Is there a file, after that? */
bool ork_recording_has_file(const struct ork_recording *r);

/* Fill the choices of all ranks, and notes; `is_wanted`: also what limits a replay. ORK_NOMEM. */
enum ork_status ork_recording_summary(const struct ork_recording *r, bool is_wanted,
                                      struct ork_report *report);
/* Note how much of the recording in `file` the run has repeated. ORK_NOMEM. */
enum ork_status ork_recording_compare(const struct ork_recording *r,
                                      const struct ork_order_file *file, struct ork_report *report);

#endif
