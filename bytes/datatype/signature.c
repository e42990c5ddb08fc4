/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/datatype/signature.h"

__extension__ typedef unsigned __int128 wide;

#define PRIME      ((UINT64_C(1) << 61) - 1)
#define MULTIPLIER UINT64_C(0x0b1a2d3c4e5f6071)

static uint64_t multiply(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;

    return sum >= PRIME ? sum - PRIME : sum;
}

/* A number from 1 to PRIME - 1. */
static uint64_t weight(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x % (PRIME - 1) + 1;
}

struct ork_signature ork_signature_of_basic(uint32_t type_id)
{
    enum ork_basic basic = ork_basic_of_id(type_id);
    enum ork_basic_kind kind = ork_basic_kind(basic);
    uint64_t size = ork_basic_size_of_id(type_id);

    if (basic == ORK_BASIC_NONE || kind == ORK_BASIC_IS_PAIR)
        return ORK_SIGNATURE_UNKNOWN;
    if (kind == ORK_BASIC_IS_NOTHING)
        return ORK_SIGNATURE_EMPTY;
    if (size == 1 && kind != ORK_BASIC_IS_PACKED)
        kind = ORK_BASIC_IS_BYTE;
    return (struct ork_signature){.length = 1,
                                  .scale = MULTIPLIER,
                                  .exact = weight(type_id),
                                  .alike = weight(UINT64_C(1) << 32 | (uint64_t)kind << 8 | size),
                                  .languages = ork_basic_languages(basic),
                                  .has_packed = kind == ORK_BASIC_IS_PACKED};
}

struct ork_signature ork_signature_join(const struct ork_signature *first,
                                        const struct ork_signature *second)
{
    struct ork_signature s = {
        .length = first->length + second->length,
        .scale = multiply(first->scale, second->scale),
        .exact = add(multiply(second->scale, first->exact), second->exact),
        .alike = add(multiply(second->scale, first->alike), second->alike),
        .languages = first->languages | second->languages,
        .has_packed = first->has_packed || second->has_packed,
    };

    if (first->unknown || second->unknown || s.length < first->length)
        return ORK_SIGNATURE_UNKNOWN;
    return s;
}

struct ork_signature ork_signature_repeat(const struct ork_signature *signature, uint64_t count)
{
    struct ork_signature result = ORK_SIGNATURE_EMPTY;
    struct ork_signature power = *signature;

    if (count == 0)
        return result;
    if (power.length > UINT64_MAX / count)
        return ORK_SIGNATURE_UNKNOWN;
    while (true) {
        if (count & 1)
            result = ork_signature_join(&result, &power);
        count >>= 1;
        if (count == 0)
            return result;
        power = ork_signature_join(&power, &power);
    }
}
