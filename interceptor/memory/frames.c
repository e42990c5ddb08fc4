/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/frames.h"

#include <errno.h>

/* The stack of the calling thread; high 0: not looked up yet; 1: unknown. */
static _Thread_local struct {
    uint64_t low, high;
} bounds __attribute__((tls_model("initial-exec")));

static void find_bounds(void)
{
    int saved = errno;
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;

    bounds.high = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &size) == 0 && size > 0) {
            bounds.low = (uint64_t)(uintptr_t)low;
            bounds.high = bounds.low + size;
        }
        pthread_attr_destroy(&attributes);
    }
    errno = saved;
}

bool ork_frame_is_gone(int64_t address)
{
    const uint64_t at = (uint64_t)address, stack = ork_thread.stack;

    if (stack == 0)
        return false;
    if (bounds.high == 0)
        find_bounds();
    return at >= bounds.low && at < stack && stack < bounds.high;
}
