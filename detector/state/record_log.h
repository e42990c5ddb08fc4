/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in order of arrival. Equal records are stored once, so the calls of a loop take four
 * bytes a record. */
#ifndef ORK_DETECTOR_RECORD_LOG_H
#define ORK_DETECTOR_RECORD_LOG_H

#include "common/hash_map.h"
#include "record/record.h"

struct ork_detector;

struct record_log {
    struct ork_record *entry;
    uint32_t *after; /* by entry: the entry that followed it last */
    uint32_t num_entries, entry_cap, after_cap;
    uint32_t *index; /* entries in order of arrival */
    uint32_t count, cap;
    struct ork_hash_map by_hash; /* of a record: entry + 1 */
    /* Which entries have followed which, in the records that are here and in those that were
     * removed from the front. */
    struct ork_hash_map successions;
    uint64_t news; /* records that are new, or follow a record that they never followed before */
};

/* False: out of memory; the detector has failed. */
bool ork_record_log_add(struct ork_detector *d, struct record_log *record_log,
                        const struct ork_record *rec);
/* Is the record here, or was it removed from the front, and is not forgotten? */
bool ork_record_log_has(const struct record_log *record_log, const struct ork_record *rec);
/* Remove all records. The log stays valid. */
void ork_record_log_clear(struct record_log *record_log);
/* Remove the first n records. What they tell of later ones, whether these are new, is kept as long
 * as it takes little memory. False: out of memory; the detector has failed. */
bool ork_record_log_cut(struct ork_detector *d, struct record_log *record_log, uint32_t n);
void ork_record_log_release(struct record_log *record_log);

/* NULL if i >= count. Valid until the next record is added. */
static inline const struct ork_record *record_log_at(const struct record_log *record_log, size_t i)
{
    return i < record_log->count ? &record_log->entry[record_log->index[i]] : NULL;
}

#endif
