/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the runtime in the application (liborknot-memory) and the interceptor, which may be of
 * another version of Orknot. The runtime looks an address up in the interceptor's filter; only if
 * there is something near, it calls the interceptor.
 *
 * The filter has a bit for each class of pages. A bit is set as long as a page of its class has
 * bytes that are watched. */
#ifndef ORK_MEMORY_TOOL_H
#define ORK_MEMORY_TOOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORK_MEMORY_VERSION = 1,
    ORK_MEMORY_PAGE_SHIFT = 12,
    ORK_MEMORY_CLASS_SHIFT = 15,
    ORK_MEMORY_PAGE = 1 << ORK_MEMORY_PAGE_SHIFT,
    ORK_MEMORY_CLASSES = 1 << ORK_MEMORY_CLASS_SHIFT,
    ORK_MEMORY_WORDS = ORK_MEMORY_CLASSES / 64,
};

enum ork_memory_use { ORK_MEMORY_LOAD, ORK_MEMORY_STORE };

struct ork_memory_tool {
    const _Atomic uint64_t *filter; /* ORK_MEMORY_WORDS words */
    /* The calling thread is about to access these bytes. `code`: the return address of the call
     * that says so. May be called by any thread. */
    void (*touch)(uintptr_t address, size_t size, enum ork_memory_use use, uintptr_t code);
};

/* Exported by the interceptor. NULL: it has another version, or it is too late. Static storage. */
#define ORK_MEMORY_ATTACH "orknot_memory_attach"
typedef const struct ork_memory_tool *ork_memory_attach(uint32_t version);

static inline uint32_t ork_memory_class(uintptr_t address)
{
    uintptr_t page = address >> ORK_MEMORY_PAGE_SHIFT;

    return (uint32_t)(page ^ page >> ORK_MEMORY_CLASS_SHIFT) & (ORK_MEMORY_CLASSES - 1u);
}

static inline int ork_memory_is_near(const _Atomic uint64_t *filter, uintptr_t address)
{
    uint32_t class = ork_memory_class(address);

    return (int)(atomic_load_explicit(&filter[class / 64], memory_order_relaxed) >> class % 64 & 1);
}

#endif
