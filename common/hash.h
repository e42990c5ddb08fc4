/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes for grouping and tables. Not secure: a collision spoils a drawing or costs time. */
#ifndef ORK_COMMON_HASH_H
#define ORK_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* One multiplication (Knuth's multiplicative hashing): for tables of handles or addresses that each
 * call looks up. */
static inline uint32_t ork_hash_short(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection. */
static inline uint64_t ork_hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t ork_hash_add(uint64_t hash, uint64_t value)
{
    return ork_hash_mix(hash * UINT64_C(0x9e3779b97f4a7c15) + value + 1);
}

/* FNV-1a, then mixed. NULL and "" differ. */
static inline uint64_t ork_hash_text(uint64_t hash, const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    if (s == NULL)
        return ork_hash_add(hash, 0);
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return ork_hash_add(hash, h);
}

#endif
