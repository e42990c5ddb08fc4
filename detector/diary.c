/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/diary.h"
#include "detector/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES_MIN = 16,
    WORDS_KEPT = 1 << 10, /* with more of them a diary that is begun anew begins with none */
};

static uint32_t hash_of(const struct ork_record *rec)
{
    uint64_t part[sizeof(*rec) / sizeof(uint64_t)];
    uint64_t h = 0;

    memcpy(part, rec, sizeof(part));
    for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        h = (h ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

/* Where the record is, or may be put. */
static uint32_t *place_of(const struct diary *y, const struct ork_record *rec)
{
    uint32_t at = hash_of(rec) & (y->places - 1);

    while (y->place[at] != 0 && !ork_record_is_same(&y->word[y->place[at] - 1], rec))
        at = (at + 1) & (y->places - 1);
    return &y->place[at];
}

/* Half of the places stay free. */
static bool make_room(struct ork_detector *d, struct diary *y)
{
    if (2 * y->words < y->places)
        return true;
    uint32_t places = y->places == 0 ? PLACES_MIN : 2 * y->places;
    uint32_t *bigger = calloc(places, sizeof(*bigger));
    if (bigger == NULL) {
        d->failed = true;
        return false;
    }
    free(y->place);
    y->place = bigger;
    y->places = places;
    for (uint32_t i = 0; i < y->words; i++)
        *place_of(y, &y->word[i]) = i + 1;
    return true;
}

/* UINT32_MAX: out of memory. */
static uint32_t word_of(struct ork_detector *d, struct diary *y, const struct ork_record *rec)
{
    if (!make_room(d, y))
        return UINT32_MAX;
    uint32_t *place = place_of(y, rec);
    if (*place != 0)
        return *place - 1;
    if (!grow(d, &y->word, &y->word_cap, y->words + 1, sizeof(*y->word)) ||
        !grow(d, &y->after, &y->after_cap, y->words + 1, sizeof(*y->after)))
        return UINT32_MAX;
    y->word[y->words] = *rec;
    y->after[y->words] = 0;
    *place = ++y->words;
    return y->words - 1;
}

bool diary_add(struct ork_detector *d, struct diary *y, const struct ork_record *rec)
{
    uint32_t *after = y->count > 0 ? &y->after[y->line[y->count - 1]] : NULL;
    uint32_t word = after != NULL ? *after : UINT32_MAX;

    if (word == UINT32_MAX || !ork_record_is_same(&y->word[word], rec)) {
        word = word_of(d, y, rec);
        if (word == UINT32_MAX)
            return false;
        if (y->count > 0)
            y->after[y->line[y->count - 1]] = word;
    }
    if (!grow(d, &y->line, &y->cap, y->count + 1, sizeof(*y->line)))
        return false;
    y->line[y->count++] = word;
    return true;
}

void diary_clear(struct diary *y)
{
    y->count = 0;
    if (y->words <= WORDS_KEPT)
        return;
    y->words = 0;
    memset(y->place, 0, y->places * sizeof(*y->place));
}

void diary_release(struct diary *y)
{
    free(y->word);
    free(y->after);
    free(y->place);
    free(y->line);
}
