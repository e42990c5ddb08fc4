/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of one thread of another process, from the kernel (proc(5)). */
#ifndef ORK_OVERLAY_LEAF_THREADS_KERNEL_H
#define ORK_OVERLAY_LEAF_THREADS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ork_rest {
    ORK_REST_NONE,    /* it runs, waits for a time, or cannot be observed */
    ORK_REST_PRIVATE, /* until a thread or a signal handler of its own process wakes it */
    ORK_REST_JOIN,    /* until thread `joined` of its process ends */
    ORK_REST_OUTSIDE, /* until another process, a kernel message or input wakes it */
    ORK_REST_OVER,    /* it has ended */
};

struct ork_kernel_thread {
    enum ork_rest rest;
    uint32_t joined;
    uint64_t cpu_ns;   /* processor time up to now */
    uint64_t switched; /* how often it got a processor; if equal twice, it slept in between */
};

/* Look at thread `tid` of process `pid`. */
struct ork_kernel_thread ork_kernel_thread(uint32_t pid, uint32_t tid);

/* Has thread `tid` of process `pid` ended, or is it being ended with its process? */
bool ork_kernel_is_over(uint32_t pid, uint32_t tid);

/* Does the process handle a signal in a way that lets it continue? Signals of program errors (their
 * default action is a core dump) do not count, nor those that the C library keeps, nor those in
 * `ending` (bit i: signal i + 1). */
bool ork_kernel_handles_signals(uint32_t pid, uint64_t ending);

/* The beginning of /proc/PID/task/TID/`name`, as text. false: it cannot be read, or is empty. */
bool ork_kernel_read_thread(uint32_t pid, uint32_t tid, const char *name, char *text, size_t size);

#endif
