/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong uses of MPI that ranks found in their own calls: from USAGE records to findings. Equal ones
 * of all ranks are one finding. It is reported soon after the first of them, and again, with all
 * ranks and counts, when the run is over. */
#ifndef ORK_OVERLAY_ROOT_USAGES_H
#define ORK_OVERLAY_ROOT_USAGES_H

#include "overlay/root/root.h"
#include "overlay/findings/describe_usage.h"

struct ork_usages;

/* ORK_NOMEM. */
enum ork_status ork_usages_create(struct ork_usages **out);
/* NULL is allowed. */
void ork_usages_destroy(struct ork_usages *usages);

/* The next records of a rank, at this time; only USAGE with their lists are used. Untrusted:
 * invalid records are ignored. ORK_NOMEM. */
enum ork_status ork_usages_feed(struct ork_usages *usages, struct ork_call_sites *sites,
                                uint32_t rank, const struct ork_record *record, size_t n,
                                uint64_t at_ns);

/* The rank has died: inside the calls that have not returned. */
void ork_usages_die(struct ork_usages *usages, uint32_t rank);

/* Has the rank died in a call in which it found an error? */
bool ork_usages_explain(const struct ork_usages *usages, uint32_t rank);
/* Add a sentence on how the run ended to the finding of that error. ORK_NOMEM. */
enum ork_status ork_usages_add_end(struct ork_usages *usages, uint32_t rank, const char *sentence);

/* The message of the first reported error after which ranks may be elsewhere than they should be,
 * because the call returned an error; NULL: none. */
const char *ork_usages_failed(const struct ork_usages *usages);

/* Did the rank find a mistake in this call, or earlier at its place, and was it not seen to return
 * without an error? */
bool ork_usages_may_fail(const struct ork_usages *usages, uint32_t rank,
                         const struct ork_record *call);

/* Is the rank in a call in which it found a mistake that keeps the call from completing: `call`, or
 * NULL: any call? And is any rank? */
bool ork_usages_keep(const struct ork_usages *usages, uint32_t rank, const struct ork_record *call);
bool ork_usages_keep_any(const struct ork_usages *usages);

/* Was this collective call of the rank made while another of its threads was in one on the same
 * communicator? */
bool ork_usages_are_concurrent(const struct ork_usages *usages, uint32_t rank,
                               const struct ork_record *call);

/* Report what was found long enough ago; `all`: everything that has changed. ORK_NOMEM. */
enum ork_status ork_usages_report(struct ork_usages *usages, struct ork_call_sites *sites,
                                  const struct ork_report_sink *sink, uint64_t at_ns, bool all);

/* Note how many mistakes the ranks did not keep. ORK_NOMEM. */
enum ork_status ork_usages_summary(const struct ork_usages *usages, struct ork_report *report);

#endif
