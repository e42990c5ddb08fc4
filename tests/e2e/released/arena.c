/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that replaces that of the C library: its blocks are behind sizes of its own, it has
 * no malloc_usable_size(), and it uses nothing twice. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static char arena[(size_t)1 << 28] __attribute__((aligned(ALIGNMENT)));
static _Atomic size_t used;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *p, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **p, size_t alignment, size_t size);
void free(void *p);

/* The size is in the 8 bytes before the block. */
static void *take(size_t alignment, size_t size)
{
    const size_t step = alignment > ALIGNMENT ? alignment : ALIGNMENT;
    const size_t room = size + 2 * step;
    const size_t at = atomic_fetch_add(&used, (room + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);

    if (size > sizeof(arena) || at > sizeof(arena) - room) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = arena + at;
    p += step - (uintptr_t)p % step;
    memcpy(p - sizeof(size), &size, sizeof(size));
    return p;
}

void *malloc(size_t size)
{
    return take(ALIGNMENT, size);
}

void *calloc(size_t count, size_t size)
{
    return take(ALIGNMENT, count * size); /* no byte was used before */
}

void *realloc(void *p, size_t size)
{
    void *q = take(ALIGNMENT, size);
    size_t before = 0;

    if (p != NULL && q != NULL) {
        memcpy(&before, (char *)p - sizeof(before), sizeof(before));
        memcpy(q, p, before < size ? before : size);
    }
    return q;
}

void *memalign(size_t alignment, size_t size)
{
    return take(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return take(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    *p = take(alignment, size);
    return *p != NULL ? 0 : ENOMEM;
}

void free(void *p)
{
    (void)p;
}
