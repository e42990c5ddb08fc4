/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a stand-in: blocks of an arena, of which none is used twice. */
#ifndef ORK_TEST_BLOCKS_H
#define ORK_TEST_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKS = 64, ALIGNMENT = 256 };

static char arena[1 << 22] __attribute__((aligned(ALIGNMENT)));
static size_t used;
static struct block {
    uintptr_t address;
    size_t bytes;
    bool is_managed, is_live;
} blocks[BLOCKS];
static unsigned num_blocks;

/* 0: no room. */
static uintptr_t block_take(size_t bytes, bool is_managed)
{
    uintptr_t address = (uintptr_t)&arena[used];

    if (num_blocks == BLOCKS || bytes > sizeof(arena) - used)
        return 0;
    blocks[num_blocks++] = (struct block){address, bytes, is_managed, true};
    used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return address;
}

/* The live block with this address; NULL: none. */
static struct block *block_of(uintptr_t address)
{
    for (unsigned i = 0; i < num_blocks; i++) {
        if (blocks[i].is_live && address - blocks[i].address < blocks[i].bytes)
            return &blocks[i];
    }
    return NULL;
}

#endif
