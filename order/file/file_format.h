/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of an order's file, little-endian. Private to order/.
 *
 *   header: ORK_ORDER_MAGIC; format (4 bytes); length (1) and text of the version; number of ranks
 *           (4); length (1) and text of the program; check of all this (4)
 *   block:  size of the frame (4); check of the block's number and this size (4); frame of zstd
 * with a checksum
 *
 * A frame contains entries: a byte that says what it is, and varints. */
#ifndef ORK_ORDER_FILE_FORMAT_H
#define ORK_ORDER_FILE_FORMAT_H

#include "common/hash.h"
#include "order/file/file.h"

enum {
    ORK_ORDER_MAGIC_SIZE = sizeof(ORK_ORDER_MAGIC) - 1,
    ORK_ORDER_FORMAT = 1,
    ORK_ORDER_HEADER_MAX = ORK_ORDER_MAGIC_SIZE + 4 + 256 + 4 + 256 + 4,
    ORK_ORDER_BLOCK_HEADER = 8,
    ORK_ORDER_BLOCK_MAX = 128 << 10, /* of entries in a frame */
    ORK_ORDER_PLACE_MAX = 1024,      /* bytes of text; a longer one is cut off */
};

enum ork_order_entry {
    ORK_ORDER_STREAM, /* rank, size, bytes */
    ORK_ORDER_PLACE,  /* rank, site, size, text */
    ORK_ORDER_JOB,    /* rank, job, rank in it */
    ORK_ORDER_END,    /* of the file: it is complete */
};

/* The most bytes of an entry without its text or bytes. */
enum { ORK_ORDER_ENTRY_MAX = 1 + 3 * 5 };

static inline uint8_t *ork_order_put_u32(uint8_t *out, uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        *out++ = (uint8_t)(value >> shift);
    return out;
}

static inline uint32_t ork_order_get_u32(const uint8_t *in)
{
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static inline uint32_t ork_order_header_check(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < size; i++)
        hash = ork_hash_add(hash, bytes[i]);
    return (uint32_t)hash;
}

static inline uint32_t ork_order_block_check(uint32_t number, uint32_t size)
{
    return (uint32_t)ork_hash_add(number, size);
}

#endif
