/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in the order in which they came, where most that are equal are stored once: what a rank
 * does in a loop takes four bytes a record. */
#ifndef ORK_DETECTOR_DIARY_H
#define ORK_DETECTOR_DIARY_H

#include "record/record.h"

struct ork_detector;

enum { DIARY_RECENT = 64 };

struct diary {
    struct ork_record *word;
    uint32_t *after; /* by word: the one that came behind it last */
    uint32_t words, word_cap, after_cap;
    uint32_t *line; /* the words in order */
    uint32_t count, cap;
    uint32_t recent[DIARY_RECENT]; /* by what looks alike: the latest word, if there is one */
};

/* false: out of memory; the detector has failed. */
bool ork_diary_add(struct ork_detector *d, struct diary *diary, const struct ork_record *rec);
/* Forget all. Valid afterwards as before it. */
void ork_diary_clear(struct diary *diary);
void ork_diary_release(struct diary *diary);

/* NULL: there are not so many. Valid until the next one is added. */
static inline const struct ork_record *diary_at(const struct diary *diary, size_t i)
{
    return i < diary->count ? &diary->word[diary->line[i]] : NULL;
}

#endif
