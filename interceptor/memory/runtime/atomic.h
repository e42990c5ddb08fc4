/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations of instrumented objects. The operation itself is the compiler's, with
 * sequential consistency, whatever weaker order the application asks for: that is always right. An
 * operation that may store is looked at as a store. */
#ifndef ORK_MEMORY_ATOMIC_H
#define ORK_MEMORY_ATOMIC_H

#include "interceptor/memory/runtime/look.h"

#include <stdbool.h>

#define ORK_ATOMIC_LOOK(address, use)                                                              \
    ork_memory_look(address, sizeof(*(address)), use, __builtin_return_address(0))

#define ORK_ATOMIC_FETCH(T, bits, op)                                                              \
    T __tsan_atomic##bits##_fetch_##op(volatile T *a, T value, int order);                         \
    T __tsan_atomic##bits##_fetch_##op(volatile T *a, T value, int order)                          \
    {                                                                                              \
        (void)order;                                                                               \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_STORE);                                                      \
        return __atomic_fetch_##op(a, value, __ATOMIC_SEQ_CST);                                    \
    }

#define ORK_ATOMIC_COMPARE(T, bits, how, is_weak)                                                  \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile T *a, T *expected, T value,          \
                                                     int order, int failed);                       \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile T *a, T *expected, T value,          \
                                                     int order, int failed)                        \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_STORE);                                                      \
        return __atomic_compare_exchange_n(a, expected, value, is_weak, __ATOMIC_SEQ_CST,          \
                                           __ATOMIC_SEQ_CST);                                      \
    }

/* All operations on one type. */
#define ORK_ATOMIC(T, bits)                                                                        \
    T __tsan_atomic##bits##_load(const volatile T *a, int order);                                  \
    T __tsan_atomic##bits##_load(const volatile T *a, int order)                                   \
    {                                                                                              \
        (void)order;                                                                               \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_LOAD);                                                       \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order);                           \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order)                            \
    {                                                                                              \
        (void)order;                                                                               \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_STORE);                                                      \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    T __tsan_atomic##bits##_exchange(volatile T *a, T value, int order);                           \
    T __tsan_atomic##bits##_exchange(volatile T *a, T value, int order)                            \
    {                                                                                              \
        (void)order;                                                                               \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_STORE);                                                      \
        return __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST);                                    \
    }                                                                                              \
    ORK_ATOMIC_FETCH(T, bits, add)                                                                 \
    ORK_ATOMIC_FETCH(T, bits, sub)                                                                 \
    ORK_ATOMIC_FETCH(T, bits, and)                                                                 \
    ORK_ATOMIC_FETCH(T, bits, or)                                                                  \
    ORK_ATOMIC_FETCH(T, bits, xor)                                                                 \
    ORK_ATOMIC_FETCH(T, bits, nand)                                                                \
    ORK_ATOMIC_COMPARE(T, bits, strong, false)                                                     \
    ORK_ATOMIC_COMPARE(T, bits, weak, true)                                                        \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order,    \
                                                 int failed);                                      \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T value, int order,    \
                                                 int failed)                                       \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        ORK_ATOMIC_LOOK(a, ORK_MEMORY_STORE);                                                      \
        __atomic_compare_exchange_n(a, &expected, value, false, __ATOMIC_SEQ_CST,                  \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }

#endif
