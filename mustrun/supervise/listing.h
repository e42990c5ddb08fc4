/* SPDX-License-Identifier: BSD-3-Clause */
/* Which findings of a run its report lists, if there are many. */
#ifndef ORK_MUSTRUN_SUPERVISE_LISTING_H
#define ORK_MUSTRUN_SUPERVISE_LISTING_H

#include "report/report.h"

/* The findings that the report only counts because it is full. Initialised to zero: none. */
struct ork_listing {
    struct ork_listing_item *item;
    uint32_t count, room;
};

/* The listed finding in which this one is to be counted: it has the same message, or there are
 * many of its kind at the same calls and places. NULL: none. Sets the hash of its places. A
 * finding about a state of the run, such as a hang, is not like an earlier one. ORK_NOMEM. */
enum ork_status ork_listing_find_like(struct ork_report *report, struct ork_finding *finding,
                                      struct ork_finding **like);

/* Are there so many of its kind that this one is only counted? */
bool ork_listing_is_full(const struct ork_report *report, const struct ork_finding *finding);

/* Count this finding. ORK_NOMEM. */
enum ork_status ork_listing_leave_out(struct ork_listing *listing, struct ork_report *report,
                                      const struct ork_finding *finding);
/* A finding with the message `earlier`, which may have been left out, has become this one, or is
 * gone. ORK_NOMEM. */
enum ork_status ork_listing_change(struct ork_listing *listing, struct ork_report *report,
                                   const struct ork_finding *finding, const char *earlier,
                                   bool is_gone);
void ork_listing_release(struct ork_listing *listing);

#endif
