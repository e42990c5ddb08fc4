/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/words.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* A value, and the word that is to say which one in order it is. */
struct ork_ordered {
    uint32_t axis;
    bool is_place; /* ork_words_put_place() */
    uint64_t value;
    size_t word;
};

void ork_words_release(struct ork_words *words)
{
    free(words->word);
    *words = (struct ork_words){0};
}

bool ork_words_are_equal(const struct ork_words *a, const struct ork_words *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->word, b->word, a->count * sizeof(*a->word)) == 0);
}

void ork_words_begin(struct ork_words_writer *w, struct ork_words *to, size_t limit)
{
    *w = (struct ork_words_writer){.to = to, .limit = limit < UINT32_MAX ? limit : UINT32_MAX};
    to->count = 0;
}

void ork_words_put_all(struct ork_words_writer *w, const void *words, size_t n)
{
    struct ork_words *to = w->to;

    if (to->count + n > w->limit ||
        !ork_vec_reserve(&to->word, &to->room, (uint32_t)(to->count + n), sizeof(uint32_t)))
        w->failed = true;
    if (w->failed || n == 0)
        return;
    memcpy(to->word + to->count, words, n * sizeof(uint32_t));
    to->count += n;
}

void ork_words_put(struct ork_words_writer *w, uint32_t word)
{
    ork_words_put_all(w, &word, 1);
}

void ork_words_put_long(struct ork_words_writer *w, uint64_t value)
{
    ork_words_put(w, (uint32_t)value);
    ork_words_put(w, (uint32_t)(value >> 32));
}

static void put_value(struct ork_words_writer *w, uint32_t axis, uint64_t value, bool is_place)
{
    if (w->failed ||
        !ork_vec_reserve(&w->ordered, &w->ordered_room, w->num_ordered + 1, sizeof(*w->ordered))) {
        w->failed = true;
        return;
    }
    if (value != 0)
        w->ordered[w->num_ordered++] = (struct ork_ordered){
            .axis = axis, .is_place = is_place, .value = value, .word = w->to->count};
    ork_words_put(w, 0);
}

void ork_words_put_ordered(struct ork_words_writer *w, uint32_t axis, uint64_t value)
{
    put_value(w, axis, value, false);
}

void ork_words_put_place(struct ork_words_writer *w, uint32_t axis, uint64_t value)
{
    put_value(w, axis, value, true);
}

static int compare(const void *a, const void *b)
{
    const struct ork_ordered *x = a, *y = b;

    if (x->axis != y->axis)
        return x->axis < y->axis ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (int)x->is_place - (int)y->is_place;
}

/* 1 is the lowest value of an axis. */
static void settle(struct ork_words_writer *w)
{
    const struct ork_ordered *latest = NULL; /* that counts */
    uint32_t place = 0;

    if (w->num_ordered > 0)
        qsort(w->ordered, w->num_ordered, sizeof(*w->ordered), compare);
    for (uint32_t i = 0; i < w->num_ordered; i++) {
        const struct ork_ordered *o = &w->ordered[i];
        if (i > 0 && o->axis != o[-1].axis) {
            latest = NULL;
            place = 0;
        }
        if (!o->is_place) {
            place += latest == NULL || o->value != latest->value;
            latest = o;
        }
        w->to->word[o->word] = place;
    }
}

bool ork_words_end(struct ork_words_writer *w)
{
    if (!w->failed)
        settle(w);
    free(w->ordered);
    w->ordered = NULL;
    return !w->failed;
}
