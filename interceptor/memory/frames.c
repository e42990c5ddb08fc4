/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/frames.h"
#include "interceptor/preload/thread_storage.h"

#include "interceptor/site/backtrace.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* Deeper stacks are not walked. The code at the entry of a program has fewer bytes than that. */
enum { DEPTH_MAX = 1024, ENTRY_BYTES = 64 };

/* The stack of the calling thread; high 0: not looked up yet; 1: unknown. */
struct bounds {
    uint64_t low, high;
};
ORK_THREAD_LOCAL(struct bounds, ork_stack_bounds);

static void find_bounds(void)
{
    int saved = errno;
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;

    ork_stack_bounds.high = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &size) == 0 && size > 0) {
            ork_stack_bounds.low = (uint64_t)(uintptr_t)low;
            ork_stack_bounds.high = ork_stack_bounds.low + size;
        }
        pthread_attr_destroy(&attributes);
    }
    errno = saved;
}

static void *file_of(const void *code)
{
    Dl_info info;

    return dladdr(code, &info) != 0 ? info.dli_fbase : NULL;
}

/* RATIONALE: threads and the program may be started by functions of different files of the C
 * library. */
static bool is_of_c_library(const void *code)
{
    const void *file = file_of(code);

    return file != NULL && (file == file_of((const void *)(uintptr_t)&pthread_getattr_np) ||
                            file == file_of((const void *)(uintptr_t)&abort));
}

static bool is_entry(const void *code)
{
    return (uintptr_t)code - getauxval(AT_ENTRY) < ENTRY_BYTES;
}

/* Does the thread run on the stack that it was started with, and not on that of a fiber, which may
 * be an array in one of its frames? RATIONALE: the frame that makecontext() makes is one of the C
 * library, too, but its callee is not. If the stack cannot be walked to its end, the answer is no.
 */
static bool is_own_stack(void)
{
    void *frame[DEPTH_MAX];
    int saved = errno, n = ork_backtrace(frame, DEPTH_MAX);
    bool is_own = n >= 2 && n < DEPTH_MAX && is_of_c_library(frame[n - 2]) &&
                  (is_of_c_library(frame[n - 1]) || is_entry(frame[n - 1]));

    errno = saved;
    return is_own;
}

bool ork_frame_is_gone(int64_t address)
{
    const uint64_t at = (uint64_t)address, stack = ork_thread.stack;

    if (stack == 0)
        return false;
    if (ork_stack_bounds.high == 0)
        find_bounds();
    return at >= ork_stack_bounds.low && at < stack && stack < ork_stack_bounds.high &&
           is_own_stack();
}
