/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in order of arrival. Most equal records are stored once, so the calls of a loop take four
 * bytes a record. */
#ifndef ORK_DETECTOR_RECORD_LOG_H
#define ORK_DETECTOR_RECORD_LOG_H

#include "record/record.h"

struct ork_detector;

enum { RECORD_LOG_RECENT = 64 };

struct record_log {
    struct ork_record *entry;
    uint32_t *after; /* by entry: the entry that followed it last */
    uint32_t num_entries, entry_cap, after_cap;
    uint32_t *index; /* entries in order of arrival */
    uint32_t count, cap;
    uint32_t recent[RECORD_LOG_RECENT]; /* by hash: the latest entry, if any */
};

/* False: out of memory; the detector has failed. */
bool ork_record_log_add(struct ork_detector *d, struct record_log *record_log,
                        const struct ork_record *rec);
/* Remove all records. The log stays valid. */
void ork_record_log_clear(struct record_log *record_log);
void ork_record_log_release(struct record_log *record_log);

/* NULL if i >= count. Valid until the next record is added. */
static inline const struct ork_record *record_log_at(const struct record_log *record_log, size_t i)
{
    return i < record_log->count ? &record_log->entry[record_log->index[i]] : NULL;
}

#endif
