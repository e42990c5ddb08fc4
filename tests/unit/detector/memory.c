/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/detector/memory.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);

static bool armed;
static long before_failure;
static long failures, live, bytes;

void memory_arm(long succeed)
{
    armed = true;
    before_failure = succeed;
    failures = live = bytes = 0;
}

void memory_disarm(void)
{
    armed = false;
}

long memory_failures(void)
{
    return failures;
}

long memory_live(void)
{
    return live;
}

long memory_bytes(void)
{
    return bytes;
}

static bool fails(void)
{
    if (!armed || before_failure-- > 0)
        return false;
    before_failure = 0;
    failures++;
    return true;
}

static void *count(void *memory, long sign)
{
    if (armed && memory != NULL) {
        live += sign;
        bytes += sign * (long)malloc_usable_size(memory);
    }
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count(__real_malloc(size), 1);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : count(__real_aligned_alloc(alignment, size), 1);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : count(__real_calloc(n, size), 1);
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    count(old, -1);
    return count(__real_realloc(old, size), 1);
}

void __wrap_free(void *memory)
{
    __real_free(count(memory, -1));
}
