/* SPDX-License-Identifier: BSD-3-Clause */
/* SipHash-2-4 (Aumasson, Bernstein 2012): without the key, nobody can find the hash of a text, nor
 * the key from any number of hashes. */
#ifndef ORK_COMMON_KEYED_HASH_H
#define ORK_COMMON_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

struct ork_keyed_hash {
    uint64_t v[4];
};

static inline uint64_t ork_keyed_hash_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void ork_keyed_hash_rounds(struct ork_keyed_hash *h, unsigned rounds)
{
    uint64_t *v = h->v;

    for (; rounds > 0; rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = ork_keyed_hash_rotate(v[1], 13) ^ v[0];
        v[3] = ork_keyed_hash_rotate(v[3], 16) ^ v[2];
        v[0] = ork_keyed_hash_rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = ork_keyed_hash_rotate(v[1], 17) ^ v[2];
        v[3] = ork_keyed_hash_rotate(v[3], 21) ^ v[0];
        v[2] = ork_keyed_hash_rotate(v[2], 32);
    }
}

static inline void ork_keyed_hash_word(struct ork_keyed_hash *h, uint64_t word)
{
    h->v[3] ^= word;
    ork_keyed_hash_rounds(h, 2);
    h->v[0] ^= word;
}

/* Of `size` bytes; the key has two words. */
static inline uint64_t ork_keyed_hash(const uint64_t key[2], const void *bytes, size_t size)
{
    struct ork_keyed_hash h = {{key[0] ^ UINT64_C(0x736f6d6570736575), /* "somepseu" */
                                key[1] ^ UINT64_C(0x646f72616e646f6d), /* "dorandom" */
                                key[0] ^ UINT64_C(0x6c7967656e657261), /* "lygenera" */
                                key[1] ^ UINT64_C(0x7465646279746573) /* "tedbytes" */}};
    const unsigned char *byte = bytes;
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++) {
        word |= (uint64_t)byte[i] << i % 8 * 8;
        if (i % 8 == 7) {
            ork_keyed_hash_word(&h, word);
            word = 0;
        }
    }
    ork_keyed_hash_word(&h, word | (uint64_t)size << 56);
    h.v[2] ^= 0xff;
    ork_keyed_hash_rounds(&h, 4);
    return h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3];
}

#endif
