/* SPDX-License-Identifier: BSD-3-Clause */
/* A record is usually followed by the same one as the last time: in a loop, adding a record is one
 * comparison. Only if it differs, it is looked up. */
#include "detector/state/record_log.h"
#include "detector/state/state.h"

#include "common/hash.h"

#include <stdlib.h>
#include <string.h>

/* More entries than records, and so many: what is known of earlier records is given up. */
enum { ENTRIES_MAX = 1 << 12 };

static uint64_t hash_of(const struct ork_record *rec)
{
    uint64_t word[sizeof(*rec) / sizeof(uint64_t)], h = 0;

    memcpy(word, rec, sizeof(word));
    for (unsigned i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

static bool is_entry(const struct record_log *y, uint32_t entry, const struct ork_record *rec)
{
    return entry < y->num_entries && ork_record_is_same(&y->entry[entry], rec);
}

/* UINT32_MAX: none. */
static uint32_t find(const struct record_log *y, const struct ork_record *rec, uint64_t hash)
{
    uint32_t probe = 0, found;

    while ((found = ork_hash_map_next(&y->by_hash, hash, &probe)) != 0) {
        if (is_entry(y, found - 1, rec))
            return found - 1;
    }
    return UINT32_MAX;
}

bool ork_record_log_has(const struct record_log *y, const struct ork_record *rec)
{
    return find(y, rec, hash_of(rec)) != UINT32_MAX;
}

/* UINT32_MAX: out of memory. */
static uint32_t entry_of(struct ork_detector *d, struct record_log *y, const struct ork_record *rec)
{
    uint64_t hash = hash_of(rec);
    uint32_t entry = find(y, rec, hash);

    if (entry != UINT32_MAX)
        return entry;
    if (!ork_grow(d, &y->entry, &y->entry_cap, y->num_entries + 1, sizeof(*y->entry)) ||
        !ork_grow(d, &y->after, &y->after_cap, y->num_entries + 1, sizeof(*y->after)))
        return UINT32_MAX;
    if (!ork_hash_map_add(&y->by_hash, hash, y->num_entries + 1)) {
        d->failed = true;
        return UINT32_MAX;
    }
    y->entry[y->num_entries] = *rec;
    y->after[y->num_entries] = UINT32_MAX;
    return y->num_entries++;
}

/* Has `entry` never followed `last`? */
static bool note_succession(struct ork_detector *d, struct record_log *y, uint32_t last,
                            uint32_t entry)
{
    bool is_new = true;

    if (!ork_hash_map_note(&y->successions, (uint64_t)last << 32 | entry, &is_new))
        d->failed = true;
    return is_new;
}

bool ork_record_log_add(struct ork_detector *d, struct record_log *y, const struct ork_record *rec)
{
    uint32_t last = y->count > 0 ? y->index[y->count - 1] : UINT32_MAX;
    uint32_t entry = y->count > 0 ? y->after[last] : UINT32_MAX;

    if (!is_entry(y, entry, rec)) {
        uint32_t known = y->num_entries;
        entry = entry_of(d, y, rec);
        if (entry == UINT32_MAX)
            return false;
        bool is_new = entry == known;
        if (y->count > 0) {
            y->after[last] = entry;
            is_new |= note_succession(d, y, last, entry);
        }
        y->news += is_new;
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
    ork_hash_map_release(&y->by_hash);
    ork_hash_map_release(&y->successions);
}

/* Write the records that are left to a log of their own. */
static bool rewrite(struct ork_detector *d, struct record_log *y)
{
    struct record_log own = {.news = y->news};
    bool good = true;

    for (uint32_t i = 0; i < y->count && good; i++)
        good = ork_record_log_add(d, &own, record_log_at(y, i));
    own.news = y->news;
    ork_record_log_release(y);
    *y = own;
    return good;
}

bool ork_record_log_cut(struct ork_detector *d, struct record_log *y, uint32_t n)
{
    ORK_ASSERT(n <= y->count);
    if (n == 0)
        return true;
    y->count -= n;
    memmove(y->index, y->index + n, y->count * sizeof(*y->index));
    return y->num_entries < ENTRIES_MAX || y->num_entries < y->count || rewrite(d, y);
}

void ork_record_log_release(struct record_log *y)
{
    ork_hash_map_release(&y->by_hash);
    ork_hash_map_release(&y->successions);
    free(y->entry);
    free(y->after);
    free(y->index);
}
