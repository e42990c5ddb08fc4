/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/runtime/atomic.h"

ORK_ATOMIC(uint8_t, 8)
ORK_ATOMIC(uint16_t, 16)
ORK_ATOMIC(uint32_t, 32)
ORK_ATOMIC(uint64_t, 64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
