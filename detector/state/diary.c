/* SPDX-License-Identifier: BSD-3-Clause */
/* What came behind a record is what comes behind it next time: in a loop adding is one comparison.
 * When it is something else, the latest record that looks like it may be equal; else it is stored.
 * RATIONALE: no table of all of them. It costs more than the records where few are equal. */
#include "detector/state/diary.h"
#include "detector/state/state.h"

#include <stdlib.h>

static uint32_t *recent_of(struct diary *y, const struct ork_record *rec)
{
    uint32_t h = rec->site ^ rec->kind << 8 ^ (uint32_t)rec->peer * UINT32_C(0x9e3779b9) ^
                 rec->request * UINT32_C(0x85ebca6b);

    return &y->recent[(h ^ h >> 16) % DIARY_RECENT];
}

static bool is_word(const struct diary *y, uint32_t word, const struct ork_record *rec)
{
    return word < y->words && ork_record_is_same(&y->word[word], rec);
}

/* UINT32_MAX: out of memory. */
static uint32_t word_of(struct ork_detector *d, struct diary *y, const struct ork_record *rec)
{
    uint32_t *recent = recent_of(y, rec);

    if (is_word(y, *recent, rec))
        return *recent;
    if (!ork_grow(d, &y->word, &y->word_cap, y->words + 1, sizeof(*y->word)) ||
        !ork_grow(d, &y->after, &y->after_cap, y->words + 1, sizeof(*y->after)))
        return UINT32_MAX;
    y->word[y->words] = *rec;
    y->after[y->words] = UINT32_MAX;
    *recent = y->words++;
    return *recent;
}

bool ork_diary_add(struct ork_detector *d, struct diary *y, const struct ork_record *rec)
{
    uint32_t last = y->count > 0 ? y->line[y->count - 1] : UINT32_MAX;
    uint32_t word = y->count > 0 ? y->after[last] : UINT32_MAX;

    if (!is_word(y, word, rec)) {
        word = word_of(d, y, rec);
        if (word == UINT32_MAX)
            return false;
        if (y->count > 0)
            y->after[last] = word;
    }
    if (!ork_grow(d, &y->line, &y->cap, y->count + 1, sizeof(*y->line)))
        return false;
    y->line[y->count++] = word;
    return true;
}

void ork_diary_clear(struct diary *y)
{
    y->count = y->words = 0;
}

void ork_diary_release(struct diary *y)
{
    free(y->word);
    free(y->after);
    free(y->line);
}
