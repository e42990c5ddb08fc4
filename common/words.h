/* SPDX-License-Identifier: BSD-3-Clause */
/* A state written as words, to be compared with another one. Of some values only the order counts:
 * they are written as their places in it. */
#ifndef ORK_WORDS_H
#define ORK_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: none. */
struct ork_words {
    uint32_t *word;
    size_t count;
    uint32_t room;
};

void ork_words_release(struct ork_words *words);
bool ork_words_are_equal(const struct ork_words *a, const struct ork_words *b);

struct ork_words_writer {
    struct ork_words *to;
    size_t limit;
    bool failed; /* there are more than `limit`, or memory ran out; or set by the user */
    struct ork_ordered *ordered;
    uint32_t num_ordered, ordered_room;
};

/* Write to *to, which may hold earlier words. To be followed by ork_words_end(). */
void ork_words_begin(struct ork_words_writer *w, struct ork_words *to, size_t limit);
void ork_words_put(struct ork_words_writer *w, uint32_t word);
void ork_words_put_long(struct ork_words_writer *w, uint64_t value);
void ork_words_put_all(struct ork_words_writer *w, const void *words, size_t n);
/* A value that is only compared with others of this axis: 0 (none), or its place among them. */
void ork_words_put_ordered(struct ork_words_writer *w, uint32_t axis, uint64_t value);
/* A value of this axis that is never compared with others which come this way: how many different
 * ones that ork_words_put_ordered() got are not greater. 0: none. */
void ork_words_put_place(struct ork_words_writer *w, uint32_t axis, uint64_t value);
/* False: it has failed. */
bool ork_words_end(struct ork_words_writer *w);

#endif
