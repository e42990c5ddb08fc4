/* SPDX-License-Identifier: BSD-3-Clause */
/* Random call records, for the tests of the codec. */
#ifndef ORK_TEST_RECORD_RANDOM_H
#define ORK_TEST_RECORD_RANDOM_H

#include "record/record.h"

/* xorshift64* (Vigna 2016); *state is never 0. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* Small, close to a power of two or anything: what differences of fields are like. */
static inline uint64_t random_value(uint64_t *state)
{
    uint64_t choice = random_next(state) % 4;

    if (choice == 0)
        return random_next(state) % 16;
    if (choice == 1)
        return (UINT64_C(1) << (random_next(state) % 64)) - (random_next(state) & 1);
    return random_next(state);
}

/* A record that is no CONT, in which every field has changed with one half probability. */
static inline void random_record(uint64_t *state, struct ork_record *record)
{
#define ORK_FIELD(type, name)                                                                      \
    if (random_next(state) & 1)                                                                    \
        record->name = (type)random_value(state);
#include "record/fields.def"
#undef ORK_FIELD
    record->kind = (uint8_t)(1 + random_next(state) % (ORK_KIND_MAX - 1));
}

/* A CONT record of 1 to 15 words. */
static inline struct ork_cont random_cont(uint64_t *state)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT};

    cont.words = (uint8_t)(1 + random_next(state) % ORK_CONT_WORDS);
    for (unsigned i = 0; i < cont.words; i++)
        cont.word[i] = (uint32_t)random_value(state);
    return cont;
}

#endif
