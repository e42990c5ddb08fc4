/* SPDX-License-Identifier: BSD-3-Clause */
/* A record is usually followed by the same one as the last time: in a loop, adding a record is one
 * comparison. If it differs, it is compared with the latest record that has the same hash; if that
 * differs too, it is stored. RATIONALE: there is no table of all records. It costs more than the
 * records if few of them are equal. */
#include "detector/state/record_log.h"
#include "detector/state/state.h"

#include <stdlib.h>

static uint32_t *recent_of(struct record_log *y, const struct ork_record *rec)
{
    uint32_t h = rec->site ^ rec->kind << 8 ^ (uint32_t)rec->peer * UINT32_C(0x9e3779b9) ^
                 rec->request * UINT32_C(0x85ebca6b);

    return &y->recent[(h ^ h >> 16) % RECORD_LOG_RECENT];
}

static bool is_entry(const struct record_log *y, uint32_t entry, const struct ork_record *rec)
{
    return entry < y->num_entries && ork_record_is_same(&y->entry[entry], rec);
}

/* UINT32_MAX: out of memory. */
static uint32_t entry_of(struct ork_detector *d, struct record_log *y, const struct ork_record *rec)
{
    uint32_t *recent = recent_of(y, rec);

    if (is_entry(y, *recent, rec))
        return *recent;
    if (!ork_grow(d, &y->entry, &y->entry_cap, y->num_entries + 1, sizeof(*y->entry)) ||
        !ork_grow(d, &y->after, &y->after_cap, y->num_entries + 1, sizeof(*y->after)))
        return UINT32_MAX;
    y->entry[y->num_entries] = *rec;
    y->after[y->num_entries] = UINT32_MAX;
    *recent = y->num_entries++;
    return *recent;
}

bool ork_record_log_add(struct ork_detector *d, struct record_log *y, const struct ork_record *rec)
{
    uint32_t last = y->count > 0 ? y->index[y->count - 1] : UINT32_MAX;
    uint32_t entry = y->count > 0 ? y->after[last] : UINT32_MAX;

    if (!is_entry(y, entry, rec)) {
        entry = entry_of(d, y, rec);
        if (entry == UINT32_MAX)
            return false;
        if (y->count > 0)
            y->after[last] = entry;
    }
    if (!ork_grow(d, &y->index, &y->cap, y->count + 1, sizeof(*y->index)))
        return false;
    ORK_ASSERT(entry < y->num_entries);
    y->index[y->count++] = entry;
    return true;
}

void ork_record_log_clear(struct record_log *y)
{
    y->count = y->num_entries = 0;
}

void ork_record_log_release(struct record_log *y)
{
    free(y->entry);
    free(y->after);
    free(y->index);
}
