/* SPDX-License-Identifier: BSD-3-Clause */
/* What followed a record usually follows it next time: in a loop adding is one comparison.
 * When it is something else, the latest record that looks like it may be equal; else it is stored.
 * RATIONALE: no table of all of them. It costs more than the records where few are equal. */
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
