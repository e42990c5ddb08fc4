/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites of all ranks: from the MODULE and SITE records to function, file and line. */
#ifndef ORK_OVERLAY_FINDINGS_CALL_SITES_H
#define ORK_OVERLAY_FINDINGS_CALL_SITES_H

#include "common/status.h"
#include "overlay/stacktrace/load_use.h"
#include "record/record.h"
#include "report/report.h"

struct ork_call_sites;

enum ork_status ork_call_sites_create(uint32_t nprocs, struct ork_call_sites **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_call_sites_grow(struct ork_call_sites *sites, uint32_t nprocs);
/* NULL is allowed. */
void ork_call_sites_destroy(struct ork_call_sites *sites);

/* Process the next records of a rank; only MODULE and SITE with their lists are used. Untrusted:
 * invalid records are ignored. ORK_NOMEM. */
enum ork_status ork_call_sites_feed(struct ork_call_sites *sites, uint32_t rank,
                                    const struct ork_record *record, size_t n);

/* The place of call site `site` of `rank`; *where is the caller's (its strings by free), all NULL
 * if unknown, or after ORK_NOMEM. */
enum ork_status ork_call_sites_find(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                    struct ork_where *where);

/* What the program does with the value that the load of this call site reads. */
enum ork_load_use ork_call_sites_load_use(struct ork_call_sites *sites, uint32_t rank,
                                          uint32_t site);

/* Does the call from Fortran get a copy of an array that is not contiguous (ORK_F_COPIES)? */
bool ork_call_sites_copies(const struct ork_call_sites *sites, uint32_t rank, uint32_t site);

/* Are these calls two of one function, of which one comes before or after the other whenever that
 * is made? False, too, if that is not known. */
bool ork_call_sites_are_sequence(const struct ork_call_sites *sites, const uint32_t rank[2],
                                 const uint32_t site[2]);

/* A number for the place of a call site: equal for those of one line of the program with the same
 * callers (ork_describe_is_same_where()), at all ranks. ORK_NOMEM. */
enum ork_status ork_call_sites_number(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                      uint32_t *number);

/* The place and its callers up to main, in row->where and row->caller. ORK_NOMEM: what is there is
 * the row's. */
enum ork_status ork_call_sites_fill(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                    struct ork_rank_row *row);

#endif
