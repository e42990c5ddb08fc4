/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/memory_read.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 /* or a part of one */, PAGES = 64, MAPPED = 1024 };

/* RATIONALE: getpid() is a system call, too, and takes a third of the time of such a read. A forked
 * child, which has another number, records nothing. */
static pid_t process(void)
{
    static _Atomic pid_t self;
    pid_t pid = atomic_load_explicit(&self, memory_order_relaxed);

    if (pid == 0) {
        pid = getpid();
        atomic_store_explicit(&self, pid, memory_order_relaxed);
    }
    return pid;
}

bool ork_memory_gather(void *to, const struct iovec *from, unsigned count)
{
    struct iovec here = {.iov_base = to};

    for (unsigned i = 0; i < count; i++)
        here.iov_len += from[i].iov_len;
    ssize_t n = process_vm_readv(process(), &here, 1, from, count, 0);
    if (n >= 0 && (size_t)n < here.iov_len)
        errno = EFAULT;
    return n == (ssize_t)here.iov_len;
}

bool ork_memory_copy(void *to, const void *from, size_t size)
{
    return ork_memory_gather(
        to, &(struct iovec){.iov_base = (void *)(uintptr_t)from, .iov_len = size}, 1);
}

/* Is one of these pages in no mapping of the process? */
static bool lacks_page(uintptr_t at, size_t pages)
{
    unsigned char resident[MAPPED];

    return mincore((void *)at, pages * PAGE, resident) != 0 && errno == ENOMEM;
}

size_t ork_memory_extent(const void *from, size_t size)
{
    const uintptr_t begin = (uintptr_t)from, end = begin + size;
    uintptr_t at = begin - begin % PAGE;
    int saved = errno;

    for (size_t step = MAPPED; at < end;) {
        size_t rest = (end - at + PAGE - 1) / PAGE;
        size_t pages = rest < step ? rest : step;
        if (!lacks_page(at, pages))
            at += pages * PAGE;
        else if (pages == 1)
            break;
        else
            step = 1;
    }
    errno = saved;
    return (at < begin ? begin : at < end ? at : end) - begin;
}

/* A byte of each of the next pages, at most PAGES; *at is the first byte after them. */
static bool touch_pages(uintptr_t *at, uintptr_t end)
{
    char byte[PAGES];
    struct iovec here = {.iov_base = byte}, there[PAGES];
    ssize_t n;

    for (; *at < end && here.iov_len < PAGES; here.iov_len++) {
        there[here.iov_len] = (struct iovec){.iov_base = (void *)*at, .iov_len = 1};
        *at = end - *at > PAGE - *at % PAGE ? *at + (PAGE - *at % PAGE) : end;
    }
    n = process_vm_readv(process(), &here, 1, there, here.iov_len, 0);
    return n < 0 ? errno != EFAULT : (size_t)n == here.iov_len;
}

bool ork_memory_is_readable(const void *from, size_t size)
{
    uintptr_t at = (uintptr_t)from, end = at + size;
    int saved = errno;
    bool is_readable = end >= at;

    while (is_readable && at < end)
        is_readable = touch_pages(&at, end);
    errno = saved;
    return is_readable;
}
