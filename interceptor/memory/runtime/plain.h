/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that objects compiled with -fsanitize=thread call for loads and stores, as GCC 12
 * and Clang 14 declare them. The names are the compilers'. */
#ifndef ORK_MEMORY_PLAIN_H
#define ORK_MEMORY_PLAIN_H

#include <stddef.h>

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

/* X(SIZE): natural alignment */
#define ORK_MEMORY_SIZES(X) X(1) X(2) X(4) X(8) X(16)
/* and without */
#define ORK_MEMORY_UNALIGNED_SIZES(X) X(2) X(4) X(8) X(16)

#define ORK_MEMORY_DECLARE(size)                                                                   \
    void __tsan_read##size(void *address);                                                         \
    void __tsan_write##size(void *address);                                                        \
    void __tsan_read_write##size(void *address);                                                   \
    void __tsan_volatile_read##size(void *address);                                                \
    void __tsan_volatile_write##size(void *address);
ORK_MEMORY_SIZES(ORK_MEMORY_DECLARE)

#define ORK_MEMORY_DECLARE_UNALIGNED(size)                                                         \
    void __tsan_unaligned_read##size(void *address);                                               \
    void __tsan_unaligned_write##size(void *address);                                              \
    void __tsan_unaligned_read_write##size(void *address);                                         \
    void __tsan_unaligned_volatile_read##size(void *address);                                      \
    void __tsan_unaligned_volatile_write##size(void *address);
ORK_MEMORY_UNALIGNED_SIZES(ORK_MEMORY_DECLARE_UNALIGNED)

void __tsan_read_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size);
void __tsan_vptr_read(void **vptr);
void __tsan_vptr_update(void **vptr, void *value);

/* Annotations that a program may make if it is compiled with -fsanitize=thread. */
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int value, size_t size);

#endif
