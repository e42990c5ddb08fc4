/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/heap.h"

#include "interceptor/memory/memory_read.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t ork_heap_low = UINT64_MAX;

/* The bytes that are read at once, and in all calls; chunks that are compared with a span. */
enum { WINDOW = 4 << 10, WINDOWS_MAX = 256 << 10, COMPARED_MAX = 1 << 12 };

static _Atomic uint32_t windows; /* that were read */

/* ---- is the program's malloc() that of glibc? ---- */

/* The beginning of the segment of sbrk(), field 47 of /proc/self/stat. 0: unknown. */
static uint64_t segment(void)
{
    enum { FIELD = 47, AFTER_NAME = 2 };
    char text[2048];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, text, sizeof(text) - 1) : -1;

    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')');
    for (int i = AFTER_NAME; i < FIELD && at != NULL; i++)
        at = strchr(at + 1, ' ');
    return at != NULL ? strtoull(at, NULL, 10) : 0;
}

/* RATIONALE: Valgrind replaces the code of functions, and not their symbols. */
static bool is_glibc(void)
{
    const void *its = dlsym(RTLD_DEFAULT, "__libc_malloc");
    const char *preloaded = getenv("LD_PRELOAD");

    return its != NULL && its == dlsym(RTLD_DEFAULT, "malloc") && sizeof(size_t) == 8 &&
           (preloaded == NULL || strstr(preloaded, "vgpreload") == NULL);
}

void ork_heap_init(void)
{
    int saved = errno;
    uint64_t low = is_glibc() ? segment() : 0;

    if (low != 0 && low < ork_heap_high())
        ork_heap_low = (low + ORK_HEAP_ALIGN - 1) / ORK_HEAP_ALIGN * ORK_HEAP_ALIGN;
    errno = saved;
}

/* ---- chunks: a header, a block, and the first word of the next chunk as its last one ---- */

struct chunk {
    uint64_t at, size;
    bool is_after_live; /* the chunk before it is in use */
};

/* A copy of a part of the segment. RATIONALE: another thread may give back its end. */
struct window {
    uint64_t low, high;
    char bytes[WINDOW];
};

static bool fill(struct window *w, uint64_t at, uint64_t end)
{
    uint64_t size = end - at < WINDOW ? end - at : WINDOW;

    if (windows >= WINDOWS_MAX)
        return false;
    windows++;
    w->low = at;
    w->high = at + size;
    return ork_memory_copy(w->bytes, (const void *)(uintptr_t)at, size);
}

/* False: that is no chunk of this segment, or it cannot be read. */
static bool read_chunk(struct window *w, uint64_t at, uint64_t end, struct chunk *chunk)
{
    uint64_t word;

    if (end - at < 2 * sizeof(word))
        return false;
    if ((at < w->low || at + 2 * sizeof(word) > w->high) && !fill(w, at, end))
        return false;
    memcpy(&word, w->bytes + (at + sizeof(word) - w->low), sizeof(word));
    *chunk = (struct chunk){
        .at = at, .size = word & ~(uint64_t)ORK_HEAP_FLAGS, .is_after_live = (word & 1) != 0};
    return (word & (ORK_HEAP_IS_MAPPED | ORK_HEAP_IS_OTHERS)) == 0 &&
           chunk->size % ORK_HEAP_ALIGN == 0 && chunk->size >= 2 * ORK_HEAP_ALIGN &&
           chunk->size <= end - at;
}

/* ---- what is asked ---- */

struct question {
    uint64_t address;
    const struct ork_span *span;
    struct ork_heap_view *view;
    uint32_t compared;
    bool is_found;
    uint64_t hash; /* of all chunks */
};

/* No block of the program has the bytes low .. high - 1. */
static void compare(struct question *q, uint64_t low, uint64_t high)
{
    const struct ork_span none = ork_span_of_block((int64_t)low, (int64_t)(high - low));
    struct ork_common common;

    if (q->view->is_missing || ork_spans_are_apart(&none, q->span) || q->compared >= COMPARED_MAX)
        return;
    q->compared++;
    q->view->is_missing = ork_spans_overlap(&none, q->span, &common) == ORK_YES;
}

/* The last chunk is what malloc() may use next. */
static void take_chunk(struct question *q, const struct chunk *c, bool is_live)
{
    const uint64_t block = c->at + 2 * sizeof(uint64_t), end = c->at + c->size + sizeof(uint64_t);

    compare(q, c->at + sizeof(uint64_t), block);
    if (!is_live) {
        compare(q, block, end);
    } else if (q->address >= block && q->address < end) {
        q->is_found = true;
        q->view->low = (int64_t)block;
        q->view->high = (int64_t)end;
    }
}

/* From the first chunk to the last one, which ends where the segment does. */
static bool walk(struct question *q)
{
    const uint64_t end = ork_heap_high();
    struct window w = {.low = 0};
    struct chunk next, c;
    uint64_t at = ork_heap_low;

    if (!read_chunk(&w, at, end, &c))
        return false;
    while ((at += c.size) < end) {
        if (!read_chunk(&w, at, end, &next))
            return false;
        take_chunk(q, &c, next.is_after_live);
        q->hash = (q->hash ^ (c.size | next.is_after_live)) * UINT64_C(0x100000001b3);
        c = next;
    }
    c.size -= sizeof(uint64_t); /* there is no next chunk */
    take_chunk(q, &c, false);
    return true;
}

/* A block that is a mapping of its own. RATIONALE: what is behind it is another mapping, of which
 * nothing is known but for the bytes that follow at once. */
static bool look_at_mapping(uint64_t address, const struct ork_span *span,
                            struct ork_heap_view *view)
{
    uint64_t head[2];

    if (address % ORK_HEAP_PAGE != ORK_HEAP_ALIGN ||
        !ork_memory_copy(head, (const void *)(uintptr_t)(address - sizeof(head)), sizeof(head)))
        return false;
    const uint64_t size = head[1] & ~(uint64_t)ORK_HEAP_FLAGS;
    const uint64_t page = address - sizeof(head);
    if (head[0] != 0 || (head[1] & ORK_HEAP_FLAGS) != ORK_HEAP_IS_MAPPED ||
        size % ORK_HEAP_PAGE != 0 || size < ORK_HEAP_MAPPED_MIN || size > INT64_MAX / 2)
        return false;
    *view = (struct ork_heap_view){
        .low = (int64_t)address, .high = (int64_t)(page + size), .is_elsewhere = true};
    view->is_missing = span->set == NULL && span->low <= view->high && span->high > view->high;
    return !view->is_missing ||
           ork_memory_extent((const void *)(uintptr_t)page, (size_t)size) == size;
}

bool ork_heap_look(uint64_t address, const struct ork_span *span, struct ork_heap_view *view)
{
    struct ork_heap_view again = {0};
    struct question q = {.address = address, .span = span, .view = view};
    struct question q2 = {.address = address, .span = span, .view = &again};
    int saved = errno;
    bool is_known;

    *view = (struct ork_heap_view){0};
    if (ork_heap_low == UINT64_MAX)
        return false;
    if (address < ork_heap_low || address >= ork_heap_high()) {
        is_known = look_at_mapping(address, span, view);
    } else {
        is_known = walk(&q) && q.is_found && walk(&q2) && q.hash == q2.hash;
        view->is_elsewhere =
            span->low < (int64_t)ork_heap_low || span->high > (int64_t)ork_heap_high();
    }
    errno = saved;
    return is_known;
}
