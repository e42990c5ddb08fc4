/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of bytes as 32-bit words, for records. */
#ifndef ORK_RANGES_WORDS_H
#define ORK_RANGES_WORDS_H

#include "bytes/ranges/byteset.h"

/* A span without its place: copies of a layout whose lowest byte is byte 0. */
struct ork_pattern {
    struct ork_byteset set;
    int64_t count, stride;
};

/* Write the bytes of a span that has a layout. The number of words, or 0: more than `room`. */
uint32_t ork_span_to_words(const struct ork_span *span, uint32_t *word, uint32_t room);

/* Read them into an empty pattern. The words are untrusted. The number of words that were read, or
 * 0: they are invalid, or memory is short. Reset the set in any case. */
uint32_t ork_pattern_from_words(struct ork_pattern *pattern, const uint32_t *word, uint32_t words);

/* The bytes of a pattern from `low`, its lowest one. False: a limit is exceeded. */
bool ork_span_of_pattern(struct ork_span *span, const struct ork_pattern *pattern, int64_t low);

bool ork_patterns_are_equal(const struct ork_pattern *a, const struct ork_pattern *b);

#endif
